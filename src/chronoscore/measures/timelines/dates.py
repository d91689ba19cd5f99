"""The choice of dates alone: precision, recall and F of the selected dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chronoscore.align import (
    Alignment,
    Dates,
    align_by_costs,
    align_by_date,
    align_same_dates,
)
from chronoscore.align.dates import Places
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.timelines import blind_spots
from chronoscore.measures.timelines.flat import FlatPairs
from chronoscore.measures.timelines.texts import Texts
from chronoscore.measures.timelines.window import pair_days, pair_spans
from chronoscore.options import Averaging


@dataclass(frozen=True, kw_only=True)
class DateMeasure(Measure):
    """Which of the references' dates a timeline has, whatever it says about them.

    A date counts if the other side has it too; with `within` also if the other side has
    one at most this many days away, each date matched with one other (or with `many` with
    any number). With `soft` dates are paired one to one and count 1/(d+1) at d days'
    distance.

    >>> str(DateMeasure(within=3, part="f"))
    'dates(within=3).f'
    """

    name: ClassVar[str] = "dates"
    needs = Timeline
    averaging: ClassVar[Averaging] = "of-means"
    known_faults: ClassVar[frozenset[str]] = (
        frozenset({"merge", "shift", "swap", "split", "shuffle", "halve"}) | blind_spots.OF_TEXTS
    )
    within: int = 0
    many: bool = False
    soft: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.within < 0:
            raise UsageError(f"dates(within={self.within}): write a number of days, 0 or more")
        if self.soft and (self.within or self.many):
            raise UsageError("dates(soft): distances count as they are; leave out within and many")

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count the dates that both sides have."""
        rows = []
        for pair in FlatPairs(pairs, Texts()).pairs:
            system, reference = pair.system.dates, pair.reference.dates
            kept, found = self.count_shared(system, reference)
            rows.append((found, len(reference), kept, len(system)))
        return np.array(rows, dtype=np.float64).reshape(-1, len(self.columns))

    def count_shared(self, system: Dates, reference: Dates) -> tuple[float, float]:
        """What counts of the system's dates, and what of the references'."""
        if self.soft:
            partners = align_by_date(system, reference).system
            here = np.flatnonzero(partners != FREE)
            distances = system.distance(reference, here, partners[here])
            worth = float((1.0 / (distances + 1.0)).sum())
            return worth, worth
        if self.many:
            near = system.distances(reference) <= self.within
            return float(near.any(axis=1).sum()), float(near.any(axis=0).sum())
        hits = self.count_paired(system, reference)
        return hits, hits

    def pair_dates(self, system: Dates, reference: Dates) -> Alignment:
        """The partner by which each date counts: what `count_shared` counts, date by date."""
        if self.soft or self.many:
            aligned = align_by_date(system, reference, many=self.many)
            if self.soft:
                return aligned
            return Alignment(
                _within(self.within, system, reference, aligned.system),
                _within(self.within, reference, system, aligned.reference),
            )
        distances = system.distances(reference)
        costs = np.where(distances <= self.within, distances.astype(np.float64), np.inf)
        return align_by_costs(costs, system, reference)

    def count_paired(self, system: Dates, reference: Dates) -> float:
        """How many dates can be paired one to one within the distance."""
        if not self.within:
            return float((align_same_dates(system, reference).system != FREE).sum())
        if system.single and reference.single:
            return float(pair_days(self.within, system.first, reference.first))
        here, there = np.arange(len(system)), np.arange(len(reference))
        return float(pair_spans(self.within, system, reference, here, there))


def _within(days: int, dates: Dates, others: Dates, partners: Places) -> Places:
    """The partners that are so many days away or fewer."""
    here = np.flatnonzero(partners != FREE)
    far = here[dates.distance(others, here, partners[here]) > days]
    kept = partners.copy()
    kept[far] = FREE
    return kept
