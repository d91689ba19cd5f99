"""Runs nested in topics: means over runs within topics, intervals over topics, variances apart."""

import numpy as np
import pytest
from scipy import stats

from chronoscore.measures import parse_measure_text
from chronoscore.options import Resampling
from chronoscore.scoring import Scores
from chronoscore.stats.corpus import averages
from chronoscore.stats.corpus_tests import compare_systems
from chronoscore.stats.run_spread import run_spreads, share_of_runs

ROUGE = parse_measure_text("rouge1")
MEAN = Resampling(rule="mean")


def recalled(values, *others):
    """Scores of systems whose recall on topics × runs is given; precision is the same."""
    systems = [np.array(one, dtype=float) for one in (values, *others)]
    most = max(one.shape[1] for one in systems)
    tallies = np.full((len(systems), len(values), most, 4), np.nan)
    for place, one in enumerate(systems):
        there = ~np.isnan(one)
        for column, number in enumerate((one * 100, 100, one * 100, 100)):
            tallies[place, :, : one.shape[1], column] = np.where(there, number, np.nan)
    names = tuple("abc"[: len(systems)])
    runs = {
        name: tuple(map(str, range(one.shape[1]))) for name, one in zip(names, systems, strict=True)
    }
    topics = tuple(map(str, range(len(values))))
    return Scores(names, topics, {ROUGE: tallies}, "", runs)


VALUES = [[0.2, 0.4, 0.3], [0.5, 0.6, 0.7], [0.1, 0.1, 0.4], [0.3, 0.5, 0.1]]


@pytest.mark.parametrize("rule", ["mean", "of-means", "micro"])
def test_a_figure_is_the_mean_over_runs_within_topics_by_every_rule(rule):
    found = {one.part: one.value for one in averages(recalled(VALUES), Resampling(rule=rule))}
    assert found["r"] == pytest.approx(np.mean(VALUES))
    assert found["f"] == pytest.approx(np.mean(VALUES))


def test_the_interval_is_that_of_the_topics_means_alone():
    scores = recalled(VALUES)
    means = np.mean(VALUES, axis=1, keepdims=True)
    (own,) = [one for one in averages(scores, MEAN) if one.part == "r"]
    (plain,) = [one for one in averages(recalled(means), MEAN) if one.part == "r"]
    assert (own.low, own.high, own.topics) == pytest.approx((plain.low, plain.high, 4))


def test_a_missing_run_leaves_the_mean_of_the_others_and_a_topic_without_runs_does_not_count():
    nan = np.nan
    found = averages(recalled([[0.2, 0.4], [nan, 0.6], [nan, nan]]), MEAN)
    (own,) = [one for one in found if one.part == "r"]
    assert (own.value, own.topics) == (pytest.approx((0.3 + 0.6) / 2), 2)


@pytest.mark.filterwarnings("ignore:with 4 topics")
def test_the_difference_of_two_systems_is_tested_on_means_over_runs():
    other = [[0.1, 0.2], [0.5, 0.4], [0.1, 0.0], [0.2, 0.2]]
    (pair,) = compare_systems(recalled(VALUES, other), ROUGE, "r", MEAN).pairs
    apart = np.mean(VALUES, axis=1) - np.mean(other, axis=1)
    low, high = stats.t.interval(0.95, 3, apart.mean(), stats.sem(apart))
    assert (pair.difference, pair.low, pair.high) == pytest.approx((apart.mean(), low, high))
    assert pair.spread == pytest.approx(apart.std(ddof=1))


def test_variances_of_topics_and_runs_are_those_of_an_analysis_of_variance():
    (found,) = run_spreads(recalled(VALUES), ROUGE, "r")
    values = np.array(VALUES)
    within = values.var(axis=1, ddof=1).mean()
    between = values.mean(axis=1).var(ddof=1) - within / 3
    assert found.over_runs == pytest.approx(np.sqrt(within))
    assert found.over_topics == pytest.approx(np.sqrt(between))
    assert found.runs == 3


def test_variances_are_found_again_in_what_was_drawn_with_them():
    rng = np.random.default_rng(7)
    drawn = 0.5 + 0.08 * rng.standard_normal((4000, 1)) + 0.02 * rng.standard_normal((4000, 5))
    drawn[::3, 3:] = np.nan
    (found,) = run_spreads(recalled(drawn), ROUGE, "r")
    assert found.over_topics == pytest.approx(0.08, rel=0.05)
    assert found.over_runs == pytest.approx(0.02, rel=0.05)


def test_the_share_of_runs_is_what_more_runs_can_remove():
    rng = np.random.default_rng(8)
    a = 0.5 + 0.05 * rng.standard_normal((4000, 1)) + 0.1 * rng.standard_normal((4000, 4))
    b = 0.5 + 0.1 * rng.standard_normal((4000, 2))
    found = share_of_runs(recalled(a, b), ROUGE, "r", ("a", "b"))
    noise = 0.1**2 / 4 + 0.1**2 / 2
    assert found == pytest.approx(noise / (noise + 0.05**2), rel=0.05)
    twice = recalled(np.concatenate([a, a * 0 + np.nan], axis=1), b)
    assert share_of_runs(twice, ROUGE, "r", ("a", "b")) == pytest.approx(found)


def test_runs_that_repeat_themselves_vary_only_over_topics():
    same = np.repeat(np.mean(VALUES, axis=1, keepdims=True), 3, axis=1)
    (found,) = run_spreads(recalled(same), ROUGE, "r")
    assert found.over_runs == pytest.approx(0.0, abs=1e-12)
    assert found.over_topics == pytest.approx(same[:, 0].std(ddof=1))


def test_runs_that_differ_on_all_topics_alike_are_found_as_by_statsmodels():
    frames = pytest.importorskip("pandas")
    models = pytest.importorskip("statsmodels.formula.api")
    anova = pytest.importorskip("statsmodels.stats.anova").anova_lm
    rng = np.random.default_rng(5)
    drawn = 0.5 + 0.1 * rng.standard_normal((8, 1)) + 0.02 * rng.standard_normal((8, 4))
    for shared in (0.0, 0.03):
        values = drawn + shared * np.array([0.0, 1.0, -1.0, 0.5])
        rows = [(t, r, values[t, r]) for t in range(8) for r in range(4)]
        frame = frames.DataFrame(rows, columns=["topic", "run", "value"])
        expected = anova(models.ols("value ~ C(topic) + C(run)", frame).fit())["PR(>F)"]["C(run)"]
        (found,) = run_spreads(recalled(values), ROUGE, "r")
        assert found.shared_p == pytest.approx(expected)
        assert found.is_shared == (shared > 0)


def test_runs_that_lack_topics_are_not_tested_for_what_they_share():
    (found,) = run_spreads(recalled([[0.1, 0.2], [0.3, np.nan], [0.2, 0.4]]), ROUGE, "r")
    assert np.isnan(found.shared_p)
    assert not found.is_shared
