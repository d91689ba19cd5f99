"""Dates alone: the nearest date on the other side, and whether it counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from chronoscore.core import Timeline, Topic, When
from chronoscore.explanations.explanation import Explanation
from chronoscore.measures.timelines.dates import DateMeasure


class NearestDate(NamedTuple):
    """A date of the references with the system's nearest, or one that only the system has."""

    reference: When | None
    system: When | None
    days: int | None
    """How far the nearest date on the other side is; None where that side has none."""
    credit: float
    """What the date earns, from 0 to 1."""


@dataclass(frozen=True)
class DateExplanation(Explanation):
    """Every date of the references with the system's nearest, then what only the system has."""

    measures = (DateMeasure,)

    measure: DateMeasure
    output: Timeline

    @cached_property
    def dates(self) -> list[NearestDate]:
        """All dates of the references, then those of the system that earn nothing."""
        wanted = reference_dates(self.topic)
        own = sorted(self.output.dates)
        found = []
        for when in wanted:
            near = _nearest(when, own)
            days = None if near is None else when.distance(near)
            found.append(NearestDate(when, near, days, self._credit(days)))
        for when in own:
            near = _nearest(when, wanted)
            days = None if near is None else when.distance(near)
            if days is None or days > self.measure.within:
                found.append(NearestDate(None, when, days, 0.0))
        return found

    def _credit(self, days: int | None) -> float:
        """What a date earns whose nearest is so many days away."""
        if days is None:
            return 0.0
        return 1 / (days + 1) if self.measure.soft else float(days <= self.measure.within)


def reference_dates(topic: Topic) -> list[When]:
    """All dates that any reference of a topic has, in order of time."""
    return sorted({entry.when for one in topic.timelines for entry in one})


def _nearest(when: When, others: Sequence[When]) -> When | None:
    """The nearest of other dates, the earlier one of two."""
    return min(others, key=lambda other: (when.distance(other), other), default=None)
