"""The smallest difference that topics can detect, against other implementations and simulation."""

from math import inf, isinf, isnan, nan

import numpy as np
import pytest
from scipy import stats

from chronoscore.stats import power, student

SIZES = (6, 8, 12, 30, 200, 2000)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("topics", SIZES)
def test_the_noncentral_t_of_scipy_has_the_power_that_was_asked_for(topics, level):
    shift = power.noncentrality(level, topics - 1)
    bound = student.quantile(level, topics - 1)
    found = stats.nct.sf(bound, topics - 1, shift) + stats.nct.cdf(-bound, topics - 1, shift)
    assert found == pytest.approx(0.8, abs=1e-7)


@pytest.mark.parametrize("topics", [6, 12, 50])
@pytest.mark.parametrize("chance", [0.5, 0.8, 0.95])
def test_statsmodels_finds_the_same_smallest_difference(topics, chance):
    solver = pytest.importorskip("statsmodels.stats.power").TTestPower()
    expected = solver.solve_power(nobs=topics, alpha=0.05, power=chance)
    found = power.smallest_difference(2.5, topics, 0.95, chance)
    assert found == pytest.approx(2.5 * expected, rel=1e-4)


@pytest.mark.parametrize(("difference", "spread"), [(0.05, 0.1), (0.02, 0.04), (0.01, 0.2)])
def test_the_topics_needed_are_enough_and_one_less_is_not(difference, spread):
    topics = power.topics_needed(difference, spread, 0.95)
    assert power.smallest_difference(spread, topics, 0.95) <= difference
    assert power.smallest_difference(spread, topics - 1, 0.95) > difference
    assert power.topics_needed(-difference, spread, 0.95) == topics


def test_few_topics_detect_nothing_as_a_sweep_of_all_is_no_surprise():
    assert [power.fewest_topics(level) for level in (0.5, 0.9, 0.95, 0.99)] == [2, 5, 6, 8]
    assert isinf(power.smallest_difference(0.1, 5, 0.95))
    assert power.topics_needed(100.0, 0.1, 0.95) == 6


def test_what_is_unknown_or_nothing_has_no_number_of_topics():
    assert isnan(power.topics_needed(0.1, nan, 0.95))
    assert isnan(power.smallest_difference(nan, 12, 0.95))
    assert power.topics_needed(0.0, 0.1, 0.95) == inf


@pytest.mark.parametrize("topics", [8, 12])
def test_both_tests_find_the_smallest_difference_in_four_corpora_of_five(topics):
    rng = np.random.default_rng(topics)
    differences = rng.normal(power.smallest_difference(1.0, topics, 0.95), 1.0, (4000, topics))
    by_t = stats.ttest_1samp(differences, 0.0, axis=1).pvalue <= 0.05
    signs = ((np.arange(2 ** (topics - 1))[:, None] >> np.arange(topics)) & 1) * 2 - 1
    sums = np.abs(differences @ signs.T)
    own = np.abs(differences.sum(axis=1))[:, None]
    by_swaps = (sums >= own - 1e-9).mean(axis=1) <= 0.05
    # The share of 4,000 corpora has a standard error of .0063.
    assert by_t.mean() == pytest.approx(0.8, abs=0.02)
    assert by_swaps.mean() == pytest.approx(0.8, abs=0.04)
