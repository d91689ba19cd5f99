"""The days on which two systems differ most, with what each says about them and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from chronoscore.align.dates import Places
from chronoscore.align.ties import FREE
from chronoscore.core import Collection, Run, Timeline, Topic
from chronoscore.explanations.differences import DayDifference, SystemDay
from chronoscore.measures.languages import measure_for_topic
from chronoscore.measures.losses.account import Losses
from chronoscore.measures.losses.day_counts import DayCounts
from chronoscore.measures.losses.days import RECALL, DayLosses
from chronoscore.measures.measure import Array, Pair
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.frame import Counting
from chronoscore.stats.statistic import ROUNDING

MOST_DAYS = 10


@dataclass(frozen=True, eq=False)
class TopicDays:
    """What became of the references' days of a topic in the outputs of systems."""

    topic: Topic
    counts: DayCounts
    pairs: Places
    """By system: the number of its pair in the counts."""
    amounts: Array
    """System × day × what is counted."""

    def differences(self, a: int, b: int) -> Array:
        """By day: A − B in points of the topic's recall."""
        wanted = self.amounts[0].sum()
        points: Array = (self.amounts[a, :, 0] - self.amounts[b, :, 0]) / max(wanted, 1)
        return points

    @cached_property
    def days(self) -> list[Day]:
        """The days of all references."""
        dated = self.counts.flat.pairs[int(self.pairs[0])].reference
        return dated.days(self.counts.counting.texts)

    def describe(self, day: int, a: int, b: int) -> DayDifference:
        """One day with its texts."""
        return DayDifference(
            topic=self.topic.id,
            measure=self.counts.measure,
            when=self.days[day].when,
            reference=self.days[day].texts,
            a=self._say(a, day),
            b=self._say(b, day),
            difference=float(self.differences(a, b)[day]),
        )

    def _say(self, system: int, day: int) -> SystemDay:
        """What a system says about a day, and what costs it most there."""
        number = int(self.pairs[system])
        dated = self.counts.flat.pairs[number].system
        amounts = self.amounts[system, day]
        lost = amounts[1:]
        cause = RECALL.causes[int(lost.argmax())] if lost.sum() > ROUNDING else ""
        place = int(self.counts.alignment.reference[self.counts.starts[number] + day])
        share = float(amounts[0] / amounts.sum()) if amounts.sum() else 0.0
        if place == FREE:
            when = self.days[day].when
            before = max((one for one in dated.whens if one.last < when.first), default=None)
            after = min((one for one in dated.whens if one.first > when.last), default=None)
            return SystemDay(when=None, text=(), found=share, cause=cause, around=(before, after))
        text = self.counts.counting.texts.texts[int(dated.texts[place])]
        return SystemDay(when=dated.whens[place], text=text, found=share, cause=cause)


@dataclass(frozen=True, eq=False)
class CountedDays:
    """The references' days of all topics, counted once for all systems."""

    systems: tuple[str, ...]
    topics: tuple[TopicDays, ...] = ()

    @classmethod
    def of(cls, collection: Collection, runs: Sequence[Run], account: Losses) -> "CountedDays":
        """Count by day where a measure of aligned days says what became of them."""
        systems = tuple(run.system for run in runs)
        if not isinstance(account, DayLosses):
            return cls(systems)
        topics: dict[DayLosses, list[Topic]] = {}
        for topic in collection:
            outputs = [run.outputs.get(topic.id) for run in runs]
            if all(one is None or isinstance(one, Timeline) for one in outputs):
                own = measure_for_topic(account, topic)
                assert isinstance(own, DayLosses)
                topics.setdefault(own, []).append(topic)
        found = [one for own, read in topics.items() for one in _count_topics(own, read, runs)]
        return cls(systems, tuple(found))

    def find(self, a: str, b: str, most: int = MOST_DAYS) -> tuple[DayDifference, ...]:
        """The days on which two of the systems differ most, the largest difference first."""
        here, there = self.systems.index(a), self.systems.index(b)
        found: list[tuple[float, str, int, TopicDays]] = []
        for days in self.topics:
            sizes = np.abs(days.differences(here, there))
            for day in np.argsort(-sizes, kind="stable")[:most].tolist():
                if sizes[day] > ROUNDING:
                    found.append((float(sizes[day]), days.topic.id, day, days))
        found.sort(key=lambda one: (-one[0], one[1], one[2]))
        return tuple(days.describe(day, here, there) for _, _, day, days in found[:most])


def _count_topics(
    account: DayLosses, topics: Sequence[Topic], runs: Sequence[Run]
) -> list[TopicDays]:
    """Count topics that are read alike, all outputs together."""
    pairs: list[Pair] = []
    for topic in topics:
        for run in runs:
            output = run.outputs.get(topic.id, Timeline.empty())
            assert isinstance(output, Timeline)
            # The same object twice would be one text.
            pairs.append((topic, replace(output)))
    counts = DayCounts(account.of, Counting(pairs, account.of.reading))
    sizes = np.diff(counts.starts)
    found = [np.empty(0)] * len(pairs)
    for group in counts.flat.groups():
        days = int(sizes[group[0]])
        amounts = counts.recall_entries(group).tally_days(len(group) * days)
        for number, own in zip(group, amounts.reshape(len(group), days, -1), strict=True):
            found[int(number)] = own
    return [
        TopicDays(topic, counts, places, np.stack([found[n] for n in places]))
        for topic, places in zip(topics, np.arange(len(pairs)).reshape(-1, len(runs)), strict=True)
    ]
