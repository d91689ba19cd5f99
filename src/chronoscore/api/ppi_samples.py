"""Topics of which people judged only a random sample of the items, and the machine all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from chronoscore.api.scores import ScoreResult
from chronoscore.core import Output, Ranking, Topic
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.streams.events import Useful
from chronoscore.measures.units.nuggets import VITAL, NuggetMeasure
from chronoscore.stats.ppi_items import SampledTopic, correct_samples
from chronoscore.stats.statistic import Numbers


@dataclass(frozen=True)
class Samples:
    """The topics that are sampled, and both sides' results to take items from."""

    people: ScoreResult | None = None
    machine: ScoreResult | None = None
    topics: frozenset[str] = frozenset()
    notes: tuple[str, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.topics)

    def can_score(self, measure: Measure, part: str) -> bool:
        """Whether a figure can be told from a sample: it must be a mean over items."""
        return not self.topics or _is_item_mean(measure, part)

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
        found = [self.one_system(measure, part, system, topics) for system in systems]
        (one, alone), weight = found[0]
        if len(found) == 1:
            return (one, alone), weight
        (other, other_alone), _ = found[1]
        return (one - other, alone - other_alone), weight

    def one_system(
        self, measure: Measure, part: str, system: str, topics: Sequence[str]
    ) -> tuple[tuple[Numbers, Numbers], float]:
        """One system's scores by topic, nan where none of its items is in the sample."""
        assert self.people is not None
        assert self.machine is not None
        corrected, alone = np.full(len(topics), np.nan), np.full(len(topics), np.nan)
        sampled: dict[int, SampledTopic] = {}
        for place, topic in enumerate(topics):
            judged = _items_of(self.people, measure, part, system, topic)
            every = _items_of(self.machine, measure, part, system, topic)
            shared = [item for item in judged if item in every]
            if shared:
                sampled[place] = SampledTopic(
                    np.array([judged[item] for item in shared]),
                    np.array([every[item] for item in shared]),
                    np.array([*every.values()]),
                )
        if sampled:
            values, weight = correct_samples([*sampled.values()])
            corrected[[*sampled]] = values
            alone[[*sampled]] = [topic.people.mean() for topic in sampled.values()]
            return (corrected, alone), weight
        return (corrected, alone), float("nan")


def find_samples(people: ScoreResult, machine: ScoreResult) -> Samples:
    """See which topics people judged in part only, and refuse what a sample cannot tell."""
    if people.collection is None or machine.collection is None:
        return Samples()
    measures = people.scores.measures
    nuggets = any(isinstance(measure, NuggetMeasure) for measure in measures)
    both = [name for name in people.collection.topics if name in machine.collection.topics]
    parted = _partly_assigned if nuggets else _partly_judged
    found = frozenset(name for name in both if parted(people, machine, name))
    if not found:
        return Samples()
    if not any(_is_item_mean(measure, part) for measure in measures for part in measure.shown):
        raise UsageError(
            f"people judged a sample of its sentences, and "
            f"'{measures[0]}' is not a mean over sentences; score u.precision or nuggets",
            place=f"topic '{min(found)}'",
        )
    lacking = [m for m in measures if not all(_is_item_mean(m, part) for part in m.shown)]
    left_out = ", ".join(
        m.heading(part) for m in lacking for part in m.shown if not _is_item_mean(m, part)
    )
    what = "nuggets" if nuggets else "sentences"
    notes = [f"people judged a sample of the {what} of {len(found)} topics, taken as random"]
    if left_out:
        notes.append(f"not a mean over {what}, so left out: {left_out}")
    return Samples(people, machine, found, tuple(notes))


def _partly_judged(people: ScoreResult, machine: ScoreResult, topic: str) -> bool:
    """Whether people judged fewer sentences of a topic than the machine did."""
    own, other = _topic_of(people, topic).judgements, _topic_of(machine, topic).judgements
    return own is not None and other is not None and {*own.sentences} < {*other.sentences}


def _partly_assigned(people: ScoreResult, machine: ScoreResult, topic: str) -> bool:
    """Whether people assigned fewer nuggets of some output than the machine did."""
    theirs = {run.system: run.outputs.get(topic) for run in machine.runs}
    for run in people.runs:
        own, other = run.outputs.get(topic), theirs.get(run.system)
        if isinstance(own, Ranking) and isinstance(other, Ranking):
            named = {one.event for one in own}
            if any(one.event not in named for one in other):
                return True
    return False


def _is_item_mean(measure: Measure, part: str) -> bool:
    """Whether a topic's score is the mean over its items, so that a sample estimates it."""
    if isinstance(measure, NuggetMeasure):
        return True
    plain = isinstance(measure, Useful) and measure.match == "id" and measure.weight == "one"
    return plain and part == "precision"


def _topic_of(result: ScoreResult, name: str) -> Topic:
    """A topic as it was scored."""
    assert result.collection is not None
    return result.collection.topics[name]


def _items_of(
    result: ScoreResult, measure: Measure, part: str, system: str, topic: str
) -> Mapping[str, float]:
    """Each judged item of an output with its score."""
    run = next(run for run in result.runs if run.system == system)
    output: Output | None = run.outputs.get(topic)
    if not isinstance(output, Ranking):
        return {}
    if isinstance(measure, NuggetMeasure):
        return _nugget_items(_topic_of(result, topic), output, part)
    return _sentence_items(_topic_of(result, topic), output, measure.cutoff)


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
