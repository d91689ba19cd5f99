"""ROUGE-W for many pairs of sentences at once.

The weights have no form in bits: each pair of sentences has a table of them, filled diagonal by
diagonal, all tables of about the same size in one step.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine.clipping import Flags
from chronoscore.engine.numbering import Numbers, bounds_of_lengths, concatenate_ranges
from chronoscore.engine.shared import Pairs, Shared, Words, sentence_lengths
from chronoscore.engine.weighted import DIAGONAL, LEFT, UP
from chronoscore.text.batch import Layout

Weights = NDArray[np.float64]
Moves = NDArray[np.int8]

CELLS = 1 << 18
"""Cells of the tables that are filled at once."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences without the words that no table needs.

    A word that is not shared only evens out the row or column before it, and a second one after
    it changes nothing: of each run of them the first is kept, as a blank.
    """

    types: Numbers
    places: Numbers
    starts: Numbers
    lengths: Numbers
    sharing: Numbers
    """The numbers of the sentences that have a shared word."""

    @classmethod
    def thin(cls, words: Words, lengths: Numbers, blank: int) -> "Sentences":
        """Sentences of these lengths, laid end to end, of which `words` are shared."""
        types = np.full(int(lengths.sum()), blank, dtype=np.int64)
        types[words.places] = words.types
        shared = types != blank
        kept = shared.copy()
        kept[1:] |= shared[:-1]
        kept[bounds_of_lengths(lengths)[:-1][lengths > 0]] = True
        sentences = np.repeat(np.arange(len(lengths)), lengths)
        sizes = np.bincount(sentences[kept], minlength=len(lengths))
        sharing = np.unique(sentences[words.places])
        return cls(types[kept], np.flatnonzero(kept), bounds_of_lengths(sizes)[:-1], sizes, sharing)

    def columns(self, which: Numbers, blank: int) -> Numbers:
        """The words of some sentences, each in a column, with blanks below where it is short."""
        lengths = self.lengths[which]
        found = np.full((int(lengths.max()), len(which)), blank, dtype=np.int64)
        columns = np.repeat(np.arange(len(which)), lengths)
        rows = concatenate_ranges(np.zeros_like(lengths), lengths)
        found[rows, columns] = self.types[concatenate_ranges(self.starts[which], lengths)]
        return found


def weighted_marks(layout: Layout, pairs: Pairs, shared: Shared, powers: Weights) -> Flags:
    """Mark the words of the references that lie on a heavy common subsequence with any sentence.

    All words of the pairs' references have a mark, laid end to end. `powers` are the weights of
    runs by length.
    """
    counts, lengths = sentence_lengths(layout, pairs.references)
    theirs = Sentences.thin(shared.reference, lengths, -1)
    own_counts, own_lengths = sentence_lengths(layout, pairs.systems)
    ours = Sentences.thin(shared.system, own_lengths, -2)
    marked = np.zeros(int(lengths.sum()), dtype=np.bool_)
    first = np.searchsorted(ours.sharing, bounds_of_lengths(own_counts))
    slots = pairs.slots[np.repeat(np.arange(len(pairs)), counts)[theirs.sharing]]
    meetings = np.diff(first)[slots]
    one = np.repeat(theirs.sharing, meetings)
    other = ours.sharing[concatenate_ranges(first[slots], meetings)]
    for which in _pieces(theirs.lengths[one], ours.lengths[other]):
        rows, columns = one[which], other[which]
        moves = _fill(theirs.columns(rows, -1), ours.columns(columns, -2), powers)
        for places, tables in _walk_back(moves, theirs.lengths[rows], ours.lengths[columns]):
            marked[theirs.places[theirs.starts[rows[tables]] + places]] = True
    return marked


def _pieces(heights: Numbers, widths: Numbers) -> Iterator[Numbers]:
    """Take tables of about the same size together, as many as the cells allow."""
    order = np.lexsort((widths, heights))
    ends = np.cumsum((heights * widths)[order])
    start = 0
    while start < len(order):
        goal = (ends[start - 1] if start else 0) + CELLS
        end = max(start + 1, int(np.searchsorted(ends, goal)))
        yield order[start:end]
        start = end


def _fill(reference: Numbers, system: Numbers, powers: Weights) -> Moves:
    """Fill the tables; give the move that each cell was reached by, by diagonal and row.

    A match continues the run of the cell diagonally before it, and counts even where a
    neighbor weighs more. The weights are added and taken away in Perl's order: sums that
    differ in their last bit would break ties elsewhere.
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
        weight, run = weights[here, low + 1 : high + 1], runs[here, low + 1 : high + 1]
        np.maximum(up, left, out=weight)
        run[...] = 0
        move = moves[diagonal, low:high]
        np.add(UP, up < left, out=move, casting="unsafe")
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
