"""`agree` as a user types it, on the demo corpus and on small files."""

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chronoscore.reports.agreement import Agreement, tables
from chronoscore.reports.agreement import rows as report_rows
from chronoscore.stats.matching import MatchingAgreement, MatchingStudy
from chronoscore.stats.streams import StreamStudy
from chronoscore.stats.teams import UnitStudy, WeightCounts
from data_files import write_judgements, write_lines
from demo.raw_files import DEMO, JUDGED, judgements, of_kind, rows, units


@pytest.fixture
def agree(run):
    """Call the command `agree`."""
    return partial(run, "agree")


def written(path: Path, *rows: dict[str, Any], workflow: str = "units") -> Path:
    """A file of judgements with its header and footer."""
    return write_judgements(path, [*rows], workflow=workflow, settings={})


def figures(said):
    return {(r["table"], r["topic"], r["item"], r["figure"]): r["value"] for r in said.rows}


@pytest.mark.parametrize("topic", JUDGED)
def test_acceptance_and_overlap_of_the_demo_are_those_counted_by_hand(agree, topic):
    found = figures(agree(judgements(topic), "-f", "jsonl"))
    accepted, overlaps = [], []
    for event in of_kind(judgements(topic), "event"):
        links = [r for r in of_kind(judgements(topic), "link") if r["event"] == event["id"]]
        union = [r for r in links if r["marked_by"]]
        accepted.append(sum(r["verdict"] == "kept" for r in union) / len(union))
        overlaps.append(sum(len(r["marked_by"]) == 2 for r in union) / len(union))
        assert found["events", topic, event["id"], "acceptance"] == pytest.approx(accepted[-1])
    assert found["topics", topic, "", "acceptance"] == pytest.approx(sum(accepted) / len(accepted))
    assert found["topics", topic, "", "jaccard"] == pytest.approx(sum(overlaps) / len(overlaps))
    added = sum(r["verdict"] == "added" for r in of_kind(judgements(topic), "link"))
    assert found["topics", topic, "", "added"] == added


def test_hours_of_an_export_and_kappa_of_its_judges_are_printed(agree, tmp_path):
    lines = rows(judgements("dam"))[1:-1]
    settings = {"hours": {"dam": 2.5}}
    path = write_judgements(tmp_path / "dam.jsonl", lines, workflow="stream", settings=settings)
    found = figures(agree(path, "-f", "jsonl"))
    assert found["topics", "dam", "", "hours"] == 2.5
    events = [row["id"] for row in lines if row["kind"] == "event"]
    sentences = sum(row["kind"] == "sentence" and not row.get("part_of") for row in lines)
    marks = [row["marked_by"] for row in lines if row["kind"] == "link" and row["marked_by"]]
    (one, other) = sorted({judge for whose in marks for judge in whose})
    every = len(events) * sentences
    both = sum(len(whose) == 2 for whose in marks) / every
    first, second = (sum(judge in whose for whose in marks) / every for judge in (one, other))
    observed = 1 - first - second + 2 * both
    chance = first * second + (1 - first) * (1 - second)
    expected = (observed - chance) / (1 - chance)
    assert found["topics", "dam", f"{one} | {other}", "kappa"] == pytest.approx(expected)
    assert f"{one} – {other}   {expected:.2f} [" in agree(path).out


@pytest.mark.parametrize(
    ("judges", "note"),
    [
        (["j1"], "a single judge, so the blind overlap is undefined: dam"),
        (["j1", "j2", "j3"], "dam has 3 judges; the blind overlap is the mean over pairs"),
    ],
)
def test_topics_without_exactly_two_judges_say_what_the_overlap_is(agree, tmp_path, judges, note):
    lines = [
        row | {"marked_by": judges} if row.get("marked_by") else row
        for row in rows(judgements("dam"))[1:-1]
    ]
    assert note in agree(written(tmp_path / "dam.jsonl", *lines, workflow="stream")).out
    assert "the blind overlap is" not in agree(judgements("dam")).out


def test_a_directory_holds_streams_and_units_that_complete_each_other(agree):
    out, err = agree(DEMO / "corpus")
    assert err == ""
    for heading in (
        "Judges",
        "Corpus",
        "Content units",
        *(f"Teams of writers of {t}" for t in JUDGED),
    ):
        assert heading in out
    assert "training: " in out
    # The units' file has no sentences; the stream's file of the same topic has.
    assert "z = 36, estimated: 15 units / 33 sentences with any × 80 without" in out
    assert "Events of dam" not in out


def test_events_are_shown_for_one_topic_or_where_asked_for(agree):
    assert "Events of dam" in agree(judgements("dam")).out
    assert "Events of ferry" in agree(DEMO / "corpus", "--events").out


def test_without_the_sources_sentences_nothing_is_said_about_unchosen_units(agree):
    out = agree(units("dam")).out
    assert "z is unknown; give it, or the file with the sentences of the source" in out
    found = figures(agree(units("dam"), "-f", "jsonl"))
    assert not [key for key in found if key[3] in ("grey", "alpha", "unchosen")]
    assert len([key for key in found if key[3] == "alpha of chosen"]) == 10


def test_a_given_number_of_unchosen_units_is_used_and_named(agree):
    out = agree(units("dam"), "--z", 37).out
    assert "z = 37, given" in out
    with_sentences = agree(units("dam"), judgements("dam"), "-f", "jsonl")
    given = figures(agree(units("dam"), "--z", 37, "-f", "jsonl"))
    same = {key: value for key, value in figures(with_sentences).items() if key[0] == "teams"}
    assert same == {key: value for key, value in given.items() if key[0] == "teams"}


@pytest.mark.parametrize("form", ["json", "csv", "md", "latex", "html"])
def test_every_format_is_written(agree, form):
    out = agree(DEMO / "corpus" / "theft", "-f", form).out
    if form == "json":
        assert {tuple(row) for row in json.loads(out)} == {
            ("table", "topic", "item", "figure", "value")
        }
    elif form == "csv":
        assert {row["table"] for row in csv.DictReader(io.StringIO(out))} == {
            *("topics", "events", "units", "teams")
        }
    else:
        assert "Jaccard" in out


def test_the_result_goes_to_a_file_where_asked_for(agree, tmp_path):
    assert agree(judgements("dam"), "-f", "md", "-o", tmp_path / "out.md").out == ""
    assert "Jaccard" in (tmp_path / "out.md").read_text(encoding="utf-8")


def test_hours_come_from_a_log(agree, tmp_path):
    log = tmp_path / "log.jsonl"
    moments = ["2031-04-01T10:00:00", "2031-04-01T10:04:00", "2031-04-01T12:00:00"]
    actions = [{"topic": "dam", "judge": judge, "time": m} for judge in "ab" for m in moments]
    write_lines(log, actions)
    found = figures(agree(judgements("dam"), "--log", log, "-f", "jsonl"))
    assert found["topics", "dam", "", "hours"] == pytest.approx(2 * (240 + 300) / 3600)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"topic": "dam"}', "log.jsonl:1: object missing required field 'judge'"),
        ("nonsense", "log.jsonl:1: JSON is malformed".lower()),
        (
            '{"topic": "dam", "judge": "a", "time": "noon"}',
            "log.jsonl:1: time 'noon' is not a time; write ISO 8601",
        ),
        (
            '{"topic": "damm", "judge": "a", "time": 5}',
            "log.jsonl: no such topic 'damm' in the judgements; did you mean 'dam'?",
        ),
    ],
)
def test_a_bad_log_is_refused_with_its_line(agree, tmp_path, line, message):
    (tmp_path / "log.jsonl").write_text(f"{line}\n")
    out, err = agree(judgements("dam"), "--log", tmp_path / "log.jsonl", code=3)
    assert out == ""
    assert message.lower() in err.lower()


def matcher(path: Path, *anchors: tuple[int, int, float]) -> Path:
    """One unit of one writer, anchored as told."""
    return written(
        path,
        {"kind": "topic", "id": "dam"},
        {"kind": "writer", "id": "w1"},
        {"kind": "line", "id": "l1", "writer": "w1", "when": "2031-03-12", "text": "It broke."},
        {"kind": "hcu", "id": "u1", "topic": "dam", "action": "break", "lines": ["l1"]},
        *(
            {"kind": "anchor", "id": f"x{n}", "source": "s1", "start": start, "end": end}
            for n, (start, end, _) in enumerate(anchors)
        ),
        {
            "kind": "group",
            "hcu": "u1",
            "members": [{"ref": f"x{n}", "v": v} for n, (_, _, v) in enumerate(anchors)],
        },
    )


def test_two_files_with_the_same_units_are_two_matchers(agree, tmp_path):
    first = matcher(tmp_path / "a.jsonl", (0, 4, 1.0), (8, 12, 0.5))
    second = matcher(tmp_path / "b.jsonl", (8, 12, 1.0), (20, 25, 1.0), (0, 4, 1.0))
    found = figures(agree(first, second, "-f", "jsonl"))
    files = f"{first} | {second}"
    assert found["matching", "dam", files, "jaccard"] == pytest.approx(2 / 3)
    assert found["matching", "dam", files, "dice"] == pytest.approx(4 / 5)
    assert found["matching", "dam", files, "equal values"] == pytest.approx(1 / 2)
    assert found["matching", "dam", files, "mean difference"] == pytest.approx(1 / 4)
    assert found["matching", "dam", files, "share of pool"] == pytest.approx(2 / 3)
    assert "Matching" in agree(first, second, "--pool", 10).out
    pooled = figures(agree(first, second, "--pool", 10, "-f", "jsonl"))
    assert pooled["matching", "dam", files, "share of pool"] == pytest.approx(9 / 10)


def test_one_writer_makes_no_teams_but_weights_are_told(agree, tmp_path):
    out = agree(matcher(tmp_path / "a.jsonl", (0, 4, 1.0))).out
    assert "Content units" in out
    assert "Teams" not in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere.jsonl"], 3, "nowhere.jsonl: no such file or directory; check the path"),
        (
            [judgements("dam"), judgements("dam"), "--z", "-1"],
            2,
            "--z -1: write 0 or more",
        ),
        ([units("dam"), "--pool", "-1"], 2, "--candidates -1: write 0 or more"),
        ([], 2, "missing argument 'JUDGEMENTS...'; see chronoscore agree --help"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(agree, words, code, message):
    out, err = agree(*words, code=code)
    assert out == ""
    assert message in err


def test_the_same_topic_linked_twice_is_refused(agree, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(judgements("dam").read_bytes())
    err = agree(judgements("dam"), copy, code=3).err
    assert "topic 'dam' has its events in" in err


def test_a_file_named_twice_is_read_once(agree):
    agree(judgements("dam"), judgements("dam"))


def test_a_changed_file_is_refused(agree, tmp_path):
    changed = tmp_path / "changed.jsonl"
    text = judgements("dam").read_text(encoding="utf-8").replace('"dropped"', '"kept"', 1)
    changed.write_text(text, encoding="utf-8")
    err = agree(changed, code=3).err
    assert "the checksum does not match the lines before it" in err


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_ends_and_a_byte_order_mark_are_no_change(agree, tmp_path, mark, end):
    """Git and editors on Windows add them; what was judged is the same."""
    plain = agree(judgements("dam")).out
    copy = tmp_path / "judgements.jsonl"
    content = judgements("dam").read_bytes().replace(b"\n", end)
    copy.write_bytes(mark + content)
    assert agree(copy).out == plain
    copy.write_bytes(mark + content.replace(b'"dropped"', b'"kept"', 1))
    assert "the checksum does not match" in agree(copy, code=3).err


def test_a_directory_without_judgements_is_refused(agree, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing here\n")
    err = agree(tmp_path, code=3).err
    assert "holds no judgements" in err


def test_too_small_a_pool_is_refused_with_the_files_named(agree, tmp_path):
    first = matcher(tmp_path / "a.jsonl", (0, 4, 1.0), (8, 12, 0.5))
    second = matcher(tmp_path / "b.jsonl", (0, 4, 1.0))
    err = agree(first, second, "--pool", 1, code=3).err
    assert "a pool of 1 candidates is smaller than the 2 that were listed" in err
    assert str(first) in err


def test_judged_corpora_of_others_are_counted_though_they_name_no_judge(agree, data):
    out = agree(data / "meantime").out
    assert "links name no judge, so agreement is unknown" in out
    assert "1797" in out


def test_matchers_have_dice_beside_jaccard_and_the_best_weight_is_of_the_length_asked_for():
    agreed = MatchingAgreement(
        units=2, first=3, second=4, both=3, pool=5, equal_values=1.0, mean_difference=0.0
    )
    units = UnitStudy("t", 2, 3, 2, WeightCounts((2, 1)), None, ())
    found = Agreement(
        streams=StreamStudy((), (), None),
        units=(units,),
        matching=(MatchingStudy("t", "a", "b", agreed),),
    )
    drawn = {table.title: table.records()[0] for table in tables(found)}
    assert (drawn["Matching"]["Jaccard"], drawn["Matching"]["Dice"]) == ("0.750", "0.857")
    # The heaviest two of weights 2, 1 and 1.
    assert drawn["Content units"]["best"] == "3"
    best = [row["value"] for row in report_rows(found) if row["figure"] == "best"]
    assert best == [3]


def test_events_of_topics_without_judges_are_not_counted_as_unmarked(agree, tmp_path):
    lines = [
        row | {"marked_by": []} if row.get("marked_by") else row
        for row in rows(judgements("dam"))[1:-1]
    ]
    out = agree(written(tmp_path / "dam.jsonl", *lines, workflow="stream")).out
    assert "links name no judge" in out
    assert "events that no judge marked" not in out
