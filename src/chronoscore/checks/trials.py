"""Timelines beside altered copies of themselves, counted by all measures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from chronoscore.core import Timeline, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import Measure, finish_topic_average, topic_contributions
from chronoscore.measures.function import FunctionMeasure
from chronoscore.measures.measure import Array, Pair, group_families, tally_family


def check_measures(measures: Sequence[Measure]) -> None:
    """Refuse a measure that scores no timelines."""
    for measure in measures:
        if measure.needs is not Timeline and not isinstance(measure, FunctionMeasure):
            raise UsageError(f"measure '{measure}' does not score timelines; check one that does")


def references_alone(topics: Iterable[Topic]) -> list[Topic]:
    """A topic for every timeline that has entries, with the timeline as its only reference."""
    alone = [
        _keep_one_reference(topic, t) for topic in topics for t in topic.timelines if t.entries
    ]
    if not alone:
        raise DataError("there is no timeline to damage; give at least one that has entries")
    return alone


def _keep_one_reference(topic: Topic, timeline: Timeline) -> Topic:
    """A topic with this timeline as its only reference."""
    name = f"{topic.id}/{timeline.author}" if timeline.author else topic.id
    return Topic(id=name, timelines=(timeline,), documents=topic.documents)


@dataclass(frozen=True, eq=False)
class Trial:
    """The copies of all timelines, and which timeline each is of."""

    pairs: list[Pair]
    owners: list[int]

    @classmethod
    def of(cls, alone: Sequence[Topic], copies: Iterable[Sequence[Timeline]]) -> "Trial":
        """Set the copies of every timeline beside it."""
        pairs: list[Pair] = []
        owners: list[int] = []
        for number, (topic, own) in enumerate(zip(alone, copies, strict=True)):
            pairs += [(topic, copy) for copy in own]
            owners += [number] * len(own)
        return cls(pairs, owners)

    @classmethod
    def unaltered(cls, alone: Sequence[Topic]) -> "Trial":
        """Every timeline beside itself."""
        return cls.of(alone, [topic.timelines for topic in alone])

    @property
    def tried(self) -> list[int]:
        """The timelines that have copies."""
        return sorted(set(self.owners))

    def contributions(self, measure: Measure, tallies: Array, among: Sequence[int]) -> Array:
        """What some of the timelines add to the corpus figure, every copy of one counting alike."""
        added = topic_contributions(measure, tallies, measure.averaging)
        owners = np.array(self.owners, dtype=np.intp)
        rows = [added[owners == number].mean(axis=0) for number in among]
        return np.array(rows).reshape(len(rows), added.shape[-1])

    def average(self, measure: Measure, tallies: Array, among: Sequence[int]) -> Array:
        """The measure's parts over some of the timelines."""
        added = self.contributions(measure, tallies, among)
        sums = np.zeros(added.shape[-1])
        for row in added:
            sums += row
        return finish_topic_average(measure, sums, measure.averaging)


def count_trials(
    measures: Sequence[Measure], trials: Iterable[Trial], executor: Executor | None
) -> Iterator[tuple[Trial, Mapping[Measure, Array]]]:
    """The tallies of each trial, here or wherever the executor counts them, in order."""
    if executor is None:
        yield from ((trial, _tally_all(measures, trial.pairs)) for trial in trials)
        return
    submitted = [(trial, executor.submit(_tally_all, measures, trial.pairs)) for trial in trials]
    yield from ((trial, future.result()) for trial, future in submitted)


def _tally_all(measures: Sequence[Measure], pairs: Sequence[Pair]) -> dict[Measure, Array]:
    """Count all pairs by all measures, those of a family together."""
    tallies: dict[Measure, Array] = {}
    for family in group_families(measures):
        tallies |= zip(family, tally_family(family, pairs), strict=True)
    return tallies
