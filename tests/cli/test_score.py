"""`score` and `compare` as a user types them."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from chronoscore.cli import main
from chronoscore.errors import ChronoscoreWarning

Done = subprocess.CompletedProcess[str]
Command = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Command:
    def call(*words: str) -> Done:
        with warnings.catch_warnings():
            warnings.simplefilter("always", ChronoscoreWarning)
            with pytest.raises(SystemExit) as stopped:
                main(list(words))
        printed = capsys.readouterr()
        return Done(words, int(stopped.value.code or 0), printed.out, printed.err)

    monkeypatch.chdir(tmp_path)
    return call


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Two systems and two references, as files and as directories."""
    (tmp_path / "mine.txt").write_text("The dam broke at night.\nNobody was hurt.\n")
    (tmp_path / "yours.txt").write_text("A river rose.\n")
    (tmp_path / "gold1.txt").write_text("The old dam broke.\n")
    (tmp_path / "gold2.txt").write_text("At night the dam broke.\nMany fled.\n")
    for system in ("alpha", "beta"):
        (tmp_path / system).mkdir()
        for topic in ("bp", "iraq", "haiti"):
            (tmp_path / system / f"{topic}.txt").write_text(f"{system} saw {topic} on fire\n")
    for topic in ("bp", "iraq", "haiti"):
        folder = tmp_path / "gold" / topic
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(f"alpha saw {topic} burn\n")
        (folder / "b.txt").write_text(f"people saw {topic} on fire\n")
    return tmp_path


def rows(done: Done) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_single_files_are_one_topic_with_several_references(run: Command, texts: Path) -> None:
    found = rows(
        run(
            *("score", "mine.txt", "yours.txt", "--reference", "gold1.txt", "gold2.txt"),
            *("-m", "rouge1", "-f", "jsonl"),
        )
    )
    assert {row["system"] for row in found} == {"mine", "yours"}
    assert {row["topic"] for row in found} == {"gold1"}
    recall = next(r["value"] for r in found if r["system"] == "mine" and r["part"] == "r")
    assert recall == pytest.approx((3 + 5) / (4 + 7))


def test_the_reference_option_may_be_repeated_or_come_first(run: Command, texts: Path) -> None:
    tail = ("-m", "rouge1", "-f", "jsonl")
    spread = rows(run("score", "mine.txt", "--reference", "gold1.txt", "gold2.txt", *tail))
    repeated = rows(run("score", "mine.txt", "-r", "gold1.txt", "-r", "gold2.txt", *tail))
    first = rows(run("score", "-r", "gold1.txt", "-r", "gold2.txt", "mine.txt", *tail))
    assert spread == repeated == first


def test_directories_are_systems_and_their_files_topics(run: Command, texts: Path) -> None:
    found = rows(
        run("score", "alpha", "beta", "--reference", "gold", "-m", "rouge1", "-f", "jsonl")
    )
    assert len(found) == 2 * 3 * 3
    assert {row["topic"] for row in found} == {"bp", "iraq", "haiti"}


def test_a_system_file_meets_the_topic_of_its_name(run: Command, texts: Path) -> None:
    found = rows(run("score", "alpha/bp.txt", "-r", "gold", "-m", "rouge1.f", "-f", "jsonl"))
    assert [row["system"] for row in found] == ["alpha"] * len(found)


def test_records_hold_systems_and_references_together(run: Command, tmp_path: Path) -> None:
    lines = [
        {"id": "x", "system": "a b c", "references": ["a b", "c d"]},
        {"id": 7, "system": ["a b", "c"], "references": [["a", "b"], "c"]},
    ]
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = rows(run("score", "data.jsonl", "-m", "rouge1.r", "-f", "jsonl"))
    assert [(r["system"], r["topic"], r["value"]) for r in found] == [
        ("data", "x", 0.75),
        ("data", "7", 1.0),
    ]
    (tmp_path / "data.json").write_text(json.dumps(lines))
    assert len(rows(run("score", "data.json", "-m", "rouge1.r", "-f", "jsonl"))) == 2


def test_every_format_is_what_it_says(run: Command, texts: Path) -> None:
    call = ("score", "alpha", "beta", "-r", "gold", "-m", "rouge1")
    as_json = json.loads(run(*call, "-f", "json").stdout)
    as_csv = list(csv.DictReader(io.StringIO(run(*call, "-f", "csv").stdout)))
    as_lines = rows(run(*call, "-f", "jsonl"))
    assert as_json == as_lines
    assert [row["value"] for row in as_csv] == [str(row["value"]) for row in as_lines]
    assert run(*call, "-f", "md").stdout.startswith("| system |")
    assert r"\begin{tabular}" in run(*call, "-f", "latex").stdout
    assert run(*call, "-f", "html").stdout.startswith("<!doctype html>")
    table = run(*call).stdout
    assert "rouge(n=1).f" in table
    assert "95% bootstrap interval" in table
    assert "signature: rouge|" in table


def test_averages_can_be_had_as_rows(run: Command, texts: Path) -> None:
    call = ("score", "alpha", "-r", "gold", "-m", "rouge1.f", "-f", "jsonl", "--rows", "averages")
    (row,) = rows(run(*call))
    assert row["topic"] == ""
    assert row["low"] <= row["value"] <= row["high"]  # type: ignore[operator]


def test_the_output_file_is_written_whole(run: Command, texts: Path) -> None:
    missing = run("score", "alpha", "-r", "gold", "-f", "csv", "-o", "out/scores.csv")
    assert (missing.returncode, "there is no folder 'out'" in missing.stderr) == (3, True)
    (texts / "out").mkdir()
    done = run("score", "alpha", "-r", "gold", "-f", "csv", "-o", "out/scores.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert (texts / "out" / "scores.csv").read_text().startswith("system,topic,measure,part,value")
    assert [p.name for p in (texts / "out").iterdir()] == ["scores.csv"]


def test_fail_under_sets_the_exit_code(run: Command, texts: Path) -> None:
    call = ("score", "alpha", "-r", "gold", "-m", "rouge1.f", "--fail-under")
    assert run(*call, "0.1").returncode == 0
    short = run(*call, "0.99")
    value = next(row["value"] for row in averages(run, call[:-1]))
    assert short.returncode == 1
    assert short.stderr.strip() == f"chronoscore: alpha: rouge(n=1).f is {value:.4f}, under 0.99"


def averages(run: Command, call: tuple[str, ...]) -> list[dict[str, Any]]:
    return rows(run(*call, "-f", "jsonl", "--rows", "averages"))


def test_a_threshold_names_its_measure_and_a_build_server_reads_the_outcome(
    run: Command, texts: Path
) -> None:
    call = ("score", "alpha", "beta", "-r", "gold", "-m", "rouge1", "-m", "rouge2")
    done = run(
        *call, "--fail-under", "rouge1.r=0", "--fail-under", "rouge2.f=2", "--junit", "t.xml"
    )
    assert done.returncode == 1
    assert [line.split(" is ")[0] for line in done.stderr.splitlines()] == [
        "chronoscore: alpha: rouge(n=2).f",
        "chronoscore: beta: rouge(n=2).f",
    ]
    suite = ElementTree.parse(texts / "t.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["rouge(n=2).f"] * 2
    wrong = run(*call, "--fail-under", "rouge3.f=0.1")
    assert (wrong.returncode, "no figure 'rouge3.f' was scored" in wrong.stderr) == (2, True)
    assert run(*call, "--fail-under", "rouge1.f=high").returncode == 2


def test_humans_are_scored_against_the_other_humans(run: Command, texts: Path) -> None:
    call = ("score", "alpha", "-r", "gold", "-m", "rouge1.f", "--jackknife", "--humans")
    found = rows(run(*call, "-f", "jsonl"))
    assert len({row["system"] for row in found}) == 3


def test_more_processes_change_nothing(run: Command, texts: Path) -> None:
    call = ("score", "alpha", "beta", "-r", "gold", "-f", "jsonl")
    assert run(*call).stdout == run(*call, "--jobs", "2").stdout


def test_compare_gives_tests_intervals_and_marks(run: Command, texts: Path) -> None:
    call = ("compare", "alpha", "beta", "-r", "gold", "-m", "rouge1")
    (row,) = json.loads(run(*call, "-f", "json").stdout)
    assert (row["system"], row["other"], row["topics"]) == ("alpha", "beta", 3)
    assert row["exact"] is True
    assert row["p"] == row["adjusted"] == 0.25
    table = run(*call, "--per-topic").stdout
    assert "a alpha" in table
    assert "alpha – beta" in table
    assert "by topic" in table


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nosuch.txt", "-r", "gold1.txt"), "nosuch.txt: no such file or directory"),
        (("mine.txt", "-r", "empty.txt"), "empty.txt: is empty"),
        (("binary.txt", "-r", "gold1.txt"), "binary.txt:1: holds a NUL byte and looks binary"),
        (("latin.txt", "-r", "gold1.txt"), "latin.txt:2: byte 0xe9 at offset 9 is not UTF-8"),
        (("huge.txt", "-r", "gold1.txt"), "huge.txt:1: line of 50,000,000 characters"),
        (("broken.jsonl",), "broken.jsonl:2: "),
        (("nan.jsonl",), "nan.jsonl:1: "),
        (("twice.jsonl",), "twice.jsonl:2: id '1' is a duplicate of"),
        (("norefs.jsonl",), "norefs.jsonl:1: the set of references is empty"),
        (("broken.txt.gz", "-r", "gold1.txt"), "broken.txt.gz: broken archive"),
        (("alpha", "-r", "partgold"), "no such topic"),
        (("mine.txt",), "there is no reference"),
        (("emptydir", "-r", "gold"), "emptydir: the folder is empty"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_3(
    run: Command, texts: Path, words: tuple[str, ...], sentence: str
) -> None:
    (texts / "empty.txt").write_text("\n")
    (texts / "binary.txt").write_bytes(b"abc\x00def")
    (texts / "latin.txt").write_bytes(b"plain\ncaf\xe9\n")
    (texts / "huge.txt").write_text("word " * 10_000_000)
    good = json.dumps({"id": 1, "system": "a", "references": ["a"]})
    (texts / "broken.jsonl").write_text(good + "\n{oops\n")
    (texts / "nan.jsonl").write_text('{"id": 1, "system": NaN, "references": ["a"]}\n')
    (texts / "twice.jsonl").write_text(good + "\n" + good + "\n")
    (texts / "norefs.jsonl").write_text('{"id": 1, "system": "a", "references": []}\n')
    (texts / "broken.txt.gz").write_bytes(gzip.compress(b"text " * 99)[:-20])
    (texts / "emptydir").mkdir()
    (texts / "partgold").mkdir()
    (texts / "partgold" / "bp.txt").write_text("alpha saw it\n")
    done = run("score", *words, "-o", "out.csv")
    assert done.returncode == 3, done.stderr
    assert done.stderr.count("\n") == 1
    assert sentence in done.stderr
    assert done.stdout == ""
    assert not (texts / "out.csv").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("score", "mine.txt", "-r", "gold1.txt", "-m", "rogue1"), "did you mean 'rouge1'"),
        (("scoer", "mine.txt"), "unknown command 'scoer'; did you mean 'score'?"),
        (("score", "mine.txt", "-r", "gold1.txt", "--jobs", "-1"), "jobs -1: write 0 or more"),
        (("score", "mine.txt", "-r", "gold1.txt", "--level", "100"), "--level 100"),
        (("compare", "alpha", "-r", "gold"), "give at least two"),
    ],
)
def test_wrong_usage_gets_one_sentence_and_exit_code_2(
    run: Command, texts: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = run(*words)
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_demo_fits_one_screen_and_writes_a_report(run: Command, tmp_path: Path) -> None:
    done = run("demo", "-o", "out")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    path = tmp_path / "out" / "report.html"
    assert f"report  {path}" in lines
    assert len(lines) <= 40
    assert max(len(line) for line in lines if str(path) not in line) <= 100
    assert "careful is ahead of extract by 0.129 align+.f" in done.stdout
    assert "Leaderboard" in path.read_text()


@pytest.mark.slow
def test_the_whole_demo_has_every_part_of_the_toolkit(run: Command, tmp_path: Path) -> None:
    done = run("demo", "-o", "out", "--all")
    for heading in (
        "Summaries:",
        "Streams:",
        "Updates:",
        "as shares of the ceilings",
        "Baselines:",
        "Agreement",
    ):
        assert heading in done.stdout
    assert "<svg" in (tmp_path / "out" / "everything.html").read_text()


def test_list_and_cite_speak(run: Command) -> None:
    assert "rouge-su" in run("list").stdout
    assert "n=1" in run("list", "rouge").stdout
    assert "Nouveau-ROUGE" in run("cite").stdout


def test_a_dash_is_standard_input_and_output(
    run: Command, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def piped(content: bytes, *words: str) -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return run(*words)

    given = (texts / "mine.txt").read_bytes()
    call = ("-r", "gold1.txt", "-m", "rouge1", "-f", "csv")
    expected = run("score", "mine.txt", *call).stdout.replace("mine", "stdin")
    assert piped(given, "score", "-", *call, "-o", "-").stdout == expected
    record = {"id": "a", "system": "the dam broke", "references": ["the old dam broke"]}
    lines = (json.dumps(record) + "\n").encode() * 1
    several = lines + lines.replace(b'"a"', b'"b"')
    for content in (lines, several):
        assert piped(content, "score", "-", "-m", "rouge1").returncode == 0
    empty = piped(b" ", "score", "-", *call)
    assert (empty.returncode, "standard input is empty" in empty.stderr) == (3, True)
    twice = piped(given, "score", "-", "-r", "-")
    assert (twice.returncode, "read once" in twice.stderr) == (2, True)


def test_asked_twice_to_be_quiet_it_hides_warnings_about_data(run: Command, texts: Path) -> None:
    call = ("compare", "alpha", "beta", "-r", "gold", "-m", "rouge1")
    assert "smallest possible adjusted p" in run(*call, "-q").stderr
    assert run(*call, "-qq").stderr == ""


def test_differences_are_drawn(run: Command, texts: Path) -> None:
    call = ("compare", "alpha", "beta", "-r", "gold", "-m", "rouge1", "-q", "--plot")
    assert run(*call, "pairs.svg").returncode == 0
    drawing = (texts / "pairs.svg").read_text()
    assert "alpha" in drawing
    assert "beta" in drawing
    assert run(*call, "pairs.gif").returncode == 2


def test_shells_complete_the_names_of_measures() -> None:
    environment = {
        **os.environ,
        "COMP_WORDS": "chronoscore score -m align",
        "COMP_CWORD": "3",
        "_CHRONOSCORE_COMPLETE": "bash_complete",
    }
    command = [sys.executable, "-m", "chronoscore"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert {"plain,align+", "plain,align+m1", "plain,aligned"} <= set(done.stdout.split())
