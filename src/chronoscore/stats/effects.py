"""Effect sizes: how large a difference is, whatever the number of topics."""

from math import copysign

import numpy as np

from chronoscore.stats.statistic import ROUNDING, Numbers


def standardized_difference(a: Numbers, b: Numbers, difference: float | None = None) -> float:
    """Divide a difference by the standard deviation of the topics' differences (Cohen's d).

    The difference is that of the corpus figures; without one, the mean over topics. It gives
    the effect its sign. 0 where nothing differs; undefined where all topics differ by the
    same amount, and with fewer than two topics.

    >>> standardized_difference(np.array([3.0, 5.0]), np.array([2.0, 2.0]))
    1.414213562373095
    """
    a, b = both_defined(a, b)
    if len(a) < 2:
        return float("nan")
    noise = ROUNDING * float(np.max(np.maximum(np.abs(a), np.abs(b))))
    differences = a - b
    size = float(differences.mean()) if difference is None else difference
    spread = float(differences.std(ddof=1))
    if spread > noise:
        return size / spread
    return float("nan") if abs(size) > noise else copysign(0.0, size)


def superiority(a: Numbers, b: Numbers) -> float:
    """The share of topics on which the first is higher, ties counting half.

    One half means no difference. Twice this less 1 is Cliff's delta for pairs.

    >>> superiority(np.array([3.0, 2.0, 1.0]), np.array([1.0, 2.0, 0.0]))
    0.8333333333333333
    """
    a, b = both_defined(a, b)
    if not len(a):
        return float("nan")
    noise = ROUNDING * np.maximum(np.abs(a), np.abs(b))
    higher, lower = a - b > noise, b - a > noise
    return float((np.mean(higher) - np.mean(lower) + 1) / 2)


def both_defined(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Both figures of the topics where both have one."""
    there = ~np.isnan(a - b)
    return a[there], b[there]
