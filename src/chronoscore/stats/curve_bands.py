"""Bootstrap bands of averaged curves."""

import numpy as np

from chronoscore.measures.measure import Array
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.options import Resampling
from chronoscore.stats.resample import bootstrap_draws, percentile_interval


def bootstrap(curves: Curves, resampling: Resampling) -> tuple[Array, Array]:
    """The interval of each average at a confidence level: lows and highs, systems × levels."""
    topics = curves.defined.shape[1]
    if topics < 2:
        blank = np.full((len(curves.systems), len(LEVELS)), np.nan)
        return blank, blank
    weights = bootstrap_draws(topics, resampling.times, resampling.seed).astype(np.float64)
    return percentile_interval(np.swapaxes(curves.drawn(weights), 1, 2), resampling.level)
