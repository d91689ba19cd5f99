"""Which pairs can be in a best matching where nearly all units are similar enough to be matched.

Held one by one, with what a search for ties needs, millions of pairs take gigabytes. In one table
they are solved at once. The units then have prices: a best matching is made of nothing but pairs
that are worth what their units cost together, and these are few. Where texts repeat, they may be
many; then what breaks ties becomes the cost, in the same table.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.assignment import BLOCK, EQUAL, STEP, column_potentials, transpose_tie
from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import Tie

PAIR, EMPTY, DROPPED = 0, 1, 2
"""What a cell is: a pair, no pair, or part of no best matching."""
Cells: TypeAlias = NDArray[np.int8]
DIGITS = 9
"""Similarities are rounded to so many digits."""


class Prices(NamedTuple):
    """What the units of both sides are worth in a best matching."""

    rows: Floats
    columns: Floats


class Alike(NamedTuple):
    """The pairs that are similar enough to be matched."""

    rows: Places
    columns: Places
    values: Floats

    @classmethod
    def of(cls, table: Floats, threshold: float) -> "Alike":
        """Those cells of a table that reach the threshold and are above 0, in order of rows."""
        rows, columns = np.nonzero((table >= threshold) & (table > 0))
        return cls(rows, columns, table[rows, columns])

    @classmethod
    def joined(cls, pieces: Iterable["Alike"]) -> "Alike":
        """Several pieces as one, in order of rows, then of columns."""
        empty = cls(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))
        joined = cls(*map(np.concatenate, zip(empty, *pieces, strict=True)))
        return joined.chosen(np.lexsort((joined.columns, joined.rows)))

    def chosen(self, places: Places | NDArray[np.bool_]) -> "Alike":
        """Some of the pairs."""
        return Alike(self.rows[places], self.columns[places], self.values[places])

    @property
    def turned(self) -> "Alike":
        """The same with rows and columns exchanged."""
        return Alike(self.columns, self.rows, self.values)


def find_useful_pairs(
    pieces: Iterable[Alike], shape: tuple[int, int], ties: Sequence[Tie], most: int
) -> Alike:
    """The pairs of which all matchings of the largest total are made.

    While these are more than `most`, as where texts are the same, they are those of the matchings
    that are also the best by the first of the ties, by the second, and so on.
    """
    if shape[0] > shape[1]:
        turned = (piece.turned for piece in pieces)
        exchanged = [transpose_tie(tie) for tie in ties]
        found = find_useful_pairs(turned, (shape[1], shape[0]), exchanged, most)
        return Alike.joined([found.turned])
    # Rounded as in `assignment`; a cell of 0 is no pair and leaves its row free.
    costs = np.zeros(shape)
    for piece in pieces:
        costs[piece.rows, piece.columns] = np.rint(piece.values / STEP) * -STEP
    prices = _find_prices(costs)
    cells: Cells = (costs == 0).view(np.int8)
    _drop_cells(cells, costs, prices, EQUAL)
    spare = (prices.columns <= EQUAL) & (shape[0] < shape[1])
    for tie in ties:
        if cells.size - np.count_nonzero(cells) <= most:
            break
        _replace_costs(costs, cells, spare, tie)
        others = _find_prices(costs)
        _drop_cells(cells, costs, others, 0.0)
        spare &= others.columns <= 0
    del costs
    rows, columns = np.nonzero(cells == PAIR)
    # A pair that is left is worth what its units cost; similarities have nine digits.
    worth = prices.rows[rows] + prices.columns[columns]
    return Alike(rows, columns, np.round(worth, DIGITS))


def _find_prices(costs: Floats) -> Prices:
    """What rows and columns are worth in the cheapest assignment; none is worth more."""
    # scipy.optimize is slow to import; only this function pays for it.
    from scipy.optimize import linear_sum_assignment

    match = np.asarray(linear_sum_assignment(costs)[1])
    own = costs[np.arange(len(match)), match]
    potential = column_potentials(costs, match, own)
    return Prices(potential[match] - own, -potential)


def _drop_cells(cells: Cells, costs: Floats, prices: Prices, tolerance: float) -> None:
    """Drop the cells that no cheapest assignment has."""
    for begin in range(0, len(costs), BLOCK):
        some = slice(begin, begin + BLOCK)
        slack = costs[some] + prices.rows[some, None]
        slack += prices.columns
        cells[some][slack > tolerance] = DROPPED


def _replace_costs(costs: Floats, cells: Cells, spare: NDArray[np.bool_], tie: Tie) -> None:
    """Let a criterion be the cost of the pairs that are left.

    A column that must not stay free saves more than all of them cost, and a cell that was dropped
    costs more than all columns save.
    """
    every = np.arange(costs.shape[1])
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, len(costs), BLOCK)]
    for some in blocks:
        rows = np.arange(len(costs))[some]
        costs[some] = np.where(cells[some] == PAIR, tie(rows[:, None], every), 0)
    largest = max(costs.max(), -costs.min())
    saved = (largest + 1) * (len(costs) + 1)
    for some in blocks:
        costs[some] -= np.where(spare, 0.0, saved)
        costs[some][cells[some] == DROPPED] = 2 * saved * (len(costs) + 1)
