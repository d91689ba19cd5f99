import json

import numpy as np
import pytest
from scipy.stats import sem, ttest_rel, wilcoxon
from scipy.stats import t as student

import chronoscore as cs
from chronoscore import demo
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.options import Resampling
from chronoscore.stats import corpus_tests
from chronoscore.stats import significance as paired
from chronoscore.stats.compare import compare
from chronoscore.stats.difference_errors import difference_errors
from chronoscore.stats.resample import bootstrap_draws
from chronoscore.stats.statistic import f_score_statistic, mean_statistic
from chronoscore.stats.student import chance_beyond

F = f_score_statistic(0, 1)
HOW = Resampling(seed=0)


def field(systems=4, topics=20, seed=0):
    rng = np.random.default_rng(seed)
    return {
        f"s{number}": np.clip(rng.random((topics, 2)) + 0.1 * number, 0, 1)
        for number in range(systems)
    }


def test_every_pair_is_compared_once():
    pairs = compare(field(), F, HOW).pairs
    names = [(pair.system, pair.other) for pair in pairs]
    assert names == [
        ("s0", "s1"), ("s0", "s2"), ("s0", "s3"), ("s1", "s2"), ("s1", "s3"), ("s2", "s3"),
    ]  # fmt: skip


def test_with_a_baseline_every_other_system_is_compared_with_it():
    pairs = compare(field(), F, HOW, baseline="s1").pairs
    assert [(pair.system, pair.other) for pair in pairs] == [
        ("s0", "s1"), ("s2", "s1"), ("s3", "s1"),
    ]  # fmt: skip
    assert pairs[2].difference == pytest.approx(pairs[2].value - pairs[2].other_value)


def test_each_pair_has_the_outcome_of_its_own_tests():
    records = field()
    for pair in compare(records, F, Resampling(level=0.9, seed=3), trials=999).pairs:
        a, b = records[pair.system], records[pair.other]
        chance = paired.randomization_test(a, b, F, trials=999, seed=3)
        assert (pair.p, pair.trials, pair.exact) == (chance.p, 999, False)
        assert pair.value == pytest.approx(float(F(a)))
        assert (pair.topics, pair.left_out) == (20, 0)


def test_the_interval_of_a_difference_of_means_is_students():
    records = field(topics=9)
    for pair in compare(records, mean_statistic(0), Resampling(level=0.9)).pairs:
        gaps = (records[pair.system] - records[pair.other])[:, 0]
        expected = student.interval(0.9, 8, gaps.mean(), sem(gaps))
        assert (pair.low, pair.high) == pytest.approx(expected)


def test_the_interval_of_another_difference_leaves_out_one_topic_at_a_time():
    records = field(systems=2, topics=9)
    (pair,) = compare(records, F, HOW).pairs
    a, b = records.values()
    left = [float(F(np.delete(a, t, 0)) - F(np.delete(b, t, 0))) for t in range(9)]
    error = np.sqrt(8 / 9 * sum((one - pair.difference) ** 2 for one in left))
    reach = student.ppf(0.975, 8) * error
    assert (pair.low, pair.high) == pytest.approx(
        (pair.difference - reach, pair.difference + reach)
    )


def test_the_bootstrap_draws_the_same_topics_for_both():
    records = field(systems=2)
    how = Resampling(interval="bootstrap", times=400, seed=9)
    (pair,) = compare(records, F, how).pairs
    a, b = records.values()
    drawn = [
        float(F(np.repeat(a, row, axis=0)) - F(np.repeat(b, row, axis=0)))
        for row in bootstrap_draws(20, 400, 9)
    ]
    assert (pair.low, pair.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_systems_that_differ_by_the_same_amount_everywhere_have_no_interval():
    a = np.linspace(0.1, 0.5, 9)[:, np.newaxis]
    for interval in ("t-logit", "bootstrap"):
        how = Resampling(interval=interval)
        for other in (a, a + 0.1, a + 1e-17):
            (pair,) = compare({"a": a, "b": other}, mean_statistic(0), how, tests="all").pairs
            assert np.isnan([pair.low, pair.high, pair.t_p]).all()


def test_other_tests_are_scipys_and_only_there_if_asked_for():
    records = field(systems=2)
    (pair,) = compare(records, mean_statistic(0), HOW, tests="all").pairs
    a, b = (one[:, 0] for one in records.values())
    assert pair.t_p == pytest.approx(ttest_rel(a, b).pvalue)
    assert pair.wilcoxon_p == pytest.approx(wilcoxon(a, b).pvalue)
    assert pair.sign_p == paired.sign_test(a, b)
    plain, every = (
        compare(records, F, HOW, tests=tests).rows()[0] for tests in ("randomization", "all")
    )
    assert {*every} - {*plain} == {"t_p", "wilcoxon_p", "sign_p"}
    assert every["p"] == plain["p"]
    a[:2], b[-1:] = np.nan, np.nan
    records = {"a": a[:, np.newaxis], "b": b[:, np.newaxis]}
    (pair,) = compare(records, mean_statistic(0), HOW, tests="all").pairs
    assert pair.left_out == 3
    assert pair.t_p == pytest.approx(ttest_rel(a[2:-1], b[2:-1]).pvalue)
    assert pair.sign_p == paired.sign_test(a[2:-1], b[2:-1])


def test_the_family_is_corrected_together():
    pairs = compare(field(), F, HOW).pairs
    expected = paired.holm([pair.p for pair in pairs])
    assert [pair.adjusted for pair in pairs] == expected.tolist()
    assert [pair.significant for pair in pairs] == (expected <= 0.05).tolist()
    assert any(pair.significant for pair in pairs)


def test_a_topic_that_either_lacks_is_left_out_of_that_pair_only():
    records = field(systems=3)
    records["s0"][4] = np.nan
    records["s1"][7, 1] = np.nan
    pairs = {(p.system, p.other): p for p in compare(records, F, HOW, trials=999).pairs}
    assert [pair.left_out for pair in pairs.values()] == [2, 1, 1]
    assert [pair.topics for pair in pairs.values()] == [18, 19, 19]
    kept = np.delete(records["s0"], 4, axis=0), np.delete(records["s2"], 4, axis=0)
    alone = paired.randomization_test(*kept, F, trials=999)
    assert pairs["s0", "s2"].p == alone.p
    assert pairs["s0", "s2"].difference == pytest.approx(alone.difference)


def test_a_pair_without_a_common_topic_is_undefined_and_counts_for_nothing():
    records = field(systems=3)
    records["s0"][:10] = np.nan
    records["s1"][10:] = np.nan
    pairs = compare(records, F, HOW, trials=999).pairs
    assert (pairs[0].topics, pairs[0].left_out) == (0, 20)
    assert np.isnan([pairs[0].p, pairs[0].adjusted, pairs[0].difference]).all()
    assert not pairs[0].significant
    assert max(pair.adjusted / pair.p for pair in pairs[1:]) <= 2


def test_the_order_of_systems_only_mirrors_the_pairs():
    records = field(systems=3)
    backwards = dict(reversed(records.items()))
    there = {(p.system, p.other): p for p in compare(records, F, HOW).pairs}
    for pair in compare(backwards, F, HOW).pairs:
        other = there[pair.other, pair.system]
        assert pair.difference == -other.difference
        assert (pair.p, pair.adjusted) == (other.p, other.adjusted)
        assert pair.effect == pytest.approx(-other.effect)
        assert pair.superiority == pytest.approx(1 - other.superiority)


def test_rows_are_flat_records():
    comparison = compare(field(), F, HOW, baseline="s0")
    rows = comparison.rows()
    assert len(rows) == 3
    assert rows[0]["system"] == "s1"
    assert all(isinstance(value, str | float | int) for row in rows for value in row.values())


def test_the_same_seed_gives_the_same_comparison():
    assert compare(field(), F, Resampling(seed=5)) == compare(field(), F, Resampling(seed=5))


def test_effects_have_the_sign_of_the_difference_they_stand_beside():
    # F of the means is .5 for a and .4 for b; topic by topic b is ahead on average.
    a = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    b = np.array([[0.4, 0.4], [0.4, 0.4], [0.4, 0.4]])
    (pair,) = compare({"a": a, "b": b}, F, Resampling(level=0.5)).pairs
    assert pair.difference == pytest.approx(0.1)
    by_topic = np.array([-0.4, -0.4, 0.1])
    assert by_topic.mean() < 0 < pair.effect
    assert pair.effect == pytest.approx(0.1 / by_topic.std(ddof=1))
    for seed in range(20):
        for one in compare(field(seed=seed), F, HOW, trials=199).pairs:
            assert np.sign(one.effect) == np.sign(one.difference)


def test_a_family_too_large_for_the_trials_is_pointed_out():
    with pytest.warns(
        ChronoscoreWarning,
        match=r"with 99 trials .* 0\.06: add trials or compare fewer",
    ):
        compare(field(), F, HOW, trials=99)


def test_topics_too_few_for_any_test_are_pointed_out():
    with pytest.warns(ChronoscoreWarning, match=r"with 4 topics .* p is 0\.12: add topics$"):
        compare(field(systems=2, topics=4), F, HOW)


def test_unusable_records_are_refused():
    with pytest.raises(UsageError, match="at least two"):
        compare(field(systems=1), F, HOW)
    with pytest.raises(UsageError, match="unknown baseline 'S1'; did you mean 's1'"):
        compare(field(), F, HOW, baseline="S1")
    with pytest.raises(DataError, match=r"system 'b' has records of shape \(3, 1\)"):
        compare({"a": np.ones((4, 1)), "b": np.ones((3, 1))}, mean_statistic(0), HOW)
    with pytest.raises(DataError, match="one row for each topic"):
        compare({"a": np.ones(4), "b": np.ones(4)}, mean_statistic(0), HOW)


def test_dividing_by_counts_that_are_all_one_changes_no_comparison(monkeypatch):
    runs = [demo.RUNS / system / "timelines" for system in demo.SYSTEMS[:4]]
    scores = cs.score(runs, demo.CORPUS, ["align+.f", "align+.p", "concat(n=2)"]).scores
    for rule in ("mean", "of-means"):
        fast = corpus_tests.compare_parts(scores, Resampling(rule=rule))
        with monkeypatch.context() as patch:
            patch.setattr(
                corpus_tests,
                "_without_constants",
                lambda measure, part, rule, added: (
                    added,
                    corpus_tests.statistic_of(measure, part, rule),
                ),
            )
            slow = corpus_tests.compare_parts(scores, Resampling(rule=rule))
        for row, other in zip(
            (row for one in fast for row in one.rows()),
            (row for one in slow for row in one.rows()),
            strict=True,
        ):
            assert row["p"] == other["p"]
            assert row == pytest.approx(other)


def unlike(rng, topics=12):
    """One system that is precise and one that is complete; F of their means is equal."""
    high, low = 0.9 + 0.03 * rng.standard_normal((2, topics)), rng.normal(0.5, 0.12, (2, topics))
    records = np.stack([np.column_stack([high[0], low[0]]), np.column_stack([low[1], high[1]])])
    return dict(zip("ab", np.clip(records, 0.01, 1), strict=True))


def test_systems_that_are_only_unlike_are_called_different_in_one_case_of_twenty():
    rng = np.random.default_rng(5)
    pairs = [compare(unlike(rng), F, HOW).pairs[0] for _ in range(400)]
    assert np.mean([pair.p <= 0.05 for pair in pairs]) > 0.12
    assert np.mean([pair.significant for pair in pairs]) < 0.08
    for pair in pairs:
        inside = pair.low <= 0 <= pair.high
        assert pair.differs_otherwise(0.95) == (pair.p <= 0.05 and inside)
        assert not (pair.significant and inside)
        assert not (pair.is_likely(0.95) and inside)


def test_the_chance_beyond_a_ratio_is_that_of_scipy():
    for degrees in (1, 2, 3, 11, 200, 999, 1000, 5000):
        for ratio in (0.0, 0.3, 1.96, -2.5, 4.0, 9.0):
            expected = 2 * student.sf(abs(ratio), degrees)
            assert chance_beyond(ratio, degrees) == pytest.approx(expected, abs=1e-7)


def test_both_tests_are_corrected_for_the_number_of_pairs():
    """Holm's correction of the t test alone takes the letter from some pairs."""
    rng = np.random.default_rng(2)
    hard = rng.random((14, 1))
    records = {
        f"s{number}": np.clip(hard + 0.012 * number + 0.02 * rng.standard_normal((14, 2)), 0, 1)
        for number in range(5)
    }
    found = compare(records, F, HOW)
    a = {name: np.asarray(one) for name, one in records.items()}
    errors = {
        (p.system, p.other): next(
            difference_errors(np.stack([a[p.system], a[p.other]]), [(0, 1)], F)
        )
        for p in found.pairs
    }
    t = paired.holm([2 * student.sf(abs(e.difference) / e.error, 13) for e in errors.values()])
    swaps = paired.holm([pair.p for pair in found.pairs])
    expected = [one <= 0.05 and other <= 0.05 for one, other in zip(t, swaps, strict=True)]
    assert [pair.significant for pair in found.pairs] == expected
    assert 0 < sum(expected) < len(expected)


def test_a_note_says_what_a_small_p_means_where_the_difference_may_be_zero(tmp_path):
    rng = np.random.default_rng(5)
    drawn = (unlike(rng) for _ in range(100))
    records = next(one for one in drawn if compare(one, F, HOW).pairs[0].differs_otherwise(0.95))
    rows = [
        {"system": name, "topic": f"t{topic}", "measure": "align+", "part": part, "value": value}
        for name, own in records.items()
        for topic, (p, r) in enumerate(own.tolist())
        for part, value in (("p", p), ("r", r), ("f", 2 * p * r / (p + r)))
    ]
    (tmp_path / "scores.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = cs.load_scores(tmp_path / "scores.jsonl").compare()
    assert "a – b: p is small, but 0 lies in the interval" in str(found)
    assert not next(row for row in found.rows() if row["part"] == "f")["significant"]
