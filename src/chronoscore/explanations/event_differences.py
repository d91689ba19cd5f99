"""The judged events, units and nuggets on which two systems differ most, and what each says."""

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from chronoscore.core import Collection, Ranking, Run, Topic
from chronoscore.errors import ChronoscoreWarning
from chronoscore.explanations.day_differences import MOST_DAYS
from chronoscore.explanations.differences import EventDifference, SystemEvent
from chronoscore.measures import Measure
from chronoscore.measures.losses.account import Losses
from chronoscore.measures.losses.events import MentionLosses
from chronoscore.measures.losses.units import ClassicPyramidLosses, NuggetLosses, PyramidLosses
from chronoscore.measures.losses.updates import StreamLosses
from chronoscore.measures.streams.mentions import Numbered, retrieved_stream_sentences
from chronoscore.measures.units.nuggets import VITAL
from chronoscore.measures.units.pyramid import breakdown_by_unit, pyramid_of
from chronoscore.stats.statistic import ROUNDING


@dataclass(frozen=True)
class WeighedEvent:
    """An event of a topic with what it is worth, and what a system says of it."""

    text: str
    weight: float
    said: SystemEvent


Events = Mapping[str, WeighedEvent]
TELLING = (MentionLosses, StreamLosses, PyramidLosses, ClassicPyramidLosses, NuggetLosses)
MISSED = SystemEvent(share=0.0, what="missed")


@dataclass(frozen=True, eq=False)
class ToldEvents:
    """What every system says of the events of all topics, found once for all pairs.

    It holds none where the measure is not of judged events, units or nuggets.
    """

    told: Mapping[str, Mapping[str, Events]]
    """By system and topic."""

    @classmethod
    def of(cls, collection: Collection, runs: Sequence[Run], account: Losses) -> "ToldEvents":
        """Ask of every event what became of it."""
        told: dict[str, dict[str, Events]] = {run.system: {} for run in runs}
        with warnings.catch_warnings():
            # What is wrong with the outputs was said when they were scored.
            warnings.simplefilter("ignore", ChronoscoreWarning)
            for run in runs if any(isinstance(account, kind) for kind in TELLING) else ():
                for topic in collection:
                    output = run.outputs.get(topic.id, Ranking(()))
                    assert isinstance(output, Ranking)
                    told[run.system][topic.id] = tell_events(account, topic, output)
        return cls(told)

    def find(self, a: str, b: str, most: int = MOST_DAYS) -> tuple[EventDifference, ...]:
        """The events on which two of the systems differ most, the largest difference first."""
        found = [
            one
            for topic, events in self.told[a].items()
            for one in _differences(topic, events, self.told[b][topic])
        ]
        found.sort(key=lambda one: (-abs(one.difference), one.topic, one.event))
        return tuple(found[:most])


def _differences(topic: str, a: Events, b: Events) -> Iterator[EventDifference]:
    """The events of a topic of which one system earns more."""
    both = a.keys() & b.keys()
    whole = sum(a[event].weight for event in both)
    for event in both if whole > 0 else ():
        one, other = a[event], b[event]
        difference = (one.said.share - other.said.share) * one.weight / whole
        if abs(difference) > ROUNDING:
            yield EventDifference(
                topic=topic,
                event=event,
                text=one.text or event,
                weight=one.weight,
                a=one.said,
                b=other.said,
                difference=difference,
            )


@singledispatch
def tell_events(account: Measure, topic: Topic, output: Ranking) -> Events:
    """Every event of a topic by its id; none where nothing is told event by event."""
    return {}


@tell_events.register
def _(account: MentionLosses, topic: Topic, output: Ranking) -> Events:
    numbered, measure = Numbered.of(topic), account.of
    if not numbered.judged.events:
        return {}
    mentions = measure.mentions(numbered, output)
    told, texts = mentions.found(measure.cutoff), numbered.judged.texts
    ids: Sequence[str] = [one.text or one.sentence for one in output.best_first]
    if measure.match == "id":
        ids = retrieved_stream_sentences(numbered, output.selections)[0]
    found = {}
    for place, event in enumerate(numbered.judged.events):
        rank = int(mentions.first[place])
        said = MISSED
        if rank < mentions.size:
            where, text = f"rank {rank + 1}", texts.get(ids[rank], ids[rank])
            share, what = (1.0, "told") if told[place] else (0.0, "late")
            said = SystemEvent(share=share, what=what, where=where, text=text)
        weight = max(float(mentions.weights[place]), 0.0)
        found[event.id] = WeighedEvent(event.text, weight, said)
    return found


@tell_events.register
def _(account: StreamLosses, topic: Topic, output: Ranking) -> Events:
    measure = account.of
    nuggets = measure.nuggets_of_topics([(topic, output)])[id(topic)]
    timed = account.is_timed
    told = {}
    for number, step in enumerate(measure.walk(nuggets, output), 1):
        for nugget, _, timeliness in step.matches:
            share = min(timeliness, 1.0) if timed else 1.0
            name = step.update.sentence
            told[nugget] = SystemEvent(
                share=share,
                what="told" if share == 1 else f"late, {share:.0%}",
                where=f"update {number}",
                text=nuggets.judged.texts.get(name, step.update.text or name),
            )
    texts = {event.id: event.text for event in nuggets.judged.events}
    return {
        nugget: WeighedEvent(
            texts.get(nugget, ""), measure.relevance(importance), told.get(nugget, MISSED)
        )
        for nugget, importance in nuggets.importance.items()
    }


@tell_events.register
def _(account: PyramidLosses, topic: Topic, output: Ranking) -> Events:
    units = breakdown_by_unit(pyramid_of(topic), output, cutoff=account.of.cutoff)
    return {
        unit.unit: WeighedEvent(unit.text, unit.weight, _expressed(unit.score)) for unit in units
    }


@tell_events.register
def _(account: ClassicPyramidLosses, topic: Topic, output: Ranking) -> Events:
    named = {one.event: one.score for one in output}
    return {
        unit.id: WeighedEvent(unit.text, account.of.weigh(unit), _expressed(unit.id in named))
        for unit in pyramid_of(topic).units
        if not math.isnan(named.get(unit.id, 0.0))
    }


@tell_events.register
def _(account: NuggetLosses, topic: Topic, output: Ranking) -> Events:
    vital = account.sums_up.startswith("vital")
    credit = 0.5 if account.sums_up.endswith("lenient") else 0.0
    labels: dict[str, list[float]] = {}
    for one in output:
        labels.setdefault(one.event, []).append(one.score)
    found = {}
    for event in topic.judgements.events if topic.judgements else ():
        scores = np.array(labels.get(event.id, [0.0]))
        scores = scores[~np.isnan(scores)]
        if not len(scores) or (vital and event.importance < VITAL):
            continue
        supported, in_part = (scores >= 1).mean(), ((scores > 0) & (scores < 1)).mean()
        share = float(supported + credit * in_part)
        what = "supported" if supported == 1 else "missed"
        if supported + in_part > 0 and supported < 1:
            what = "supported in part"
        found[event.id] = WeighedEvent(event.text, 1.0, SystemEvent(share=share, what=what))
    return found


def _expressed(share: float) -> SystemEvent:
    """How much of a unit is expressed, in words."""
    if not share:
        return MISSED
    what = "expressed" if share >= 1 else f"in part, {share:.0%}"
    return SystemEvent(share=float(share), what=what)
