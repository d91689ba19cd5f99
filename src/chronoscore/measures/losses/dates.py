"""The account of dates: missed, off by some days, in the wrong year, extra."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from chronoscore.align.dates import Dates, Places
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.losses.entries import DISTANCES, add_up, bin_distances
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.timelines.cost_functions import DAYS
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.frame import Counting, Frame, align_timelines
from chronoscore.measures.timelines.texts import TextReading
from chronoscore.options import Averaging
from chronoscore.text import ranges
from chronoscore.text.preparation import Preparation

OFF = tuple(f"off.{name}" for name in DISTANCES)
FAR = DISTANCES.index("far")
BY_DATE = Frame(DAYS, DAYS)
NO_TEXT = TextReading(Preparation())
"""Nothing is read where dates are aligned by distance."""


@dataclass(frozen=True, kw_only=True)
class DateLosses(Losses):
    """The account of dates: those that are `found`, those that are `off`, `missed` and `p.extra`.

    A date that does not count in full is `off` by the distance of its partner, when dates are
    paired one to one by distance; one without a partner, or more than a week and less than a year
    away from it, is missed or extra.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(
            rate="r",
            good="found",
            causes=(*OFF, "missed"),
            empty="nothing_wanted",
            whole="of what the references say",
        ),
        LossSide(
            rate="p",
            good="p.kept",
            causes=(*(f"p.{name}" for name in OFF), "p.extra"),
            empty="p.nothing_offered",
            whole="of what the system says",
        ),
    )
    parts = part_names(sides, ())
    columns = column_names(sides, ())
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides, ())
    averaging: ClassVar[Averaging] = "of-means"
    needs = Timeline
    of: DateMeasure = field(default=DateMeasure(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """The choice of dates."""
        return isinstance(measure, DateMeasure)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Of exact dates, of dates within some days, and of distances."""
        yield DateMeasure()
        yield DateMeasure(within=3)
        yield DateMeasure(within=3, many=True)
        yield DateMeasure(soft=True)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count the dates of each side by what became of them."""
        rows, soft = [], self.of.soft
        counting = Counting(pairs, NO_TEXT)
        partners = align_timelines([BY_DATE], counting)[BY_DATE]
        sizes = counting.flat.reference.sizes[counting.flat.reference_of]
        inside = np.split(partners.system, counting.flat.system.bounds[1:-1])
        across = np.split(partners.reference, ranges.bounds(sizes)[1:-1])
        for pair, ours, theirs in zip(counting.pairs, inside, across, strict=False):
            system, reference = pair.system.dates, pair.reference.dates
            kept, found = self.of.count_shared(system, reference)
            rows.append(
                np.concatenate(
                    [
                        _spread(found, reference, system, theirs, soft=soft),
                        _spread(kept, system, reference, ours, soft=soft),
                    ]
                )
            )
        return np.array(rows).reshape(-1, len(self.columns))


def _spread(good: float, dates: Dates, others: Dates, partners: Places, *, soft: bool) -> Array:
    """What is good of one side's dates, and the rest by the distance of their partners."""
    here = np.flatnonzero(partners != FREE)
    bins = np.full(len(dates), len(OFF))
    bins[here] = bin_distances(dates, others, here, partners[here])
    bins[bins == FAR] = len(OFF)
    lost = np.ones(len(dates))
    if soft:
        lost[here] -= 1.0 / (dates.distance(others, here, partners[here]) + 1.0)
    by_bin = add_up(bins, lost, len(OFF) + 1)
    if not soft:
        # Those that count are the nearest ones.
        left = np.cumsum(by_bin) - good
        by_bin = np.clip(left, 0.0, by_bin)
    return np.concatenate([[good], by_bin])
