"""How small a difference of two systems can be found, and how many topics it takes.

A paired t test over n topics finds a difference δ with a chance that the noncentral t
distribution gives: n − 1 degrees of freedom, noncentrality δ √n / s, where s is the standard
deviation of the topics' differences. It is solved for the noncentrality at a power of .8.
The randomization test, which comparisons report, has the same power from 8 topics on, and finds
nothing where even a sweep of all topics is no surprise (docs/trust.md).
"""

from functools import lru_cache
from math import erfc, inf, isnan, lgamma, log, nan, sqrt

import numpy as np

from chronoscore.stats import student

POWER = 0.8
"""The chance with which a difference is to be found."""
MOST_TOPICS = 10**7
"""Topics beyond which a difference counts as out of reach."""
STEPS = 400
"""Steps of the integral over the estimated standard deviation."""
FAR = 9.0
"""Standard deviations beyond which nothing is left to integrate."""


def smallest_difference(spread: float, topics: int, level: float, power: float = POWER) -> float:
    """The difference that a paired t test at 1 − level finds with this chance.

    `spread` is the standard deviation of the topics' differences. Infinite where there are too few
    topics for any difference.

    >>> round(smallest_difference(0.1, 12, 0.95), 4)
    0.0889
    """
    if isnan(spread):
        return nan
    if topics < fewest_topics(level):
        return inf
    return noncentrality(level, topics - 1, power) * spread / sqrt(topics)


def fewest_topics(level: float) -> int:
    """The fewest topics on which a randomization test can reach p ≤ 1 − level: p is 2 / 2ⁿ.

    >>> fewest_topics(0.95)
    6
    """
    topics = 2
    while 2.0 ** (1 - topics) > 1 - level:
        topics += 1
    return topics


def topics_needed(difference: float, spread: float, level: float, power: float = POWER) -> float:
    """The fewest topics with which a paired t test finds a difference with this chance.

    Infinite where no number of topics will do, nan where the spread is not known.

    >>> topics_needed(0.05, 0.1, 0.95)
    34
    """
    if isnan(spread) or isnan(difference):
        return nan
    if difference == 0:
        return inf

    def is_enough(topics: int) -> bool:
        return smallest_difference(spread, topics, level, power) <= abs(difference)

    high = 2
    while not is_enough(high):
        high *= 2
        if high > MOST_TOPICS:
            return inf
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


@lru_cache(maxsize=1024)
def noncentrality(level: float, degrees: int, power: float = POWER) -> float:
    """The noncentrality at which |t| exceeds its bound with this chance."""
    bound = student.quantile(level, degrees)
    low, high = 0.0, 1.0
    while _chance_beyond(bound, degrees, high) < power:
        high *= 2
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (
            (middle, high)
            if _chance_beyond(bound, degrees, middle) < power
            else (
                low,
                middle,
            )
        )
    return (low + high) / 2


def _chance_beyond(bound: float, degrees: int, shift: float) -> float:
    """The chance that a noncentral t exceeds the bound in size.

    Given the estimated standard deviation relative to the true one, t is a normal variable; the
    chance is the integral over the distribution of that ratio, by Simpson's rule.
    """
    reach = FAR / sqrt(2 * degrees)
    ratios = np.linspace(max(0.0, 1 - reach), 1 + reach, STEPS + 1)
    beyond = np.array(
        [_tail(bound * ratio - shift) + _tail(bound * ratio + shift) for ratio in ratios.tolist()]
    )
    weights = np.ones(STEPS + 1)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    density = _ratio_density(ratios, degrees)
    return float((weights * density * beyond).sum() * (ratios[1] - ratios[0]) / 3)


def _ratio_density(ratios: np.ndarray, degrees: int) -> np.ndarray:
    """The density of the square root of χ² over its degrees of freedom."""
    scale = log(2) + degrees / 2 * log(degrees / 2) - lgamma(degrees / 2)
    with np.errstate(divide="ignore"):
        powers = np.log(ratios) * (degrees - 1) if degrees > 1 else np.zeros_like(ratios)
    return np.exp(scale + powers - degrees * ratios**2 / 2)


def _tail(z: float) -> float:
    """The chance that a normal variable exceeds z."""
    return erfc(z / sqrt(2)) / 2
