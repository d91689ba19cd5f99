"""`chronoscore diff` says why one system is behind another, and fails builds that regress."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

DEMO = Path(__file__).parents[2] / "src/chronoscore/demo"
A, B = DEMO / "runs" / "careful", DEMO / "runs" / "late"
GOLD = ("--reference", DEMO / "corpus")


def test_the_sentence_comes_first_then_causes_topics_and_days(run):
    printed = run("diff", A, B, *GOLD).out
    assert printed.startswith("late is behind careful by .42 align+.f")
    order = [printed.index(word) for word in ("\nwhy", "topics that decide", "days where they")]
    assert order == sorted(order)


def test_records_hold_the_difference_its_causes_topics_and_days(run):
    rows = run("diff", A, B, *GOLD, "-f", "json").rows
    (whole,) = (row for row in rows if row["row"] == "difference")
    causes = [row["difference"] for row in rows if row["row"] == "cause"]
    assert sum(causes) == pytest.approx(whole["difference"])
    assert sum(row["row"] == "topic" for row in rows) == 12
    assert sum(row["row"] == "day" for row in rows) == 10


def test_one_path_given_twice_is_said_to_be_the_same(run):
    again = A.parent / "late" / ".." / A.name
    assert "both paths are the same" in run("diff", A, again, *GOLD, code=2).err


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json"])
def test_the_ending_of_the_file_names_the_format(run, tmp_path, ending):
    file = tmp_path / f"why.{ending}"
    run("diff", A, B, *GOLD, "-o", file)
    marks = {"html": "<!doctype", "md": "late is", "tex": "% ", "csv": "row,", "json": "["}
    assert file.read_text(encoding="utf-8").lower().startswith(marks[ending])


def test_a_regression_fails_the_build_and_writes_a_report(run, tmp_path):
    report = tmp_path / "junit.xml"
    gate = ("--fail-on-regression", "0.01", "--junit", report)
    failed = run("diff", A, B, *GOLD, *gate, code=1)
    assert "late: align+.f is 0.42" in failed.err
    suite = ElementTree.parse(report).getroot()
    assert suite.get("failures") == "1"
    run("diff", B, A, *GOLD, *gate)
    assert ElementTree.parse(report).getroot().get("failures") == "0"
    run("diff", A, B, *GOLD, "--fail-on-regression", "0.5")


@pytest.mark.parametrize("value", ["nan", "inf", "-1"])
def test_a_regression_is_measured_by_a_number(run, value):
    said = run("diff", A, B, *GOLD, f"--fail-on-regression={value}", code=2)
    assert "--fail-on-regression" in said.err


def test_judged_rankings_regress_too(run):
    judged = ("--judgements", *sorted(DEMO.glob("corpus/*/judgements.jsonl")))
    rankings = [DEMO / "runs" / name / "rankings.jsonl" for name in ("careful", "random")]
    gate = ("-m", "nu@10", "--fail-on-regression", "0.01")
    failed = run("diff", *rankings, *judged, *gate, code=1)
    scored = run("score", *rankings, *judged, "-m", "nu@10.f", "-f", "json").rows
    signs = {"careful": 1, "random": -1}
    lower = sum(signs[row["system"]] * row["value"] for row in scored) / 3
    assert f"random: nu@10.f is {lower:.4f} lower than that of careful" in failed.err
    run("diff", *reversed(rankings), *judged, *gate)


def test_one_topic_fails_only_when_strict(run, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    text = "2010-04-20\nThe old dam broke.\n----\n"
    (tmp_path / "gold.txt").write_text(text, encoding="utf-8")
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "b.txt").write_text("2010-04-21\nThe old dam broke.\n----\n", encoding="utf-8")
    words = ("diff", tmp_path / "a.txt", tmp_path / "b.txt", "-r", tmp_path / "gold.txt")
    gate = ("--fail-on-regression", "0")
    said = run(*words, *gate)
    assert "--strict fails here" in said.err
    assert "the only topic" in " ".join(said.out.split())
    run(*words, *gate, "--strict", code=1)


def test_what_makes_no_sense_is_refused(run):
    assert "name two" in run("diff", A, *GOLD, code=2).err
    assert "name two" in run("diff", A, B, DEMO / "runs" / "lead", *GOLD, code=2).err
    assert "--fail-on-regression" in run("diff", A, B, *GOLD, "--strict", code=2).err
    assert "--fail-on-regression" in run("diff", A, B, *GOLD, "--junit", "x.xml", code=2).err
    assert "cannot be split" in run("diff", A, B, *GOLD, "-m", "concat", code=2).err
    assert "chronoscore diff" in run("explain", A, B, *GOLD, code=2).err
