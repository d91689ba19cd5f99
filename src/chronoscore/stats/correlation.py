"""How far does a measure follow people? Correlation of scores with ratings at three levels.

Scores and ratings are arrays of systems × topics, nan where there is none; a cell counts
where both are there. Leading axes are draws of a resampling, so one function serves the
figure, its interval and its tests.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.options.correlation import LEVELS, Coefficient, Level
from chronoscore.stats.statistic import Numbers

USUAL: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")

# Means of equal numbers differ by less than this share, real scores by more.
NOISE = 1e-12
# Beyond this many points sorting beats comparing every pair.
MOST_PAIRED = 256
INVERTED_TOGETHER = 256
"""Points that are compared pair by pair where a long row is sorted."""


def correlation(
    scores: Numbers, ratings: Numbers, *, level: Level = "system", coefficient: Coefficient
) -> Numbers:
    """Correlate scores with ratings, each (…, systems, topics), into numbers (…).

    `system` takes each system's means over topics, `summary` averages the coefficients of
    the topics, and `global` takes all summaries together. Undefined is nan, never 0.

    >>> scores, ratings = np.array([[1.0], [2.0], [4.0]]), np.array([[3.0], [4.0], [6.0]])
    >>> round(float(correlation(scores, ratings, coefficient="pearson")), 6)
    1.0
    """
    return mean_defined(
        coefficient_function(coefficient)(*arrange_for_correlation(scores, ratings, level))
    )


def coefficient_function(name: str) -> Callable[[Numbers, Numbers], Numbers]:
    """The function of a coefficient's name."""
    if name not in FUNCTIONS:
        raise UsageError(f"unknown coefficient '{name}'; {did_you_mean(name, FUNCTIONS)}")
    return FUNCTIONS[name]


def arrange_for_correlation(
    scores: Numbers, ratings: Numbers, level: str
) -> tuple[Numbers, Numbers]:
    """Arrange what is to be correlated as (…, coefficients to average, points)."""
    if level not in LEVELS:
        raise UsageError(f"unknown level '{level}'; {did_you_mean(level, LEVELS)}")
    scores, ratings = np.broadcast_arrays(scores, ratings)
    lacking = np.isnan(scores) | np.isnan(ratings)
    if level == "system":
        return _system_means(scores, lacking), _system_means(ratings, lacking)
    if lacking.any():
        scores, ratings = np.where(lacking, np.nan, scores), np.where(lacking, np.nan, ratings)
    if level == "summary":
        return np.swapaxes(scores, -1, -2), np.swapaxes(ratings, -1, -2)
    flat = (*scores.shape[:-2], 1, scores.shape[-2] * scores.shape[-1])
    return scores.reshape(flat), ratings.reshape(flat)


def _system_means(values: Numbers, lacking: NDArray[np.bool_]) -> Numbers:
    """Each system's mean over the topics that it has, free of rounding noise: (…, 1, systems)."""
    count = np.count_nonzero(~lacking, axis=-1)
    total = np.where(lacking, 0.0, values).sum(axis=-1)
    means = _divide(total, count, count > 0)
    largest = np.fmax.reduce(np.abs(means), axis=-1, keepdims=True)
    scale = np.where(largest > 0, largest, 1.0)
    # Ranks must not tell apart what only the order of a sum tells apart.
    tidy: Numbers = np.round(means / scale, 12) * scale
    return tidy[..., np.newaxis, :]


def mean_defined(coefficients: Numbers) -> Numbers:
    """The mean over the last axis of what is defined there."""
    defined = ~np.isnan(coefficients)
    count = np.count_nonzero(defined, axis=-1)
    total = np.where(defined, coefficients, 0.0).sum(axis=-1)
    return _divide(total, count, count > 0)


def pearson(x: Numbers, y: Numbers) -> Numbers:
    """Correlate along the last axis; nan where either side does not vary."""
    lacking = np.isnan(x)
    missing = bool(lacking.any())
    across, up = _center(x, lacking if missing else None), _center(y, lacking if missing else None)
    both = (across * up).sum(axis=-1)
    squares = (across**2).sum(axis=-1) * (up**2).sum(axis=-1)
    r: Numbers = np.clip(_divide(both, np.sqrt(squares), squares > 0), -1.0, 1.0)
    return r


def _center(values: Numbers, lacking: NDArray[np.bool_] | None) -> Numbers:
    """Distances from the mean; exact zeros for values that are all the same."""
    if lacking is None:
        off: Numbers = values - values.mean(axis=-1, keepdims=True)
        largest = np.abs(values).max(axis=-1, keepdims=True)
    else:
        there = np.where(lacking, 0.0, values)
        count = np.maximum(np.count_nonzero(~lacking, axis=-1, keepdims=True), 1)
        off = np.where(lacking, 0.0, there - there.sum(axis=-1, keepdims=True) / count)
        largest = np.abs(there).max(axis=-1, keepdims=True)
    spread = np.abs(off).max(axis=-1, keepdims=True)
    return np.where(spread > NOISE * largest, off, 0.0)


def _spearman(x: Numbers, y: Numbers) -> Numbers:
    """Correlate ranks along the last axis, ties sharing their mean rank."""
    return pearson(rank_with_ties(x), rank_with_ties(y))


def rank_with_ties(values: Numbers) -> Numbers:
    """Rank along the last axis from 0; ties share their mean rank, nan stays nan."""
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    place = np.arange(values.shape[-1])
    fresh = np.ones(values.shape, dtype=np.bool_)
    fresh[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    last = np.ones_like(fresh)
    last[..., :-1] = fresh[..., 1:]
    first_place = np.maximum.accumulate(np.where(fresh, place, 0), axis=-1)
    ends = np.where(last, place, values.shape[-1])
    last_place = np.flip(np.minimum.accumulate(np.flip(ends, axis=-1), axis=-1), axis=-1)
    found = np.empty(values.shape)
    np.put_along_axis(found, order, (first_place + last_place) / 2, axis=-1)
    return np.where(np.isnan(values), np.nan, found)


def _kendall_a(x: Numbers, y: Numbers) -> Numbers:
    """Agreeing less disagreeing pairs, of all pairs."""
    balance, across, up, points = _pair_counts(x, y)
    return _divide(balance, points * (points - 1) / 2, (across > 0) & (up > 0))


def kendall_b(x: Numbers, y: Numbers) -> Numbers:
    """Agreeing less disagreeing pairs, of the pairs that are not tied on either side."""
    balance, across, up, _ = _pair_counts(x, y)
    return _divide(balance, np.sqrt(across * up), (across > 0) & (up > 0))


def _kendall_c(x: Numbers, y: Numbers) -> Numbers:
    """Stuart's form, for two sides with differently many distinct values."""
    balance, across, up, points = _pair_counts(x, y)
    fewer = np.minimum(_count_distinct(x), _count_distinct(y))
    most = np.square(points) * (fewer - 1) / np.maximum(fewer, 1) / 2
    return _divide(balance, most, (across > 0) & (up > 0))


def _divide(part: Numbers, whole: NDArray[Any], defined: NDArray[np.bool_]) -> Numbers:
    """Divide where it is defined, nan elsewhere."""
    found = np.full(part.shape, np.nan)
    np.divide(part, whole, out=found, where=defined)
    return found


def _count_distinct(values: Numbers) -> NDArray[np.intp]:
    """How many different values there are along the last axis."""
    ordered = np.sort(values, axis=-1)
    fresh = (ordered[..., 1:] != ordered[..., :-1]) & ~np.isnan(ordered[..., 1:])
    count: NDArray[np.intp] = np.count_nonzero(fresh, axis=-1) + ~np.isnan(ordered[..., 0])
    return count


def _pair_counts(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Agreeing less disagreeing pairs, pairs untied in x and in y, and the number of points."""
    points = np.count_nonzero(~np.isnan(x), axis=-1).astype(np.float64)
    if x.shape[-1] > MOST_PAIRED:
        return (*_sorted_counts(x, y), points)
    balance, across, up = (np.zeros(x.shape[:-1]) for _ in range(3))
    for step in range(1, x.shape[-1]):
        # Comparisons with nan are false, so a missing point is in no pair.
        x_more, x_less = x[..., step:] > x[..., :-step], x[..., step:] < x[..., :-step]
        y_more, y_less = y[..., step:] > y[..., :-step], y[..., step:] < y[..., :-step]
        balance += np.count_nonzero((x_more & y_more) | (x_less & y_less), axis=-1)
        balance -= np.count_nonzero((x_more & y_less) | (x_less & y_more), axis=-1)
        across += np.count_nonzero(x_more | x_less, axis=-1)
        up += np.count_nonzero(y_more | y_less, axis=-1)
    return balance, across, up, points


def _sorted_counts(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The pair counts of long rows, one row after the other, by sorting."""
    counts = np.zeros((3, *x.shape[:-1]))
    for at in np.ndindex(x.shape[:-1]):
        there = ~np.isnan(x[at])
        counts[(slice(None), *at)] = _row_counts(x[at][there], y[at][there])
    return counts[0], counts[1], counts[2]


def _row_counts(x: Numbers, y: Numbers) -> tuple[float, float, float]:
    """Agreeing less disagreeing pairs, and pairs untied in x and in y, of one row."""
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    ordered = np.sort(y)
    x_changes = x[1:] != x[:-1]
    x_tied, y_tied = _tied_pairs(x_changes), _tied_pairs(ordered[1:] != ordered[:-1])
    pairs = len(x) * (len(x) - 1) / 2
    untied = pairs - x_tied - y_tied + _tied_pairs(x_changes | (y[1:] != y[:-1]))
    falling = _count_inversions(np.searchsorted(ordered, y).astype(np.int32))
    return untied - 2 * falling, pairs - x_tied, pairs - y_tied


def _tied_pairs(changes: NDArray[np.bool_]) -> float:
    """How many pairs of an ordered row are tied; `changes` says where the next value differs."""
    ends = np.flatnonzero(changes)
    sizes = np.diff(ends, prepend=-1, append=len(changes))
    return float((sizes * (sizes - 1)).sum() / 2)


def _count_inversions(ranks: NDArray[np.int32]) -> int:
    """How many pairs stand in descending order: block by block, each against all before it."""
    count, before = 0, ranks[:0]
    for start in range(0, len(ranks), INVERTED_TOGETHER):
        block = ranks[start : start + INVERTED_TOGETHER]
        not_above = np.searchsorted(before, np.sort(block), side="right")
        falling = (block[:, np.newaxis] > block) & _later()[: len(block), : len(block)]
        count += start * len(block) - int(not_above.sum()) + int(np.count_nonzero(falling))
        before = np.sort(ranks[: start + len(block)])
    return count


@cache
def _later() -> NDArray[np.bool_]:
    """Which places of a block stand behind which."""
    return np.triu(np.ones((INVERTED_TOGETHER, INVERTED_TOGETHER), dtype=np.bool_), 1)


FUNCTIONS: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "pearson": pearson,
    "spearman": _spearman,
    "kendall": kendall_b,
    "kendall-a": _kendall_a,
    "kendall-b": kendall_b,
    "kendall-c": _kendall_c,
}


def why_correlation_undefined(scores: Numbers, ratings: Numbers, level: Level) -> str:
    """Why a correlation is undefined, in words; nothing where it is defined."""
    x, y = arrange_for_correlation(scores, ratings, level)
    if not np.isnan(mean_defined(pearson(x, y))):
        return ""
    if (np.count_nonzero(~np.isnan(x), axis=-1) < 2).all():
        return "fewer than two systems have both a score and a rating"
    where = " on every topic" if level == "summary" else ""
    what = "summary" if level == "global" else "system"
    if not _center(x, np.isnan(x)).any():
        return f"every {what} has the same score{where}"
    if not _center(y, np.isnan(y)).any():
        return f"every {what} has the same rating{where}"
    return f"scores and ratings never vary together{where}"
