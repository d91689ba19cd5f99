"""The frame of all alignments: a cost for each pair of dates, one to one or many to one.

One to one, the total cost is minimal; many to one, each date takes its cheapest. Ties are
decided by a rule, never by a solver: among equally cheap alignments the smaller total
distance in days wins, then (for months and years) the closer match of their ends, and then
each date in turn, the earliest first, takes the earliest partner it can. With `first` a
many-to-one tie goes to the earliest date however far it is, as in tilse.
"""

import numpy as np

from chronoscore.align.alignment import Alignment
from chronoscore.align.assignment import Start, solve_assignment
from chronoscore.align.content import Similarity, content_costs
from chronoscore.align.dates import Dates, Floats, Ints
from chronoscore.align.line import align_days, date_costs
from chronoscore.align.nearest import cheapest_by_content, cheapest_columns, nearest_dates
from chronoscore.align.ties import FREE, Tie
from chronoscore.align.warm_start import warm_start


def align_same_dates(system: Dates, reference: Dates) -> Alignment:
    """Pair only what is at no distance, one to one: the same day, or a month and its day."""
    if system.single and reference.single:
        forward = np.full(len(system), FREE, dtype=np.intp)
        backward = np.full(len(reference), FREE, dtype=np.intp)
        _, same, alike = np.intersect1d(
            system.first, reference.first, assume_unique=True, return_indices=True
        )
        forward[same], backward[alike] = alike, same
        return Alignment(forward, backward)
    distances = system.distances(reference)
    return align_by_costs(np.where(distances == 0, 0.0, np.inf), system, reference)


def align_by_date(system: Dates, reference: Dates, *, many: bool = False) -> Alignment:
    """Pair by distance alone."""
    if many:
        return Alignment(nearest_dates(system, reference), nearest_dates(reference, system))
    if system.single and reference.single:
        return align_days(system, reference)
    return align_by_costs(date_costs(system.distances(reference)), system, reference)


def align_by_content(
    system: Dates,
    reference: Dates,
    similarity: Similarity,
    *,
    many: bool = False,
    first: bool = False,
) -> Alignment:
    """Pair by distance and shared words."""
    if not similarity.overlap.nnz:
        return align_by_date(system, reference, many=many)
    if many:
        return Alignment(
            cheapest_by_content(system, reference, similarity, first=first),
            cheapest_by_content(reference, system, similarity.mirrored, first=first),
        )
    costs = content_costs(system, reference, similarity)
    return align_by_costs(costs, system, reference, start=warm_start(system, reference, costs))


def align_by_costs(
    costs: Floats,
    system: Dates,
    reference: Dates,
    *,
    many: bool = False,
    first: bool = False,
    start: Start | None = None,
) -> Alignment:
    """Pair by any table of costs, a row for each system date; an infinite cost forbids a pair."""
    if many:
        both = (system.distances(reference), _end_distances(system, reference)) if not first else ()
        return Alignment(
            cheapest_columns(costs, both), cheapest_columns(costs.T, [tie.T for tie in both])
        )
    ties: list[Tie] = [lambda here, there: system.distance(reference, here, there)]
    if not (system.single and reference.single):
        ties.append(lambda here, there: system.mismatch(reference, here, there))
    return solve_assignment(costs, ties, start)


def _end_distances(system: Dates, reference: Dates) -> Ints:
    """How far the ends of every pair of dates are apart."""
    return system.mismatch(reference, np.arange(len(system))[:, None], np.arange(len(reference)))
