"""The bootstrap: how a figure varies with the choice of topics."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, check_level
from chronoscore.stats.statistic import Numbers

# Numbers held at once while resampling: 32 MB of them.
CHUNK = 4_000_000


# One comparison asks for the same draws many times over.
@lru_cache(maxsize=2)
def bootstrap_draws(topics: int, times: int, seed: int) -> NDArray[np.int64]:
    """Draw as many topics as there are, with replacement, again and again.

    Row by row, how often each topic was drawn. The same arguments give the same
    draws, so that every system and measure meets the same topics and their
    differences stay paired; the array is shared and cannot be written to.
    """
    _check_draws(topics, times)
    counts = _draw(np.random.default_rng(seed), topics, times)
    counts.setflags(write=False)
    return counts


def _check_draws(topics: int, times: int) -> None:
    """Refuse to draw from nothing, or never."""
    if topics < 1:
        raise DataError("no topics to resample; score at least one")
    if times < 1:
        raise UsageError(f"cannot resample {times} times; ask for at least 1")


def _draw(rng: np.random.Generator, topics: int, rows: int) -> NDArray[np.int64]:
    """The next rows of draws."""
    picks = rng.integers(0, topics, size=(rows, topics))
    picks += np.arange(rows)[:, np.newaxis] * topics
    return np.bincount(picks.ravel(), minlength=rows * topics).reshape(rows, topics)


def bootstrap_sums(contributions: Numbers, times: int, seed: int) -> Numbers:
    """Sums over the topics of every draw: (…, topics, columns) to (…, times, columns).

    Some draws at a time are made where all of them would need too much memory.
    """
    topics, columns = contributions.shape[-2:]
    step = max(1, CHUNK // topics)
    if times <= step:
        return bootstrap_draws(topics, times, seed).astype(np.float64) @ contributions
    _check_draws(topics, times)
    rng = np.random.default_rng(seed)
    sums = np.empty((*contributions.shape[:-2], times, columns))
    for start in range(0, times, step):
        weights = _draw(rng, topics, min(step, times - start)).astype(np.float64)
        sums[..., start : start + step, :] = weights @ contributions
    return sums


def percentile_interval(samples: Numbers, level: float = 0.95) -> tuple[Numbers, Numbers]:
    """Cut off the same share of samples at both ends of the last axis, interpolating.

    The figures are those of `np.quantile`, whose first call loads all of masked arrays.
    """
    check_level(level)
    tail = (1 - level) / 2
    return _quantile(samples, tail), _quantile(samples, 1 - tail)


def _quantile(samples: Numbers, share: float) -> Numbers:
    """What this share of samples lies below, on a line between the two nearest."""
    last = samples.shape[-1] - 1
    below = int(last * share)
    above, step = min(below + 1, last), last * share - below
    ordered = np.partition(samples, (below, above, last), axis=-1)
    a, b, top = (np.take(ordered, place, axis=-1) for place in (below, above, last))
    # The nearer of the two is where the line begins, so that rounding never leaves its ends.
    between: Numbers = a + (b - a) * step if step < 0.5 else b - (b - a) * (1 - step)
    undefined = np.isnan(top)  # nan is sorted behind all numbers
    return np.where(undefined, np.nan, between)[()]


def bootstrap_means(
    columns: Numbers, *, times: int = 1000, level: float = 0.95, seed: int = 0
) -> Numbers:
    """Low, median and high of each column's mean over resampled rows, drawn as rouge-score does."""
    random = np.random.default_rng(seed)
    count = len(columns)
    means = np.empty((times, columns.shape[1]))
    for row in means:
        drawn = np.bincount(random.integers(0, count, count), minlength=count)
        row[:] = drawn @ columns / count
    tail = (1 - level) / 2
    cuts: Numbers = np.percentile(means, [100 * tail, 50, 100 * (1 - tail)], axis=0)
    return cuts
