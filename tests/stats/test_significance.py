from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import permutation_test, wilcoxon

from chronoscore.errors import DataError, UsageError
from chronoscore.stats import significance as paired
from chronoscore.stats.compare import standardized_difference, superiority
from chronoscore.stats.significance import sign_test, signed_rank_test
from chronoscore.stats.statistic import (
    MeanStatistic,
    f_score_statistic,
    mean_statistic,
    ratio_statistic,
)

STATISTICS = {
    "mean": mean_statistic(0),
    "f": f_score_statistic(0, 1),
    "ratio": ratio_statistic(0, 1),
}
BY_NAME = pytest.mark.parametrize("statistic", STATISTICS.values(), ids=STATISTICS)
TENTHS = st.integers(0, 10).map(lambda number: number / 10)


@st.composite
def two_systems(draw, most=16):
    topics = draw(st.integers(1, most))
    return [draw(arrays(np.float64, (topics, 2), elements=TENTHS)) for _ in "ab"]


def systems(topics, seed=0, lead=0.0):
    rng = np.random.default_rng(seed)
    return rng.random((topics, 2)) + lead, rng.random((topics, 2))


def by_hand(a, b, statistic):
    """Try every way to swap, one at a time, with exact comparison at 12 digits."""
    observed = abs(round(float(statistic(a) - statistic(b)), 12))
    reached = 0
    for swaps in product([False, True], repeat=len(a)):
        swap = np.array(swaps)[:, np.newaxis]
        one, other = np.where(swap, b, a), np.where(swap, a, b)
        reached += abs(round(float(statistic(one) - statistic(other)), 12)) >= observed
    return reached / 2 ** len(a)


def test_three_topics_by_hand():
    # Of the eight sums ±1±2±4 only 7 and −7 are as far from 0 as 7.
    a, b = np.array([[1.0], [2.0], [4.0]]), np.zeros((3, 1))
    test = paired.randomization_test(a, b, mean_statistic(0))
    assert test == paired.RandomizationTest(difference=7 / 3, p=2 / 8, trials=8, exact=True)
    # As far as −1+2+4 = 5 are ±5 and ±7.
    assert paired.randomization_test(a * [[-1], [1], [1]], b, mean_statistic(0)).p == 4 / 8


@BY_NAME
@pytest.mark.parametrize("topics", [1, 2, 5, 9])
def test_few_topics_are_tested_exactly(topics, statistic):
    a, b = systems(topics, lead=0.2)
    test = paired.randomization_test(a, b, statistic)
    assert test.exact
    assert test.trials == 2**topics
    assert test.p == by_hand(a, b, statistic)


@pytest.mark.parametrize("seed", range(4))
def test_the_exact_test_is_scipys(seed):
    a, b = systems(11, seed, lead=0.15)
    both, statistic = np.concatenate([a, b]), f_score_statistic(0, 1)
    expected = permutation_test(
        (np.arange(11), np.arange(11) + 11),
        lambda one, other, axis: statistic(both[one]) - statistic(both[other]),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    test = paired.randomization_test(a, b, statistic)
    assert test.p == pytest.approx(expected.pvalue)
    assert test.difference == pytest.approx(expected.statistic)


@pytest.mark.slow
@BY_NAME
def test_a_sampled_p_is_near_the_exact_one(statistic):
    a, b = systems(14, lead=0.15)
    test = paired.randomization_test(a, b, statistic, seed=4)
    exact = by_hand(a, b, statistic)
    assert not test.exact
    assert test.trials == 9999
    assert test.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9999) + 1e-4)


def test_a_sampled_p_counts_the_observed_labelling_as_a_trial():
    a, b = np.ones((60, 1)), np.zeros((60, 1))
    assert paired.randomization_test(a, b, mean_statistic(0), trials=999).p == 1 / 1000
    assert paired.smallest_p(999, exact=False) == 1 / 1000


def test_trials_in_small_blocks_give_the_same(monkeypatch):
    a, b = systems(30, lead=0.1)
    whole = paired.randomization_test(a, b, f_score_statistic(0, 1), trials=500)
    monkeypatch.setattr(paired, "CHUNK", 1000)
    assert paired.randomization_test(a, b, f_score_statistic(0, 1), trials=500) == whole


@BY_NAME
@given(systems=two_systems(), seed=st.integers(0, 3))
def test_swapping_the_systems_mirrors_the_outcome(statistic, systems, seed):
    a, b = systems
    there = paired.randomization_test(a, b, statistic, trials=99, seed=seed)
    back = paired.randomization_test(b, a, statistic, trials=99, seed=seed)
    assert there.difference == -back.difference
    assert there.p == back.p


@given(two_systems())
def test_p_is_a_share_and_never_zero(systems):
    test = paired.randomization_test(*systems, f_score_statistic(0, 1), trials=99)
    assert paired.smallest_p(test.trials, exact=test.exact) <= test.p <= 1


@given(two_systems(most=8))
def test_tenths_that_tie_in_decimals_tie_in_the_test(systems):
    for statistic in (mean_statistic(0), f_score_statistic(0, 1)):
        assert paired.randomization_test(*systems, statistic).p == by_hand(*systems, statistic)


@pytest.mark.parametrize("topics", [6, 40])
def test_systems_that_tie_but_for_rounding_do_not_differ(topics):
    a = np.tile([[0.1], [0.2], [0.3]], (topics // 3 + 1, 1))[:topics]
    b = a + np.array([[1e-17], [-5e-17]])[np.arange(topics) % 2]
    assert paired.randomization_test(a, b, mean_statistic(0)).p == 1


def test_a_difference_that_cancels_out_is_a_tie():
    a = np.array([[0.1], [0.2], [-0.3], [0.7], [-0.7]])
    assert paired.randomization_test(a, -a, mean_statistic(0)).p == 1


def test_true_differences_are_rarely_seen_where_there_are_none():
    rng = np.random.default_rng(5)
    p = [
        paired.randomization_test(*rng.random((2, 9, 2)), f_score_statistic(0, 1), seed=1).p
        for _ in range(400)
    ]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=0.035)


def test_an_undefined_trial_does_not_make_a_difference_surer():
    fussy = MeanStatistic(lambda means: np.where(means > 0.9, np.nan, means)[..., 0])

    a, b = np.full((4, 1), 0.8), np.array([[0.4], [0.4], [0.4], [1.3]])
    assert paired.randomization_test(a, b, fussy).p >= 2 / 16


def test_holm_by_hand():
    adjusted = paired.holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx(np.array([0.03, 0.06, 0.06, 0.02]))


def test_holm_never_exceeds_one_and_passes_over_the_undefined():
    adjusted = paired.holm([0.5, np.nan, 0.9])
    assert adjusted[[0, 2]].tolist() == [1, 1]
    assert np.isnan(adjusted[1])
    assert paired.holm([]).tolist() == []
    # Two tests are the family, not three.
    assert paired.holm([0.01, np.nan, 0.04])[[0, 2]].tolist() == [0.02, 0.04]


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=30))
def test_holm_lies_between_p_and_bonferroni_and_keeps_the_order(p):
    adjusted = paired.holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(1, np.array(p) * len(p))).all()
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()


def test_records_that_do_not_pair_up_are_refused():
    with pytest.raises(DataError, match="one row for each topic"):
        paired.randomization_test(np.ones((3, 1)), np.ones((4, 1)), mean_statistic(0))
    with pytest.raises(DataError, match="one row for each topic"):
        paired.randomization_test(np.ones(3), np.ones(3), mean_statistic(0))
    with pytest.raises(DataError, match="no topics"):
        paired.randomization_test(np.ones((0, 1)), np.ones((0, 1)), mean_statistic(0))
    with pytest.raises(UsageError, match="at least 1"):
        paired.randomization_test(np.ones((20, 1)), np.ones((20, 1)), mean_statistic(0), trials=0)


def test_effect_sizes_by_hand():
    a, b = np.array([3.0, 5.0, 4.0, 4.0]), np.array([1.0, 5.0, 5.0, 1.0])
    # Differences 2, 0, −1, 3: mean 1, variance (1 + 1 + 4 + 4) / 3.
    assert standardized_difference(a, b) == pytest.approx(1 / np.sqrt(10 / 3))
    assert superiority(a, b) == (2 + 0.5) / 4
    assert superiority(b, a) == 1 - superiority(a, b)


def test_effect_sizes_at_their_limits():
    tenths = np.array([0.1, 0.2, 0.3])
    assert np.isnan(standardized_difference(tenths + 0.1, tenths))
    assert np.isnan(standardized_difference(tenths, tenths + 0.1))
    assert standardized_difference(np.array([0.1 + 0.2, 0.3]), np.array([0.3, 0.3])) == 0
    assert superiority(np.array([0.1 + 0.2]), np.array([0.3])) == 0.5
    assert np.isnan(standardized_difference(np.ones(1), np.zeros(1)))
    assert np.isnan(superiority(np.ones(0), np.ones(0)))


def test_eight_topics_of_one_sign_give_one_in_128():
    b = np.arange(8.0)
    a = b + np.array([0.1, 0.2, 0.3, 0.5, 0.7, 1.1, 1.3, 1.7])
    assert sign_test(a, b) == signed_rank_test(a, b) == 1 / 128


def test_signed_ranks_are_exact_with_tied_differences():
    # Ranks 1.5, 1.5, 3, 4, 5 and one 1.5 negative: three of the 32 ways have negative
    # ranks that add up to 1.5 or less (none, the one, the other), and three mirror them.
    a = np.array([0.1, -0.1, 0.2, 0.3, 0.4])
    assert signed_rank_test(a, np.zeros(5)) == pytest.approx(2 * 3 / 32)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=10))
def test_tenths_share_the_ranks_that_whole_numbers_share(pairs):
    a, b = np.array(pairs, dtype=float).T
    assert signed_rank_test(a / 10, b / 10) == signed_rank_test(a, b)


def test_signed_ranks_of_many_topics_are_scipys():
    a, b = systems(40, lead=0.1)
    expected = wilcoxon(a[:, 0], b[:, 0], method="exact").pvalue
    assert signed_rank_test(a[:, 0], b[:, 0]) == pytest.approx(expected)


def test_signed_ranks_of_many_topics_with_tied_differences_are_approximate():
    a = np.tile([0.1, 0.2, 0.3, -0.1, 0.5], 6)
    assert signed_rank_test(a, np.zeros(30)) == pytest.approx(
        wilcoxon(np.round(a, 6), method="approx").pvalue
    )


@pytest.mark.parametrize("seed", range(3))
def test_signed_ranks_of_few_topics_are_scipys(seed):
    a, b = systems(10, seed, lead=0.1)
    expected = wilcoxon(a[:, 0], b[:, 0], method="exact").pvalue
    assert signed_rank_test(a[:, 0], b[:, 0]) == pytest.approx(expected)


def test_ties_alone_show_nothing():
    assert sign_test(np.ones(3), np.ones(3)) == 1
    assert signed_rank_test(np.ones(3), np.ones(3)) == 1


def test_many_topics_are_swapped_in_blocks_with_the_same_coins(monkeypatch):
    monkeypatch.setattr(paired, "CHUNK", 40_000)
    topics, trials = 300, 300
    rng = np.random.default_rng(4)
    records = np.stack([rng.random((topics, 2)), rng.random((topics, 2)) + 0.002])
    test = paired.randomization_test(*records, mean_statistic(0), trials=trials, seed=9)
    coins = np.random.default_rng(9).integers(0, 2, size=(trials, topics), dtype=np.int8)
    gap = records[0, :, 0] - records[1, :, 0]
    swapped = np.where(coins == 1, -gap, gap).mean(axis=1)
    reached = np.count_nonzero(np.abs(swapped) >= abs(gap.mean()))
    assert test.p == (reached + 1) / (trials + 1)
