"""Judgements files: what is read, what is written, and every refusal with its line."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chronoscore
from chronoscore.core import Abstention, Event, Judgements, Link, Place, Story, Topic
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.judgements import judgement_files
from chronoscore.formats.judgements.judgement_files import Corpus

DEMO = Path(chronoscore.__file__).parent / "demo" / "corpus"
Row = dict[str, Any]

HEADER: Row = {"kind": "header", "format": "chronoscore-judgements", "version": 1}
STREAM: list[Row] = [
    HEADER,
    {"kind": "topic", "id": "t", "title": "A topic"},
    {"kind": "story", "id": "d", "topic": "t", "time": "2031-03-01T17:00:00"},
    {"kind": "sentence", "id": "s1", "story": "d", "n": 1, "text": "The dam broke."},
    {"kind": "sentence", "id": "s2", "story": "d", "n": 2, "text": "People fled."},
    {"kind": "event", "id": "e1", "topic": "t", "text": "the dam breaks", "from": "s1"},
    {"kind": "link", "sentence": "s1", "event": "e1", "marked_by": ["j1"], "verdict": "kept"},
]
EVENT: Row = {"kind": "event", "id": "e"}
UNITS: list[Row] = [
    HEADER,
    {"kind": "topic", "id": "t"},
    {"kind": "writer", "id": "w1"},
    {"kind": "line", "id": "l1", "writer": "w1", "when": "2031-03-01", "text": "It broke."},
    {"kind": "hcu", "id": "u1", "topic": "t", "action": "breaks", "lines": ["l1"], "weight": 1},
    {"kind": "anchor", "id": "x1", "source": "s1", "start": 0, "end": 4},
    {"kind": "anchor", "id": "x2", "source": "s1", "start": 5, "end": 9},
    {"kind": "group", "id": "g1", "hcu": "u1", "members": [{"ref": "x1", "v": 1}], "root": True},
]


def written(path: Path, rows: list[Row], *, footer: bool = True) -> Path:
    body = "".join(json.dumps(row) + "\n" for row in rows).encode()
    if footer:
        digest = hashlib.sha256(body).hexdigest()
        last = {"kind": "footer", "lines": len(rows), "sha256": digest}
        body += json.dumps(last).encode() + b"\n"
    path.write_bytes(body)
    return path


def changed(rows: list[Row], place: int, **fields: Any) -> list[Row]:
    return [{**row, **fields} if n == place else row for n, row in enumerate(rows)]


@pytest.mark.parametrize("topic", ["dam", "ferry", "theft"])
@pytest.mark.parametrize("name", ["judgements.jsonl", "units.jsonl"])
def test_what_is_saved_is_read_back_the_same(topic: str, name: str, tmp_path: Path) -> None:
    corpus = judgement_files.load(DEMO / topic / name)
    judgement_files.save(corpus, tmp_path / "again.jsonl")
    assert judgement_files.load(tmp_path / "again.jsonl") == corpus


TWO_TOPICS: list[Row] = [
    HEADER,
    {"kind": "topic", "id": "t"},
    {"kind": "topic", "id": "u"},
    {"kind": "story", "id": "d", "topic": "t"},
    {"kind": "story", "id": "d", "topic": "u"},
    {"kind": "sentence", "id": "s1", "story": "d", "topic": "t"},
    {"kind": "sentence", "id": "s1", "story": "d", "topic": "u"},
    {"kind": "sentence", "id": "s2", "story": "d", "topic": "u"},
    {"kind": "sentence", "id": "s3", "story": "d", "topic": "u", "join": True},
    {"kind": "event", "id": "e1", "topic": "t"},
    {"kind": "event", "id": "e2", "topic": "u"},
    {"kind": "link", "sentence": "s1", "event": "e1"},
    {"kind": "link", "sentence": "s1", "event": "e2"},
]


def test_a_story_may_stand_in_two_topics(tmp_path: Path) -> None:
    """As in TREC's track, where two queries judged some of the same documents."""
    corpus = judgement_files.load(written(tmp_path / "j.jsonl", TWO_TOPICS))
    found = {name: topic.judgements for name, topic in corpus.topics.items()}
    assert found["t"].sentences == ("s1",)
    assert found["u"].sentences == ("s1", "s2")
    assert dict(found["u"].joined) == {"s3": "s2"}
    assert [[link.event for link in found[name].links] for name in "tu"] == [["e1"], ["e2"]]
    judgement_files.save(corpus, tmp_path / "again.jsonl")
    assert judgement_files.load(tmp_path / "again.jsonl") == corpus


def test_the_demo_is_read_as_its_rows_say() -> None:
    path = DEMO / "ferry" / "judgements.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    judged = judgement_files.load(path).topics["ferry"].judgements
    assert judged is not None
    kinds = [row["kind"] for row in rows]
    assert len(judged.sentences) == kinds.count("sentence")
    assert len(judged.events) == kinds.count("event")
    assert len(judged.links) == kinds.count("link")
    dropped = [row for row in rows if row["kind"] == "link" and row["verdict"] == "dropped"]
    assert len(list(judged.kept)) == len(judged.links) - len(dropped)
    assert [story.id for story in judged.stories] == [r["id"] for r in rows if r["kind"] == "story"]


def test_the_demos_units_weigh_what_their_rows_say() -> None:
    path = DEMO / "ferry" / "units.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    pyramid = judgement_files.load(path).topics["ferry"].pyramid
    assert pyramid is not None
    assert {unit.id: unit.weight for unit in pyramid.units} == {
        row["id"]: row["weight"] for row in rows if row["kind"] == "hcu"
    }
    assert {a.id for unit in pyramid.units for a in unit.group.anchors} == {
        row["id"] for row in rows if row["kind"] == "anchor"
    }


def test_each_of_several_topics_has_its_own_writers(tmp_path: Path) -> None:
    """Whoever wrote about another topic is in no team of this one."""
    rows: list[Row] = [HEADER, {"kind": "topic", "id": "t"}, {"kind": "topic", "id": "u"}]
    rows += [{"kind": "writer", "id": name} for name in ("w1", "w2", "w3")]
    for topic, writers in (("t", ("w1", "w2")), ("u", ("w2", "w3"))):
        names = [f"{topic}-{writer}" for writer in writers]
        rows += [
            {"kind": "line", "id": name, "writer": writer, "when": "2031", "topic": topic}
            for name, writer in zip(names, writers, strict=True)
        ]
        rows.append({"kind": "hcu", "id": f"{topic}-u", "topic": topic, "lines": names})
    topics = judgement_files.load(written(tmp_path / "j.jsonl", rows)).topics
    assert topics["t"].pyramid.writers == ("w1", "w2")
    assert topics["u"].pyramid.writers == ("w2", "w3")


def test_a_topic_carries_its_length_and_the_header_its_estimate(tmp_path: Path) -> None:
    rows = changed(changed(UNITS, 0, z=87), 1, length=40)
    pyramid = judgement_files.load(written(tmp_path / "u.jsonl", rows)).topics["t"].pyramid
    assert pyramid is not None
    assert (pyramid.length, pyramid.unchosen) == (40, 87)


def test_text_may_be_left_out_and_names_are(tmp_path: Path) -> None:
    corpus = judgement_files.load(
        written(tmp_path / "j.jsonl", changed(STREAM, 6, marked_by=["Ada"]))
    )
    judgement_files.save(corpus, tmp_path / "bare.jsonl", texts=False)
    bare = (tmp_path / "bare.jsonl").read_text(encoding="utf-8")
    assert "broke" not in bare
    assert "Ada" not in bare
    judged = judgement_files.load(tmp_path / "bare.jsonl").topics["t"].judgements
    assert judged is not None
    assert judged.texts == {}
    assert judged.links[0].marked_by == ("j1",)


def test_texts_need_not_be_kept(tmp_path: Path) -> None:
    judged = judgement_files.load(written(tmp_path / "j.jsonl", STREAM), texts=False).topics["t"]
    assert judged.judgements is not None
    assert judged.judgements.texts == {}


def test_a_joined_part_belongs_to_the_sentence_before(tmp_path: Path) -> None:
    rows = changed(STREAM, 4, join=True)
    judged = judgement_files.load(written(tmp_path / "j.jsonl", rows)).topics["t"].judgements
    assert judged is not None
    assert judged.sentences == ("s1",)
    assert judged.joined == {"s2": "s1"}


def test_rows_may_come_before_what_they_point_to(tmp_path: Path) -> None:
    rows = [*STREAM[:5], STREAM[6], STREAM[5]]
    judged = judgement_files.load(written(tmp_path / "j.jsonl", rows)).topics["t"].judgements
    assert judged is not None
    assert len(judged.links) == 1


def test_notes_are_kept_as_they_stand(tmp_path: Path) -> None:
    note = {"kind": "omitted", "event": "satire", "reason": "no sentence says it"}
    corpus = judgement_files.load(written(tmp_path / "j.jsonl", [*STREAM, note]))
    assert corpus.notes == (note,)


def test_abstentions_survive_the_journey_and_name_known_sentences(tmp_path: Path) -> None:
    row: Row = {"kind": "abstention", "sentence": "s2", "author": "j1", "reason": "not JSON"}
    corpus = judgement_files.load(written(tmp_path / "a.jsonl", [*STREAM, row]))
    judged = corpus.topics["t"].judgements
    assert judged is not None
    assert judged.abstentions == (Abstention("s2", "j1", "not JSON"),)
    assert judged.unjudged == {"s2"}
    judgement_files.save(corpus, tmp_path / "again.jsonl")
    assert judgement_files.load(tmp_path / "again.jsonl") == corpus
    wrong = written(tmp_path / "wrong.jsonl", [*STREAM, {**row, "sentence": "s9"}])
    with pytest.raises(DataError, match="8: no sentence 's9'"):
        judgement_files.load(wrong)


def test_ids_may_be_numbers_and_fields_null(tmp_path: Path) -> None:
    rows = [
        HEADER,
        {"kind": "topic", "id": 20021},
        {"kind": "sentence", "id": 1, "story": None, "text": None},
        {"kind": "event", "id": 7, "topic": 20021},
        {"kind": "link", "sentence": 1, "event": 7, "marked_by": [1, 2], "group": None},
    ]
    judged = judgement_files.load(written(tmp_path / "j.jsonl", rows)).topics["20021"].judgements
    assert judged is not None
    assert judged.links == (Link(sentence="1", event="7", marked_by=("1", "2")),)


def test_another_name_of_the_format_is_read_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", changed(STREAM, 0, format="judgements", version="0.9"))
    with pytest.warns(ChronoscoreWarning, match="format 'judgements' is read as"):
        assert list(judgement_files.load(path).topics) == ["t"]


def test_a_file_that_nothing_vouches_for_is_read_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", STREAM[1:], footer=False)
    with pytest.warns(ChronoscoreWarning, match="has no header or footer"):
        assert list(judgement_files.load(path).topics) == ["t"]


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", STREAM)
    path.write_bytes(path.read_bytes().replace(b"The dam", b"The cam"))
    with pytest.raises(DataError, match=r"j\.jsonl:8: the checksum does not match"):
        judgement_files.load(path)


def test_a_lost_line_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", STREAM)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    with pytest.raises(DataError, match=r"sentence 's1'|counts 7 lines and 6"):
        judgement_files.load(path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (changed(STREAM, 0, version=2), "1: version 2 is not ours"),
        ([*STREAM, HEADER], "8: a header in the middle"),
        ([*STREAM, {"kind": "evnet", "id": "e"}], "8: unknown kind 'evnet'; did you mean 'event'"),
        ([*STREAM, {"id": "e"}], "8: the row has no kind"),
        ([*STREAM, {"kind": "event"}], "8: event: object missing required field 'id'"),
        ([*STREAM, STREAM[3]], "8: sentence 's1' is a duplicate of line 4"),
        ([*STREAM, STREAM[5]], "8: event 'e1' is a duplicate of line 6"),
        ([*STREAM, STREAM[6]], "8: sentence 's1' is linked to event 'e1' already"),
        (changed(STREAM, 3, story="x"), "4: no story 'x' in this file"),
        (changed(STREAM, 2, topic="x"), "3: no topic 'x' in this file"),
        (changed(STREAM, 5, **{"from": "s9"}), "6: no sentence 's9' in this file"),
        (changed(STREAM, 6, sentence="s9"), "7: no sentence 's9' in this file"),
        (changed(STREAM, 6, event="e9"), "7: no event 'e9' in this file"),
        (changed(STREAM, 6, verdict="maybe"), "7: link: invalid enum value 'maybe'"),
        (changed(STREAM, 6, start=5, end=5), "7: a span from 5 to 5 is empty"),
        (changed(STREAM, 6, start=5), "7: a span from 5 to None is empty"),
        (changed(STREAM, 6, end=5), "7: a span from None to 5 is empty"),
        (changed(STREAM, 6, start=-1, end=5), "7: a span from -1 to 5 is empty"),
        ([HEADER, EVENT, {"kind": "topic", "id": "j"}], "3: topic 'j' comes after rows that need"),
        (changed(STREAM, 2, time="yesterday"), "3: time 'yesterday' is not a time"),
        (changed(STREAM, 3, join=True), "4: sentence 's1' is joined to none before it"),
        (
            [*STREAM[:2], {"kind": "topic", "id": "b"}, {"kind": "event", "id": "e"}],
            "4: the row na",
        ),
        (changed(TWO_TOPICS, 5, topic=""), "6: story 'd' is in 2 topics; name the sentence's"),
        (changed(TWO_TOPICS, 11, sentence="s2"), "12: sentence 's2' and event 'e1' are of diff"),
        (changed(TWO_TOPICS, 7, id="s1"), "8: sentence 's1' is a duplicate of line 7"),
        (changed(UNITS, 7, members=[{"ref": "x1", "v": 1.5}]), "8: 'x1' is worth 1.5"),
        (changed(UNITS, 7, members=[{"ref": "x1", "v": -1}]), "8: 'x1' is worth -1"),
        (changed(UNITS, 7, members=[{"ref": "x9", "v": 1}]), "8: no anchor or group 'x9'"),
        (changed(UNITS, 7, members=[{"ref": "x1", "v": 1}] * 2), "8: 'x1' is used twice"),
        (changed(UNITS, 7, members=[{"ref": "g1", "v": 1}]), "8: group 'g1' contains itself"),
        (changed(UNITS, 7, hcu="u9"), "8: no hcu 'u9' in this file"),
        (changed(UNITS, 4, lines=[]), "5: unit 'u1' has no contributor"),
        (changed(UNITS, 4, lines=["l9"]), "5: no line 'l9' in this file"),
        (changed(UNITS, 4, weight=2), "5: unit 'u1' has weight 2 and 1 writers"),
        (changed(UNITS, 3, writer="w9"), "4: no writer 'w9' in this file"),
        (changed(UNITS, 3, when="the day after"), "4: date"),
        (changed(UNITS, 5, start=4), "6: a span from 4 to 4 is empty"),
        ([*UNITS, {**UNITS[7], "id": "g2"}], "9: unit 'u1' has 2 root groups"),
        ([*UNITS, {**UNITS[7], "id": "g2", "root": False}], "9: group 'g2' is not in its unit's"),
        ([*UNITS, STREAM[2], STREAM[4]], "6: no story or sentence 's1' in this file"),
    ],
)
def test_each_refusal_names_its_line(rows: list[Row], message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", rows)
    with pytest.raises(DataError) as refusal:
        judgement_files.load(path)
    assert str(refusal.value).startswith(f"{path}:{message}")
    assert "\n" not in str(refusal.value)


def test_rows_of_no_topic_belong_to_one_that_is_named_after_the_file(tmp_path: Path) -> None:
    corpus = judgement_files.load(written(tmp_path / "dam.jsonl", [HEADER, EVENT]))
    judged = corpus.topics["dam"].judgements
    assert judged is not None
    assert [event.id for event in judged.events] == ["e"]


def test_a_cycle_of_two_groups_is_refused(tmp_path: Path) -> None:
    rows = [
        *UNITS[:7],
        {"kind": "group", "id": "g1", "hcu": "u1", "members": [{"ref": "g2", "v": 1}]},
        {"kind": "group", "id": "g2", "hcu": "u1", "members": [{"ref": "g1", "v": 1}]},
    ]
    with pytest.raises(DataError, match="8: the groups of unit 'u1' go round in a cycle"):
        judgement_files.load(written(tmp_path / "u.jsonl", rows))


def test_a_group_of_another_unit_is_refused(tmp_path: Path) -> None:
    rows = [
        *UNITS,
        {"kind": "hcu", "id": "u2", "topic": "t", "lines": ["l1"]},
        {"kind": "group", "id": "g2", "hcu": "u2", "members": [{"ref": "g1", "v": 1}]},
    ]
    with pytest.raises(DataError, match="10: group 'g1' is another unit's"):
        judgement_files.load(written(tmp_path / "u.jsonl", rows))


@pytest.mark.parametrize("text", ["{", '{"kind": "topic", "id": 3.5}', "\x00", "[]"])
def test_a_line_that_is_no_row_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(f"{json.dumps(HEADER)}\n{text}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"j\.jsonl:2: "):
        judgement_files.load(path)


def test_a_line_after_the_footer_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", STREAM)
    with path.open("ab") as file:
        file.write(b'{"kind":"topic","id":"late"}\n')
    with pytest.raises(DataError, match=r"j\.jsonl:9: a line after the footer"):
        judgement_files.load(path)


@pytest.mark.parametrize("name", ["missing.jsonl", "empty.jsonl", "broken.jsonl.gz", ""])
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "broken.jsonl.gz").write_bytes(b"no archive")
    with pytest.raises(DataError, match=r"no such file|is empty|broken archive|is a directory"):
        judgement_files.load(tmp_path / name)


NAMES = st.text("abcdé日 '\"\\", min_size=1, max_size=6)


@pytest.mark.slow
@given(
    sentences=st.lists(NAMES, min_size=1, max_size=6, unique=True),
    events=st.lists(NAMES, min_size=1, max_size=4, unique=True),
    picks=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans()), max_size=8),
    text=st.text(max_size=20),
    when=st.floats(-1e9, 1e9).map(lambda t: round(t, 3)),
    pooled=st.booleans(),
)
def test_any_judgements_survive_the_journey(
    tmp_path_factory: pytest.TempPathFactory,
    sentences: list[str],
    events: list[str],
    picks: list[tuple[int, int, bool]],
    text: str,
    when: float,
    pooled: bool,
) -> None:
    links = {(sentences[s % len(sentences)], events[e % len(events)]): kept for s, e, kept in picks}
    judged = Judgements(
        sentences=tuple(sentences),
        events=tuple(Event(e, text, when, 2.5, sentences[0]) for e in events),
        links=tuple(
            Link(sentence=s, event=e, marked_by=("j1",), kept=kept, span=(0, 2))
            for (s, e), kept in links.items()
        ),
        stories=(Story(id="d", sentences=tuple(sentences), time=when, title=text),),
        texts=dict.fromkeys(sentences, text),
        places={sentences[0]: Place("d", 3, 9)},
        pooled=pooled,
    )
    corpus = Corpus(topics={"t": Topic(id="t", title=text, judgements=judged)}, workflow="stream")
    path = tmp_path_factory.mktemp("journey") / "j.jsonl"
    judgement_files.save(corpus, path)
    assert judgement_files.load(path) == corpus
