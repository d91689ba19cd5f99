"""How large is a difference? Sizes that do not grow with the number of topics."""

import numpy as np

from chronoscore.stats.statistic import ROUNDING, Numbers


def standardized_difference(a: Numbers, b: Numbers) -> float:
    """Divide the mean difference over topics by its standard deviation (Cohen's d for pairs).

    Infinite where every topic differs by the same amount, 0 where none differs,
    undefined with fewer than two topics.

    >>> standardized_difference(np.array([3.0, 5.0]), np.array([2.0, 2.0]))
    1.414213562373095
    """
    if len(a) < 2:
        return float("nan")
    noise = ROUNDING * float(np.max(np.maximum(np.abs(a), np.abs(b))))
    differences = a - b
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if spread > noise:
        return mean / spread
    return float(np.copysign(np.inf, mean)) if abs(mean) > noise else 0.0


def superiority(a: Numbers, b: Numbers) -> float:
    """Give the share of topics on which the first is higher, ties counting half.

    One half is no difference. Twice this less 1 is Cliff's delta for pairs.

    >>> superiority(np.array([3.0, 2.0, 1.0]), np.array([1.0, 2.0, 0.0]))
    0.8333333333333333
    """
    if not len(a):
        return float("nan")
    noise = ROUNDING * np.maximum(np.abs(a), np.abs(b))
    higher, lower = a - b > noise, b - a > noise
    return float((np.mean(higher) - np.mean(lower) + 1) / 2)
