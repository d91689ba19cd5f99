"""Several runs of one prompt from Python: what is read, averaged, compared, saved and explained."""

import random

import pytest

import chronoscore as cs
from chronoscore.core import Run, Timeline

GOLD = {
    f"topic{number}": {
        "2031-03-12": f"the old dam number {number} broke at last in the night",
        "2031-03-14": "rescue teams arrived with boats and found many people",
    }
    for number in range(6)
}


def answers(seed, shift=0):
    """Answers that keep some words of each day, a day late if so."""
    draw = random.Random(seed)
    return {
        topic: {
            f"2031-03-{int(day[-2:]) + shift * (draw.random() < 0.3):02}": " ".join(
                word for word in text.split() if draw.random() < 0.7
            )
            or "the"
            for day, text in gold.items()
        }
        for topic, gold in GOLD.items()
    }


RUNS = {
    "a": {f"run-{n}": answers(n) for n in (1, 2, 3)},
    "b": {f"x{n}": answers(n + 9, 1) for n in (1, 2)},
}


@pytest.fixture(scope="module")
def result():
    return cs.score(RUNS, GOLD, ["align+", "dates"])


def table():
    return [
        {"system": system, "run": run, "topic": topic, "date": date, "text": text}
        for system, runs in RUNS.items()
        for run, topics in runs.items()
        for topic, days in topics.items()
        for date, text in days.items()
    ]


def ready():
    return [
        Run(
            system,
            {topic: Timeline.of([*days.items()]) for topic, days in topics.items()},
            name=run,
        )
        for system, runs in RUNS.items()
        for run, topics in runs.items()
    ]


@pytest.mark.parametrize(
    "given",
    [lambda: {name: [*runs.values()] for name, runs in RUNS.items()}, table, ready],
    ids=["lists", "table", "runs"],
)
def test_every_spelling_of_runs_has_the_same_figures(result, given):
    found = cs.score(given(), GOLD, ["align+", "dates"])
    assert found == result
    assert "|runs:2-3" in found.signature
    assert found.signature == result.signature


def test_a_topics_value_is_the_mean_of_the_runs_scored_one_by_one(result):
    single = cs.score(RUNS["a"], GOLD, "align+")
    by_topic = {}
    for row in single.rows():
        by_topic.setdefault((row["topic"], row["part"]), []).append(row["value"])
    for row in result.rows():
        if (row["system"], row["measure"]) == ("a", "align+"):
            values = by_topic[row["topic"], row["part"]]
            assert row["value"] == pytest.approx(sum(values) / 3)
    each = [
        row for row in result.rows("runs") if (row["system"], row["measure"]) == ("a", "align+")
    ]
    assert sorted(row["value"] for row in each) == sorted(row["value"] for row in single.rows())


def test_runs_that_are_all_the_same_change_no_figure():
    once = cs.score({"a": answers(1), "b": answers(2)}, GOLD, "align+")
    thrice = cs.score({"a": [answers(1)] * 3, "b": [answers(2)] * 2}, GOLD, "align+")
    for one, other in zip(once.rows("all"), thrice.rows("all"), strict=True):
        assert {k: v for k, v in one.items() if k != "value"}.keys() == other.keys() - {"value"}
        assert one["value"] == pytest.approx(other["value"])
    (pair,), (same,) = once.compare().rows(), thrice.compare().rows()
    for name in ("difference", "low", "high", "p", "spread", "detectable"):
        assert pair[name] == pytest.approx(same[name])


def test_topics_and_runs_are_told_apart_in_words(result):
    assert "a topic's figure is the mean over 2 to 3 runs; sd over topics and over runs: " in str(
        result
    )
    spread = {(one.system, one.part): one for one in result.spreads()}
    assert spread["a", "f"].runs == 3


def test_saved_scores_have_the_means_over_runs(result, tmp_path):
    result.save(tmp_path / "scores.jsonl")
    loaded = cs.load_scores(tmp_path / "scores.jsonl")
    before, after = result.compare().rows(), loaded.compare().rows()
    for one, other in zip(before, after, strict=True):
        assert one["difference"] == pytest.approx(other["difference"])
        assert one["low"] == pytest.approx(other["low"])


def test_saved_runs_are_not_taken_for_topics(result, tmp_path):
    result.save(tmp_path / "runs.csv", which="runs")
    with pytest.raises(cs.DataError, match="is a duplicate of"):
        cs.load_scores(tmp_path / "runs.csv")


@pytest.mark.parametrize("rule", ["mean", "of-means", "micro"])
def test_causes_add_up_to_the_difference_of_the_means_over_runs(rule):
    found = cs.score(RUNS, GOLD, "align+", resampling=cs.Resampling(rule=rule))
    data = found.diff("a", "b").data
    whole = found["a", "align+.f"].value - found["b", "align+.f"].value
    assert data.value_a - data.value_b == pytest.approx(whole)
    assert sum(cause.share for cause in data.causes) == pytest.approx(whole)
    by_topic = {
        row["topic"]: row["value"]
        for row in found.rows()
        if row["system"] == "a" and row["part"] == "f"
    }
    for one in data.topics:
        assert one.a == pytest.approx(by_topic[one.topic])
        assert sum(one.causes.values()) == pytest.approx(one.a - one.b)


def test_repairs_are_worth_the_mean_over_runs():
    how = cs.Resampling(rule="mean")
    nested = cs.score(RUNS, GOLD, "align+", resampling=how).losses().data
    single = cs.score(RUNS["a"], GOLD, "align+", resampling=how).losses().data
    for place, one in enumerate(nested.what_if["a"]):
        each = [single.what_if[run][place].value for run in RUNS["a"]]
        assert one.value == pytest.approx(sum(each) / 3)


def test_one_of_several_runs_is_explained_by_its_name(result):
    with pytest.raises(cs.UsageError, match="'a' has 3 runs; explain one, as a/run-1"):
        result.explain("a")
    assert result.explain("a/run-2", "topic1").system == "a/run-2"


def test_a_report_has_each_system_once(result, tmp_path):
    page = result.report(tmp_path / "report.html").read_text()
    assert "the mean over 2 to 3 runs" in page
    assert "first run of each system" in page


def test_shared_topics_are_those_that_any_run_of_each_system_has():
    part = {"run-1": {"topic0": GOLD["topic0"]}, "run-2": {"topic1": GOLD["topic1"]}}
    reading = cs.ReadingRules(topics="shared")
    with pytest.warns(cs.ChronoscoreWarning, match="a topic counts by the runs"):
        found = cs.score({"a": part, "b": answers(1)}, GOLD, "align+", reading=reading)
    assert found.topics == ("topic0", "topic1")


def test_ceilings_are_refused_for_several_runs():
    with pytest.raises(cs.UsageError, match="`ceiling` is for one run"):
        cs.score(RUNS, GOLD, "align+", ceiling=True)


def test_a_comparison_says_what_it_could_detect_and_what_a_difference_needs(result):
    compared = cs.compare(result, detect=0.02)
    row = compared.rows()[0]
    text = str(compared)
    assert "smallest difference that 6 topics can detect (power 0.8" in text
    assert f"{row['detectable']:.4f}" in text
    assert "twice the runs" in text
    planned = compared.topics_needed(0.02).rows()[0]
    assert planned["topics_needed"] == row["topics_needed"] >= 6
    assert f"topics that a difference of 0.02 needs: align+.f {row['topics_needed']:,}" in text


@pytest.mark.parametrize("wrong", [0, float("nan"), "much", True, float("inf")])
def test_what_is_no_difference_is_refused(result, wrong):
    with pytest.raises(cs.UsageError, match="is not a difference to detect; give a number"):
        result.compare().topics_needed(wrong)
