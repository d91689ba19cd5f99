"""Which items people should judge next: what the machine doubts is likelier, by known chances.

The figure is a mean over topics, so an item of a small topic weighs more than one of a large one.
The sampling error of a corrected mean is least if the chance of an item is proportional to its
weight times how far the machine is off, as far as that is known beforehand.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import UsageError
from chronoscore.stats.statistic import Numbers

FLOOR = 0.2
"""Every item has at least this share of the chance that it would have if all had the same."""


def inclusion_chances(doubts: Sequence[Numbers], budget: int) -> list[Numbers]:
    """The chance of every item of every topic to be drawn; they add up to the budget.

    >>> chances = inclusion_chances([np.array([0.0, 1.0]), np.array([1.0, 1.0, 0.0, 0.0])], 3)
    >>> [one.round(2).tolist() for one in chances]
    [[0.1, 1.0], [0.85, 0.85, 0.1, 0.1]]
    """
    count = sum(map(len, doubts))
    if not 1 <= budget <= count:
        raise UsageError(f"budget {budget}: there are {count:,} items; write a number from 1 on")
    sizes = [len(own) for own in doubts]
    weights = np.concatenate([np.asarray(own, dtype=np.float64) / len(own) for own in doubts])
    if not weights.max() > 0:
        weights = np.concatenate([np.full(size, 1 / size) for size in sizes])
    least = FLOOR * budget / count
    certain = np.zeros(count, dtype=np.bool_)
    while True:
        # What is sure to be drawn leaves its share to the others.
        rest = budget - certain.sum() - least * (~certain).sum()
        total = float(weights[~certain].sum())
        spread = weights / total if total > 0 else np.full(count, 1 / max(1, (~certain).sum()))
        chances = np.where(certain, 1.0, least + rest * spread)
        if not (chances[~certain] > 1).any():
            return np.split(chances, np.cumsum(sizes)[:-1])
        certain |= chances >= 1


def draw_systematically(chances: Numbers, seed: int) -> NDArray[np.int64]:
    """The places of the items that are drawn: one for each whole step along the added chances.

    Their number is fixed, and neighbors are seldom drawn together: items in the order of topics
    and systems are therefore spread over these as the chances are.
    """
    start = np.random.default_rng(seed).random()
    steps = np.floor(np.concatenate([[0.0], np.cumsum(chances)]) - start + _SLACK)
    return np.flatnonzero(np.diff(steps) > 0)


_SLACK = 1e-9
"""Rounding of sums must not lose the last item."""
