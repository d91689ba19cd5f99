"""Files in, topics out: sentences get their numbers once."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chronoscore.demo import CORPUS
from chronoscore.formats.corpora import trects
from chronoscore.formats.judgements import judgement_files
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import uploads
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.exchange.stories import StoryDraft, number_sentences
from chronoscore.workbench.exchange.uploads import UploadReading
from chronoscore.workbench.store import source
from workbench.office import UPLOAD, Office, packed, refusal, to_link

TIMEML = """<?xml version="1.0" ?>
<TimeML><DOCID>dam</DOCID><DCT><TIMEX3 tid="t0" type="DATE" value="2031-03-01"
functionInDocument="CREATION_TIME">1 March 2031</TIMEX3></DCT>
<TEXT>The dam <EVENT eid="e1" class="OCCURRENCE">broke</EVENT>. Nobody was
<EVENT eid="e2" class="OCCURRENCE">hurt</EVENT>.</TEXT>
<MAKEINSTANCE eventID="e1" eiid="ei1"/><MAKEINSTANCE eventID="e2" eiid="ei2"/></TimeML>
"""


def sentences(office: Office, topic: int) -> list[tuple[str, str]]:
    with office.database.read() as connection:
        return [(s.id, s.text) for s in source.load(connection, topic).sentences]


def test_plain_text_is_split_and_its_date_is_read_from_its_name(office: Office, manager) -> None:
    project = office.project(manager, "stream")
    archive = packed(**{
        "2031-03-02 flood.txt": b"The town was flooded. Dr. Vale came.",
        "2031-03-01 leak.txt": b"It leaked.\r\n\r\nNobody saw it.",
    })  # fmt: skip
    topic = office.topic(manager, project, upload=("x.zip", archive, "application/zip"))
    assert sentences(office, topic) == [
        ("2031-03-01-leak-s01", "It leaked."),
        ("2031-03-01-leak-s02", "Nobody saw it."),
        ("2031-03-02-flood-s01", "The town was flooded."),
        ("2031-03-02-flood-s02", "Dr. Vale came."),
    ]


@pytest.mark.parametrize(
    ("title", "shown"), [("", "dam 2"), (" ", "dam 2"), (" The dam ", "The dam")]
)
def test_a_topic_without_a_title_is_called_by_its_name(title: str, shown: str) -> None:
    (draft,) = uploads.read(
        UploadReading("stream", " dam 2 ", title, 99), [File("a.txt", b"It rained.")]
    )
    assert isinstance(draft, TopicDraft)
    assert (draft.name, draft.title) == ("dam-2", shown)


def test_given_sentences_are_kept_as_they_are(office: Office, manager) -> None:
    project = office.project(manager, "stream")
    topic = office.topic(manager, project)
    assert sentences(office, topic)[2:4] == [
        ("a1-s03", "Engineers drew"), ("a1-s04", "down the lake."),
    ]  # fmt: skip


def test_timeml_brings_its_anchors(office: Office, manager) -> None:
    project = office.project(manager, "units")
    topic = office.topic(manager, project, upload=("dam.tml", TIMEML.encode(), "text/xml"), most="")
    with office.database.read() as connection:
        found = source.load(connection, topic)
        from chronoscore.workbench.domain.queries.units import anchors_of

        anchors = anchors_of(connection, topic, None)
    words = [found.by_id[a.sentence].text[a.start : a.stop] for a in anchors]
    assert words == ["broke", "hurt"]
    assert found.stories[0].time == "2031-03-01"


def test_plain_text_gets_anchors_where_units_are_made(office: Office, manager) -> None:
    project = office.project(manager, "units")
    upload = ("a.txt", b"The dam broke after the war.", "text/plain")
    topic = office.topic(manager, project, upload=upload, most="")
    with office.database.read() as connection:
        from chronoscore.workbench.domain.queries.units import anchors_of

        found = [(a.start, a.stop) for a in anchors_of(connection, topic, None)]
    assert found == [(8, 13), (24, 27)]


def test_trec_tables_become_final_topics(office: Office, manager, tmp_path) -> None:
    project = office.project(manager, "stream")
    archive = packed(**{
        "nuggets.tsv": b"query_id\tnugget_id\ttimestamp\timportance\tnugget_length\tnugget_text\n"
                       b"TS1\tVMTS1.001\t1330000000\t1\t2\tthe dam broke\n",
        "matches.tsv": b"query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n"
                       b"TS1\t1330000100-abc-1\tVMTS1.001\t0\t5\t0\n",
        "updates_sampled.tsv": b"query_id\tupdate_id\tdocument_id\tsentence_id\tupdate_length\t"
                               b"duplicate_id\tupdate_text\n"
                               b"TS1\t1330000100-abc-1\t1330000100-abc\t1\t3\tNULL\tdam broke now\n"
                               b"TS1\t1330000100-abc-2\t1330000100-abc\t2\t3\tNULL\tnothing else\n",
    })  # fmt: skip
    manager.post(
        f"/p/{project}/import", files={"files": ("trec.zip", archive)}, name="trec", title=""
    )
    path = tmp_path / "e.jsonl"
    path.write_text(manager.get(f"/p/{project}/export.jsonl"))
    judged = judgement_files.load(path).topics["TS1"].judgements
    assert [(link.sentence, link.kept) for link in judged.links] == [("1330000100-abc-1", True)]
    assert len(judged.sentences) == 2


def test_trecs_updates_alone_are_streams_to_be_judged(office: Office, manager) -> None:
    table = (
        "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
        "TS1\t1330000900-abd-4\t1330000900-abd\t4\t3\tNULL\tThe town fled .\n"
        "TS1\t1330000100-abc-1\t1330000100-abc\t1\t3\tNULL\tThe dam broke .\n"
        "TS2\t1330000100-abc-1\t1330000100-abc\t1\t3\tNULL\tThe dam broke .\n"
    )
    project = office.project(manager, "stream")
    upload = ("updates_sampled.tsv", table.encode(), "text/tab-separated-values")
    manager.post(f"/p/{project}/import", files={"files": upload}, name="", title="")
    html = manager.get(f"/p/{project}")
    first = int(re.search(r'href="/t/(\d+)"[^>]*>TS1<', html)[1])
    assert sentences(office, first) == [
        ("1330000100-abc-1", "The dam broke ."),
        ("1330000900-abd-4", "The town fled ."),
    ]
    with office.database.read() as connection:
        times = [story.time[:10] for story in source.load(connection, first).stories]
    assert times == ["2012-02-23", "2012-02-23"]


@pytest.mark.slow
def test_stories_without_text_are_left_out_and_told(office: Office, manager) -> None:
    lines = b'{"id": "a", "text": "It rained."}\n{"id": "b", "text": " "}\n'
    project = office.project(manager, "stream")
    topic = office.topic(manager, project, upload=("x.jsonl", lines, "application/jsonl"))
    assert sentences(office, topic) == [("a-s01", "It rained.")]
    assert "without text were left out: b (1 in all)" in manager.get(f"/p/{project}/notes")
    empty = {"files": ("x.jsonl", b'{"id": "b", "text": " "}\n')}
    answer = manager.post(f"/p/{project}/import", files=empty, name="e", title="", status=400)
    assert "o story was found" in refusal(answer.text)


def test_another_table_is_not_taken_for_a_story(office: Office, manager) -> None:
    project = office.project(manager, "stream")
    answer = manager.post(
        f"/p/{project}/import", files={"files": ("x.tsv", b"a\tb\n1\t2\n")}, name="x", title="",
        status=400,
    )  # fmt: skip
    assert "unknown table" in refusal(answer.text)


@pytest.mark.parametrize("topic", ["dam", "ferry", "theft"])
def test_a_judged_stream_comes_back_as_it_went(
    office: Office, manager, tmp_path, topic: str
) -> None:
    project = office.project(manager, "stream")
    original = CORPUS / topic / "judgements.jsonl"
    upload = {"files": ("judgements.jsonl", original.read_bytes())}
    manager.post(f"/p/{project}/import", files=upload, name=topic, title="")
    path = tmp_path / "e.jsonl"
    path.write_text(manager.get(f"/p/{project}/export.jsonl"))
    before = judgement_files.load(original).topics[topic].judgements
    after = judgement_files.load(path).topics[topic].judgements

    def links(judged) -> set:
        return {(k.sentence, k.event, k.marked_by, k.kept, bool(k.group)) for k in judged.links}

    assert links(after) == links(before)
    assert after.sentences == before.sentences
    assert dict(after.texts) == dict(before.texts)
    assert [(e.id, e.text) for e in after.events] == [(e.id, e.text) for e in before.events]
    again = office.project(manager, "stream")
    upload = {"files": ("judgements.jsonl", path.read_bytes())}
    manager.post(f"/p/{again}/import", files=upload, name=topic, title="")
    first = manager.get(f"/p/{project}/export.jsonl").splitlines()[:-1]
    second = manager.get(f"/p/{again}/export.jsonl").splitlines()[:-1]
    assert first == second


@pytest.mark.slow
def test_content_units_come_back_as_they_went(office: Office, manager, tmp_path) -> None:
    manager.post("/demo")
    with office.database.read() as connection:
        from sqlalchemy import select

        from chronoscore.workbench.store import tables

        project = connection.execute(
            select(tables.project.c.id).where(tables.project.c.workflow == "units")
        ).scalar()
    path = tmp_path / "e.jsonl"
    path.write_text(manager.get(f"/p/{project}/export.jsonl?finished=yes"))
    before = judgement_files.load(CORPUS / "dam" / "units.jsonl").topics["dam"].pyramid
    after = judgement_files.load(path).topics["dam"].pyramid
    for one, two in zip(before.units, after.units, strict=True):
        assert (one.id, one.weight, one.text, one.lines) == (
            two.id,
            two.weight,
            two.text,
            two.lines,
        )
        assert one.group == two.group


UNITS = CORPUS / "dam" / "units.jsonl"


def with_stories(path: Path, **renamed: str) -> bytes:
    """The dam's units together with its sentences, its writers perhaps under other names."""
    units, stream = (
        judgement_files.load(CORPUS / "dam" / name).topics["dam"]
        for name in ("units.jsonl", "judgements.jsonl")
    )
    topic = replace(units, judgements=replace(stream.judgements, events=(), links=()))
    judgement_files.save(judgement_files.Corpus(topics={"dam": topic}, workflow="units"), path)
    rows = [json.loads(row) for row in path.read_text().splitlines()]

    def called(value: Any) -> Any:
        if isinstance(value, list):
            return [called(one) for one in value]
        if isinstance(value, dict):
            return {name: called(one) for name, one in value.items()}
        return renamed.get(value, value) if isinstance(value, str) else value

    return "\n".join(json.dumps(called(row)) for row in rows if row["kind"] != "footer").encode()


@pytest.mark.filterwarnings("ignore:.*has no footer")
@pytest.mark.parametrize(
    "odd",
    [("Ann", "ann"), ("a b", "a  b"), ("w", "w\u200b"), ("é", "e\u0301"), ("x" * 99, "x" * 98)],
)
def test_writers_whose_names_look_alike_stay_two(
    office: Office, manager, tmp_path, odd: tuple[str, str]
) -> None:
    raw = with_stories(tmp_path / "units.jsonl", w1=odd[0], w2=odd[1])
    project = office.project(manager, "units")
    manager.post(f"/p/{project}/import", files={"files": ("u.jsonl", raw)}, name="x")
    path = tmp_path / "e.jsonl"
    path.write_text(manager.get(f"/p/{project}/export.jsonl"))
    before = judgement_files.load(UNITS).topics["dam"].pyramid
    after = judgement_files.load(path).topics["dam"].pyramid
    assert [unit.weight for unit in after.units] == [unit.weight for unit in before.units]


@pytest.mark.filterwarnings("ignore:.*has no footer")
def test_units_without_their_writers_lines_are_refused(office: Office, manager, tmp_path) -> None:
    rows = with_stories(tmp_path / "units.jsonl").decode().splitlines()
    silent = {"lines": [], "writers": ["w1"], "weight": 1}
    units = [json.dumps({**json.loads(row), **silent}) for row in rows if '"lines"' in row]
    rows = [row for row in rows if '"lines"' not in row] + units
    project = office.project(manager, "units")
    answer = manager.post(
        f"/p/{project}/import", status=400, name="x",
        files={"files": ("u.jsonl", "\n".join(rows).encode())},
    )  # fmt: skip
    assert "has no line of its writer" in refusal(answer.text)


@pytest.mark.slow
def test_texts_can_be_left_out(office: Office, manager, tmp_path) -> None:
    manager.post("/demo")
    text = manager.get("/p/1/export.jsonl?texts=no&finished=yes")
    assert "reservoir at" not in "".join(
        line for line in text.splitlines() if '"sentence"' in line[:30]
    )
    rows = [json.loads(line) for line in text.splitlines()]
    assert all("text" not in row for row in rows if row["kind"] == "sentence")
    assert all(row["sha256"] for row in rows if row["kind"] == "story")
    path = tmp_path / "e.jsonl"
    path.write_text(text)
    judgement_files.load(path)


@pytest.mark.slow
def test_score_and_agree_read_what_was_exported(office: Office, manager, tmp_path, capsys) -> None:
    from chronoscore.cli import main

    manager.post("/demo")
    path = tmp_path / "e.jsonl"
    path.write_text(manager.get("/p/1/export.jsonl?finished=yes"))
    ranking = tmp_path / "r.jsonl"
    rows = (CORPUS.parent / "runs" / "lead" / "rankings.jsonl").read_text().splitlines()
    ranking.write_text("\n".join(row for row in rows if '"dam"' in row))
    with pytest.raises(SystemExit) as done:
        main(["agree", str(path)])
    assert done.value.code == 0
    with pytest.raises(SystemExit) as done:
        main(["score", str(ranking), "--judgements", str(path), "-m", "nu@20", "-f", "jsonl"])
    assert done.value.code == 0
    assert '"nu' in capsys.readouterr().out


def test_a_topics_name_is_not_taken_twice(office: Office, manager) -> None:
    project = office.project(manager, "stream")
    office.topic(manager, project)
    answer = manager.post(
        f"/p/{project}/import", files={"files": UPLOAD}, name="dam", title="", status=400
    )
    assert "has a topic" in refusal(answer.text)


@pytest.mark.slow
def test_the_same_stories_can_be_judged_in_two_topics(
    office: Office, manager, tmp_path: Path
) -> None:
    ann, bob = office.person("Ann"), office.person("Bob")
    project = office.project(manager, "stream", ann, bob)
    for name, sentence in (("dam", "a1-s01"), ("town", "a2-s02")):
        topic = office.topic(manager, project, name)
        office.assign(manager, topic, judge=[ann, bob])
        manager.post(f"/t/{topic}/open")
        to_link(office, manager, topic, ann, bob)
        ann.mark(topic, sentence, "E1")
    path = tmp_path / "export.jsonl"
    path.write_text(manager.get(f"/p/{project}/export.jsonl"))
    topics = judgement_files.load(path).topics
    marked = {name: {link.sentence for link in topics[name].judgements.links} for name in topics}
    assert marked == {"dam": {"a1-s01"}, "town": {"a2-s02"}}


@pytest.mark.slow
def test_the_tables_of_trec_travel_through_the_workbench(
    office: Office, manager, data: Path, tmp_path: Path
) -> None:
    """All topics of 2014 in one project; the same nuggets cover the same updates afterwards."""
    project = office.project(manager, "stream")
    names = ("nuggets.tsv", "matches.tsv", "updates_sampled.tsv")
    files = [
        ("files", (name, (data / "trec-ts-2014" / name).read_bytes(), "text/tab-separated-values"))
        for name in names
    ]
    manager.post(f"/p/{project}/import", files=files, name="", title="")
    path = tmp_path / "export.jsonl"
    path.write_text(manager.get(f"/p/{project}/export.jsonl"))
    with pytest.warns():
        original = trects.load(data / "trec-ts-2014")
    given = {topic.id: topic.judgements for topic in original}
    exported = {name: topic.judgements for name, topic in judgement_files.load(path).topics.items()}
    assert exported.keys() == given.keys()
    for name, judged in exported.items():
        own = {event.id: event for event in given[name].events}
        assert judged.pooled
        assert set(judged.sentences) == set(given[name].sentences)
        for event in judged.events:
            before = own[event.id.removeprefix(f"{name}-")]
            assert (event.time, event.importance) == (before.time, before.importance)
        told = {(one.sentence, one.event.removeprefix(f"{name}-"), one.span) for one in judged.kept}
        assert told == {(one.sentence, one.event, one.span) for one in given[name].links}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has no footer")
def test_ids_that_mean_something_in_an_address_are_followed(office: Office, manager) -> None:
    text = (CORPUS / "dam" / "judgements.jsonl").read_text().replace("dam-e0", "a & b#+%")
    text = "\n".join(text.splitlines()[:-1])
    eve = office.person("Eve")
    project = office.project(manager, "stream", eve)
    manager.post(f"/p/{project}/import", files={"files": ("j.jsonl", text.encode())}, name="x")
    topic = int(re.search(r"/t/(\d+)", manager.get(f"/p/{project}"))[1])
    office.assign(manager, topic, verifier=eve)
    manager.post(f"/t/{topic}/reopen", step="verify", reason="look again")
    links = re.findall(r'href="(\?event=[^"]+)"', eve.get(f"/t/{topic}/verify"))
    for number, link in enumerate(links):
        html = eve.get(f"/t/{topic}/verify{link.replace('&amp;', '&')}")
        assert html.count('aria-current="true"') == 1
        assert html.split('aria-current="true"')[0].count('href="?event=') == number + 1


def test_an_anchor_across_two_sentences_ends_with_the_first() -> None:
    spans = ((0, 10), (11, 20))
    draft = StoryDraft(
        "a", "It rained. It stopped.", spans=spans, anchors=(("e1", 3, 15), ("e2", 14, 19))
    )
    found = number_sentences("t", "", [draft]).anchors
    assert [(one["sentence"], one["start"], one["stop"]) for one in found] == [
        ("a-s01", 3, 10), ("a-s02", 3, 8),
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "named"), [(5, "s1, s2, s3, s4, s5 ("), (6, "s5 … (6 in all)")])
def test_five_stories_without_text_are_named(count: int, named: str) -> None:
    empty = [StoryDraft(id=f"s{number}", text=" ") for number in range(1, count + 1)]
    topic = number_sentences("t", "", [*empty, StoryDraft(id="full", text="The dam broke.")])
    assert named in topic.remark
