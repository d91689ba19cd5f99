"""Rankings scored against judgements from the command line."""

import csv
import json
import re
from pathlib import Path

import pytest

import chronoscore
from chronoscore.cli import main

DEMO = Path(chronoscore.__file__).parent / "demo"

# On the command line a warning is a line of talk, not an error.
pytestmark = pytest.mark.filterwarnings("default::chronoscore.errors.ChronoscoreWarning")


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


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
    path = folder / "j.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def ranked(folder: Path, *sentences: str) -> Path:
    path = folder / "mine.jsonl"
    rows = [{"topic": "t", "sentence": s, "score": 1 / n} for n, s in enumerate(sentences, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_rows_are_as_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys,
        "score",
        ranked(tmp_path, "b", "a"),
        "--judgements",
        judged(tmp_path),
        "-m",
        "nu@20",
        "-m",
        "nu(strict)@20",
        "-f",
        "jsonl",
    )
    assert code == 0
    assert "has no footer" in err
    rows = [json.loads(line) for line in out.splitlines()]
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


def test_an_undefined_value_is_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"topic": "t", "sentence": "b", "score": 1}\n', encoding="utf-8")
    code, out, _ = run(
        capsys, "score", other, "--judgements", judged(tmp_path), "-m", "n.precision", "-f", "jsonl"
    )
    assert code == 0
    assert json.loads(out)["value"] is None


def test_the_whole_demo_is_scored_from_its_folders(capsys: pytest.CaptureFixture[str]) -> None:
    runs = sorted(DEMO.glob("runs/*/rankings.jsonl"))
    code, out, err = run(
        capsys, "score", *runs, "--judgements", DEMO / "corpus", "-f", "jsonl", "-m", "nu@20.recall"
    )
    assert (code, err) == (0, "")
    rows = [json.loads(line) for line in out.splitlines()]
    assert {row["system"] for row in rows} == {path.parent.name for path in runs}
    assert {row["topic"] for row in rows} == {"dam", "ferry", "theft"}


def test_units_are_scored_and_broken_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "missed.csv"
    code, out, _ = run(
        capsys,
        "score",
        DEMO / "runs" / "lead" / "rankings.jsonl",
        "--units",
        DEMO / "corpus",
        "-m",
        "pyramid@20",
        "--breakdown",
        table,
        "-f",
        "jsonl",
    )
    assert code == 0
    values = {json.loads(line)["topic"]: json.loads(line)["value"] for line in out.splitlines()}
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["topic"] == "dam"]
    weights = [float(row["weight"]) for row in rows]
    assert weights == sorted(weights, reverse=True)
    earned = sum(float(row["weight"]) * float(row["score"]) for row in rows)
    assert values["dam"] == pytest.approx(earned / sum(weights[:20]))


def points(path: str) -> list[tuple[float, float]]:
    """The corners of an SVG path."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML] (\S+) (\S+)", path)]


def test_a_curve_is_drawn_through_the_precision_at_eleven_levels_of_recall(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Recall after each sentence is 1/2, 1/2, 1 and precision 1, 1/2, 2/3.
    expected = [1.0] * 6 + [2 / 3] * 5
    plot = tmp_path / "nu.svg"
    run_file, judgements = ranked(tmp_path, "a", "b", "c"), judged(tmp_path, second="c")
    options = ("--judgements", judgements, "-m", "nu(strict)", "--curve", plot)
    assert run(capsys, "score", run_file, *options)[0] == 0
    paths = [points(d) for d in re.findall(r'<path d="([^"]*)"', plot.read_text("utf-8"))]
    (curve,) = (path for path in paths if len(path) == len(expected))
    (left, bottom), (right, _), (_, top), _ = paths[1]
    assert [x for x, _ in curve] == pytest.approx(
        [left + (right - left) * n / 10 for n in range(11)]
    )
    heights = [(bottom - y) / (bottom - curve[0][1]) for _, y in curve]
    assert heights == pytest.approx(expected, abs=1e-6)
    assert top <= curve[0][1] < bottom


@pytest.mark.parametrize("order", ["time", "rank"])
def test_the_growth_of_a_stream_ends_at_its_scores(
    order: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "growth.csv"
    stream = DEMO / "runs" / "careful" / "rankings.jsonl"
    options = ("--judgements", DEMO / "corpus", "-m", "stream", "-f", "jsonl")
    code, out, _ = run(capsys, "score", stream, *options, "--curve", table, "--curve-by", order)
    assert code == 0
    scores = {
        (row["topic"], row["part"]): row["value"] for row in map(json.loads, out.splitlines())
    }
    last = {row["topic"]: row for row in csv.DictReader(table.read_text().splitlines())}
    assert set(last) == {"dam", "ferry", "theft"}
    for topic, row in last.items():
        assert float(row["H"]) == pytest.approx(scores[topic, "H"])


def test_systems_are_compared_on_judgements(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [DEMO / "runs" / name / "rankings.jsonl" for name in ("careful", "random")]
    code, out, _ = run(
        capsys, "compare", *runs, "--judgements", DEMO / "corpus", "-m", "nu@20", "-f", "jsonl"
    )
    assert code == 0
    assert json.loads(out.splitlines()[0])["part"] == "f"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-m", "nu"], 2, "give --judgements or --units"),
        (["-m", "nu", "--judgements", "nowhere"], 3, "nowhere: no such file"),
        (["-m", "pyramid", "--judgements", "J"], 3, "has no content units"),
        (["-m", "u", "--judgements", "J", "--curve", "c.png"], 2, "--curve draws nu"),
        (["-m", "nu", "--judgements", "J", "--curve", "c.gif"], 2, "a plot ends in"),
        (["-m", "nu", "--judgements", "J", "--curve-by", "rank"], 2, "add --curve FILE"),
        (
            ["-m", "nu", "--judgements", "J", "--curve", "c.png", "--curve-by", "rank"],
            2,
            "is for streams",
        ),
        (["-m", "nu", "--judgements", "J", "--pool", "R"], 2, "--pool lends times"),
        (["-m", "nu", "--judgements", "J", "--matches", "m.tsv"], 2, "for a directory of TREC"),
        (["-m", "nu", "--judgements", "J", "--compat", "tseval2015"], 2, "does not define"),
        (["-m", "nu", "--judgements", "J", "--breakdown", "b.csv"], 2, "add -m pyramid"),
        (["-m", "nu", "-m", "rouge1", "--judgements", "J"], 2, "score them in two calls"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    options: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = str(judged(tmp_path))
    given = [path if option == "J" else option for option in options]
    found, out, err = run(capsys, "score", ranked(tmp_path, "a"), *given)
    assert (found, out) == (code, "")
    assert message in err.splitlines()[-1]


@pytest.mark.slow
def test_official_streams_are_scored_from_their_directory(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = data / "trec-ts-2014"
    code, out, err = run(
        capsys,
        "score",
        folder / "cunlp-updates.ssv.gz",
        "--judgements",
        folder,
        "-m",
        "stream.H",
        "-f",
        "jsonl",
        "--rows",
        "averages",
    )
    assert code == 0
    assert "unknown nuggets" in err
    means = {json.loads(line)["system"]: json.loads(line)["value"] for line in out.splitlines()}
    assert round(means["cunlp-2APSal"], 4) == 0.1162
