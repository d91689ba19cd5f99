"""Rankings scored against judgements from the command line."""

import csv
import json
import re
from pathlib import Path

import pytest

import chronoscore
from data_files import write_lines

DEMO = Path(chronoscore.__file__).parent / "demo"


def judged(folder: Path, second: str = "a") -> Path:
    rows = [
        {"kind": "header", "format": "chronoscore-judgements", "version": 1},
        {"kind": "topic", "id": "t"},
        *({"kind": "sentence", "id": s} for s in ("a", "b", "c")),
        {"kind": "event", "id": "e1"},
        {"kind": "event", "id": "e2"},
        {"kind": "link", "sentence": "a", "event": "e1"},
        {"kind": "link", "sentence": second, "event": "e2"},
    ]
    return write_lines(folder / "j.jsonl", rows)


def ranked(folder: Path, *sentences: str) -> Path:
    rows = [{"topic": "t", "sentence": s, "score": 1 / n} for n, s in enumerate(sentences, 1)]
    return write_lines(folder / "mine.jsonl", rows)


def test_rows_are_as_everywhere(run, tmp_path):
    words = ("--judgements", judged(tmp_path), "-m", "nu@20", "-m", "nu(strict)@20", "-f", "jsonl")
    said = run("score", ranked(tmp_path, "b", "a"), *words)
    assert "has no footer" in said.err
    rows = said.rows
    assert [list(row) for row in rows] == [["system", "topic", "measure", "part", "value"]] * 6
    assert [(row["measure"], row["part"], row["value"]) for row in rows] == [
        ("nu@20", "recall", 1.0),
        ("nu@20", "precision", 1.0),
        ("nu@20", "f", 1.0),
        ("nu(strict)@20", "recall", 1.0),
        ("nu(strict)@20", "precision", 0.5),
        ("nu(strict)@20", "f", pytest.approx(2 / 3)),
    ]
    assert {(row["system"], row["topic"]) for row in rows} == {("mine", "t")}


def test_an_undefined_value_is_null(run, tmp_path):
    words = ("--judgements", judged(tmp_path), "-m", "n.precision", "-f", "jsonl")
    (row,) = run("score", ranked(tmp_path, "b"), *words).rows
    assert row["value"] is None


def test_the_whole_demo_is_scored_from_its_folders(run):
    runs = sorted(DEMO.glob("runs/*/rankings.jsonl"))
    said = run("score -m nu@20.recall -f jsonl", *runs, "--judgements", DEMO / "corpus")
    rows = said.rows
    assert said.err == ""
    assert {row["system"] for row in rows} == {path.parent.name for path in runs}
    assert {row["topic"] for row in rows} == {"dam", "ferry", "theft"}


def test_units_are_scored_and_broken_down(run, tmp_path):
    table = tmp_path / "missed.csv"
    words = ("--units", DEMO / "corpus", "-m", "pyramid@20", "--breakdown", table, "-f", "jsonl")
    said = run("score", DEMO / "runs" / "lead" / "rankings.jsonl", *words)
    values = {row["topic"]: row["value"] for row in said.rows}
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["topic"] == "dam"]
    weights = [float(row["weight"]) for row in rows]
    assert weights == sorted(weights, reverse=True)
    earned = sum(float(row["weight"]) * float(row["score"]) for row in rows)
    assert values["dam"] == pytest.approx(earned / sum(weights[:20]))


def points(path: str) -> list[tuple[float, float]]:
    """The corners of an SVG path."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML] (\S+) (\S+)", path)]


def test_a_curve_is_drawn_through_the_precision_at_eleven_levels_of_recall(run, tmp_path):
    # Recall after each sentence is 1/2, 1/2, 1 and precision 1, 1/2, 2/3.
    expected = [1.0] * 6 + [2 / 3] * 5
    plot = tmp_path / "nu.svg"
    run_file, judgements = ranked(tmp_path, "a", "b", "c"), judged(tmp_path, second="c")
    options = ("--judgements", judgements, "-m", "nu(strict)", "--curve", plot)
    run("score", run_file, *options)
    paths = [points(d) for d in re.findall(r'<path d="([^"]*)"', plot.read_text("utf-8"))]
    (curve,) = (path for path in paths if len(path) == len(expected))
    (left, bottom), (right, _), (_, top), _ = paths[1]
    assert [x for x, _ in curve] == pytest.approx(
        [left + (right - left) * n / 10 for n in range(11)]
    )
    heights = [(bottom - y) / (bottom - curve[0][1]) for _, y in curve]
    assert heights == pytest.approx(expected, abs=1e-6)
    assert top <= curve[0][1] < bottom


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_the_figures_of_a_curve_are_written_as_a_table(run, tmp_path, ending):
    table = tmp_path / f"nu.{ending}"
    run_file, judgements = ranked(tmp_path, "a", "b", "c"), judged(tmp_path, second="c")
    run("score", run_file, "--judgements", judgements, "-m", "nu(strict)", "--curve", table)
    lines = table.read_text("utf-8").splitlines()
    rows = [*(csv.DictReader(lines) if ending == "csv" else map(json.loads, lines))]
    assert [float(row["recall"]) for row in rows] == [n / 10 for n in range(11)]
    assert [float(row["precision"]) for row in rows] == [1.0] * 6 + [2 / 3] * 5
    assert {row["system"] for row in rows} == {"mine"}


@pytest.mark.parametrize("order", ["time", "rank"])
def test_the_growth_of_a_stream_ends_at_its_scores(run, order, tmp_path):
    table = tmp_path / "growth.csv"
    stream = DEMO / "runs" / "careful" / "rankings.jsonl"
    options = ("--judgements", DEMO / "corpus", "-m", "stream", "-f", "jsonl")
    said = run("score", stream, *options, "--curve", table, "--curve-by", order)
    scores = {(row["topic"], row["part"]): row["value"] for row in said.rows}
    last = {row["topic"]: row for row in csv.DictReader(table.read_text().splitlines())}
    assert set(last) == {"dam", "ferry", "theft"}
    for topic, row in last.items():
        assert float(row["H"]) == pytest.approx(scores[topic, "H"])


def test_systems_are_compared_on_judgements(run):
    runs = [DEMO / "runs" / name / "rankings.jsonl" for name in ("careful", "random")]
    said = run("compare -m nu@20 -f jsonl", *runs, "--judgements", DEMO / "corpus")
    assert said.rows[0]["part"] == "f"


def test_the_references_of_a_project_are_not_for_its_rankings(run, tmp_path):
    ranked(tmp_path, "a", "b")
    judged(tmp_path)
    (tmp_path / "gold.txt").write_text("The dam broke.\n")
    (tmp_path / "chronoscore.toml").write_text(
        'systems = "mine.jsonl"\nreferences = "gold.txt"\njudgements = "j.jsonl"\n'
    )
    assert "mine" in run("score -m nu").out
    assert "leave out --reference" in run("score -m nu -r gold.txt", code=2).err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-m", "nu"], 2, "give --judgements or --units"),
        (["-m", "nu", "--judgements", "nowhere"], 3, "nowhere: no such file"),
        (["-m", "pyramid", "--judgements", "J"], 3, "has no content units"),
        (["-m", "u", "--judgements", "J", "--curve", "c.png"], 2, "--curve draws nu"),
        (["-m", "nu", "--judgements", "J", "--curve", "c.gif"], 2, "a plot ends in"),
        (
            ["-m", "nu", "--judgements", "J", "--curve", "c.png", "--curve-by", "rank"],
            2,
            "is for streams",
        ),
        (["-m", "nu", "--judgements", "J", "--compat", "tseval2015"], 2, "does not define"),
        (["-m", "nu", "-m", "rouge1", "--judgements", "J"], 2, "score them in two calls"),
        (["-m", "nu", "--judgements", "J", "--reference", "J"], 2, "leave out --reference"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run, options, code, message, tmp_path):
    path = str(judged(tmp_path))
    given = [path if option == "J" else option for option in options]
    said = run("score", ranked(tmp_path, "a"), *given, code=code)
    assert said.out == ""
    assert message in said.err.splitlines()[-1]


@pytest.mark.slow
def test_official_streams_are_scored_from_their_directory(run, data):
    folder = data / "trec-ts-2014"
    words = (folder / "cunlp-updates.ssv.gz", "--judgements", folder)
    said = run("score -m stream.H -f jsonl --rows averages", *words)
    assert "unknown nuggets" in said.err
    means = {row["system"]: row["value"] for row in said.rows}
    assert round(means["cunlp-2APSal"], 4) == 0.1162
