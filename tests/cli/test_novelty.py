"""`novelty`, and `score --original`, as a user types them, on the demo and a simulation."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

import chronoscore

DEMO = Path(chronoscore.__file__).parent / "demo"
SIMULATION = Path(__file__).parents[2] / "docs" / "examples" / "simulated_updates.py"
RUNS = [str(path) for path in sorted(DEMO.glob("runs/*/update"))]
ORIGINALS = [str(path) for path in sorted(DEMO.glob("corpus/*/summaries/original"))]
UPDATES = [str(path) for path in sorted(DEMO.glob("corpus/*/summaries/update"))]
RATINGS = str(DEMO / "ratings.csv")


def scored(run, *words):
    """Score the demo's updates and give the rows."""
    done = run("score", *RUNS, "--original", *ORIGINALS, "--reference", *UPDATES, *words)
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.fixture
def demo(run, tmp_path):
    """The demo's updates scored by two bases, people too."""
    run(
        *("score", *RUNS, "--original", *ORIGINALS, "--reference", *UPDATES),
        *("-m", "novelty(base=rouge1,coefficients=none)"),
        *("-m", "novelty(base=rougeSU4,coefficients=none)"),
        *("--jackknife", "--humans", "-f", "jsonl", "-o", "scores.jsonl"),
    )
    return tmp_path / "scores.jsonl"


@pytest.fixture
def simulated(run, tmp_path):
    """Fifty-eight invented systems and eight people."""
    runpy.run_path(str(SIMULATION))["main"]()
    return ("scores.csv", "ratings.csv")


def test_the_demos_updates_are_scored_against_both_sets(run):
    rows = scored(run, "-m", "novelty", "-f", "jsonl")
    assert {row["system"] for row in rows} == {
        *("careful", "extract", "headlines", "late", "lead", "random")
    }
    assert {row["part"] for row in rows} == {"n", "ab", "bb"}
    by_part = {(r["system"], r["topic"], r["part"]): r["value"] for r in rows}
    for (system, topic, part), value in by_part.items():
        if part == "n":
            ab, bb = (by_part[system, topic, other] for other in ("ab", "bb"))
            assert value == pytest.approx(0.9126 - 5.4536 * ab + 21.1556 * bb)


def test_the_update_score_is_that_of_the_base_against_the_update_references(run):
    rows = scored(run, "-m", "novelty(base=rouge2).bb", "-m", "rouge2.r", "-f", "jsonl")
    values = [[r["value"] for r in rows if r["part"] == part] for part in ("bb", "r")]
    assert values[0] == pytest.approx(values[1])


def test_updates_are_compared_by_their_prediction(run):
    done = run(
        *("compare", *RUNS, "--original", *ORIGINALS, "--reference", *UPDATES),
        *("-m", "novelty", "--baseline", "random", "-f", "jsonl"),
    )
    assert {json.loads(line)["part"] for line in done.out.splitlines()} == {"n"}


def test_people_are_scored_by_their_files_names(run):
    words = ("-m", "novelty", "--humans", "--jackknife", "-f", "jsonl")
    assert {row["system"] for row in scored(run, *words)} >= {"a", "b", "c", "d"}


def test_fitted_coefficients_are_read_back_by_the_measure(run, demo):
    run("novelty", "fit", "scores.jsonl", RATINGS, "--rating", "pyramid", "-o", "mine.json")
    fit = json.loads(Path("mine.json").read_text())["fits"][0]
    assert (fit["base"], fit["target"], fit["systems"]) == ("rouge(n=1)", "pyramid", 6)
    words = ("-m", "novelty(base=rouge1,coefficients=mine.json,target=pyramid)", "--jackknife")
    rows = scored(run, *words, "-f", "jsonl")
    for ab, bb, n in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        expected = fit["constant"] + fit["earlier"] * ab["value"] + fit["update"] * bb["value"]
        assert n["value"] == pytest.approx(expected)


def test_predicting_from_scores_is_scoring_with_the_coefficients(run, demo):
    run("novelty", "fit", "scores.jsonl", RATINGS, "--rating", "pyramid", "-o", "mine.json")
    done = run(
        *("novelty", "predict", "scores.jsonl", "-c", "mine.json", "--target", "pyramid"),
        *("-m", "novelty(base=rouge(n=1),coefficients=none)", "-f", "jsonl"),
    )
    predicted = [json.loads(line) for line in done.out.splitlines()]
    name = "novelty(base=rouge(n=1),coefficients=mine.json,target=pyramid)"
    rows = scored(run, "-m", f"{name}.n", "--humans", "--jackknife", "-f", "jsonl")
    assert {row["measure"] for row in predicted} == {name}
    wanted = {(r["system"], r["topic"]): r["value"] for r in rows if r["value"] is not None}
    found = {(r["system"], r["topic"]): r["value"] for r in predicted}
    assert found == pytest.approx(wanted)


@pytest.mark.slow
def test_a_fit_without_a_file_is_printed_as_json(run, simulated):
    fits = json.loads(run("novelty", "fit", *simulated).out)["fits"]
    assert [(fit["base"], fit["systems"]) for fit in fits] == [("R1", 58), ("R2", 58)]
    assert all(fit["low"][2] < fit["update"] < fit["high"][2] for fit in fits)


def test_a_fit_is_printed_in_every_format_and_json_is_the_file_of_coefficients(run, simulated):
    plain = run("novelty", "fit", *simulated).out
    assert run("novelty", "fit", *simulated, "-f", "json").out == plain
    assert run("novelty", "fit", *simulated, "-f", "csv").out.count("\n") > 2
    assert "R1" in run("novelty", "fit", *simulated, "-f", "table").out


def test_published_coefficients_predict_for_scores_from_elsewhere(run, simulated):
    words = ("novelty", "predict", "scores.csv", "-m", "R2", "-f", "jsonl")
    rows = [json.loads(r) for r in run(*words, "-c", "tac2008-r2").out.splitlines()]
    assert len(rows) == 58 * 48 + 8 * 24
    assert 1 < np.mean([row["value"] for row in rows]) < 5
    done = run(*words, "-c", "tac2008", code=2)
    assert "'R2' is not one of ours, so name the row" in done.err


@pytest.mark.slow
def test_the_study_prints_the_papers_three_tables(run, simulated):
    done = run("novelty", "study", *simulated, "--draws", "60")
    assert "correlation on systems that were held back" in done.out
    assert "halves split" in done.out
    assert "disjoint split" in done.out
    assert "no tested system was used for fitting" in done.out
    gap = [line for line in done.out.splitlines() if "8 of 8" in line]
    assert all(line.count("0.0078") == 2 for line in gap)
    assert len(gap) == 2


def test_the_study_gives_flat_records(run, simulated):
    done = run("novelty", "study", *simulated, "--draws", "60", "-f", "json", "-m", "R1")
    rows = json.loads(done.out)
    assert {row["experiment"] for row in rows} == {"held back", "redrawn", "gap"}
    paired = [r for r in rows if r["score"] == "n-bb" and r["experiment"] == "redrawn"]
    assert [r["way"] for r in paired] == ["halves", "disjoint"]
    assert all(r["low"] <= r["value"] <= r["high"] for r in paired)
    tests = {r["way"]: r["p"] for r in rows if r["experiment"] == "gap" and r["way"]}
    assert tests == pytest.approx({"sign": 0.0078125, "wilcoxon": 0.0078125})


@pytest.mark.slow
def test_a_study_of_few_systems_says_what_it_cannot_do(run, demo):
    done = run("novelty", "study", "scores.jsonl", RATINGS, "--rating", "pyramid", "--plots", "out")
    assert "no cross-validation, as 6 systems cannot be halved" in done.err
    assert "median gap between predicted and given ratings of people" in done.out
    drawn = sorted(path.name for path in Path("out").iterdir())
    assert drawn == [
        *("predictions.pdf", "predictions.png", "predictions.svg"),
        *("scores.pdf", "scores.png", "scores.svg"),
    ]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("fit", "plain.csv", "r.csv"), 3, "no measure has both parts 'ab' and 'bb'"),
        (("predict", "plain.csv"), 3, "no measure has both parts 'ab' and 'bb'"),
        (("study", "scores.csv", "ratings.csv", "--draws", "0"), 2, "--draws 0: write 1 or more"),
        (("fit", "scores.csv", "ratings.csv", "--tuning", "-1"), 2, "--tuning -1: write a number"),
        (("predict", "scores.csv", "-c", "tac2008-r2", "--target", "x"), 2, "target 'x'"),
        (("predict", "scores.csv", "-c", "none.json"), 3, "none.json: no such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(run, simulated, words, code, message):
    Path("plain.csv").write_text("system,topic,measure,part,value\na,t,rouge,r,0.5\n")
    Path("r.csv").write_text("system,topic,rating,value\na,t,pyramid,0.5\n")
    assert message in run("novelty", *words, code=code).err


def test_a_study_in_which_nothing_can_be_done_is_refused(run, tmp_path):
    rng = np.random.default_rng(5)
    systems = "abcdef"
    scores = [f"{s},t,rouge,{part},{rng.random()}" for s in systems for part in ("ab", "bb")]
    ratings = [f"{s},t,pyramid,{rng.random()}" for s in systems]
    Path("s.csv").write_text("\n".join(["system,topic,measure,part,value", *scores]))
    Path("r.csv").write_text("\n".join(["system,topic,rating,value", *ratings]))
    done = run("novelty study s.csv r.csv -o out.csv", code=3)
    assert "'pyramid': no cross-validation, as 6 systems cannot be halved" in done.err
    assert "'pyramid': no gap, as" in done.err
    assert not Path("out.csv").exists()
