"""The alternative-annotator test: a case by hand, other implementations, simulations."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from chronoscore.errors import DataError, UsageError
from chronoscore.stats.alt_test import EPSILONS, alternative_test
from chronoscore.stats.significance import benjamini_yekutieli


def by_hand():
    """Thirty items: all agree on 24, ann is alone on 3, the machine is alone on 3."""
    ones = np.ones(30)
    ann, machine = ones.copy(), ones.copy()
    ann[24:27] = 0
    machine[27:] = 0
    return {"ann": ann, "bob": ones, "cat": ones.copy()}, machine


def test_a_case_computed_by_hand():
    people, machine = by_hand()
    found = alternative_test(people, machine)
    ann, bob, cat = found.people
    # Against ann, the machine is alone ahead on 3 items and alone behind on 3.
    assert (ann.machine_ahead, ann.person_ahead) == (27 / 30, 27 / 30)
    lag = np.array([0.0] * 24 + [-1] * 3 + [1] * 3)
    assert ann.p == pytest.approx(stats.ttest_1samp(lag, 0.2, alternative="less").pvalue)
    assert ann.p == pytest.approx(stats.t.cdf(-0.2 / ((6 / 29) ** 0.5 / 30**0.5), 29))
    # Against bob, half of the others agree with either on ann's 3 items: a tie.
    assert (bob.machine_ahead, bob.person_ahead) == (27 / 30, 1)
    spread = ((3 * 0.9**2 + 27 * 0.1**2) / 29) ** 0.5
    assert bob.p == cat.p == pytest.approx(stats.t.cdf(-0.1 / (spread / 30**0.5), 29))
    harmonic = 1 + 1 / 2 + 1 / 3
    assert bob.adjusted == cat.adjusted == pytest.approx(bob.p * harmonic)
    assert ann.adjusted == pytest.approx(3 * harmonic * ann.p)
    assert found.winning_rate == 0
    assert not found.passed
    assert found.advantage_probability == pytest.approx(0.9)


def test_ordered_labels_are_compared_by_the_root_mean_square_written_out():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    labels = {name: np.clip(truth + rng.integers(-1, 2, 60), 0, 2) * 1.0 for name in "abcd"}
    labels["b"][::7] = np.nan
    machine = np.clip(truth + rng.integers(-1, 2, 60), 0, 2) * 1.0
    found = alternative_test(labels, machine, closeness="rmse")
    for one in found.people:
        others = [own for name, own in labels.items() if name != one.person]
        ahead = []
        for item in range(60):
            known = [own[item] for own in others if not np.isnan(own[item])]
            mine, person = (
                -np.sqrt(np.mean([(own - other) ** 2 for other in known]))
                for own in (machine[item], labels[one.person][item])
            )
            if not np.isnan(person):
                ahead.append((mine >= person - 1e-12, person >= mine - 1e-12))
        assert one.items == len(ahead)
        assert (one.machine_ahead, one.person_ahead) == pytest.approx(np.mean(ahead, axis=0))


def test_a_machine_that_is_near_wins_by_order_where_it_never_matches():
    rng = np.random.default_rng(1)
    people = {name: rng.choice([0.0, 2.0], 60) for name in ("ann", "bob", "cat")}
    machine = np.ones(60)
    assert not alternative_test(people, machine).passed
    assert alternative_test(people, machine, closeness="rmse").passed


def test_a_machine_that_may_lag_behind_further_wins_more_people():
    people, machine = by_hand()
    rates = [alternative_test(people, machine, epsilon=e).winning_rate for e in (0.1, 0.2, 0.4)]
    assert rates == sorted(rates)
    assert rates[-1] == 1


def simulate(accuracy, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 120)

    def judge(right):
        return np.where(rng.random(120) < right, truth, rng.integers(0, 3, 120)).astype(float)

    people = {name: judge(0.75) for name in ("ann", "bob", "cat", "dan")}
    return alternative_test(people, judge(accuracy), epsilon=EPSILONS["crowd"])


def test_a_better_machine_passes_an_equal_one_is_as_good_and_a_worse_one_fails():
    better, equal, worse = (
        [simulate(accuracy, seed) for seed in range(20)] for accuracy in (0.95, 0.75, 0.4)
    )
    assert all(one.passed for one in better)
    assert not any(one.passed for one in worse)
    means = [
        np.mean([one.advantage_probability for one in each]) for each in (better, equal, worse)
    ]
    assert means[0] > means[1] > means[2]
    lags = [person.advantage for one in equal for person in one.people]
    assert abs(np.mean(lags)) < 0.03


def test_the_error_rate_is_kept_where_the_machine_lags_behind_by_just_epsilon():
    rng = np.random.default_rng(11)
    wins = []
    for _ in range(300):
        # On a fifth of the items only the machine is wrong; on the others all agree.
        machine = np.where(rng.random(100) < 0.2, 0.0, 1.0)
        people = {name: np.ones(100) for name in ("ann", "bob", "cat")}
        wins.append(alternative_test(people, machine, epsilon=0.2).passed)
    assert np.mean(wins) <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_adjusted_p_values_are_those_of_statsmodels():
    rng = np.random.default_rng(1)
    for size in (1, 2, 5, 12):
        p = np.round(rng.random(size) ** 3, 2)
        assert benjamini_yekutieli(p) == pytest.approx(multipletests(p, method="fdr_by")[1])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_people_are_said_to_be_too_few(count):
    people = {f"p{number}": np.ones(40) for number in range(count)}
    found = alternative_test(people, np.ones(40))
    assert "at least 3 people" in found.why
    assert np.isnan(found.winning_rate)
    assert not found.passed


def test_fewer_than_thirty_items_are_said_to_be_too_few():
    people = {name: np.ones(29) for name in ("ann", "bob", "cat")}
    assert "at least 30 items" in alternative_test(people, np.ones(29)).why
    assert not alternative_test({n: np.ones(30) for n in people}, np.ones(30)).why


def test_whoever_judged_too_few_items_is_left_out_but_still_helps_to_judge_others():
    rng = np.random.default_rng(3)
    people = {name: rng.integers(0, 2, 60).astype(float) for name in ("ann", "bob", "cat", "dan")}
    people["dan"][20:] = np.nan
    found = alternative_test(people, rng.integers(0, 2, 60).astype(float))
    assert found.left_out == ("dan",)
    assert [one.items for one in found.people] == [60, 60, 60]


def test_items_that_the_machine_did_not_judge_do_not_count():
    people, machine = by_hand()
    longer = {name: np.append(labels, [0.0, 1.0]) for name, labels in people.items()}
    found = alternative_test(longer, np.append(machine, [np.nan, np.nan]))
    assert found == alternative_test(people, machine)


def test_a_machine_that_always_agrees_wins_and_one_that_never_does_loses():
    people = {name: np.ones(30) for name in ("ann", "bob", "cat")}
    assert alternative_test(people, np.ones(30)).winning_rate == 1
    assert alternative_test(people, np.zeros(30)).winning_rate == 0


def test_wrong_arguments_are_refused():
    people = {name: np.ones(30) for name in ("ann", "bob", "cat")}
    with pytest.raises(UsageError, match="epsilon"):
        alternative_test(people, np.ones(30), epsilon=1.5)
    with pytest.raises(DataError, match="one label for each item"):
        alternative_test(people, np.ones(31))
