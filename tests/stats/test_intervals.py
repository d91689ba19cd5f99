"""Intervals over topics: the jackknife's error, Student's t, and the scale that bounds ask for."""

import math
from itertools import pairwise
from math import inf
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import sem
from scipy.stats import t as scipy_t

from chronoscore.measures import average_over_topics, parse_measure_text
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats import intervals, student
from chronoscore.stats.corpus import Average, averages, sign
from chronoscore.stats.corpus_tests import compare_systems
from given_figures import Given, given_scores

RULES: tuple[Averaging, ...] = get_args(Averaging)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
def test_the_quantile_of_t_is_scipys(level: float) -> None:
    for degrees in (*range(1, 60), 99, 500, 999, 1000, 1001, 1002, 5000, 10**6):
        expected = scipy_t.isf((1 - level) / 2, degrees)
        assert student.quantile(level, degrees) == pytest.approx(expected, rel=1e-10)


def test_quantiles_of_many_degrees_are_nan_below_one() -> None:
    found = student.quantiles(0.95, np.array([[0, 9], [-1, 4]]))
    assert np.isnan(found[:, 0]).all()
    assert found[:, 1] == pytest.approx(scipy_t.ppf(0.975, [9, 4]))


def test_the_p_of_a_large_ratio_keeps_its_digits() -> None:
    assert student.p_value(-40.0, 20) == pytest.approx(2 * scipy_t.sf(40, 20), rel=1e-9)


def world(topics: int = 8, systems: int = 2, seed: int = 1, text: str = "rouge1") -> Scores:
    rng = np.random.default_rng(seed)
    measure = parse_measure_text(text)
    wanted, offered = rng.integers(20, 200, (2, systems, topics)).astype(float)
    found, kept = wanted * rng.beta(2, 5, wanted.shape), offered * rng.beta(2, 4, wanted.shape)
    names = tuple(f"t{number:03}" for number in range(topics))
    tallies = np.stack([found, wanted, kept, offered], axis=-1)
    return Scores(tuple("abcdefgh"[:systems]), names, {measure: tallies}, "made")


def expected_interval(
    scores: Scores, system: int, part: int, rule: Averaging, level: float
) -> tuple[float, float]:
    """The same from figures of all but one topic, each computed from the rest anew."""
    ((measure, tallies),) = scores.tallies.items()
    rows = tallies[system]
    figure = average_over_topics(measure, rows, rule)[part]
    n = len(rows)
    left = [average_over_topics(measure, np.delete(rows, t, 0), rule)[part] for t in range(n)]
    error = np.sqrt((n - 1) / n * sum((one - figure) ** 2 for one in left))
    reach = scipy_t.ppf((1 + level) / 2, n - 1) * error / (figure * (1 - figure))
    return expit(logit(figure) - reach), expit(logit(figure) + reach)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("topics", [2, 3, 8, 40])
def test_an_interval_is_the_jackknifes_on_the_logit_scale(rule: Averaging, topics: int) -> None:
    scores = world(topics)
    for place, one in enumerate(averages(scores, Resampling(rule=rule, level=0.9))):
        expected = expected_interval(scores, place // 3, place % 3, rule, 0.9)
        assert (one.low, one.high) == pytest.approx(expected, rel=1e-10)


def test_the_interval_of_a_mean_is_students_by_hand() -> None:
    # Values .2, .4, .6: mean .4, standard deviation .2, error .2 / √3, t with two degrees 4.3027.
    tallies = np.array([[[2.0, 10, 2, 10], [4, 10, 4, 10], [6, 10, 6, 10]]])
    measure = parse_measure_text("rouge1.r")
    (one,) = averages(Scores(("a",), tuple("xyz"), {measure: tallies}, ""), Resampling(rule="mean"))
    reach = 4.302652729911275 * 0.2 / 3**0.5 / (0.4 * 0.6)
    odds = np.log(0.4 / 0.6)
    assert one.low == pytest.approx(1 / (1 + np.exp(-(odds - reach))))
    assert one.high == pytest.approx(1 / (1 + np.exp(-(odds + reach))))


def of_parts(text: str, rows: Any, rule: Averaging | None = None) -> dict[str, Average]:
    measure = parse_measure_text(text)
    tallies = np.array([rows], dtype=float)
    names = tuple(f"t{number}" for number in range(len(rows)))
    found = averages(Scores(("a",), names, {measure: tallies}, ""), Resampling(rule=rule))
    return {one.part: one for one in found}


def test_recall_of_nu_is_bounded_and_precision_is_only_above_zero() -> None:
    rows = [(3, 10, 3, 2), (5, 10, 5, 8), (2, 8, 2, 4), (6, 9, 6, 4)]
    found = of_parts("nu", rows)
    recall = np.array([a / b for a, b, _, _ in rows])
    spread = scipy_t.ppf(0.975, 3) * sem(recall) / (recall.mean() * (1 - recall.mean()))
    assert found["recall"].low == pytest.approx(expit(logit(recall.mean()) - spread))
    precision = np.array([a / b for _, _, a, b in rows])
    stretch = np.exp(scipy_t.ppf(0.975, 3) * sem(precision) / precision.mean())
    assert found["precision"].low == pytest.approx(precision.mean() / stretch)
    assert found["precision"].high == pytest.approx(precision.mean() * stretch)
    assert found["precision"].high > 1


def test_a_figure_without_bounds_has_the_plain_interval() -> None:
    values = np.array([-1.0, 2.0, 4.0, 0.5])
    found = intervals.estimate(values[:, np.newaxis] / 4, lambda m: m, Resampling(), counts=4)
    expected = scipy_t.interval(0.95, 3, values.mean(), sem(values))
    assert (found.low[0], found.high[0]) == pytest.approx(expected)


def test_a_sum_is_as_sure_as_the_mean_times_the_number_of_topics() -> None:
    values = np.array([[3.0], [4.0], [8.0], [5.0]])
    errors = intervals.jackknife_errors(values, lambda sums: sums, 4)
    assert errors[0] == pytest.approx(4 * sem(values[:, 0]))


def test_a_topic_where_a_part_is_undefined_does_not_count_for_it() -> None:
    rows = [(3, 10, 3, 2), (5, 10, 5, 8), (0, 8, 0, 0), (6, 9, 6, 4)]
    found = of_parts("nu", rows)
    known = of_parts("nu", [row for row in rows if row[3]])
    assert (found["precision"].topics, found["recall"].topics) == (3, 4)
    for name in ("precision", "f"):
        assert found[name].low == pytest.approx(known[name].low)
        assert found[name].high == pytest.approx(known[name].high)


@pytest.mark.parametrize("interval", ["t-logit", "bootstrap"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 1.0])
@pytest.mark.parametrize("rule", RULES)
def test_topics_without_spread_have_no_interval(interval: Any, share: float, rule: Any) -> None:
    wanted = np.array([10.0, 20, 30, 70])
    tallies = np.stack([share * wanted, wanted, share * wanted, wanted], axis=-1)[np.newaxis]
    scores = Scores(("a",), tuple("wxyz"), {parse_measure_text("rouge1"): tallies}, "")
    for one in averages(scores, Resampling(interval=interval, rule=rule)):
        assert one.value == pytest.approx(share)
        assert np.isnan([one.low, one.high]).all()


def test_one_topic_has_no_interval() -> None:
    assert all(np.isnan([one.low, one.high]).all() for one in averages(world(1), Resampling()))


@given(st.integers(0, 500), st.integers(2, 12), st.sampled_from(RULES))
def test_an_interval_lies_within_the_bounds_and_holds_the_figure(
    seed: int, topics: int, rule: Averaging
) -> None:
    for one in averages(world(topics, seed=seed), Resampling(rule=rule)):
        assert 0 <= one.low < one.value < one.high <= 1


@pytest.mark.parametrize("interval", ["t-logit", "bootstrap"])
@pytest.mark.parametrize("rule", RULES)
def test_the_order_of_topics_changes_nothing(interval: Any, rule: Averaging) -> None:
    scores = world(30)
    ((measure, tallies),) = scores.tallies.items()
    turned = np.random.default_rng(5).permutation(30)
    names = tuple(scores.topics[t] for t in turned)
    other = Scores(scores.systems, names, {measure: tallies[:, turned]}, "made")
    how = Resampling(interval=interval, rule=rule)
    assert averages(other, how) == averages(scores, how)
    one, two = (compare_systems(each, measure, "f", how, tests="all") for each in (scores, other))
    assert one == two


def test_blocks_of_topics_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = world(300)
    whole = averages(scores, Resampling())
    monkeypatch.setattr(intervals, "CHUNK", 100)
    for one, other in zip(averages(scores, Resampling()), whole, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


def test_many_topics_make_an_interval_narrower() -> None:
    widths = [averages(world(n), Resampling())[2] for n in (4, 40, 400, 40_000)]
    for few, many in pairwise([one.high - one.low for one in widths]):
        assert many < few / 2


def test_a_signature_has_a_seed_only_where_something_is_drawn() -> None:
    scores = world(20)
    assert sign(scores, Resampling()) == "made average:mean|interval:t-logit|level:0.95"
    drawn = sign(scores, Resampling(interval="bootstrap", times=200, seed=7))
    assert drawn == "made average:mean|bootstrap:200|level:0.95|seed:7"
    swapped = sign(scores, Resampling(seed=3), "swaps:999")
    assert swapped == "made average:mean|interval:t-logit|level:0.95|swaps:999|seed:3"


def test_the_lower_bound_of_a_large_error_is_the_bound() -> None:
    low, high = intervals.student_bounds(
        np.array([1e-9, 1.0]), np.array([1.0, 1e9]), np.array([2, 2]), 0.95, [(0, 1), (0, inf)]
    )
    assert low.tolist() == [0.0, 0.0]
    assert high.tolist() == [1.0, inf]


def test_draws_without_any_defined_topic_leave_the_others_their_interval() -> None:
    scores = given_scores("a", {Given(): [[0.2, 0.6, math.nan, math.nan]]})
    (found,) = averages(scores, Resampling(interval="bootstrap", times=500))
    # The mean of draws of two figures is one of them, or lies between.
    assert (found.value, found.low, found.high) == pytest.approx((0.4, 0.2, 0.6))
