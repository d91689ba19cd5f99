"""One-to-one alignment by a full table of costs: linear assignment, with a rule for ties.

Costs are first rounded to whole multiples of a very small step, so that sums and
differences of them are exact in double precision and a tie is a tie, not an accident of
the order in which a solver adds. Assignments whose costs differ by less than `EQUAL` then
count as equally good, and `ties` chooses among them.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from chronoscore.align.alignment import Alignment
from chronoscore.align.dates import Floats, Places
from chronoscore.align.lexicographic import assign_by_columns, assign_by_rows, columns_to_rows
from chronoscore.align.ties import FREE, Choices, Tie, break_ties, keep_optimal_edges

Start: TypeAlias = tuple[Floats, Floats]
"""Potentials of the rows and of the columns."""

EQUAL = 1e-12
"""Costs of at most 1 that are closer than this are equal."""
STEP = 2.0**-48
"""Costs of at most 1 are multiples of this; sums stay exact while they are below 32."""
BLOCK = 256
"""Rows of a large table that are worked on at a time, to stay in the processor's cache."""


def solve_assignment(
    costs: Floats, ties: Sequence[Tie] = (), start: Start | None = None
) -> Alignment:
    """Pair rows and columns one to one at the lowest total cost.

    As many pairs are made as the shorter side allows; an infinite cost forbids a pair. Of
    equally cheap assignments the first by the ties (whole numbers, summed over the pairs)
    is taken, and at last each side's dates in turn take the earliest partner they can.
    `start` may give potentials of rows and columns that are near the best ones; they change
    the time it takes and nothing else.
    """
    if costs.shape[0] > costs.shape[1]:
        turned = [transpose_tie(tie) for tie in ties]
        return solve_assignment(
            np.ascontiguousarray(costs.T), turned, start and start[::-1]
        ).mirrored
    if not costs.size:
        return Alignment(*(np.full(size, FREE, dtype=np.intp) for size in costs.shape))
    table, scale, bound = round_costs(costs)
    choices = break_ties(_find_optimal(table, EQUAL * scale, start), ties)
    found = Alignment(
        assign_by_rows(choices), columns_to_rows(assign_by_columns(choices), costs.shape[1])
    )
    return found if bound is None else _drop_forbidden(found, costs)


def solve_sparse(rows: Places, columns: Places, costs: Floats, ties: Sequence[Tie] = ()) -> Places:
    """The column of each row in the cheapest assignment, where only some pairs are possible.

    Pairs and their costs are given one by one, and some assignment must give every row a
    column. Equally cheap assignments are told apart as in `solve_assignment`; the table of all
    pairs, most of which may be impossible, is never made.
    """
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    table, scale, _ = round_costs(costs)
    # The solver takes no pair of weight 0; a constant for every pair changes nothing.
    shifted = table + (2 * scale - table.min())
    width = int(columns.max()) + 1
    graph = csr_array((shifted, (rows, columns)), shape=(int(rows.max()) + 1, width))
    match = np.asarray(min_weight_full_bipartite_matching(graph)[1], dtype=np.intp)
    spare = (
        np.ones(width, dtype=np.bool_) if len(match) < width else np.zeros(width, dtype=np.bool_)
    )
    choices = keep_optimal_edges(Choices(match, rows, columns, spare), table, EQUAL * scale)
    return assign_by_rows(break_ties(choices, ties))


def transpose_tie(tie: Tie) -> Tie:
    """The same criterion with rows and columns exchanged."""
    return lambda rows, columns: tie(columns, rows)


def round_costs(costs: Floats) -> tuple[Floats, float, float | None]:
    """Round costs to multiples of a step that fits their size; replace infinite ones.

    Gives the costs, their scale (a power of 2), and what stands for an infinite cost, if
    there is any: more than any assignment of finite costs can differ from another.
    """
    finite = np.isfinite(costs)
    largest = float(np.abs(costs).max(where=finite, initial=0.0))
    bound = None if finite.all() else (2 * largest or 1.0) * (min(costs.shape) + 1)
    scale = max(1.0, 2.0 ** np.ceil(np.log2(max(largest, bound or 0.0, 1.0))))
    table = costs if bound is None else np.where(finite, costs, bound)
    table = table * (1 / (STEP * scale))
    np.rint(table, out=table)
    table *= STEP * scale
    return table, scale, bound


def _drop_forbidden(found: Alignment, costs: Floats) -> Alignment:
    """Undo pairs that were made only because every row had to have a column."""
    system, reference = found.system.copy(), found.reference.copy()
    system[np.isinf(costs[np.arange(len(system)), system])] = FREE
    lone = reference != FREE
    lone[lone] = np.isinf(costs[reference[lone], np.flatnonzero(lone)])
    reference[lone] = FREE
    return Alignment(system, reference)


def _find_optimal(table: Floats, tolerance: float, start: Start | None = None) -> Choices:
    """Solve for the lowest total cost and find every edge that an equally cheap solution has."""
    match = _solve(table, start)
    own = table[np.arange(len(match)), match]
    potential = column_potentials(table, match, own)
    lead = potential[match] - own
    rows, columns = [], []
    for begin in range(0, len(table), BLOCK):
        block = table[begin : begin + BLOCK] + lead[begin : begin + BLOCK, None]
        here, there = np.nonzero(block - potential <= tolerance)
        rows.append(here + begin)
        columns.append(there)
    every = np.ones(table.shape[1], dtype=bool)
    spare = every if table.shape[0] < table.shape[1] else ~every
    choices = Choices(match, np.concatenate(rows), np.concatenate(columns), spare)
    return keep_optimal_edges(choices, table[choices.rows, choices.columns], tolerance)


def _solve(table: Floats, start: Start | None) -> Places:
    """The column of each row in one cheapest assignment."""
    # scipy.optimize is slow to import; only this function pays for it.
    from scipy.optimize import linear_sum_assignment

    if start is None:
        return np.asarray(linear_sum_assignment(table)[1])
    rows, columns = (round_costs(potentials)[0] for potentials in start)
    square = np.zeros((table.shape[1], table.shape[1]))
    np.subtract(table, rows[:, None], out=square[: len(table)])
    square -= columns
    return np.asarray(linear_sum_assignment(square)[1][: len(table)])


def column_potentials(table: Floats, match: Places, own: Floats) -> Floats:
    """Shortest distances as in `ties.potentials`, for a graph that has all arcs."""
    potential = np.zeros(table.shape[1])
    changed = np.arange(len(match))
    for _ in range(table.shape[1]):
        nearest = potential.copy()
        for start in range(0, len(changed), BLOCK):
            rows = changed[start : start + BLOCK]
            lead = potential[match[rows]] - own[rows]
            np.minimum(nearest, (table[rows] + lead[:, None]).min(axis=0), out=nearest)
        changed = np.flatnonzero(nearest[match] < potential[match])
        potential = nearest
        if not len(changed):
            break
    return potential
