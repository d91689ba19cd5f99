"""Intervals and tests of correlations against loops, exhaustive swaps and simulation."""

import itertools
from itertools import product

import numpy as np
import pytest
from scipy.stats import t as student

from chronoscore.errors import DataError, UsageError
from chronoscore.options.correlation import LEVELS, REDRAWN, Bootstrap
from chronoscore.stats.correlation import USUAL, correlation
from chronoscore.stats.correlation_intervals import (
    correlation_samples,
    interval_about,
    picks,
    sample_interval,
)
from chronoscore.stats.correlation_tests import permutation_test, standardize, williams_test


def judged(seed=0, systems=8, topics=6, share=1.0):
    """Two measures and ratings; the second measure is noisier by `share`."""
    rng = np.random.default_rng(seed)
    quality = rng.standard_normal((systems, 1))
    noise = rng.standard_normal((3, systems, topics)) * np.array([1, share, 1])[:, None, None]
    return quality + noise


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("redrawn", REDRAWN)
def test_a_bootstrap_is_a_loop_over_its_draws(redrawn, level):
    x, _, z = judged()
    how = Bootstrap(redrawn=redrawn, times=20, seed=3)
    found = correlation_samples(x, z, how, level=level, coefficients=USUAL)
    rows, columns = picks(8, 6, how)
    for draw, (row, column) in enumerate(zip(rows, columns, strict=True)):
        at = np.ix_(row, column)
        for place, name in enumerate(USUAL):
            expected = correlation(x[at], z[at], level=level, coefficient=name)
            assert found[place, draw] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("redrawn", "same"), [("inputs", 0), ("systems", 1)])
def test_what_is_not_redrawn_is_taken_as_it_is(redrawn, same):
    drawn = picks(8, 6, Bootstrap(redrawn=redrawn, times=50))
    assert (drawn[same] == np.arange(drawn[same].shape[1])).all()
    assert (drawn[1 - same] != np.arange(drawn[1 - same].shape[1])).any()


def test_undefined_draws_are_left_out_of_the_interval():
    samples = np.array([np.nan, 0.2, 0.4, 0.3, np.nan])
    assert sample_interval(samples, 0.5) == pytest.approx((0.25, 0.35))
    assert np.isnan(sample_interval(np.array([np.nan]))).all()


def test_a_centered_interval_is_as_wide_and_lies_about_the_value():
    samples = np.array([0.1, 0.2, 0.4, 0.5])
    low, high = sample_interval(samples)
    centered = interval_about(0.6, samples, Bootstrap())
    assert centered == pytest.approx((0.6 - (0.3 - low), 0.6 + (high - 0.3)))
    assert interval_about(0.6, samples, Bootstrap(kind="percentile")) == (low, high)


@pytest.mark.slow
def test_intervals_over_systems_and_topics_hold_the_expected_correlation():
    def world(rng):
        quality = rng.standard_normal((30, 1))
        return quality + rng.standard_normal((2, 30, 20))

    fresh = (world(np.random.default_rng(seed)) for seed in range(1000, 1400))
    truth = np.mean([correlation(x, z, coefficient="pearson") for x, z in fresh])
    held = 0
    for seed in range(200):
        x, z = world(np.random.default_rng(seed))
        value = float(correlation(x, z, coefficient="pearson"))
        how = Bootstrap(times=200, seed=seed)
        low, high = interval_about(value, correlation_samples(x, z, how)[0], how)
        held += low <= truth <= high
    assert held / 200 >= 0.93


@pytest.mark.parametrize(
    "told", [{"kind": "normal"}, {"times": 0}, {"level": 95}, {"redrawn": "topics"}]
)
def test_a_bootstrap_that_makes_no_sense_is_refused(told):
    with pytest.raises(UsageError):
        Bootstrap(**told)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("swapped", "axis"), [("systems", 0), ("inputs", 1)])
def test_few_systems_or_topics_are_swapped_in_every_way(swapped, axis, level):
    x, y, z = standardize(*judged(share=2.0))

    def difference(a, b):
        r = [correlation(m, z, level=level, coefficient="pearson") for m in (a, b)]
        return abs(round(float(r[0] - r[1]), 9))

    observed = difference(x, y)
    ways = list(product([False, True], repeat=x.shape[axis]))
    reached = 0
    for way in ways:
        swap = np.array(way)[:, None] if axis == 0 else np.array(way)[None, :]
        reached += difference(np.where(swap, y, x), np.where(swap, x, y)) >= observed
    test = permutation_test(x, y, z, swapped=swapped, level=level)
    assert test.exact
    assert test.trials == len(ways)
    assert test.p == pytest.approx(reached / len(ways))


def test_a_measure_does_not_differ_from_itself_rescaled():
    x, _, z = judged()
    test = permutation_test(x, 3 * x + 7, z)
    assert test.difference == pytest.approx(0, abs=1e-12)
    assert test.p == 1


def test_a_clearly_better_measure_is_found_and_p_is_never_0():
    x, y, z = judged(systems=40, topics=20, share=9.0)
    for level in LEVELS:
        test = permutation_test(x, y, z, level=level, trials=200)
        assert test.p == pytest.approx(1 / 201)
        assert test.difference > 0


def test_an_undefined_difference_has_no_p():
    x, _, z = judged()
    test = permutation_test(x, np.ones_like(x), z)
    assert np.isnan(test.p)
    assert np.isnan(test.difference)


@pytest.mark.slow
@pytest.mark.parametrize("swapped", REDRAWN)
def test_equally_good_measures_are_seldom_told_apart(swapped):
    found = [
        permutation_test(*judged(seed, systems=20, topics=10), swapped=swapped, trials=99).p
        for seed in range(200)
    ]
    # 200 trials at 5 %: 18 or more would happen once in 100 times.
    assert sum(p <= 0.05 for p in found) < 18


def test_williams_is_the_published_formula():
    # Steiger's worked case: 103 people, correlations .4 and .5 that share a side, .1 between.
    test = williams_test(0.4, 0.5, 0.1, 103)
    assert test.t == pytest.approx(-0.89, abs=0.005)
    assert test.p == pytest.approx(2 * student.sf(-test.t, 100))
    assert test.p == pytest.approx(0.37, abs=0.01)


def test_williams_turns_with_the_order_of_the_measures():
    one, two = williams_test(0.9, 0.8, 0.7, 58), williams_test(0.8, 0.9, 0.7, 58)
    assert one.t == pytest.approx(-two.t)
    assert one.p == pytest.approx(two.p)
    assert one.degrees == 55


def test_williams_of_a_measure_with_itself_finds_nothing():
    assert williams_test(0.8, 0.8, 1.0, 10).p == 1


def test_williams_needs_four_systems():
    with pytest.raises(DataError, match="at least 4"):
        williams_test(0.8, 0.7, 0.6, 3)


def test_a_one_sided_williams_test_is_a_half_of_the_two_sided_one_on_the_better_side():
    # The case that Graham's instructions print: r 0.65 and 0.55, 0.3 between, 50 items.
    better = williams_test(0.65, 0.55, 0.3, 50, one_sided=True)
    worse = williams_test(0.55, 0.65, 0.3, 50, one_sided=True)
    assert better.p == pytest.approx(williams_test(0.65, 0.55, 0.3, 50).p / 2)
    assert better.p == pytest.approx(student.sf(better.t, 47))
    assert better.p + worse.p == pytest.approx(1)


@pytest.mark.parametrize("swapped", ["systems", "inputs"])
def test_an_exact_one_sided_p_counts_all_ways_that_are_as_good(swapped):
    rng = np.random.default_rng(4)
    ratings = rng.normal(size=(5, 4))
    one, other = ratings + rng.normal(size=(5, 4)), ratings + 2 * rng.normal(size=(5, 4))
    first, second, third = standardize(one, other, ratings)
    axis = 0 if swapped == "systems" else 1
    shape = (-1, 1) if axis == 0 else (1, -1)

    def difference(swap):
        coins = np.array(swap).reshape(shape)
        a, b = np.where(coins, second, first), np.where(coins, first, second)
        return pearson_of(a.mean(1), third.mean(1)) - pearson_of(b.mean(1), third.mean(1))

    ways = [difference(w) for w in itertools.product([False, True], repeat=one.shape[axis])]
    expected = np.mean(np.array(ways) >= ways[0] - 1e-9)
    found = permutation_test(one, other, ratings, swapped=swapped, one_sided=True)
    assert found.p == pytest.approx(expected)


def pearson_of(a, b):
    return float(np.corrcoef(a, b)[0, 1])
