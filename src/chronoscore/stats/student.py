"""Student's t distribution for whole degrees of freedom, without SciPy, which is slow to import."""

from functools import lru_cache
from math import atan, cos, pi, sin, sqrt, tan
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import check_level
from chronoscore.stats.statistic import Numbers

MOST_SUMMED = 1000
"""Degrees of freedom up to which the exact finite sum is solved."""


@lru_cache(maxsize=1024)
def quantile(level: float, degrees: int) -> float:
    """The t that a variable exceeds in size with a chance of 1 − level.

    >>> round(quantile(0.95, 9), 4), round(quantile(0.95, 10**6), 4)
    (2.2622, 1.96)
    """
    check_level(level)
    if degrees > MOST_SUMMED:
        return _expand_normal(level, degrees)
    angle = 0.0
    # The share rises ever more slowly with the angle, so that steps never go too far.
    for _ in range(200):
        share, slope = _share_within(angle, degrees)
        step = (level - share) / slope
        angle += step
        if abs(step) <= 1e-12 * angle:
            break
    return sqrt(degrees) * tan(angle)


def quantiles(level: float, degrees: NDArray[np.intp]) -> Numbers:
    """The same for many numbers of degrees; nan where there is none."""
    different, places = np.unique(degrees, return_inverse=True)
    known = [quantile(level, int(one)) if one >= 1 else np.nan for one in different]
    return np.array(known)[places].reshape(degrees.shape)


def chance_beyond(ratio: float, degrees: int) -> float:
    """The two-sided p of a ratio to about twelve digits after the point, to compare with a level.

    >>> round(chance_beyond(2.2622, 9), 4), round(chance_beyond(1.96, 10**6), 4)
    (0.05, 0.05)
    """
    if degrees > MOST_SUMMED:
        flatter = ratio * (1 - 1 / (4 * degrees)) / sqrt(1 + ratio**2 / (2 * degrees))
        return 2 * NormalDist().cdf(-abs(flatter))
    return max(0.0, 1 - _share_within(atan(abs(ratio) / sqrt(degrees)), degrees)[0])


def p_value(ratio: float, degrees: int) -> float:
    """The two-sided p of a ratio of an estimate to its standard error."""
    # Small p need the tail itself; only a caller of tests pays for the import.
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(ratio)))


def _share_within(angle: float, degrees: int) -> tuple[float, float]:
    """The chance of |t| ≤ √degrees · tan(angle), a finite sum, and its slope in the angle."""
    square = cos(angle) ** 2
    odd = degrees % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    slope = 2 / pi if odd else 1.0
    for k in range(1 + odd, degrees, 2):
        total += term
        term *= square * k / (k + 1)
        slope *= k / (k - 1) if k > 1 else 1.0
    if odd:
        return 2 / pi * (angle + sin(angle) * total), slope * cos(angle) ** (degrees - 1)
    return sin(angle) * total, slope * cos(angle) ** (degrees - 1)


def _expand_normal(level: float, degrees: int) -> float:
    """The quantile from that of the normal distribution (Cornish and Fisher)."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / degrees**power for power, term in enumerate(terms, 1)))
