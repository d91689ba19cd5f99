"""A head start for large assignments that hang on dates alone.

Where nearly all pairs of days are alike (hardly any shares a word, or all share the same
ones) the costs are a multiple of those of the dates, and the solver crawls along a chain of
near-ties that runs through all of them. But the alignment by dates is known at once, and so
are its potentials: with these taken off, what is left to solve is nearly done. Taking a
number off a whole row or column changes no choice as long as every row and every column is
used, which is why the shorter side is filled up with rows that cost nothing.
"""

import numpy as np

from chronoscore.align.assignment import Start, column_potentials, round_costs
from chronoscore.align.dates import Dates, Floats, Places
from chronoscore.align.line import align_days, date_costs

LARGE = 1000
"""Dates on the shorter side from which a head start can pay."""
ALIKE = 0.95
"""Share of pairs that must be alike; with more variety the solver is faster by itself."""


def warm_start(system: Dates, reference: Dates, costs: Floats) -> Start | None:
    """Potentials of rows and columns to begin with, where they will help."""
    short, long = sorted(costs.shape)
    if short < LARGE or long > short + short // 4 or not (system.single and reference.single):
        return None
    factor = _common_factor(system, reference, costs)
    if factor is None:
        return None
    if costs.shape[0] > costs.shape[1]:
        columns, rows = _potentials(reference, system)
    else:
        rows, columns = _potentials(system, reference)
    return factor * rows, factor * columns


def _potentials(ours: Dates, theirs: Dates) -> Start:
    """Potentials of the alignment by dates; there are no more of ours than of theirs."""
    table, _, _ = round_costs(date_costs(ours.distances(theirs)))
    match: Places = align_days(ours, theirs).system
    own = table[np.arange(len(match)), match]
    columns = column_potentials(table, match, own)
    return own - columns[match], columns


def _common_factor(system: Dates, reference: Dates, costs: Floats) -> float | None:
    """What most costs are of the costs of their dates, by a sample; nothing if they vary."""
    here = np.arange(0, len(system), max(1, len(system) // 100))
    there = np.arange(0, len(reference), max(1, len(reference) // 100))
    by_date = date_costs(system.distance(reference, here[:, None], there))
    apart = by_date > 0
    shares = np.round(costs[np.ix_(here, there)][apart] / by_date[apart], 9)
    values, counts = np.unique(shares, return_counts=True)
    return float(values[counts.argmax()]) if counts.max() >= ALIKE * counts.sum() else None
