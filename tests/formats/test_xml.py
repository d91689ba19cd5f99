"""XML: what is refused, and where."""

from pathlib import Path

import pytest

from chronoscore.errors import DataError
from chronoscore.formats.io import xml

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol1 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
]>
<lolz>&lol1;</lolz>
"""
OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>'
PARAMETER = '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;]>\n<a/>'
ELSEWHERE = '<!DOCTYPE a SYSTEM "http://example.org/a.dtd">\n<a/>'


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "declares the entity 'lol'"),
        (OUTSIDE, "declares the entity 'x'"),
        (PARAMETER, "declares the entity 'x'"),
        (ELSEWHERE, "the document type is in another file"),
        ("<a>&nothing;</a>", "undefined entity"),
        ("<a><b></a>", "mismatched tag"),
        ("plain text", "not well-formed XML"),
        ("<a>" * 300 + "</a>" * 300, "nested more than 200 deep"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "not well-formed XML"),
    ],
)
def test_what_is_dangerous_or_broken_is_refused_with_its_line(
    text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as refusal:
        xml.load(file(tmp_path, text))
    assert str(tmp_path / "a.xml") in str(refusal.value)
    assert message in str(refusal.value)


def test_element_declarations_are_harmless(tmp_path: Path) -> None:
    text = "<!DOCTYPE a [<!ELEMENT a (#PCDATA)>]>\n<a>x &amp; y<b c='d'>z</b></a>"
    node = xml.load(file(tmp_path, text))
    assert node.text == "x & yz"
    inner = node.first("b")
    assert inner is not None
    assert (inner.attributes, inner.line) == ({"c": "d"}, 2)


@pytest.mark.parametrize(
    ("text", "message"), [("<a/>", "has no n"), ("<a n='x'/>", "not a whole nu")]
)
def test_a_missing_or_wrong_number_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    path = file(tmp_path, text)
    with pytest.raises(DataError, match=message):
        xml.whole_number(path, xml.load(path), "n")
