"""Many-to-one alignment: every date takes the cheapest date on the other side.

Where a pair shares no word its cost depends on the distance alone, and only the nearest
date can be the cheapest; so with days in order it is enough to look at that one and at the
pairs that do share a word.
"""

from collections.abc import Sequence

import numpy as np

from chronoscore.align.content import BLOCK, Similarity
from chronoscore.align.dates import Dates, Floats, Ints, Places
from chronoscore.align.line import date_costs
from chronoscore.align.ties import FREE

NOISE = 1e-14
"""Costs of at most 1 that are closer than this are equal: the error of a few roundings."""


def cheapest_columns(costs: Floats, ties: Sequence[Ints] = ()) -> Places:
    """The cheapest column of each row; of several the first by the ties, then the earliest.

    A row whose costs are all infinite gets none.
    """
    if not costs.size:
        return np.full(len(costs), FREE, dtype=np.intp)
    lowest = costs.min(axis=1, keepdims=True)
    good = costs <= lowest + NOISE * np.maximum(1.0, np.abs(lowest))
    for tie in ties:
        extra = np.where(good, tie, np.iinfo(np.int64).max)
        good = extra == extra.min(axis=1, keepdims=True)
    return np.where(np.isinf(lowest[:, 0]), FREE, good.argmax(axis=1))


def _nearest_days(ours: Dates, theirs: Dates) -> tuple[Places, Places]:
    """The nearest day not after each of ours, and the nearest not before it.

    Where there is none on one side, the one on the other side stands for both.
    """
    after = np.searchsorted(theirs.first, ours.first)
    before = np.searchsorted(theirs.first, ours.first, side="right") - 1
    last = len(theirs) - 1
    return np.where(before < 0, after, before), np.where(after > last, before, after)


def nearest_dates(ours: Dates, theirs: Dates) -> Places:
    """The nearest date of each date; of two equally near ones the earlier."""
    if not len(theirs):
        return np.full(len(ours), FREE, dtype=np.intp)
    if not (ours.single and theirs.single):
        return _cheapest_by_blocks(ours, theirs, None, first=False)
    before, after = _nearest_days(ours, theirs)
    here = np.arange(len(ours))
    nearer = ours.distance(theirs, here, after) < ours.distance(theirs, here, before)
    return np.where(nearer, after, before)


def cheapest_by_content(
    ours: Dates, theirs: Dates, similarity: Similarity, *, first: bool
) -> Places:
    """The cheapest date of each date by distance and words.

    Of several the nearest is taken, or with `first` the earliest, however far.
    """
    if not len(theirs):
        return np.full(len(ours), FREE, dtype=np.intp)
    if not (ours.single and theirs.single):
        return _cheapest_by_blocks(ours, theirs, similarity, first=first)
    found = np.empty(len(ours), dtype=np.intp)
    before, after = _nearest_days(ours, theirs)
    for start in range(0, len(ours), BLOCK):
        stop = min(start + BLOCK, len(ours))
        here = np.arange(start, stop)
        rows, columns, f1 = similarity.entries(start, stop)
        every_row = np.concatenate([here, here, rows])
        every_column = np.concatenate([before[start:stop], after[start:stop], columns])
        likeness = np.concatenate([np.zeros(2 * len(here)), f1])
        distance = ours.distance(theirs, every_row, every_column)
        costs = date_costs(distance) * (1.0 - likeness)
        far = np.zeros_like(distance) if first else distance
        found[start:stop] = _lowest_by_row(every_row - start, every_column, costs, far, len(here))
    return found


def _lowest_by_row(
    rows: Places, columns: Places, costs: Floats, distances: Ints, size: int
) -> Places:
    """Of candidates in any order, each row's cheapest, then nearest, then earliest column."""
    lowest = np.full(size, np.inf)
    np.minimum.at(lowest, rows, costs)
    good = costs <= lowest[rows] + NOISE
    rows, columns, distances = rows[good], columns[good], distances[good]
    order = np.lexsort((columns, distances, rows))
    rows = rows[order]
    return columns[order[np.r_[True, rows[1:] != rows[:-1]]]]


def _cheapest_by_blocks(
    ours: Dates, theirs: Dates, similarity: Similarity | None, *, first: bool
) -> Places:
    """Look at all pairs, some rows at a time: months and years have no order to search by."""
    found = [np.empty(0, dtype=np.intp)]
    columns = np.arange(len(theirs))
    for start in range(0, len(ours), BLOCK):
        stop = min(start + BLOCK, len(ours))
        distances = ours.rows(start, stop).distances(theirs)
        costs = date_costs(distances)
        if similarity is not None:
            rows, there, f1 = similarity.entries(start, stop)
            costs[rows - start, there] *= 1.0 - f1
        ends = ours.mismatch(theirs, np.arange(start, stop)[:, None], columns)
        found.append(cheapest_columns(costs, () if first else (distances, ends)))
    return np.concatenate(found)
