"""Clipping: an item counts at most as often as the other side has it."""

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine.numbering import Numbers
from chronoscore.engine.shared import Pairs, Words

Hits = NDArray[np.float64]
Flags = NDArray[np.bool_]


def _bin_items(
    pairs: Pairs, first: Numbers, types: Numbers, owners: Numbers
) -> tuple[Numbers, int]:
    """Give each pair a bin for each type of its system; say which bin each item falls in."""
    widths = np.diff(first)[pairs.slots]
    shift = np.cumsum(widths) - widths - first[pairs.slots]
    return types + shift[owners], int(widths.sum())


def clip_hits(
    pairs: Pairs, first: Numbers, supply: Numbers, types: Numbers, owners: Numbers
) -> Hits:
    """Count each pair's items, every type at most as often as its system has it.

    `supply` says how often that is; types of slot s run from `first[s]` on.
    """
    places, size = _bin_items(pairs, first, types, owners)
    # The last item in a bin stands for the bin, so that empty bins cost nothing.
    last = np.empty(size, dtype=np.int32)
    last[places] = np.arange(len(places), dtype=np.int32)
    demand = np.bincount(last[places], minlength=len(places))
    held = np.flatnonzero(demand > 0)
    hits = np.minimum(demand[held], supply[types[held]])
    return sum_by_owner(owners[held], hits, len(pairs))


def sum_by_owner(
    owners: Numbers, amounts: NDArray[np.int64] | NDArray[np.float64], count: int
) -> Hits:
    """Add up amounts by owner, in the order given."""
    return np.bincount(owners, weights=amounts, minlength=count).astype(np.float64, copy=False)


def mark_unclipped_hits(
    pairs: Pairs, first: Numbers, supply: Numbers, items: Words, reference: Words
) -> Flags:
    """Tell which items count when each type runs out: the first ones do.

    An item counts only while both the pair's system and its reference have one left.
    """
    places, size = _bin_items(pairs, first, items.types, items.owners)
    theirs, _ = _bin_items(pairs, first, reference.types, reference.owners)
    left = np.minimum(supply[items.types], np.bincount(theirs, minlength=size)[places])
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    turn = np.empty(len(places), dtype=np.int64)
    turn[order] = np.arange(len(places)) - np.repeat(starts, np.diff(starts, append=len(places)))
    return turn < left
