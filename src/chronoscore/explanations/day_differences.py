"""The days on which two systems differ most, with what each says about them and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from chronoscore.align.ties import FREE
from chronoscore.core import Collection, Run, Timeline, Topic
from chronoscore.explanations.differences import DayDifference, SystemDay
from chronoscore.measures.languages import measure_for_topic
from chronoscore.measures.losses.account import Losses
from chronoscore.measures.losses.day_counts import DayCounts
from chronoscore.measures.losses.days import RECALL, DayLosses
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.frame import Counting
from chronoscore.stats.statistic import ROUNDING

MOST_DAYS = 10


@dataclass(frozen=True, eq=False)
class TopicDays:
    """What became of the references' days of a topic in the outputs of two systems."""

    topic: Topic
    counts: DayCounts
    amounts: Array
    """System × day × what is counted."""

    @classmethod
    def of(cls, account: DayLosses, topic: Topic, outputs: Sequence[Timeline]) -> "TopicDays":
        """Count by day."""
        own = measure_for_topic(account, topic)
        assert isinstance(own, DayLosses)
        # The same object twice would be one text.
        pairs = [(topic, replace(output)) for output in outputs]
        counts = DayCounts(own.of, Counting(pairs, own.of.reading))
        recall, _ = counts.entries(np.arange(len(pairs)))
        days = int(counts.flat.reference.bounds[-1])
        amounts = recall.tally_days(len(pairs) * days).reshape(len(pairs), days, -1)
        return cls(topic, counts, amounts)

    @property
    def differences(self) -> Array:
        """By day: A − B in points of the topic's recall."""
        wanted = self.amounts[0].sum()
        found = self.amounts[:, :, 0]
        points: Array = (found[0] - found[1]) / max(wanted, 1)
        return points

    def describe(self, day: int) -> DayDifference:
        """One day with its texts."""
        dated = self.counts.flat.pairs[0].reference
        ours = dated.days(self.counts.counting.texts)[day]
        return DayDifference(
            topic=self.topic.id,
            when=ours.when,
            reference=ours.texts,
            a=self._say(0, day),
            b=self._say(1, day),
            difference=float(self.differences[day]),
        )

    def _say(self, system: int, day: int) -> SystemDay:
        """What a system says about a day, and what costs it most there."""
        flat = self.counts.flat
        amounts = self.amounts[system, day]
        lost = amounts[1:]
        cause = RECALL.causes[int(lost.argmax())] if lost.sum() > ROUNDING else ""
        place = int(self.counts.alignment.reference[self.counts.starts[system] + day])
        share = float(amounts[0] / amounts.sum()) if amounts.sum() else 0.0
        if place == FREE:
            return SystemDay(when=None, text=(), found=share, cause=cause)
        both = flat.pairs[system]
        text = self.counts.counting.texts.texts[int(both.system.texts[place])]
        return SystemDay(when=both.system.whens[place], text=text, found=share, cause=cause)


def find_days(
    collection: Collection, runs: Sequence[Run], account: Losses, most: int = MOST_DAYS
) -> tuple[DayDifference, ...]:
    """The reference days on which two systems differ most, the largest difference first."""
    if not isinstance(account, DayLosses):
        return ()
    found: list[tuple[float, str, int, TopicDays]] = []
    for topic in collection:
        outputs = [run.outputs.get(topic.id, Timeline.empty()) for run in runs]
        if all(isinstance(one, Timeline) for one in outputs):
            days = TopicDays.of(account, topic, outputs)  # type: ignore[arg-type]
            sizes = np.abs(days.differences)
            for day in np.argsort(-sizes, kind="stable")[:most].tolist():
                if sizes[day] > ROUNDING:
                    found.append((float(sizes[day]), topic.id, day, days))
    found.sort(key=lambda one: (-one[0], one[1], one[2]))
    return tuple(days.describe(day) for _, _, day, days in found[:most])
