"""Dates alone: the date on the other side by which each counts, and what it earns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from chronoscore.align import Dates
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, Topic, When
from chronoscore.explanations.explanation import Explanation
from chronoscore.measures.timelines.dates import DateMeasure


class ComparedDate(NamedTuple):
    """A date of the references with the system's, or one of the system that counts for none.

    Its partner is the date by which it counts, or else the nearest one on the other side.
    """

    reference: When | None
    system: When | None
    days: int | None
    """How far its partner is; None where the other side has no date."""
    credit: float
    """What the date earns, from 0 to 1."""


@dataclass(frozen=True)
class DateExplanation(Explanation):
    """Every date of the references with its partner, then what only the system has."""

    measures = (DateMeasure,)

    measure: DateMeasure
    output: Timeline

    @cached_property
    def dates(self) -> list[ComparedDate]:
        """All dates of the references, then those of the system that earn nothing."""
        wanted, own = reference_dates(self.topic), sorted(self.output.dates)
        paired = self.measure.pair_dates(Dates.of(own), Dates.of(wanted))
        found = []
        for when, place in zip(wanted, paired.reference.tolist(), strict=True):
            partner = _nearest(when, own) if place == FREE else own[place]
            days = None if partner is None else when.distance(partner)
            credit = 0.0 if place == FREE or days is None else self._credit(days)
            found.append(ComparedDate(when, partner, days, credit))
        for when, place in zip(own, paired.system.tolist(), strict=True):
            if place == FREE:
                near = _nearest(when, wanted)
                days = None if near is None else when.distance(near)
                found.append(ComparedDate(None, when, days, 0.0))
        return found

    @cached_property
    def crowded(self) -> bool:
        """Whether a date would count if its nearest did not count for another one."""
        near = 0 if self.measure.soft else self.measure.within
        return any(
            not one.credit and one.days is not None and one.days <= near for one in self.dates
        )

    def _credit(self, days: int) -> float:
        """What a date earns by a partner so many days away."""
        return 1 / (days + 1) if self.measure.soft else 1.0


def reference_dates(topic: Topic) -> list[When]:
    """All dates that any reference of a topic has, in order of time."""
    return sorted({entry.when for one in topic.timelines for entry in one})


def _nearest(when: When, others: Sequence[When]) -> When | None:
    """The nearest of other dates, the earlier one of two."""
    return min(others, key=lambda other: (when.distance(other), other), default=None)
