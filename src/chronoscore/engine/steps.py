"""Tables of many sizes filled side by side: each step takes the next row of every table."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chronoscore.engine.numbering import Numbers, bounds_of_lengths


@dataclass(frozen=True, slots=True)
class Steps:
    """An order of rows in which the k-th rows of all tables stand together.

    The longest table comes first in every step, so that the tables that still have a row
    are the first ones: step k is `slices[k]`. `firsts` are the tables' first rows as they
    were given, in the order of the tables; `places` is where each row has gone.
    """

    firsts: Numbers
    places: Numbers
    slices: tuple[slice, ...]


def order_rows_by_step(tables: Numbers) -> Steps:
    """Order rows by step; `tables` numbers the table of each row, one table after the other."""
    firsts = np.flatnonzero(np.diff(tables, prepend=-1))
    lengths = np.diff(firsts, append=len(tables))
    order = np.argsort(-lengths, kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    # As many tables have a k-th row as are longer than k.
    starts = bounds_of_lengths(np.cumsum(np.bincount(lengths)[::-1])[::-1][1:])
    steps = np.arange(len(tables)) - np.repeat(firsts, lengths)
    places = starts[steps] + np.repeat(ranks, lengths)
    slices = tuple(slice(start, end) for start, end in pairwise(starts.tolist()))
    return Steps(firsts[order], places, slices)
