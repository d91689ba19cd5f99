"""Ranges of whole numbers laid end to end: where each begins, and what they hold."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def bounds(lengths: Sequence[int] | NDArray[np.integer]) -> Numbers:
    """Where each of some lengths begins, and where the last one ends.

    >>> bounds([2, 3]).tolist()
    [0, 2, 5]
    """
    found = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=found[1:])
    return found


def concatenate(starts: Numbers, lengths: Numbers) -> Numbers:
    """The numbers of all ranges, one range after the other.

    >>> concatenate(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(lengths) - lengths
    found = np.repeat(starts - before, lengths)
    found += np.arange(len(found))
    return found
