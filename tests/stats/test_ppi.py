"""Prediction-powered means: ppi-python, the plain formula, simulations, and what is refused."""

import warnings

import numpy as np
import pytest
from scipy import special, stats

from chronoscore.errors import DataError
from chronoscore.stats.ppi import powered_mean
from chronoscore.stats.ppi_samples import SampledTopic, correct_topics

MACHINES = {
    "good": lambda y, noise: y + 0.3 * noise,
    "useless": lambda y, noise: 0.4 + noise,
    "biased": lambda y, noise: 0.2 + 1.5 * y + 0.6 * noise,
}


def scores(rng, n, further, machine="good"):
    """People's and a machine's scores whose true mean is 0.4."""
    y = rng.beta(2, 3, n + further)
    f = MACHINES[machine](y, rng.normal(0, 0.2, n + further))
    return y[:n], f[:n], f[n:]


@pytest.mark.slow
def test_normal_intervals_are_those_of_ppi_python():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    rng = np.random.default_rng(3)
    for n, further in ((5, 1), (5, 40), (12, 12), (40, 7), (30, 500)):
        for machine in MACHINES:
            for turned in (1, -1):
                y, f, extra = scores(rng, n, further, machine)
                f, extra = turned * f, turned * extra
                found = powered_mean(y, f, extra, interval="normal", level=0.9)
                assert [found.low, found.high] == pytest.approx(
                    np.ravel(ppi_mean_ci(y, f, extra, alpha=0.1)), abs=1e-9
                )
                assert found.value == pytest.approx(
                    float(np.squeeze(ppi_mean_pointestimate(y, f, extra))), abs=1e-9
                )


def test_the_estimate_is_the_formula_written_out():
    y, f, extra = [0.1, 0.5, 0.6, 0.9, 0.4, 0.3], [0.2, 0.4, 0.7, 0.8, 0.5, 0.1], [0.3, 0.9, 0.6]
    n, size = len(y), len(extra)
    mean_y, mean_f, mean_extra = sum(y) / n, sum(f) / n, sum(extra) / size
    covariance = sum((a - mean_y) * (b - mean_f) for a, b in zip(y, f, strict=True)) / n
    middle = sum(f + extra) / (n + size)
    variance_f = sum((v - middle) ** 2 for v in f + extra) / (n + size - 1)
    weight = covariance / ((1 + n / size) * variance_f)
    rest = [a - weight * b for a, b in zip(y, f, strict=True)]
    value = weight * mean_extra + sum(rest) / n
    variance_rest = sum((r - sum(rest) / n) ** 2 for r in rest) / (n - 2)
    variance_extra = sum((v - mean_extra) ** 2 for v in extra) / (size - 1)
    variance = weight**2 * variance_extra / size + variance_rest / n
    reach = stats.t.ppf(0.975, n - 2) * variance**0.5
    alone = sum((a - mean_y) ** 2 for a in y) / (n - 1) / n

    found = powered_mean(np.array(y), np.array(f), np.array(extra))
    assert 0 < weight < 1
    assert found.weight == pytest.approx(weight)
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == pytest.approx((value - reach, value + reach))
    assert found.worth == pytest.approx(n * alone / variance)
    assert found.p == pytest.approx(2 * stats.t.sf(value / variance**0.5, n - 2))
    bounded = powered_mean(np.array(y), np.array(f), np.array(extra), bounds=(0, 1))
    odds, steps = special.logit(value), reach / (value * (1 - value))
    assert bounded.low == pytest.approx(special.expit(odds - steps))
    assert bounded.high == pytest.approx(special.expit(odds + steps))
    own, steps = special.logit(mean_y), stats.t.ppf(0.975, n - 1) * alone**0.5
    steps /= mean_y * (1 - mean_y)
    assert bounded.people_high == pytest.approx(special.expit(own + steps))


def test_a_machine_that_contradicts_people_leaves_people_alone():
    y, f, extra = scores(np.random.default_rng(1), 12, 30)
    found = powered_mean(y, -f, -extra)
    classical = stats.ttest_1samp(y, 0).confidence_interval(0.95)
    assert (found.weight, found.value) == (0, pytest.approx(y.mean()))
    assert (found.people_low, found.people_high) == pytest.approx(tuple(classical))
    # That λ was tuned at all costs a degree of freedom.
    assert found.low < found.people_low < found.people_high < found.high
    assert found.worth == pytest.approx(12 * 10 / 11)


def test_a_machine_that_scores_all_topics_alike_tells_nothing():
    y, _, _ = scores(np.random.default_rng(1), 8, 3)
    for interval in ("t", "bootstrap"):
        found = powered_mean(y, np.full(8, 0.7), np.full(3, 0.7), interval=interval)
        assert found.constant
        assert (found.weight, found.value) == (0, pytest.approx(y.mean()))


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_scores_that_are_all_the_same_have_no_interval(score):
    found = powered_mean(np.full(6, score), np.full(6, 0.5), np.full(4, 0.5), bounds=(0, 1))
    assert np.isnan([found.low, found.high, found.people_low]).all()
    assert (found.value, found.worth) == (score, 6)
    assert found.zeros == (6 if score == 0 else 0)


def test_an_estimate_that_leaves_the_bounds_is_people_alone():
    y = np.array([0.0, 0.0, 0.01, 0.02, 0.3, 0.05])
    f = y + np.array([0.05, 0.0, 0.02, 0.0, 0.04, 0.02])
    plain = powered_mean(y, f, np.zeros(50))
    found = powered_mean(y, f, np.zeros(50), bounds=(0, 1))
    assert plain.value < 0 < y.mean()
    assert found.outside
    assert not plain.outside
    assert (found.value, found.weight) == (y.mean(), 0)
    assert (found.low, found.high) == (found.people_low, found.people_high)
    assert found.worth == 6


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say_and_are_not_wider_than_people_alone(
    machine, interval
):
    rng = np.random.default_rng(5)
    trials = 2000 if interval == "t" else 300
    for n, further in ((10, 50), (25, 100)):
        held, width, alone = 0, 0.0, 0.0
        for seed in range(trials):
            given = scores(rng, n, further, machine)
            found = powered_mean(*given, interval=interval, times=200, seed=2 * seed)
            held += found.low <= 0.4 <= found.high
            width += found.high - found.low
            alone += found.people_high - found.people_low
        # Three standard errors of a share that lies at the edge of what is allowed.
        slack = 3 * (0.93 * 0.07 / trials) ** 0.5
        assert 0.93 - slack <= held / trials <= 0.97 + slack
        # Tuning λ costs a degree of freedom, which a useless machine does not give back.
        assert width <= 1.07 * alone
        if machine != "useless":
            assert width < 0.85 * alone


def test_a_biased_machine_does_not_bias_the_estimate():
    rng = np.random.default_rng(2)
    found = [powered_mean(*scores(rng, 20, 200, "biased")).value for _ in range(400)]
    error = np.std(found) / len(found) ** 0.5
    assert abs(np.mean(found) - 0.4) < 4 * error
    assert np.mean(scores(rng, 20, 5000, "biased")[2]) > 0.7


def test_the_bootstrap_is_about_as_wide_as_student_and_repeats_itself():
    y, f, extra = scores(np.random.default_rng(8), 150, 150)
    student = powered_mean(y, f, extra)
    drawn = powered_mean(y, f, extra, interval="bootstrap", times=2000)
    assert drawn == powered_mean(y, f, extra, interval="bootstrap", times=2000)
    assert drawn.value == student.value
    assert drawn.high - drawn.low == pytest.approx(student.high - student.low, rel=0.08)


def test_people_and_further_topics_are_drawn_apart():
    # The same numbers on both sides: if one draw served both, they would cancel out.
    y = np.random.default_rng(4).beta(2, 3, 60)
    drawn = powered_mean(y, y, y, interval="bootstrap", times=2000)
    student = powered_mean(y, y, y)
    assert drawn.high - drawn.low == pytest.approx(student.high - student.low, rel=0.1)


@pytest.mark.parametrize(
    ("n", "further", "words"),
    [
        (0, 9, "no topic is judged both by people and by the machine"),
        (1, 9, "1 topic is judged both"),
        (4, 9, "need at least 5"),
        (9, 0, "no further topic is judged by the machine alone"),
    ],
)
def test_too_little_is_refused(n, further, words):
    with pytest.raises(DataError, match=words):
        powered_mean(np.ones(n), np.ones(n), np.ones(further))


@pytest.mark.parametrize(
    "given",
    [
        (np.ones(6), np.ones(5), np.ones(3)),
        (np.array([1, 2, 3, 4, np.nan]), np.ones(5), np.ones(3)),
        (np.ones(5), np.ones(5), np.array([np.inf])),
        (np.ones((5, 1)), np.ones(5), np.ones(3)),
    ],
)
def test_scores_that_do_not_fit_are_refused(given):
    with pytest.raises(DataError):
        powered_mean(*given)


def test_a_sample_is_exact_where_the_machine_judges_as_people_do():
    rng = np.random.default_rng(6)
    topics = []
    for size in (10, 30, 7):
        every = rng.integers(0, 2, size).astype(float)
        own = every[: max(3, size // 3)]
        topics.append(SampledTopic(own, own, every))
    values, weight = correct_topics(topics)
    assert weight == 1
    assert values == pytest.approx([topic.every.mean() for topic in topics])


def test_a_machine_at_odds_with_people_does_not_change_a_sample():
    own = np.array([0.0, 1, 1, 0])
    values, weight = correct_topics([SampledTopic(own, 1 - own, np.arange(8.0))])
    assert (values.tolist(), weight) == ([0.5], 0)


def test_topics_of_which_less_was_sampled_decide_more_about_the_weight():
    agreeing, opposed = np.array([0.0, 1, 0, 1]), np.array([1.0, 0, 1, 0])
    whole = SampledTopic(agreeing, opposed, opposed)
    sampled = SampledTopic(agreeing, agreeing, np.tile(agreeing, 10))
    assert correct_topics([whole, sampled])[1] == 1


@pytest.mark.slow
def test_intervals_from_samples_within_topics_hold_the_truth():
    rng = np.random.default_rng(9)
    trials, n, further = 1200, 12, 30
    held, width, alone = 0, 0.0, 0.0
    for _ in range(trials):
        rates = rng.beta(4, 4, n + further)
        judged = [(rng.random(40) < rate).astype(float) for rate in rates]
        told = [np.where(rng.random(40) < 0.85, own, 1 - own) for own in judged]
        topics = []
        for own, other in zip(judged[:n], told[:n], strict=True):
            chosen = rng.permutation(40)[: rng.integers(5, 15)]
            topics.append(SampledTopic(own[chosen], other[chosen], other))
        corrected, _ = correct_topics(topics)
        found = powered_mean(
            corrected,
            np.array([other.mean() for other in told[:n]]),
            np.array([other.mean() for other in told[n:]]),
            alone=np.array([topic.people.mean() for topic in topics]),
        )
        held += found.low <= 0.5 <= found.high
        width += found.high - found.low
        alone += found.people_high - found.people_low
    slack = 3 * (0.93 * 0.07 / trials) ** 0.5
    assert 0.93 - slack <= held / trials <= 0.97 + slack
    assert width < 0.8 * alone
