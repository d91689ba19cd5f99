"""Stories as people have them: any JSON, tables, first lines that are titles, a look before."""

import json
import re
from typing import Any

import pytest

from chronoscore.demo import CORPUS
from chronoscore.errors import DataError
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


YAML = "".join(
    f"- uid: {one}\n  published_at: {time}\n  headline: {title}\n  content: {text}\n"
    for one, time, title, text in EXPECTED
)
LISTED = json.dumps(RECORDS, indent=1)
ANSWER = f"Sure! Here are the articles:\n\n```json\n{LISTED}\n```\n\nAnything else?"
TABLE = "| uid | published_at | headline | content |\n|---|---|---|---|\n" + "".join(
    f"| {' | '.join(one)} |\n" for one in EXPECTED
)
SAID = {"role": "assistant", "content": ANSWER}
ASKED = {"role": "user", "content": "List the articles. " * 200}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", YAML),
        ("a.yml", "status: ok\narticles:\n" + YAML),
        ("a.txt", YAML),
        ("a.txt", LISTED),
        ("a.md", ANSWER),
        ("a.txt", ANSWER),
        ("a.md", f"<think>Two articles? [1, 2]</think>\n\n```yaml\n{YAML}```\n"),
        ("a.md", f"Here they are:\n{LISTED}\nDone."),
        ("a.md", f"The articles:\n\n{TABLE}\nThat is all."),
        ("a.json", json.dumps({"id": "c1", "created": 1930089600, "choices": [{"message": SAID}]})),
        ("a.json", json.dumps({"messages": [ASKED, SAID]})),
        ("a.json", json.dumps({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Which ones? " * 200},
            {"type": "text", "text": ANSWER}]})),
        ("a.json", json.dumps({"candidates": [{"content": {"parts": [{"text": ANSWER}]}}]})),
        ("a.json", json.dumps({"rows": [{"row_idx": n, "row": one} for n, one in
                                        enumerate(RECORDS)]})),
        ("a.json", json.dumps({key: [one[key] for one in RECORDS] for key in RECORDS[0]})),
        ("a.json", json.dumps({one["uid"]: {**one, "uid": None} for one in RECORDS})),
        ("a.json", repr(RECORDS)),
        ("a.json", f"// as it was exported\n{LISTED}"),
    ],
)  # fmt: skip
def test_yaml_and_what_models_answered_are_the_same_stories(name: str, text: str) -> None:
    stripped = [(one, time, title, body.strip()) for one, time, title, body in found(name, text)]
    assert stripped == EXPECTED


def test_an_answer_in_prose_is_a_story_without_its_marks() -> None:
    prose = (
        f"<think>2 facts?</think>\n# Dam *leaks*\n\n**The Corvane dam** [leaks][1].\n\n- {OTHER}\n"
    )
    plain = f"The Corvane dam [leaks].\n\n{OTHER}"
    assert found("a.md", prose.replace("[1]", "")) == [("a", "", "Dam leaks", plain)]
    page = f"<html><body><h1>Dam leaks</h1><p>{BODY}</p><p>{OTHER}</p></body></html>"
    [(_, _, title, text)] = found("a.html", page)
    assert title == "Dam leaks"
    assert text.split("\n\n") == [BODY, OTHER] or text.split("\n") == [BODY, OTHER]
    rows = [{"id": n, "response": f"**{title}**\n\n{body}"} for n, _, title, body in EXPECTED]
    text = "\n".join(map(json.dumps, rows))
    assert found("a.jsonl", text) == [(n, "", title, body) for n, _, title, body in EXPECTED]


@pytest.mark.parametrize(
    "text",
    [
        f"{BODY}\n\n```\nmake dam\n```\n\n{OTHER}",
        f"{{{{Infobox dam}}}}\n{BODY}",
        f"Dam: it leaks\n\n{BODY}",
        f"{BODY} {OTHER} {BODY}\n\n| place | day |\n|---|---|\n| Corvane | Sunday |\n",
    ],
)
def test_plain_texts_stay_plain_texts(text: str) -> None:
    assert found("a.txt", text, titles=False) == [("a", "", "a", text.strip("\n"))]


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.txt", "a.md"])
def test_data_that_break_off_are_refused(name: str) -> None:
    text = "a: [" if name == "a.yaml" else LISTED[:-20]
    with pytest.raises(DataError, match="not an article"):
        found(name, text)


JUDGED = b'{"kind": "header", "format": "chronoscore-judgements", "version": 99}\n'


def test_all_bad_files_are_listed_whatever_kind_they_are(manager: Visitor, project: int) -> None:
    files = [
        ("files", ("one.jsonl", JUDGED)),
        ("files", ("two.jsonl", JUDGED.replace(b"99", b"98"))),
        ("files", ("three.zip", b"PK\x03\x04 broken")),
    ]
    page = manager.post(f"/p/{project}/import", 400, files=files, name="dam", title="T").text
    listed = page[page.index('role="alert"') :]
    assert all(name in listed for name in ("one.jsonl", "two.jsonl", "three.zip"))
    assert 'value="dam"' in page


def test_topics_judged_elsewhere_are_listed_before_they_are_imported(
    office: Office, manager: Visitor, project: int
) -> None:
    before = office.entries()
    judged = (CORPUS / "dam" / "judgements.jsonl").read_bytes()
    files = [("files", ("dam.jsonl", judged))]
    page = manager.post(f"/p/{project}/import", 200, files=files, name="dam", then="look").text
    assert "1 topic that was judged elsewhere" in page
    assert "134 sentences, 16 events" in page
    assert office.entries() == before


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
