"""Shapley values: a difference split fairly over its causes.

Each cause is switched from one system's level to the other's, in every order; its share is what
its switch changes on average. Shares add up to the difference, a cause that is the same in both
gets 0, and two that do the same get the same.
"""

from collections.abc import Callable
from functools import lru_cache
from math import factorial

import numpy as np

from chronoscore.stats.statistic import Numbers

MOST = 16
"""Causes that are switched in every order: 2^16 sets of them."""


def split(
    levels: Numbers, other: Numbers, value: Callable[[Numbers], Numbers], causes: int
) -> Numbers:
    """Split value(levels) − value(other) over causes: (…, sides, causes) to (…, causes).

    `value` takes what all causes of each side add up to: (…, sets, sides) to (…, sets).

    >>> import numpy as np
    >>> good, bad = np.array([[0.1, 0.2]]), np.array([[0.3, 0.2]])
    >>> split(good, bad, lambda lost: 1 - lost[..., 0], 2).round(3).tolist()
    [0.2, 0.0]
    """
    members, weights = _sets(causes)
    change = levels - other
    lost = other.sum(axis=-1)[..., np.newaxis, :] + np.swapaxes(change @ members.T, -1, -2)
    shares: Numbers = value(lost) @ weights
    return shares


@lru_cache(maxsize=4)
def _sets(causes: int) -> tuple[Numbers, Numbers]:
    """Which causes each set has, and what the value of a set counts for each cause."""
    assert causes <= MOST
    members = ((np.arange(2**causes)[:, np.newaxis] >> np.arange(causes)) & 1).astype(np.float64)
    sizes = members.sum(axis=1).astype(int)
    before = [factorial(n) * factorial(causes - n - 1) / factorial(causes) for n in range(causes)]
    joins = np.array([0.0, *before])[sizes]
    lacks = np.array([*before, 0.0])[sizes]
    return members, np.where(members == 1, joins[:, np.newaxis], -lacks[:, np.newaxis])
