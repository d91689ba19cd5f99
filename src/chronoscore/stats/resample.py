"""The bootstrap: how a figure varies with the choice of topics."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError
from chronoscore.stats.statistic import Numbers, OfMeans, Statistic

# Numbers held at once while resampling: 32 MB of them.
CHUNK = 4_000_000


# One comparison asks for the same draws many times over.
@lru_cache(maxsize=2)
def draws(topics: int, times: int, seed: int) -> NDArray[np.int64]:
    """Draw as many topics as there are, with replacement, again and again.

    Row by row, how often each topic was drawn. The same arguments give the same
    draws, so that every system and measure meets the same topics and their
    differences stay paired; the array is shared and cannot be written to.
    """
    if topics < 1:
        raise DataError("no topics to resample; score at least one")
    if times < 1:
        raise UsageError(f"cannot resample {times} times; ask for at least 1")
    picks = np.random.default_rng(seed).integers(0, topics, size=(times, topics))
    rows = np.arange(times)[:, np.newaxis] * topics
    counts = np.bincount((picks + rows).ravel(), minlength=times * topics).reshape(times, topics)
    counts.setflags(write=False)
    return counts


def resample_statistic(
    records: Numbers, statistic: Statistic, counts: NDArray[np.int64]
) -> Numbers:
    """Compute the statistic on every draw: (…, topics, columns) in, (…, times) out."""
    topics = counts.shape[1]
    if isinstance(statistic, OfMeans):
        # Columns before draws: the function reads each column as one block of memory.
        means = np.swapaxes(records / topics, -1, -2) @ counts.T.astype(np.float64)
        return statistic.function(np.swapaxes(means, -1, -2))
    every = np.tile(np.arange(topics), len(counts))
    picks = np.repeat(every, counts.ravel()).reshape(counts.shape)
    step = max(1, CHUNK // max(1, records.size))
    parts = [
        statistic(records[..., picks[start : start + step], :])
        for start in range(0, len(picks), step)
    ]
    return np.concatenate(parts, axis=-1)


def check_level(level: float) -> None:
    """Refuse the level of an interval that is not between 0 and 1."""
    if not 0 < level < 1:
        raise UsageError(f"level {level:g} must be between 0 and 1, such as 0.95")


def percentile_interval(samples: Numbers, level: float = 0.95) -> tuple[Numbers, Numbers]:
    """Cut off the same share of samples at both ends of the last axis, interpolating."""
    check_level(level)
    tail = (1 - level) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=-1)
    return low, high


def interval(
    records: Numbers,
    statistic: Statistic,
    *,
    times: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Numbers, Numbers]:
    """Give the percentile bootstrap interval of a statistic over topics.

    Leading axes are systems or whatever else the topics are common to.
    """
    counts = draws(records.shape[-2], times, seed)
    return percentile_interval(resample_statistic(records, statistic, counts), level)
