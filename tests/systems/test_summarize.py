"""`chronoscore summarize`: from documents on disk to runs that `score` reads."""

import json
import shutil
from pathlib import Path

import pytest

from chronoscore import demo
from chronoscore.core import When
from chronoscore.data import source_files, sources
from chronoscore.errors import DataError
from chronoscore.formats.judgements import rankings
from chronoscore.formats.timelines import timeline_files

CORPUS = str(demo.CORPUS)


def test_timelines_are_written_where_score_finds_them(run, tmp_path):
    out = tmp_path / "datewise"
    run("summarize", "datewise", CORPUS, "-o", out, "--like", CORPUS)
    assert sorted(file.stem for file in out.iterdir()) == demo.demo_topics()
    rows = run("score", out, "-r", CORPUS, "-m", "dates.f", "-f", "csv").out.splitlines()[1:]
    assert len(rows) == len(demo.demo_topics())
    assert all(float(row.rsplit(",", 1)[1]) > 0.1 for row in rows)


def test_options_say_how_long(run, tmp_path):
    out = tmp_path / "lead"
    run("summarize", "lead", CORPUS, "-o", out, "--dates", 3, "--sentences", 2)
    timeline = timeline_files.load(out / "dam.txt")
    assert len(timeline) == 3
    assert all(len(entry.sentences) <= 2 for entry in timeline)


def test_one_timeline_may_be_printed(run):
    said = run("summarize pubcount --dates 1", demo.CORPUS / "dam")
    assert said.out.startswith("2031-03-")
    assert "give a folder as --output" in run("summarize", "pubcount", CORPUS, code=2).err


def test_updates_are_written_into_a_folder_of_their_own(run, tmp_path):
    out = tmp_path / "projected"
    run("summarize", "projected-classy", CORPUS, "-o", out, "--words", 60)
    assert sorted(file.stem for file in (out / "update").iterdir()) == demo.demo_topics()
    words = ["--original", CORPUS, "-r", CORPUS, "-m", "novelty.bb", "-f", "csv"]
    said = run("score", out / "update", *words)
    assert "9 of 12 topics have no reference of the update, 'bank' first; left out" in said.err
    assert len(said.out.splitlines()) == 1 + len(demo.summarized_topics())


def test_rankings_name_the_run(run, tmp_path):
    run("summarize", "useful-novel", CORPUS, "-o", tmp_path / "online")
    (found,) = rankings.load(tmp_path / "online" / "rankings.jsonl")
    assert found.system == "online"
    assert sorted(found.outputs) == demo.demo_topics()
    run("summarize", "units-3", CORPUS, "-o", tmp_path / "third.jsonl", "-n", 5, "--seed", 2)
    (events,) = rankings.load(tmp_path / "third.jsonl")
    assert all(len(output) == 5 for output in events.outputs.values())  # type: ignore[arg-type]


def test_the_unit_baselines_are_compared(run):
    words = ["--units", CORPUS, "--runs", 2, "-f", "md"]
    said = run("summarize", "unit-baselines", CORPUS, *words)
    assert "| ID | Method | Scores |" in said.out
    assert "Wilcoxon signed-rank tests" in said.out
    assert "9 of 12 topics have no content units, 'bank' first; left out" in said.err
    run("summarize", "unit-baselines", CORPUS, code=2)


def test_oracles_stand_in_the_list_and_need_references(run, tmp_path):
    assert "oracle-timeline" in run("summarize", "--list").out
    assert (
        "looks at references"
        in run("summarize", "oracle-timeline", CORPUS, "-o", tmp_path, code=2).err
    )
    place = demo.CORPUS / "theft"
    out = tmp_path / "o"
    run("summarize", "oracle-timeline", place, "-o", out, "--like", place)
    assert len(timeline_files.load(out / "theft.txt")) > 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["summarize"], "name a system and its documents"),
        (["summarize", "datewise", CORPUS, "--words", "3"], "has no parameter --words"),
        (["summarize", "classy", CORPUS, "--like", CORPUS], "is only for timelines"),
        (["summarize", "datewise", "/nowhere"], "no such file or directory"),
        (["summarize", "useful", CORPUS], "a ranking is a file; give --output"),
    ],
)
def test_what_cannot_be_done_is_said(run, words, message):
    assert message in run(*words, code=3 if "/nowhere" in words else 2).err


def test_plain_texts_are_dated_by_their_names_or_folders(tmp_path: Path) -> None:
    flood = tmp_path / "flood"
    (flood / "2010-05-02").mkdir(parents=True)
    (flood / "2010-05-02" / "a.txt").write_text("The dam broke. It fell at 9 a.m. today.\n")
    (flood / "20100503_b.txt").write_text("Boats came.\n")
    (topic,) = source_files.load_topics([flood])
    assert topic.id == "flood"
    assert [str(one.when) for one in topic.documents] == ["2010-05-02", "2010-05-03"]
    assert [len(one.sentences) for one in topic.documents] == [2, 1]


def test_a_folder_of_folders_of_texts_is_several_topics(tmp_path: Path) -> None:
    for name in ("flood", "fire"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "2010-05-02.txt").write_text("Something happened there.\n")
    assert [topic.id for topic in source_files.load_topics([tmp_path])] == ["fire", "flood"]


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2010-05-02", "2010-05-02"),
        ("bbc_20100502.1", "2010-05-02"),
        ("20101302", None),
        ("x", None),
    ],
)
def test_a_name_tells_a_day_where_it_is_one(name: str, day: str | None) -> None:
    assert source_files.day_in(name) == (When.parse(day) if day else None)


def test_one_topic_takes_the_only_reference_whatever_its_name(tmp_path: Path) -> None:
    shutil.copy(demo.CORPUS / "dam" / "articles.jsonl", tmp_path / "mine.jsonl")
    gold = demo.CORPUS / "dam" / "timelines" / "ines.txt"
    (topic,) = sources.with_reference_files(
        source_files.load_topics([tmp_path / "mine.jsonl"]), [gold]
    )
    assert topic.id == "mine"
    assert len(topic.timelines) == 1


def test_missing_references_and_bad_folders_are_refused(tmp_path: Path) -> None:
    found = source_files.load_topics([demo.CORPUS])
    with pytest.raises(DataError, match="has no reference"):
        sources.with_reference_files(found[:2], [demo.CORPUS / "dam"])
    (tmp_path / "x.pdf").write_text("x")
    with pytest.raises(DataError, match="holds no documents"):
        source_files.load_topics([tmp_path])
    (tmp_path / "topic.json").write_text(json.dumps(["x"]))
    (tmp_path / "2010-01-01.txt").write_text("x")
    with pytest.raises(DataError, match="must be an object"):
        source_files.load_topics([tmp_path])
