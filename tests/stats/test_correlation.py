"""Correlations against SciPy, and levels against loops over lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

from chronoscore.errors import UsageError
from chronoscore.options.correlation import COEFFICIENTS, LEVELS
from chronoscore.stats import correlation as c


def tau_a(x, y):
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    return sum(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in pairs) / len(pairs)


SCIPY = {
    "pearson": lambda x, y: pearsonr(x, y).statistic,
    "spearman": lambda x, y: spearmanr(x, y).statistic,
    "kendall": lambda x, y: kendalltau(x, y).statistic,
    "kendall-a": tau_a,
    "kendall-b": lambda x, y: kendalltau(x, y, variant="b").statistic,
    "kendall-c": lambda x, y: kendalltau(x, y, variant="c").statistic,
}
BY_NAME = pytest.mark.parametrize("name", SCIPY)
BY_LEVEL = pytest.mark.parametrize("level", LEVELS)


def judged(seed=0, systems=9, topics=7, steps=6):
    """Scores and ratings with plenty of ties."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(0, steps, (systems, 1))
    return [(quality + rng.integers(0, steps, (systems, topics))).astype(float) for _ in "xz"]


def one_by_one(x, z, level, name):
    """The same figure with loops, SciPy, and lists of what is there."""
    x, z = x.copy(), z.copy()
    lacking = np.isnan(x) | np.isnan(z)
    if level == "system":
        kept = [row for row in range(len(x)) if not lacking[row].all()]
        means = [[np.mean(m[row][~lacking[row]]) for row in kept] for m in (x, z)]
        return SCIPY[name](*np.round(means, 12))
    if level == "global":
        return SCIPY[name](x[~lacking], z[~lacking])
    found = []
    for topic in range(x.shape[1]):
        there = ~lacking[:, topic]
        one, two = x[there, topic], z[there, topic]
        if len(set(one)) > 1 and len(set(two)) > 1:
            found.append(SCIPY[name](one, two))
    return np.mean(found)


@BY_NAME
@pytest.mark.parametrize("points", [2, 3, 10, 300])
def test_each_coefficient_is_that_of_scipy(name, points):
    rng = np.random.default_rng(points)
    x = rng.integers(0, 8, (4, points)).astype(float)
    y = x + rng.integers(0, 8, (4, points))
    x[:, 0], y[:, 0] = 20, 21
    expected = [SCIPY[name](*rows) for rows in zip(x, y, strict=True)]
    assert c.FUNCTIONS[name](x, y) == pytest.approx(expected, abs=1e-12)


@BY_NAME
@BY_LEVEL
def test_each_level_is_that_of_a_loop(level, name):
    x, z = judged()
    found = c.correlation(x, z, level=level, coefficient=name)
    assert float(found) == pytest.approx(one_by_one(x, z, level, name), abs=1e-12)


@BY_NAME
@BY_LEVEL
def test_a_cell_counts_only_where_both_score_and_rating_are_there(level, name):
    x, z = judged(seed=3)
    rng = np.random.default_rng(4)
    x[rng.random(x.shape) < 0.2] = np.nan
    z[rng.random(z.shape) < 0.2] = np.nan
    x[2] = np.nan
    found = c.correlation(x, z, level=level, coefficient=name)
    assert float(found) == pytest.approx(one_by_one(x, z, level, name), abs=1e-12)


@BY_NAME
@BY_LEVEL
def test_draws_side_by_side_are_draws_one_by_one(level, name):
    pairs = [judged(seed) for seed in range(6)]
    x, z = (np.stack(part).reshape(2, 3, 9, 7) for part in zip(*pairs, strict=True))
    found = c.correlation(x, z, level=level, coefficient=name)
    alone = [c.correlation(*pair, level=level, coefficient=name) for pair in pairs]
    assert found.ravel() == pytest.approx(np.array(alone), abs=1e-12)


def test_a_rating_of_the_whole_system_meets_its_mean_score():
    x, _ = judged()
    whole = np.arange(9.0)[:, np.newaxis]
    found = c.correlation(x, whole, coefficient="pearson")
    assert float(found) == pytest.approx(pearsonr(x.mean(axis=1), whole[:, 0]).statistic)


@BY_NAME
@BY_LEVEL
@pytest.mark.parametrize("side", [0, 1])
def test_constant_values_have_no_correlation_and_a_reason(level, name, side):
    both = judged()
    both[side] = np.full_like(both[side], 0.1)
    assert np.isnan(c.correlation(*both, level=level, coefficient=name))
    what = ("same score", "same rating")[side]
    assert what in c.why_correlation_undefined(*both, level)


def test_means_that_only_rounding_tells_apart_are_ties():
    # 0.1 + 0.2 + 0.3 in two orders gives two different floating-point sums.
    x = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.3, 0.3, 0.3], [0.0, 0.1, 0.1]])
    assert x[0].sum() != x[1].sum()
    z = np.array([[1.0], [2.0], [3.0], [4.0]])
    expected = kendalltau([2, 2, 3, 1], [1, 2, 3, 4]).statistic
    assert float(c.correlation(x, z, coefficient="kendall")) == pytest.approx(expected)


def test_a_topic_on_which_all_are_rated_alike_is_left_out_of_the_average():
    x, z = judged()
    z[:, 3] = 2
    others = np.delete(np.arange(7), 3)
    for name in COEFFICIENTS:
        found = c.correlation(x, z, level="summary", coefficient=name)
        without = c.correlation(x[:, others], z[:, others], level="summary", coefficient=name)
        assert float(found) == pytest.approx(float(without))


def test_no_common_cell_is_said():
    x, z = judged()
    assert "fewer than two" in c.why_correlation_undefined(np.full_like(x, np.nan), z, "system")
    assert c.why_correlation_undefined(x, z, "summary") == ""


@given(arrays(np.float64, st.integers(1, 40), elements=st.integers(0, 5).map(float)))
def test_ranks_are_those_of_scipy(values):
    assert c.rank_with_ties(values) == pytest.approx(rankdata(values) - 1)


@BY_NAME
@given(pair=arrays(np.float64, (2, 9), elements=st.integers(0, 4).map(float)))
def test_a_coefficient_is_symmetric_and_turns_with_either_side(name, pair):
    x, y = pair
    value = c.FUNCTIONS[name](x, y)
    assert c.FUNCTIONS[name](y, x) == pytest.approx(value, nan_ok=True)
    assert c.FUNCTIONS[name](-x, y) == pytest.approx(-value, nan_ok=True)
    assert np.isnan(value) or -1 <= value <= 1


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"level": "sytem", "coefficient": "pearson"}, "did you mean 'system'"),
        ({"level": "system", "coefficient": "pearsn"}, "did you mean 'pearson'"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(told, message):
    with pytest.raises(UsageError, match=message):
        c.correlation(*judged(), **told)


@pytest.mark.parametrize("distinct", [2, 7, 10_000])
@pytest.mark.parametrize("points", [2, 255, 256, 257, 600])
def test_kendalls_coefficient_of_long_rows_is_scipys_also_with_ties(monkeypatch, points, distinct):
    monkeypatch.setattr(c, "MOST_PAIRED", 0)
    rng = np.random.default_rng(points + distinct)
    x = rng.integers(0, distinct, points).astype(float)
    y = x + rng.integers(0, distinct, points)
    found = float(c.kendall_b(x[np.newaxis], y[np.newaxis])[0])
    assert found == pytest.approx(kendalltau(x, y).statistic, nan_ok=True)
