"""Bands of averaged curves: intervals over topics at each level of recall."""

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
