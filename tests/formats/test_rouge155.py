"""The files of ROUGE-1.5.5: settings, lists and texts."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as chance
from hypothesis import strategies as st

from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.rouge155.settings import (
    READERS,
    NamedFile,
    load,
    load_perl_evaluation_list,
    read_rouge155_sentences,
)

EVAL = """<EVAL ID="{id}">
<PEER-ROOT>
systems
</PEER-ROOT>
<MODEL-ROOT> gold/ </MODEL-ROOT>
<INPUT-FORMAT TYPE="spl">
</INPUT-FORMAT>
<PEERS><P ID="mine"> a.txt
</P></PEERS>
<MODELS><M ID="A">b c.txt</M><M ID="B">d.txt</M></MODELS>
</EVAL>
"""


def settings(tmp_path: Path, body: str, *, root: str = "ROUGE_EVAL") -> Path:
    path = tmp_path / "settings.xml"
    path.write_text(f'<{root} version="1.0">\n{body}</{root}>\n', encoding="utf-8")
    return path


def read(tmp_path: Path, raw: bytes, form: str) -> list[str]:
    path = tmp_path / "text"
    path.write_bytes(raw)
    return read_rouge155_sentences(NamedFile(path, "here"), form)


@pytest.mark.parametrize("root", ["ROUGE_EVAL", "ROUGE-EVAL", "anything"])
def test_settings_are_read_whatever_their_root_is_called(tmp_path: Path, root: str) -> None:
    (found,) = load(settings(tmp_path, EVAL.format(id="1"), root=root))
    assert (found.id, found.format) == ("1", "SPL")
    assert {name: str(file.path) for name, file in found.systems.items()} == {
        "mine": "systems/a.txt"
    }
    assert [str(file.path) for file in found.references] == ["gold/b c.txt", "gold/d.txt"]


def test_a_named_file_knows_its_line(tmp_path: Path) -> None:
    path = settings(tmp_path, EVAL.format(id="1"))
    (found,) = load(path)
    assert found.references[0].where == f"{path}:11"


def test_an_evaluation_that_comes_twice_is_put_together(tmp_path: Path) -> None:
    again = EVAL.replace('"A"', '"C"')
    path = settings(tmp_path, EVAL.format(id="1") + again.format(id="1"))
    with pytest.warns(ChronoscoreWarning, match="comes again"):
        (found,) = load(path)
    assert len(found.references) == 4


def test_a_reference_id_that_comes_twice_counts_twice_with_the_last_file(tmp_path: Path) -> None:
    (found,) = load(settings(tmp_path, EVAL.format(id="1").replace('"B"', '"A"')))
    assert [str(file.path) for file in found.references] == ["gold/d.txt", "gold/d.txt"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</PEERS>", "", "settings.xml:12: not well-formed XML .mismatched tag"),
        ('ID="1"', "", ":2: <EVAL> has no ID"),
        ('<P ID="mine">', "<P>", ":9: <P> has no ID"),
        ('"spl"', '"html"', ":7: unknown input format 'HTML'"),
        ('<INPUT-FORMAT TYPE="spl">\n</INPUT-FORMAT>', "", "no INPUT-FORMAT"),
        ("systems", "", "no PEER-ROOT"),
        ("gold/", "", "no MODEL-ROOT"),
        ("d.txt", "", "<M> 'B' names no file"),
        ('<P ID="mine"> a.txt\n</P>', "", "names no system"),
    ],
)
def test_wrong_settings_are_refused_with_their_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = EVAL.format(id="1")
    assert old in text
    with pytest.raises(DataError, match=said):
        load(settings(tmp_path, text.replace(old, new)))


def test_empty_settings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.xml"
    path.write_bytes(b"")
    with pytest.raises(DataError, match="is empty"):
        load(path)


def test_settings_without_an_evaluation_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no EVAL"):
        load(settings(tmp_path, ""))


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    ],
)
def test_entities_are_refused_before_they_can_be_used(tmp_path: Path, document: str) -> None:
    path = tmp_path / "settings.xml"
    path.write_text(document, encoding="utf-8")
    with pytest.raises(DataError, match=r"settings.xml:1: .*(entity|document type)"):
        load(path)


@pytest.mark.parametrize("raw", [b"\x00", b"\xff\xfe", b"just text", b"<a>\xe9</a>"])
def test_what_is_no_xml_is_refused_in_one_sentence(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "settings.xml"
    path.write_bytes(raw)
    with pytest.raises(DataError, match=r"settings.xml:1: not well-formed XML"):
        load(path)


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.xml"
    path.write_bytes(b'<?xml version="1.0" encoding="no-such"?><a/>')
    with pytest.raises(DataError, match="unknown encoding"):
        load(path)


def test_a_list_has_an_evaluation_on_each_line_that_is_not_blank(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"a b\r\n\n  c\td e \n")
    first, second = load_perl_evaluation_list(path, "SPL", "mine")
    assert (first.id, second.id) == ("1", "2")
    assert [str(file.path) for file in second.references] == ["d", "e"]
    assert second.systems["mine"].where == f"{path}:3"


@pytest.mark.parametrize(("raw", "said"), [(b"a\n", "names one file"), (b" \n", "is empty")])
def test_a_list_that_says_too_little_is_refused(tmp_path: Path, raw: bytes, said: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(raw)
    with pytest.raises(DataError, match=said):
        load_perl_evaluation_list(path, "SPL", "mine")


def test_a_missing_or_unreadable_file_is_refused_with_the_place_that_names_it(
    tmp_path: Path,
) -> None:
    with pytest.raises(DataError, match=r"settings.xml:3: .*no such file"):
        read_rouge155_sentences(NamedFile(tmp_path / "none", "settings.xml:3"), "SPL")
    with pytest.raises(DataError, match="is a directory"):
        read_rouge155_sentences(NamedFile(tmp_path, "settings.xml:3"), "SPL")


def test_split_text_parts_at_line_feeds_only_and_drops_empty_lines(tmp_path: Path) -> None:
    assert read(tmp_path, b"a\rb\n\n \nc\x0cd", "SPL") == ["a\rb", " ", "c\x0cd"]


def test_bytes_that_are_not_utf8_survive(tmp_path: Path) -> None:
    (found,) = read(tmp_path, b"caf\xe9 \xff", "SPL")
    assert found.encode("utf-8", "surrogateescape") == b"caf\xe9 \xff"


SEE = '<a name="1">[1]</a> <a href="#1" id=1>'


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (f"{SEE}one two</a>", ["one two"]),
        (f"{SEE}one &amp; <b>two</b></a>", ["one &amp; "]),
        (f"{SEE}not closed\n", ["not closed\n"]),
        ('<a size="9" name="1">[1]</a>\t<a href="#1" id=1>one</a>', ["one"]),
        (f" {SEE}indented</a>", []),
        (SEE.replace(" <", "<") + "joined</a>", []),
        (SEE.replace("id=1", 'id="1"') + "quoted</a>", []),
        (SEE.upper() + "capitals</a>", []),
        (f"{SEE}</a>", []),
        (f"{SEE}one</a> {SEE}two</a>", ["one"]),
    ],
)
def test_see_takes_the_lines_that_perl_takes(tmp_path: Path, line: str, wanted: list[str]) -> None:
    assert read(tmp_path, line.encode(), "SEE") == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('<S SNTNO="1">one two</S>', ["one two"]),
        ('<S SNTNO="2a,3">one</S> rest', ["one"]),
        ('<S SNTNO="A">one</S>', []),
        ('<S SNTNO="1">one <i>two</i></S>', []),
        ('<S SNTNO="1">not closed', []),
        (' <S SNTNO="1">indented</S>', []),
    ],
)
def test_isi_takes_the_lines_that_perl_takes(tmp_path: Path, line: str, wanted: list[str]) -> None:
    assert read(tmp_path, line.encode(), "ISI") == wanted


@pytest.mark.parametrize("form", READERS)
@chance(deadline=None)
@given(raw=st.binary(max_size=200))
def test_no_bytes_make_reading_fail(form: str, raw: bytes) -> None:
    for line in READERS[form](raw):
        assert line in raw


@pytest.mark.parametrize("case", [str.lower, str.upper, str.capitalize])
def test_tags_may_have_any_case(tmp_path: Path, case: Callable[[str], str]) -> None:
    body = re.sub(r"</?[A-Z-]+", lambda found: case(found[0]), EVAL.format(id="1"))
    (found,) = load(settings(tmp_path, body))
    assert [str(file.path) for file in found.references] == ["gold/b c.txt", "gold/d.txt"]
    assert [str(file.path) for file in found.systems.values()] == ["systems/a.txt"]


def test_the_last_input_format_counts_wherever_it_is(tmp_path: Path) -> None:
    body = EVAL.format(id="1")
    before = body.replace("<PEERS>", '<INPUT-FORMAT TYPE="SEE"/><PEERS>')
    after = body.replace("</EVAL>", '<G><INPUT-FORMAT TYPE="isi"/></G></EVAL>')
    assert [load(settings(tmp_path, each))[0].format for each in (before, after)] == ["SEE", "ISI"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<PEERS>", '<P ID="x">stray</P><PEERS>'),
        ("<PEERS>", '<PEERS><M ID="x">stray</M>'),
        ("<PEERS>", '<PEERS><G><P ID="x">stray</P></G>'),
        ("<MODELS>", '<MODELS><P ID="x">stray</P>'),
        ("</EVAL>", '<G><M ID="x">stray</M></G></EVAL>'),
    ],
)
def test_files_count_only_directly_inside_peers_and_models(
    tmp_path: Path, old: str, new: str
) -> None:
    (found,) = load(settings(tmp_path, EVAL.format(id="1").replace(old, new)))
    assert (list(found.systems), len(found.references)) == (["mine"], 2)


def test_an_evaluation_inside_another_is_one_of_its_own(tmp_path: Path) -> None:
    inner = EVAL.format(id="2").replace("a.txt", "z.txt")
    outer, found = load(
        settings(tmp_path, EVAL.format(id="1").replace("</EVAL>", f"{inner}</EVAL>"))
    )
    assert [str(each.systems["mine"].path) for each in (outer, found)] == [
        "systems/a.txt",
        "systems/z.txt",
    ]


def test_a_line_of_a_list_that_begins_with_a_hash_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("#a b\na b\n# c\nc d\n", encoding="utf-8")
    found = load_perl_evaluation_list(tmp_path / "list", "SPL", "s")
    assert [(each.id, str(each.systems["s"].path)) for each in found] == [("1", "a"), ("2", "c")]
