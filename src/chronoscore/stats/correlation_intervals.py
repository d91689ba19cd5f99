"""Bootstrap intervals of correlations: systems, topics or both drawn with replacement."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.options.correlation import Bootstrap, Coefficient, Level
from chronoscore.stats.correlation import (
    arrange_for_correlation,
    coefficient_function,
    mean_defined,
)
from chronoscore.stats.resample import CHUNK, percentile_interval
from chronoscore.stats.statistic import Numbers

Places: TypeAlias = NDArray[np.intp]


def correlation_samples(
    scores: Numbers,
    ratings: Numbers,
    how: Bootstrap,
    *,
    level: Level = "system",
    coefficients: Sequence[Coefficient] = ("pearson",),
) -> Numbers:
    """The correlations of every draw: (coefficients, draws).

    The same sizes and seed give the same draws, so that the samples of several measures
    stay paired and may be subtracted from each other.
    """
    ratings = np.broadcast_to(ratings, scores.shape)
    parts: list[Numbers] = []
    for rows, columns in _draw_blocks(scores.shape, how):
        at = rows[:, :, np.newaxis], columns[:, np.newaxis, :]
        x, y = arrange_for_correlation(scores[at], ratings[at], level)
        parts.append(
            np.stack([mean_defined(coefficient_function(name)(x, y)) for name in coefficients])
        )
    return np.concatenate(parts, axis=-1)


def _draw_blocks(shape: tuple[int, ...], how: Bootstrap) -> Iterator[tuple[Places, Places]]:
    """Rows and columns to take, some draws at a time so that memory stays bounded."""
    systems, topics = shape
    rows, columns = picks(systems, topics, how)
    step = max(1, CHUNK // (systems * topics))
    for start in range(0, how.times, step):
        yield rows[start : start + step], columns[start : start + step]


@lru_cache(maxsize=2)
def picks(systems: int, topics: int, how: Bootstrap) -> tuple[Places, Places]:
    """Which systems and topics each draw takes; what is not redrawn is taken as it is."""
    rng = np.random.default_rng(how.seed)
    rows = rng.integers(0, systems, (how.times, systems))
    columns = rng.integers(0, topics, (how.times, topics))
    if how.redrawn == "inputs":
        rows = np.broadcast_to(np.arange(systems), rows.shape)
    if how.redrawn == "systems":
        columns = np.broadcast_to(np.arange(topics), columns.shape)
    return rows, columns


def interval_about(value: float, samples: Numbers, how: Bootstrap) -> tuple[float, float]:
    """The interval of a correlation, or of a difference of two, from its draws."""
    low, high = sample_interval(samples, how.level)
    if how.kind == "percentile" or np.isnan(low):
        return low, high
    middle = float(np.median(samples[~np.isnan(samples)]))
    return value - (middle - low), value + (high - middle)


def sample_interval(samples: Numbers, level: float = 0.95) -> tuple[float, float]:
    """The percentile interval of the draws in which the figure was defined, or nan."""
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = percentile_interval(defined, level)
    return float(low), float(high)
