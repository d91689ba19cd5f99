"""One-to-one matching of what is alike, whatever its dates: the largest total similarity wins.

Pairs below a threshold are never made, and nothing has to be matched. Equally good matchings are
told apart by their dates, the smaller total distance first, then (for months and years) by how
closely their ends match, then by the number of pairs, and at last by order: each text of the
system's in turn takes the earliest partner it can.
"""

import numpy as np

from chronoscore.align.assignment import solve_assignment
from chronoscore.align.dates import Dates, Floats, Ints, Places
from chronoscore.align.ties import FREE, Tie


def match_similar(
    values: Floats, threshold: float, system: Dates, reference: Dates
) -> tuple[Places, Places]:
    """Match rows (the system's) with columns (the reference's); gives both, in order of rows.

    >>> dates = Dates(np.arange(2), np.arange(2))
    >>> match_similar(np.array([[1.0, 0.45], [0.45, 0.0]]), 0.4, dates, dates)
    (array([0]), array([0]))
    """
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, columns = np.nonzero((values >= threshold) & (values > 0))
    # What no chain of pairs connects is matched apart.
    size = sum(values.shape)
    edges = (np.ones(len(rows), dtype=np.int8), (rows, columns + values.shape[0]))
    _, labels = connected_components(coo_array(edges, shape=(size, size)).tocsr(), directed=False)
    part = labels[rows]
    order = np.argsort(part, kind="stable")
    matched = np.full(values.shape[0], FREE, dtype=np.intp)
    for some in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
        if len(some) == 1:
            matched[rows[some]] = columns[some]
        elif len(some):
            _match_part(values, rows[some], columns[some], (system, reference), matched)
    there = np.flatnonzero(matched != FREE)
    return there, matched[there]


def _match_part(
    values: Floats, rows: Places, columns: Places, dates: tuple[Dates, Dates], matched: Places
) -> None:
    """Match one connected part and enter the result: an assignment in which rows may be free.

    Behind the columns each row has a column of its own, which costs nothing and stands for
    being free.
    """
    here, row_places = np.unique(rows, return_inverse=True)
    there, column_places = np.unique(columns, return_inverse=True)
    width = len(there)
    costs = np.full((len(here), width + len(here)), np.inf)
    costs[row_places, column_places] = -values[rows, columns]
    costs[np.arange(len(here)), width + np.arange(len(here))] = 0.0
    system, reference = dates

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
    found = solve_assignment(costs, ties).system
    taken = found < width
    matched[here[taken]] = there[found[taken]]
