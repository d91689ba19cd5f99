"""The paper's experiments against SciPy, loops, and what the paper says of its own figures."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, norm, pearsonr

from chronoscore.errors import DataError, UsageError
from chronoscore.stats import protocol
from chronoscore.stats.protocol import Standing
from chronoscore.stats.robust import robust_fit
from chronoscore.stats.score_grid import ScoreGrid
from chronoscore.stats.study import fit_all


def machines(size=58, measures=3, seed=0):
    """Systems whose rating is a plane over both scores of the first measure, but for noise."""
    rng = np.random.default_rng(seed)
    quality = rng.random(size)
    earlier = 0.05 + 0.03 * quality + 0.015 * rng.standard_normal((measures, size))
    update = 0.05 + 0.04 * quality + 0.008 * rng.standard_normal((measures, size))
    rating = 0.9 - 5.5 * earlier[0] + 21 * update[0] + 0.1 * rng.standard_normal(size)
    return Standing(earlier, update, rating)


def one_by_one(given, train, test):
    """A single measure, a single draw, by SciPy."""
    scores = np.column_stack([given.earlier, given.update])
    fit = robust_fit(scores[train], given.rating[train])
    predicted = fit.coefficients[0] + scores[test] @ fit.coefficients[1:]
    sides = (scores[test, 0], scores[test, 1], predicted)
    return [pearsonr(side, given.rating[test]).statistic for side in sides]


def test_cross_validation_fits_on_one_half_and_tests_on_the_other():
    given = machines()
    followed, held_back = protocol.cross_validation(given, seed=4)
    assert len(held_back) == 29
    train = np.setdiff1d(np.arange(58), held_back)
    for measure in range(3):
        alone = Standing(given.earlier[measure], given.update[measure], given.rating)
        expected = one_by_one(alone, train, held_back)
        assert [value[measure] for value in followed] == pytest.approx(expected)


@pytest.mark.parametrize("split", protocol.SPLITS)
def test_draws_of_several_measures_are_those_of_each_alone(split):
    given = machines()
    together = protocol.bootstrap_regression(given, split=split, times=40)
    for measure in range(3):
        alone = Standing(given.earlier[measure], given.update[measure], given.rating)
        found = protocol.bootstrap_regression(alone, split=split, times=40)
        for many, one in zip(together.samples, found.samples, strict=True):
            assert many[measure] == pytest.approx(one)


def test_the_papers_draws_leak_what_arithmetic_says():
    found = protocol.bootstrap_regression(machines(), times=2000)
    assert found.leakage == pytest.approx(1 - (57 / 58) ** 29, abs=0.005)
    assert found.leakage == pytest.approx(0.396, abs=0.005)


@pytest.mark.parametrize("size", [8, 9, 58])
def test_a_disjoint_split_does_not_leak(size):
    assert protocol.bootstrap_regression(machines(size), split="disjoint", times=200).leakage == 0


def test_medians_and_the_paired_interval_are_those_of_the_draws():
    found = protocol.bootstrap_regression(machines(), times=300)
    assert found.medians.novelty == pytest.approx(np.median(found.samples.novelty, axis=1))
    low, high = found.interval
    paired = found.samples.novelty[0] - found.samples.update[0]
    assert (low[0], high[0]) == pytest.approx(tuple(np.quantile(paired, [0.025, 0.975])))


def test_both_scores_follow_people_better_where_people_mind_both():
    found = protocol.bootstrap_regression(machines(), split="disjoint")
    assert found.medians.novelty[0] > found.medians.update[0] > found.medians.earlier[0]


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.5])
def test_mann_whitney_is_that_of_scipy(shift):
    rng = np.random.default_rng(1)
    a, b = rng.random(200).round(2), (rng.random(150) + shift).round(2)
    theirs = mannwhitneyu(a, b, alternative="two-sided", method="asymptotic")
    ours = protocol.mann_whitney(a, b)
    assert ours.u == theirs.statistic
    assert np.exp(ours.log_p) == pytest.approx(theirs.pvalue, rel=1e-9)


def test_a_p_that_underflows_keeps_its_logarithm():
    a, b = np.arange(1000.0), np.arange(1000.0) + 5000
    assert mannwhitneyu(a, b, method="asymptotic").pvalue < 1e-300
    z = (1000 * 1000 / 2 - 0.5) / np.sqrt(1000 * 1000 * 2001 / 12)
    ours = protocol.mann_whitney(a, b)
    assert ours.log_p == pytest.approx(np.log(2) + norm.logsf(z))
    # A thousand times as many draws would go far below the smallest number there is.
    many = protocol.mann_whitney(np.arange(10_000.0), np.arange(10_000.0) + 50_000)
    assert np.exp(many.log_p) == 0
    assert many.log_p < -3000


def test_samples_that_are_all_the_same_do_not_differ():
    # Each of 5 × 7 pairs counts half.
    assert protocol.mann_whitney(np.ones(5), np.ones(7)) == (35 / 2, 0, 0)
    missing = protocol.mann_whitney(np.array([np.nan]), np.ones(7))
    assert np.isnan([missing.u, missing.z, missing.log_p]).all()


def people(size=8):
    rng = np.random.default_rng(2)
    earlier, update = 0.05 + 0.01 * rng.random((3, size)), 0.1 + 0.01 * rng.random((3, size))
    return Standing(earlier, update, 4 + 0.5 * rng.random(size))


def test_the_gap_is_what_a_fit_on_machines_misses_by():
    given, persons = machines(), people()
    gap = protocol.regression_gap_to_people(given, persons)
    for measure in range(3):
        x = np.column_stack([given.earlier[measure], given.update[measure]])
        both = robust_fit(x, given.rating).coefficients
        one = robust_fit(x[:, 1:], given.rating).coefficients
        n = both[0] + both[1] * persons.earlier[measure] + both[2] * persons.update[measure]
        r = one[0] + one[1] * persons.update[measure]
        assert gap.novelty[measure] == pytest.approx(abs(persons.rating - n))
        assert gap.update[measure] == pytest.approx(abs(persons.rating - r))
    assert gap.medians[1] == pytest.approx(np.median(gap.novelty, axis=1))


def test_a_gap_narrower_for_eight_of_eight_people_has_p_1_in_128():
    gap = protocol.Gap(np.arange(8.0) + 2, np.arange(8.0) / 2)
    assert gap.sign_p() == 0.0078125
    assert gap.rank_p() == 0.0078125


@pytest.mark.parametrize("size", [2, 7])
def test_too_few_systems_to_halve_are_refused(size):
    for experiment in (protocol.cross_validation, protocol.bootstrap_regression):
        with pytest.raises(DataError, match=f"{size} systems cannot be halved"):
            experiment(machines(size))


def test_draws_without_a_fit_are_undefined_and_the_rest_count():
    given = machines(size=8, measures=1)
    same = given.earlier.copy()
    same[0, 1:] = same[0, 1]
    found = protocol.bootstrap_regression(Standing(same, given.update, given.rating), times=400)
    undefined = np.isnan(found.samples.novelty)
    assert undefined.any()
    assert not undefined.all()
    assert not np.isnan(found.medians.novelty).any()
    nothing = protocol.bootstrap_regression(
        Standing(0 * same, given.update, given.rating), times=20
    )
    assert np.isnan(nothing.medians.novelty).all()
    assert np.isnan(nothing.log_p).all()


def test_a_gap_needs_people():
    none = Standing(np.zeros((3, 0)), np.zeros((3, 0)), np.zeros(0))
    with pytest.raises(DataError, match="no person"):
        protocol.regression_gap_to_people(machines(), none)


@pytest.mark.parametrize("told", [{"split": "half"}, {"times": 0}])
def test_a_redrawing_that_makes_no_sense_is_refused(told):
    with pytest.raises(UsageError):
        protocol.bootstrap_regression(machines(), **told)


def test_earlier_and_update_scores_keep_their_coefficients():
    rng = np.random.default_rng(3)
    earlier, update = rng.random((2, 9, 4))
    scores = {("R1", "bb"): update, ("R1", "ab"): earlier}
    people = np.zeros(9, dtype=bool)
    rating = {"pyramid": 1 - 5 * earlier + 20 * update}
    grid = ScoreGrid(tuple("abcdefghi"), tuple("1234"), people, scores, rating)
    (fitted,) = fit_all(grid, ["R1"], ["pyramid"])
    assert fitted.fit.coefficients == pytest.approx([1, -5, 20])
