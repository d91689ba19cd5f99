"""One-to-one matching of what is alike, whatever its dates: the largest total similarity wins.

Pairs below a threshold are never made, and nothing has to be matched. Equally good matchings are
told apart by their dates, the smaller total distance first, then (for months and years) by how
closely their ends match, then by the number of pairs, and at last by order: each text of the
system's in turn takes the earliest partner it can.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

import numpy as np

from chronoscore.align.assignment import solve_sparse
from chronoscore.align.crowded import Alike, find_useful_pairs
from chronoscore.align.dates import Dates, Ints, Places
from chronoscore.align.ties import Tie

MOST = 500_000
"""Pairs that are matched at once, however many units there are."""
DENSITY = 25
"""One pair for so many cells takes as much memory as a table of all cells."""


def match_pieces(pieces: Iterable[Alike], system: Dates, reference: Dates) -> Alike:
    """Match pairs that come in pieces, each pair in one of them; gives those that are taken."""
    shape = len(system), len(reference)
    most = max(MOST, shape[0] * shape[1] // DENSITY)
    held: list[Alike] = []
    remaining = iter(pieces)
    for piece in remaining:
        held.append(piece)
        if sum(len(one.rows) for one in held) > most:
            ties = (
                partial(system.distance, reference),
                partial(system.mismatch, reference),
                _pair_up,
            )
            held = [find_useful_pairs(chain(_drain(held), remaining), shape, ties, most)]
    alike = Alike.joined(held)
    return alike.chosen(match_similar(alike, system, reference))


def _pair_up(_row: Places, _column: Places) -> Ints:
    """The more pairs, the better."""
    return np.array(-1)


def _drain(pieces: list[Alike]) -> Iterator[Alike]:
    """Give away the pieces one by one."""
    while pieces:
        yield pieces.pop()


def match_similar(alike: Alike, system: Dates, reference: Dates) -> Places:
    """Match rows (the system's) with columns (the reference's); gives the pairs that are taken.

    >>> dates = Dates(np.arange(2), np.arange(2))
    >>> match_similar(Alike.of(np.array([[1.0, 0.45], [0.45, 0.0]]), 0.4), dates, dates)
    array([0])
    """
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # What no chain of pairs connects is matched apart.
    rows, columns = alike.rows, alike.columns
    size = len(system) + len(reference)
    edges = (np.ones(len(rows), dtype=np.int8), (rows, columns + len(system)))
    _, labels = connected_components(coo_array(edges, shape=(size, size)).tocsr(), directed=False)
    part = labels[rows]
    order = np.argsort(part, kind="stable")
    taken = np.zeros(len(rows), dtype=np.bool_)
    for some in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        if len(some) == 1:
            taken[some] = True
        elif len(some):
            taken[some[_match_part(alike.chosen(some), system, reference)]] = True
    return np.flatnonzero(taken)


def _match_part(alike: Alike, system: Dates, reference: Dates) -> Places:
    """Match one connected part: an assignment in which rows may be free.

    Behind the columns each row has a column of its own, which costs nothing and stands for
    being free.
    """
    here, rows = np.unique(alike.rows, return_inverse=True)
    there, columns = np.unique(alike.columns, return_inverse=True)
    width, alone = len(there), np.arange(len(here))
    costs = np.concatenate([-alike.values, np.zeros(len(here))])
    edges = np.concatenate([rows, alone]), np.concatenate([columns, width + alone])

    def days(row: Places, column: Places) -> Ints:
        real = column < width
        distances = system.distance(reference, here[row], there[np.where(real, column, 0)])
        return np.where(real, distances, 0)

    def mismatch(row: Places, column: Places) -> Ints:
        real = column < width
        apart = system.mismatch(reference, here[row], there[np.where(real, column, 0)])
        return np.where(real, apart, 0)

    def unmatched(_row: Places, column: Places) -> Ints:
        return (column >= width).astype(np.int64)

    ties: list[Tie] = [days, mismatch, unmatched]
    found = solve_sparse(*edges, costs, ties)
    return np.flatnonzero(found[rows] == columns)
