"""One-to-one alignment by dates alone, without a table of all pairs.

The cost d/(d+1) of a distance d is strictly concave, and on a line that leaves little to
choose. In every cheapest alignment of days:

- the same day on both sides is paired with itself, because a detour over a third day
  always costs more;
- two pairs never cross (they lie apart, or one inside the other), and no date of the longer
  side is left free inside a pair, because exchanging partners would be cheaper;
- so between the two days of a pair there are as many days of either side.

Walk along the line, one step up at a day of the one side and one down at a day of the
other: a pair's two steps join the same two heights. The heights are therefore independent
problems, each of them a small one: days of either side in turn.
"""

from collections.abc import Iterator

import numpy as np

from chronoscore.align.alignment import Alignment
from chronoscore.align.assignment import solve_assignment
from chronoscore.align.dates import Dates, Floats, Ints, Places
from chronoscore.align.ties import FREE


def date_costs(distances: Ints) -> Floats:
    """1 − 1/(d+1), rising from 0 on the same day towards 1.

    >>> date_costs(np.array([0, 1, 3]))
    array([0.  , 0.5 , 0.75])
    """
    return distances / (distances + 1.0)


def align_days(system: Dates, reference: Dates) -> Alignment:
    """Align days one to one by their distance; the same as `assign`, sooner."""
    if len(system) > len(reference):
        return align_days(reference, system).mirrored
    forward = np.full(len(system), FREE, dtype=np.intp)
    backward = np.full(len(reference), FREE, dtype=np.intp)
    _, same, alike = np.intersect1d(
        system.first, reference.first, assume_unique=True, return_indices=True
    )
    forward[same], backward[alike] = alike, same
    rows, columns = np.flatnonzero(forward == FREE), np.flatnonzero(backward == FREE)
    for here, there in _days_by_height(system.first[rows], reference.first[columns]):
        inside, across = rows[here], columns[there]
        found = _align_few(system.first[inside], reference.first[across])
        forward[inside] = _translate_places(found.system, across)
        backward[across] = _translate_places(found.reference, inside)
    return Alignment(forward, backward)


def _days_by_height(ours: Ints, theirs: Ints) -> Iterator[tuple[Places, Places]]:
    """The days of either side that can be paired with each other, height by height."""
    days = np.concatenate([ours, theirs])
    step = np.repeat([1, -1], [len(ours), len(theirs)])
    order = np.argsort(days)
    after = np.cumsum(step[order])
    height = np.empty_like(after)
    height[order] = np.maximum(after, after - step[order])
    mine, yours = height[: len(ours)], height[len(ours) :]
    by_mine, by_yours = np.argsort(mine, kind="stable"), np.argsort(yours, kind="stable")
    levels, starts, sizes = np.unique(mine[by_mine], return_index=True, return_counts=True)
    begins = np.searchsorted(yours[by_yours], levels, side="left")
    ends = np.searchsorted(yours[by_yours], levels, side="right")
    for start, size, begin, end in zip(starts, sizes, begins, ends, strict=True):
        yield by_mine[start : start + size], by_yours[begin:end]


def _align_few(ours: Ints, theirs: Ints) -> Alignment:
    """Align the days of one height, of which there are at most one fewer of ours."""
    if len(ours) == 1:
        # Of two equally near days the first is taken: argmin's own rule.
        nearest = np.abs(theirs - ours[0]).argmin(keepdims=True)
        backward = np.full(len(theirs), FREE, dtype=np.intp)
        backward[nearest] = 0
        return Alignment(nearest, backward)
    distances = np.abs(ours[:, None] - theirs)
    return solve_assignment(date_costs(distances), [lambda row, column: distances[row, column]])


def _translate_places(found: Places, numbers: Places) -> Places:
    """Translate places within a few days into places within all of them."""
    return np.where(found == FREE, FREE, numbers[found])
