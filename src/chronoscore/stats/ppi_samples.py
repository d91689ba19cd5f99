"""People who judged a random sample of the items of a topic, and a machine that judged them all.

The mean of y over all items of a topic is estimated by the mean over the sample, corrected by
how far the machine's mean over the sample is off its mean over all items. Within a topic all
items have the same chance to be in the sample; over topics each topic counts the same, so an
item weighs by the inverse of its topic's sampling rate and of its size.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from chronoscore.core import Collection, Output, Ranking, Topic
from chronoscore.data.sides import JudgedSide
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import Measure
from chronoscore.measures.streams.events import Useful
from chronoscore.measures.units.nuggets import VITAL, NuggetMeasure
from chronoscore.stats.statistic import ROUNDING, Numbers

NOTHING = JudgedSide(Collection({}), [])


@dataclass(frozen=True)
class Samples:
    """The topics that are sampled, and both sides to take items from."""

    people: JudgedSide = NOTHING
    machine: JudgedSide = NOTHING
    topics: frozenset[str] = frozenset()
    notes: tuple[str, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.topics)

    def can_score(self, measure: Measure, part: str) -> bool:
        """Whether a figure can be told from a sample: it must be a mean over items."""
        return not self.topics or is_item_mean(measure, part)

    def shared_topics(self, people: Sequence[str], machine: Sequence[str]) -> list[str]:
        """The topics that both sides judged."""
        return sorted({*people} & {*machine})

    def correct(
        self,
        measure: Measure,
        part: str,
        systems: Sequence[str],
        topics: Sequence[str],
        own: Numbers,
    ) -> tuple[tuple[Numbers, Numbers], float]:
        """People's scores by topic, corrected by the machine and alone, and the λ of that."""
        if not self.topics:
            return (own, own), float("nan")
        found = [self.correct_system(measure, part, system, topics) for system in systems]
        (one, alone), weight = found[0]
        if len(found) == 1:
            return (one, alone), weight
        (other, other_alone), _ = found[1]
        return (one - other, alone - other_alone), weight

    def correct_system(
        self, measure: Measure, part: str, system: str, topics: Sequence[str]
    ) -> tuple[tuple[Numbers, Numbers], float]:
        """One system's scores by topic, nan where none of its items is in the sample."""
        corrected, alone = np.full(len(topics), np.nan), np.full(len(topics), np.nan)
        sampled: dict[int, SampledTopic] = {}
        for place, topic in enumerate(topics):
            judged = items_of(self.people, measure, part, system, topic)
            every = items_of(self.machine, measure, part, system, topic)
            shared = [item for item in judged if item in every]
            if shared:
                sampled[place] = SampledTopic(
                    np.array([judged[item] for item in shared]),
                    np.array([every[item] for item in shared]),
                    np.array([*every.values()]),
                )
        if sampled:
            values, weight = correct_topics([*sampled.values()])
            corrected[[*sampled]] = values
            alone[[*sampled]] = [topic.people.mean() for topic in sampled.values()]
            return (corrected, alone), weight
        return (corrected, alone), float("nan")


def find_samples(people: JudgedSide, machine: JudgedSide, measures: Sequence[Measure]) -> Samples:
    """See which topics people judged in part only, and refuse what a sample cannot tell."""
    nuggets = any(isinstance(measure, NuggetMeasure) for measure in measures)
    is_sampled = _is_partly_assigned if nuggets else _is_partly_judged
    both = [name for name in people.collection.topics if name in machine.collection.topics]
    topics = frozenset(name for name in both if is_sampled(people, machine, name))
    if not topics:
        return Samples()
    columns = [(measure, part) for measure in measures for part in measure.shown]
    other = [column for column in columns if not is_item_mean(*column)]
    if len(other) == len(columns):
        raise UsageError(
            f"people judged a sample of its sentences, and "
            f"'{measures[0]}' is not a mean over sentences; score u.precision or nuggets",
            place=f"topic '{min(topics)}'",
        )
    what = "nuggets" if nuggets else "sentences"
    notes = [f"people judged a sample of the {what} of {len(topics)} topics, taken as random"]
    if other:
        left_out = ", ".join(measure.heading(part) for measure, part in other)
        notes.append(f"not a mean over {what}, so left out: {left_out}")
    return Samples(people, machine, topics, tuple(notes))


def _is_partly_judged(people: JudgedSide, machine: JudgedSide, topic: str) -> bool:
    """Whether people judged fewer sentences of a topic than the machine did."""
    own, other = (
        people.collection.topics[topic].judgements,
        machine.collection.topics[topic].judgements,
    )
    return own is not None and other is not None and {*own.sentences} < {*other.sentences}


def _is_partly_assigned(people: JudgedSide, machine: JudgedSide, topic: str) -> bool:
    """Whether people assigned fewer nuggets of some output than the machine did."""
    theirs = {run.system: run.outputs.get(topic) for run in machine.runs}
    for run in people.runs:
        own, other = run.outputs.get(topic), theirs.get(run.system)
        if isinstance(own, Ranking) and isinstance(other, Ranking):
            named = {one.event for one in own}
            if any(one.event not in named for one in other):
                return True
    return False


def is_item_mean(measure: Measure, part: str) -> bool:
    """Whether a topic's score is the mean over its items, so that a sample estimates it."""
    if isinstance(measure, NuggetMeasure):
        return True
    plain = isinstance(measure, Useful) and measure.match == "id" and measure.weight == "one"
    return plain and part == "precision"


def items_of(
    side: JudgedSide, measure: Measure, part: str, system: str, topic: str
) -> Mapping[str, float]:
    """Each judged item of an output with its score."""
    run = next(run for run in side.runs if run.system == system)
    output: Output | None = run.outputs.get(topic)
    if not isinstance(output, Ranking):
        return {}
    if isinstance(measure, NuggetMeasure):
        return _nugget_items(side.collection.topics[topic], output, part)
    return _sentence_items(side.collection.topics[topic], output, measure.cutoff)


def _sentence_items(topic: Topic, output: Ranking, cutoff: int | None) -> dict[str, float]:
    """The sentences of a ranking that were judged: 1 if linked to an event, else 0."""
    judged = topic.judgements
    assert judged is not None
    useful = {judged.joined.get(link.sentence, link.sentence) for link in judged.kept}
    known = {*judged.sentences} - judged.unjudged
    names = dict.fromkeys(judged.joined.get(s.sentence, s.sentence) for s in output.best_first)
    kept = [*names][:cutoff]
    return {name: float(name in useful) for name in kept if name in known}


def _nugget_items(topic: Topic, output: Ranking, part: str) -> dict[str, float]:
    """The nuggets that were assigned: their mean score, strict or with half for partial."""
    assert topic.judgements is not None
    vital, strict = part.startswith("vital"), part.endswith("strict")
    wanted = {e.id for e in topic.judgements.events if not vital or e.importance >= VITAL}
    scores: dict[str, list[float]] = {}
    for one in output:
        if one.event in wanted and not np.isnan(one.score):
            whole, partial = one.score >= 1, 0 < one.score < 1
            value = float(whole) + (0.0 if strict else partial / 2)
            scores.setdefault(one.event, []).append(value)
    return {name: float(np.mean(values)) for name, values in scores.items()}


@dataclass(frozen=True)
class SampledTopic:
    """Scores of items: by people and by the machine on a sample, by the machine on all items."""

    people: Numbers
    machine: Numbers
    every: Numbers

    @property
    def rate(self) -> float:
        """The share of items that people judged."""
        return len(self.people) / len(self.every)


def correct_topics(topics: Sequence[SampledTopic]) -> tuple[Numbers, float]:
    """Each topic's mean as people would judge it, and the λ by which the machine corrected it.

    λ makes the sampling error of all topics together least, and lies between 0 and 1.

    >>> sample = SampledTopic(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([0.0, 1, 1, 1]))
    >>> values, weight = correct_topics([sample])
    >>> values.tolist(), weight
    ([0.75], 1.0)
    """
    for topic in topics:
        if not len(topic.people) or len(topic.people) != len(topic.machine):
            raise DataError("a sample holds no item, or other items for the machine; give both")
        if len(topic.every) < len(topic.people):
            raise DataError("a sample is larger than its topic; give the machine's scores of all")
    weight = _tune(topics)
    corrected = [
        topic.people.mean() + weight * (topic.every.mean() - topic.machine.mean())
        for topic in topics
    ]
    return np.array(corrected, dtype=np.float64), weight


def _tune(topics: Sequence[SampledTopic]) -> float:
    """The λ of least sampling variance; a topic counts by its share that was not sampled."""
    covariance = spread = 0.0
    for topic in topics:
        size = len(topic.people)
        if size < 2:
            continue
        share = (1 - topic.rate) / size
        deviation = topic.machine - topic.machine.mean()
        covariance += share * float((topic.people * deviation).sum()) / (size - 1)
        spread += share * float((deviation**2).sum()) / (size - 1)
    return float(np.clip(covariance / spread, 0.0, 1.0)) if spread > ROUNDING**2 else 0.0
