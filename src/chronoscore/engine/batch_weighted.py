"""ROUGE-W for many pairs of sentences at once.

The table of weights has no form in bits. It is filled diagonal by diagonal instead, all
cells of a diagonal and all pairs of sentences of about the same size in one step.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine.clipping import Flags
from chronoscore.engine.numbering import Numbers, bounds, ranges
from chronoscore.engine.shared import Pairs, Shared, sentence_lengths
from chronoscore.text.batch import Layout

Weights = NDArray[np.float64]
Moves = NDArray[np.int8]

LEFT, UP, DIAGONAL = 0, 1, 2
# Cells of the tables that are filled at once.
CELLS = 1 << 20
FEW_CELLS = 1 << 18
NO_WORD, NO_OTHER_WORD = -1, -2
# Sentences of 9 and 10 words are filled up to 10, those of 11 and 12 to 12, and so on.
_SIZES = np.unique([part << power for power in range(40) for part in (4, 5, 6, 7)] + [1, 2, 3])


def weighted_marks(layout: Layout, pairs: Pairs, shared: Shared, powers: Weights) -> Flags:
    """Mark the reference words that lie on a heaviest common subsequence with any sentence.

    All words of the pairs' references have a mark, laid end to end. `powers` are the
    weights of runs by length.
    """
    theirs = shared.reference.everywhere(NO_WORD)
    ours = shared.system.everywhere(NO_OTHER_WORD)
    marked = np.zeros(len(theirs), dtype=np.bool_)
    everyone = _meetings(layout, pairs, shared)
    for meetings in _blocks(everyone) if len(everyone.starts) else ():
        reference = _columns(theirs, meetings.starts, meetings.lengths, NO_WORD)
        system = _columns(ours, meetings.other_starts, meetings.other_lengths, NO_OTHER_WORD)
        moves = _fill(reference, system, powers)
        for rows, which in _walk_back(moves, meetings.lengths, meetings.other_lengths):
            marked[meetings.starts[which] + rows] = True
    return marked


@dataclass(frozen=True, slots=True)
class Meetings:
    """Reference sentences that meet system sentences: where each starts, how long it is."""

    starts: Numbers
    lengths: Numbers
    other_starts: Numbers
    other_lengths: Numbers

    @property
    def sizes(self) -> tuple[Numbers, Numbers]:
        """The lengths of either side."""
        return self.lengths, self.other_lengths

    def only(self, kept: Numbers) -> "Meetings":
        """Keep some of the meetings."""
        return Meetings(
            self.starts[kept],
            self.lengths[kept],
            self.other_starts[kept],
            self.other_lengths[kept],
        )


def _meetings(layout: Layout, pairs: Pairs, shared: Shared) -> Meetings:
    """Let each reference sentence that shares words meet each sentence of its system."""
    counts, lengths = sentence_lengths(layout, pairs.references)
    starts = bounds(lengths)[:-1]
    owners = np.repeat(np.arange(len(pairs)), counts)
    sharing = np.zeros(len(lengths), dtype=np.bool_)
    sharing[np.repeat(np.arange(len(lengths)), lengths)[shared.reference.places]] = True
    kept = np.flatnonzero(sharing)

    other_counts, other_lengths = sentence_lengths(layout, pairs.systems)
    other_starts, first_other = bounds(other_lengths)[:-1], bounds(other_counts)
    slots = pairs.slots[owners[kept]]
    met = np.repeat(kept, other_counts[slots])
    others = ranges(first_other[slots], other_counts[slots])
    some = np.flatnonzero(other_lengths[others])
    met, others = met[some], others[some]
    return Meetings(starts[met], lengths[met], other_starts[others], other_lengths[others])


def _blocks(meetings: Meetings) -> Iterator[Meetings]:
    """Take meetings of about the same size together, as many as the cells allow."""
    heights, widths = (_SIZES[np.searchsorted(_SIZES, lengths)] for lengths in meetings.sizes)
    order = np.lexsort((widths, heights))
    heights, widths = heights[order], widths[order]
    turns = np.flatnonzero(np.diff(heights) | np.diff(widths)) + 1
    start, height, width = 0, 0, 0
    for first, after in pairwise([0, *turns.tolist(), len(order)]):
        # A small block costs as much as a large one: different sizes may share it.
        taller, wider = max(height, int(heights[first])), max(width, int(widths[first]))
        if first > start and taller * wider * (after - start) > FEW_CELLS:
            yield from _pieces(meetings, order[start:first], height * width)
            start, taller, wider = first, int(heights[first]), int(widths[first])
        height, width = taller, wider
    yield from _pieces(meetings, order[start:], height * width)


def _pieces(meetings: Meetings, which: Numbers, cells: int) -> Iterator[Meetings]:
    """Divide meetings that take so many cells each."""
    step = max(1, CELLS // cells)
    for first in range(0, len(which), step):
        yield meetings.only(which[first : first + step])


def _columns(types: Numbers, starts: Numbers, lengths: Numbers, blank: int) -> Numbers:
    """Set the words of each sentence in a column, with blanks below where it is short."""
    found = np.full((int(lengths.max()), len(lengths)), blank, dtype=np.int64)
    columns = np.repeat(np.arange(len(lengths)), lengths)
    rows = ranges(np.zeros_like(lengths), lengths)
    found[rows, columns] = types[ranges(starts, lengths)]
    return found


def _fill(reference: Numbers, system: Numbers, powers: Weights) -> Moves:
    """Fill the tables; give the move that each cell was reached by, by diagonal and row.

    A match continues the run of the cell diagonally before it, and counts even where a
    neighbour weighs more. The weights are added and taken away in Perl's order: sums
    that differ in their last bit would break ties elsewhere.
    """
    height, width = len(reference), len(system)
    backwards = system[::-1]
    # Row r of the table is row r + 1 here, so that the row and column before the first are 0.
    weights = np.zeros((3, height + 1, reference.shape[1]))
    runs = np.zeros((3, height + 1, reference.shape[1]), dtype=np.int32)
    moves = np.empty((height + width - 1, height, reference.shape[1]), dtype=np.int8)
    for diagonal in range(height + width - 1):
        low, high = max(0, diagonal - width + 1), min(height, diagonal + 1)
        here, before, last = (diagonal % 3, (diagonal - 1) % 3, (diagonal - 2) % 3)
        up, left = weights[before, low:high], weights[before, low + 1 : high + 1]
        rising = up >= left
        weight, run = weights[here, low + 1 : high + 1], runs[here, low + 1 : high + 1]
        weight[...] = np.where(rising, up, left)
        run[...] = 0
        move = moves[diagonal, low:high]
        move[...] = rising
        shift = width - 1 - diagonal
        match = np.nonzero(reference[low:high] == backwards[low + shift : high + shift])
        length = runs[last, low:high][match]
        weight[match] = weights[last, low:high][match] + powers[length + 1] - powers[length]
        run[match] = length + 1
        move[match] = DIAGONAL
    return moves


def _walk_back(
    moves: Moves, lengths: Numbers, other_lengths: Numbers
) -> Iterator[tuple[Numbers, Numbers]]:
    """Walk back from the last cell of every table; give the rows marked and whose they are."""
    tables = np.arange(len(lengths))
    rows, columns = lengths - 1, other_lengths - 1
    while len(tables):
        move = moves[rows + columns, rows, tables]
        matched = move == DIAGONAL
        yield rows[matched], tables[matched]
        rows = rows - (move != LEFT)
        columns = columns - (move != UP)
        inside = (rows >= 0) & (columns >= 0)
        tables, rows, columns = tables[inside], rows[inside], columns[inside]
