"""Bands of averaged curves: intervals over topics at each level of recall."""

from chronoscore.core import Row
from chronoscore.measures.measure import Array
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.options import Resampling
from chronoscore.stats.intervals import estimate


def bands(curves: Curves, how: Resampling) -> tuple[Array, Array]:
    """The interval of each average: lows and highs, systems × levels."""
    topics = curves.defined.shape[1]
    bounds = curves.measure.bounds("precision")
    found = estimate(
        curves.defined / topics,
        lambda means: means,
        how,
        counts=topics,
        bounds=[bounds] * len(LEVELS),
    )
    return found.low, found.high


def band_rows(curves: Curves, how: Resampling) -> list[Row]:
    """A record of each system's average precision at each level of recall, with its interval."""
    low, high = bands(curves, how)
    columns = zip(curves.average(), low, high, strict=True)
    return [
        {"system": system, "recall": level, "precision": value, "low": least, "high": most}
        for system, figures in zip(curves.systems, columns, strict=True)
        for level, value, least, most in zip(
            LEVELS.round(1).tolist(), *(one.tolist() for one in figures), strict=True
        )
    ]
