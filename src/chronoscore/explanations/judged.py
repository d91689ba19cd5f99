"""Judged output: where each event is first mentioned, how far each unit or nugget is expressed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from chronoscore.core import Ranking
from chronoscore.core.judging import Event
from chronoscore.errors import DataError
from chronoscore.explanations.explanation import Explanation
from chronoscore.measures.streams.events import MentionMeasure
from chronoscore.measures.streams.mentions import (
    Mentions,
    Numbered,
    retrieved_stream_sentences,
)
from chronoscore.measures.units.nuggets import VITAL, NuggetMeasure
from chronoscore.measures.units.pyramid import (
    PyramidMeasure,
    UnitScore,
    breakdown_by_unit,
    pyramid_of,
)

LABELS = {1.0: "support", 0.5: "partial", 0.0: "none"}


class Mention(NamedTuple):
    """An event, and the sentence that mentions it first."""

    event: Event
    weight: float
    rank: int | None
    """From 1; None for an event that is not mentioned."""
    sentence: str


@dataclass(frozen=True)
class EventExplanation(Explanation):
    """Every event with its first mention, missed ones last."""

    measures = (MentionMeasure,)

    measure: MentionMeasure
    output: Ranking

    @cached_property
    def _numbered(self) -> Numbered:
        return Numbered.of(self.topic)

    @cached_property
    def _found(self) -> Mentions:
        return self.measure.mentions(self._numbered, self.output)

    @cached_property
    def mentions(self) -> list[Mention]:
        """The events in the order of their first mention."""
        found, judged = self._found, self._numbered.judged
        hits = found.found(self.measure.cutoff)
        ids: Sequence[str] = [one.text or one.sentence for one in self.output.best_first]
        if self.measure.match == "id":
            ids = retrieved_stream_sentences(self._numbered, self.output.selections)[0]
        told = []
        for place in np.lexsort((found.first, ~hits)).tolist():
            rank = int(found.first[place]) if hits[place] else None
            sentence = "" if rank is None else judged.texts.get(ids[rank], ids[rank])
            told.append(
                Mention(
                    judged.events[place],
                    float(found.weights[place]),
                    None if rank is None else rank + 1,
                    sentence,
                )
            )
        return told

    @property
    def retrieved(self) -> int:
        """How many sentences count."""
        return self._found.retrieved(self.measure.cutoff)

    @property
    def new(self) -> int:
        """How many of these mention an event first."""
        return int((self._found.new(strict=True)[: self.retrieved] > 0).sum())


@dataclass(frozen=True)
class UnitExplanation(Explanation):
    """Every content unit, heaviest first, with how much of it was expressed."""

    measures = (PyramidMeasure,)

    measure: PyramidMeasure
    output: Ranking

    @cached_property
    def units(self) -> list[UnitScore]:
        """The units with their scores."""
        units = breakdown_by_unit(pyramid_of(self.topic), self.output, cutoff=self.measure.cutoff)
        if not units:
            raise DataError(f"topic '{self.topic.id}' has no content unit; give some with `units`")
        return units

    @property
    def earned(self) -> float:
        """The weight of what was expressed."""
        return sum(unit.weight * unit.score for unit in self.units)

    @property
    def length(self) -> int:
        """How many of the heaviest units make the best score."""
        return self.measure.length(pyramid_of(self.topic))


class NuggetLabels(NamedTuple):
    """A nugget, whether it is vital, and what the judges said of it."""

    event: Event
    vital: bool
    labels: Counter[str]


@dataclass(frozen=True)
class NuggetExplanation(Explanation):
    """Every nugget, vital ones first, with the labels that judges gave."""

    measures = (NuggetMeasure,)

    measure: NuggetMeasure
    output: Ranking

    @cached_property
    def nuggets(self) -> list[NuggetLabels]:
        """The nuggets that were judged for this output, or that nobody judged for any."""
        judged: dict[str, Counter[str]] = {}
        for one in self.output:
            own = judged.setdefault(one.event, Counter())
            if not math.isnan(one.score):
                own[LABELS.get(one.score, f"{one.score:g}")] += 1
        return [
            NuggetLabels(event, event.importance >= VITAL, judged.get(event.id, Counter()))
            for event in sorted(self._events, key=lambda event: -event.importance)
            if judged.get(event.id, True)
        ]

    @property
    def _events(self) -> tuple[Event, ...]:
        return self.topic.judgements.events if self.topic.judgements else ()

    @property
    def left_out(self) -> int:
        """How many nuggets were not judged, or belong to another output."""
        return len(self._events) - len(self.nuggets)
