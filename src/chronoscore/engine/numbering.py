"""Small numbers for large keys, by one look into a table: the join that all counting rests on."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def bounds_of_lengths(lengths: Numbers) -> Numbers:
    """Turn lengths into where each part begins, and where the last one ends."""
    found = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=found[1:])
    return found


def concatenate_ranges(starts: Numbers, lengths: Numbers) -> Numbers:
    """Lay ranges of whole numbers end to end.

    >>> concatenate_ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(lengths) - lengths
    found = np.repeat(starts - before, lengths)
    found += np.arange(len(found))
    return found


LARGEST = 1 << 23
"""Places in a table of numbers; 32 MB."""


class Numbering:
    """Numbers the distinct keys of one side and finds the keys of the other among them.

    Keys index a table directly, so that nothing is sorted or hashed; a key space too
    large for a table is searched instead.
    """

    def __init__(self) -> None:
        self._table = np.empty(0, dtype=np.int32)
        self._marks = np.empty(0, dtype=np.bool_)

    def among(self, keys: Numbers, sought: Numbers, size: int) -> Numbers:
        """Find the keys that are sought, without numbering them; keys lie below `size`."""
        if size > LARGEST:
            return np.flatnonzero(np.isin(keys, sought))
        if size > len(self._marks):
            self._marks = np.zeros(1 << size.bit_length(), dtype=np.bool_)
        self._marks[sought] = True
        found = np.flatnonzero(self._marks[keys])
        self._marks[sought] = False
        return found

    def number(self, keys: Numbers, sought: Numbers, size: int) -> tuple[Numbers, Numbers]:
        """Number `keys`, equal ones alike; give each of `sought` its number or -1.

        Keys lie between 0 and `size`. Where keys come in groups and no two groups have
        a key in common, the numbers of each group follow on those of the group before.
        """
        if size > LARGEST:
            return _search(keys, sought)
        if size > len(self._table):
            self._table = np.full(1 << size.bit_length(), -1, dtype=np.int32)
        # The last of equal keys to be written stands for all of them.
        order = np.arange(len(keys), dtype=np.int32)
        self._table[keys] = order
        holders = self._table[keys]
        numbers = (np.cumsum(holders == order) - 1)[holders]
        self._table[keys] = numbers
        found = self._table[sought].astype(np.int64)
        self._table[keys] = -1
        return numbers, found


def _search(keys: Numbers, sought: Numbers) -> tuple[Numbers, Numbers]:
    """Do the same by sorting the keys and searching among them."""
    distinct, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    # Numbers go by where a key first stands, so that groups stay together.
    rank = np.empty(len(distinct) + 1, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(distinct))
    rank[-1] = -1
    near = np.searchsorted(distinct, sought)
    near[near == len(distinct)] = 0
    if len(distinct):
        near[distinct[near] != sought] = -1
    else:
        near[:] = -1
    return rank[numbers], rank[near]
