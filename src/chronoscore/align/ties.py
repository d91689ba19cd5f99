"""Which of several equally good assignments: the documented one, whatever the solver found.

An assignment gives every row a column of its own. Let row i leave its column for column j:
an arc from the one column to the other, weighing the change in cost. One more node, the
pool, stands for being free: an arc leads from each free column to it, and from it to each
column that may be left free. Then the optimal assignments are reached from one of them by
turning along cycles of weight 0, and nothing else. By shortest distances (potentials) every
arc on such a cycle has no slack, and it stays within a strong component; what is left of
the graph after both filters is exactly what can still be chosen, and the next criterion is
applied to that alone. Most graphs are empty after the first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Floats, Ints, Places

Tie: TypeAlias = Callable[[Places, Places], Ints]
"""A further criterion: what choosing column `there` for row `here` adds to it."""

FREE = -1


@dataclass(frozen=True, eq=False)
class Choices:
    """One optimal assignment, and the edges that all others among them are made of."""

    match: Places
    """The column of each row."""
    rows: Places
    columns: Places
    spare: NDArray[np.bool_]
    """By column: whether it may be left free."""

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to choose."""
        return bool((self.columns == self.match[self.rows]).all())


def keep_optimal_edges(choices: Choices, costs: Floats, tolerance: float) -> Choices:
    """Keep the edges of optimal assignments only; the match must be one of these.

    Costs are by edge, and every row's own edge is among the edges.
    """
    if choices.settled:
        return choices
    size = len(choices.spare)
    own = choices.columns == choices.match[choices.rows]
    price = np.zeros(len(choices.match))
    price[choices.rows[own]] = costs[own]
    taken = np.zeros(size, dtype=bool)
    taken[choices.match] = True
    edges, free, spare = np.flatnonzero(~own), np.flatnonzero(~taken), np.flatnonzero(choices.spare)
    moves, pool = len(edges), np.array([size])
    tail = np.concatenate([choices.match[choices.rows[edges]], free, pool.repeat(len(spare))])
    head = np.concatenate([choices.columns[edges], pool.repeat(len(free)), spare])
    weight = np.zeros(len(tail))
    weight[:moves] = costs[edges] - price[choices.rows[edges]]
    tight = _on_cycles(size + 1, tail, head, weight, tolerance)
    kept = own.copy()
    kept[edges] = tight[:moves]
    stays = np.zeros(size, dtype=bool)
    stays[spare] = tight[moves + len(free) :]
    return replace(choices, rows=choices.rows[kept], columns=choices.columns[kept], spare=stays)


def _on_cycles(
    size: int, tail: Places, head: Places, weight: Floats, tolerance: float
) -> NDArray[np.bool_]:
    """Tell which arcs lie on cycles of weight 0 (of slack within the tolerance)."""
    potential = _potentials(size, tail, head, weight)
    tight = potential[tail] + weight - potential[head] <= tolerance
    part = _components(size, tail[tight], head[tight])
    return np.asarray(tight & (part[tail] == part[head]))


def _potentials(size: int, tail: Places, head: Places, weight: Floats) -> Floats:
    """Shortest distances from anywhere; the graph must have no negative cycle."""
    found = np.zeros(size)
    if not len(tail):
        return found
    order = np.argsort(head, kind="stable")
    tail, head, weight = tail[order], head[order], weight[order]
    starts = np.flatnonzero(np.r_[True, head[1:] != head[:-1]])
    reached = head[starts]
    for _ in range(size):
        nearest = np.minimum(np.minimum.reduceat(found[tail] + weight, starts), found[reached])
        if (nearest == found[reached]).all():
            break
        found[reached] = nearest
    return found


def _components(size: int, tail: Places, head: Places) -> NDArray[np.int32]:
    """Number the strong components: nodes that can reach each other."""
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(tail), dtype=np.int8), (tail, head)), shape=(size, size))
    _, labels = connected_components(graph.tocsr(), directed=True, connection="strong")
    return np.asarray(labels)


def _improve(choices: Choices, costs: Floats) -> Choices:
    """Move to the assignment among the choices that is cheapest by other, whole costs.

    Rows that share no column with others by any path are solved apart.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, columns, size = len(choices.match), len(choices.spare), len(choices.match)
    shape = (rows + columns, rows + columns)
    ones = np.ones(len(choices.rows), dtype=np.int8)
    graph = coo_array((ones, (choices.rows, choices.columns + size)), shape=shape)
    _, labels = connected_components(graph.tocsr(), directed=False)
    part = labels[choices.rows]
    order = np.argsort(part, kind="stable")
    match = choices.match.copy()
    bounds = np.flatnonzero(np.diff(part[order])) + 1
    for edges in np.split(order, bounds):
        inside = np.unique(choices.rows[edges])
        if len(edges) > len(inside):
            _solve_part(choices, costs, edges, inside, match)
    return replace(choices, match=match)


def _solve_part(
    choices: Choices, costs: Floats, edges: Places, inside: Places, match: Places
) -> None:
    """Solve one part as an assignment problem and enter its solution."""
    from scipy.optimize import linear_sum_assignment

    across, place = np.unique(choices.columns[edges], return_inverse=True)
    table = np.full((len(inside), len(across)), np.inf)
    table[np.searchsorted(inside, choices.rows[edges]), place] = costs[edges]
    # A column that must not stay free is worth more than all costs together.
    bound = float(costs[edges].max() + 1) * len(inside)
    table[:, ~choices.spare[across]] -= bound
    chosen_rows, chosen_columns = linear_sum_assignment(table)
    match[inside[chosen_rows]] = across[chosen_columns]


def break_ties(choices: Choices, ties: Sequence[Tie]) -> Choices:
    """Apply further criteria one after the other, each among what the last has left."""
    for tie in ties:
        if choices.settled:
            break
        extra = tie(choices.rows, choices.columns).astype(np.float64)
        choices = keep_optimal_edges(_improve(choices, extra), extra, 0.0)
    return choices
