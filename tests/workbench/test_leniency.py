"""Stories as people have them: any JSON, tables, first lines that are titles, a look before."""

import json
import re
from typing import Any

import pytest

from chronoscore.workbench.exchange import stories
from chronoscore.workbench.exchange.files import File
from workbench.office import Office, Visitor, refusal

BODY = "The Corvane dam began to leak on Saturday. Nobody was hurt."
OTHER = "The dam broke at noon on Sunday. The town below it was flooded within an hour."
EXPECTED = [("n1", "2031-03-01", "Dam leaks in the north", BODY),
            ("n2", "2031-03-02", "Dam breaks in the north", OTHER)]  # fmt: skip
RECORDS = [
    {"uid": one, "published_at": time, "headline": title, "content": text}
    for one, time, title, text in EXPECTED
]


def found(name: str, text: str, **how: Any) -> list[tuple[str, str, str, str]]:
    drafts = stories.read(File(name, text.encode()), **how)
    return [(one.id, one.time, one.title, one.text) for one in drafts]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", "\n".join(map(json.dumps, RECORDS))),
        ("a.json", json.dumps(RECORDS)),
        ("a.json", json.dumps({"status": "ok", "data": {"articles": RECORDS}}, indent=1)),
        ("a.json", json.dumps(RECORDS, indent=2)[:-2] + ",\n]"),
        ("a.csv", "uid,published_at,headline,content\n" + "".join(
            f'{a},{b},{c},"{d}"\n' for a, b, c, d in EXPECTED)),
        ("a.tsv", "uid\tpublished_at\theadline\tcontent\n" + "".join(
            f"{a}\t{b}\t{c}\t{d}\n" for a, b, c, d in EXPECTED)),
    ],
)  # fmt: skip
def test_records_of_any_shape_are_the_same_stories(name: str, text: str) -> None:
    assert found(name, text) == EXPECTED


@pytest.mark.parametrize(
    ("given", "read"),
    [("3 March 2031", "2031-03-03"), (1930089600, "2031-03-01"), ("2031-03-01T08:00:00",) * 2],
)
def test_times_are_read_as_people_write_them(given: object, read: str) -> None:
    text = json.dumps({"id": 7, "when": given, "text": BODY})
    assert found("a.json", text) == [("7", read, "", BODY)]


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        (f"Dam leaks\n\n{BODY}\n", "Dam leaks", BODY),
        (f"# Dam leaks\n{BODY}", "Dam leaks", BODY),
        (f"{BODY}\n{OTHER}", "story", f"{BODY}\n{OTHER}"),
        ("The dam began to leak\non Saturday. Nobody was hurt.", "story", None),
        ("Dam leaks", "story", "Dam leaks"),
        ("„Ist es vorbei?“\n\nNein.", "story", None),
    ],
)
def test_a_first_line_without_a_full_stop_is_the_title(
    text: str, title: str, body: str | None
) -> None:
    assert found("story.txt", text) == [("story", "", title, body or text)]
    assert found("story.txt", text, titles=False) == [("story", "", "story", text.strip("\n"))]


def test_files_in_wide_encodings_are_read() -> None:
    assert stories.read(File("a.txt", BODY.encode("utf-16")))[0].text == BODY


FILES = [
    ("files", ("good.txt", f"Dam leaks\n\n{BODY}".encode())),
    ("files", ("bad.json", b'{"id": ')),
    ("files", ("worse.txt", b"\xff\xfe\xfd \xff")),
    ("files", ("paper.pdf", b"%PDF-1.7 ...")),
]


def test_all_files_that_cannot_be_read_are_listed_and_the_form_is_kept(
    office: Office, manager: Visitor, project: int
) -> None:
    before = office.entries()
    page = manager.post(f"/p/{project}/import", 400, files=FILES, name="dam", title="The dam").text
    listed = page[page.index('role="alert"') : page.index("</ul>", page.index('role="alert"'))]
    assert [name in listed for name in ("bad.json", "worse.txt", "paper.pdf", "good.txt")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert 'value="dam"' in page
    assert 'value="The dam"' in page
    assert office.entries() == before


def test_sentences_are_looked_at_before_they_are_fixed(
    office: Office, manager: Visitor, project: int
) -> None:
    where, before = f"/p/{project}/import", office.entries()
    page = manager.post(where, 200, files=FILES, name="dam", title="", then="look").text
    assert re.search(r">1\.1</span> <span dir=\"auto\">The Corvane dam", page)
    assert "Dam leaks" in page
    assert "3 files cannot be read and are left out" in page
    assert office.entries() == before
    kept = re.search(r'name="kept" value="([^"]+)"', page)[1]
    again = manager.post(where, 200, kept=kept, name="dam", then="look", titles="no").text
    assert re.search(r">1\.1</span> <span dir=\"auto\">Dam leaks", again)
    kept = re.search(r'name="kept" value="([^"]+)"', again)[1]
    other = office.person("Nosy", founder=True)
    theirs = office.project(other, "stream")
    answer = other.post(f"/p/{theirs}/import", 400, kept=kept, name="dam")
    assert "No file was sent" in refusal(answer.text)
    answer = manager.post(where, kept=kept, name="dam", rest="yes", then="import", titles="yes")
    assert "1 story · 2 sentences" in manager.get(answer.headers["location"])
