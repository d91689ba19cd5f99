"""Items that `judge next` drew for people: figures by Horvitz–Thompson weights.

With the chance π of every item, the mean of a topic's N items as people would judge them is the
mean of what the machine makes of them, c + λ f, plus the sum of (y − c − λ f) / π over the drawn
items, divided by N. c and λ are fitted to the drawn items of all other topics, so they cannot be
fitted to the error that they correct. The interval is over topics: each topic is one cluster.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from chronoscore.core import Ranking
from chronoscore.data.sides import JudgedSide
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.judgements.draw_files import Draw
from chronoscore.measures import Measure
from chronoscore.measures.units.nuggets import NuggetMeasure
from chronoscore.stats.ppi_samples import Samples, is_item_mean, items_of
from chronoscore.stats.statistic import ROUNDING, Numbers


@dataclass(frozen=True)
class DrawnTopic:
    """Scores of a topic's drawn items by people and machine with their chances, and of all."""

    people: Numbers
    machine: Numbers
    chances: Numbers
    every: Numbers


@dataclass(frozen=True)
class CorrectedTopics:
    """Each topic's mean as people would judge it: with the machine's help, and by people alone."""

    values: Numbers
    alone: Numbers
    weight: float
    """λ, on average over topics."""


def correct_drawn_topics(topics: Sequence[DrawnTopic]) -> CorrectedTopics:
    """Estimate each topic's mean over all its items from those that were drawn.

    >>> certain = DrawnTopic(*(np.array([1.0, 0.0]) for _ in "yf"), np.ones(2), np.array([1.0, 0]))
    >>> correct_drawn_topics([certain] * 3).values.tolist()
    [0.5, 0.5, 0.5]
    """
    sizes = np.array([len(topic.every) for topic in topics], dtype=np.float64)
    place = np.repeat(np.arange(len(topics)), [len(topic.people) for topic in topics])
    y, f, chances = (
        np.concatenate([getattr(topic, name) for topic in topics])
        for name in ("people", "machine", "chances")
    )
    every = np.array([topic.every.mean() for topic in topics])
    weights = 1 / (chances * sizes[place])

    def add_up(values: Numbers) -> Numbers:
        return np.bincount(place, values, minlength=len(topics)).astype(np.float64)

    def correct(slopes: Numbers) -> Numbers:
        constants = mean_y - slopes * mean_f
        rest = y - constants[place] - slopes[place] * f
        found: Numbers = constants + slopes * every + add_up(rest * weights)
        return found

    def of_others(values: Numbers) -> Numbers:
        own = add_up(values * weights)
        total: Numbers = own.sum() - own
        return total

    known = np.maximum(of_others(np.ones(len(y))), ROUNDING)
    mean_y, mean_f = of_others(y) / known, of_others(f) / known
    covariance = of_others(y * f) / known - mean_y * mean_f
    spread = of_others(f * f) / known - mean_f**2
    slopes = np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > ROUNDING)
    slopes = np.clip(slopes, 0.0, 1.0)
    return CorrectedTopics(correct(slopes), correct(np.zeros_like(slopes)), float(slopes.mean()))


@dataclass(frozen=True)
class DrawnSamples(Samples):
    """Samples whose items had chances of their own."""

    draw: Draw = field(default_factory=Draw)

    def shared_topics(self, people: Sequence[str], machine: Sequence[str]) -> list[str]:
        """The topics that items were drawn from, also those of which none was."""
        return sorted(self.topics)

    def correct_system(
        self, measure: Measure, part: str, system: str, topics: Sequence[str]
    ) -> tuple[tuple[Numbers, Numbers], float]:
        """One system's scores by topic, nan where it has no item there."""
        corrected, alone = np.full(len(topics), np.nan), np.full(len(topics), np.nan)
        found = {
            place: one
            for place, topic in enumerate(topics)
            if (one := self._drawn_topic(measure, part, system, topic)) is not None
        }
        if not found:
            return (corrected, alone), float("nan")
        means = correct_drawn_topics([*found.values()])
        corrected[[*found]], alone[[*found]] = means.values, means.alone
        return (corrected, alone), means.weight

    def _drawn_topic(
        self, measure: Measure, part: str, system: str, topic: str
    ) -> DrawnTopic | None:
        """What is known of a system's items in a topic; nothing without any item."""
        every = items_of(self.machine, measure, part, system, topic)
        if not every:
            return None
        chances = self.draw.chances_of(topic, system)
        judged: Mapping[str, float] = {}
        if topic in self.people.collection.topics:
            judged = items_of(self.people, measure, part, system, topic)
        drawn = [item for item in every if item in chances]
        return DrawnTopic(
            np.array([judged[item] for item in drawn], dtype=np.float64),
            np.array([every[item] for item in drawn], dtype=np.float64),
            np.array([chances[item] for item in drawn], dtype=np.float64),
            np.array([*every.values()]),
        )


def drawn_samples(
    people: JudgedSide, machine: JudgedSide, measures: Sequence[Measure], draw: Draw
) -> DrawnSamples:
    """Check that all that was drawn is judged, and that it was drawn from what there is."""
    nuggets = [isinstance(measure, NuggetMeasure) for measure in measures]
    columns = [(measure, part) for measure in measures for part in measure.shown]
    if any(one != draw.of_nuggets for one in nuggets) or not any(
        is_item_mean(*one) for one in columns
    ):
        wanted = "nuggets" if draw.of_nuggets else "u.precision"
        raise UsageError(
            f"{draw.kind} were drawn, and '{measures[0]}' is not a mean over these; score {wanted}",
            place=draw.place,
        )
    _check_frame(machine, draw)
    _check_pending(people, draw)
    count = len(draw.chances)
    notes = [
        f"people judged {count:,} of {draw.size:,} {draw.kind} of {len(draw.topics)} topics, drawn "
        "by `judge next` and weighted by the inverse of their chances"
    ]
    other = [measure.heading(part) for measure, part in columns if not is_item_mean(measure, part)]
    if other:
        notes.append(f"not a mean over {draw.kind}, so left out: {', '.join(other)}")
    return DrawnSamples(people, machine, draw.topics, tuple(notes), draw)


def _check_frame(machine: JudgedSide, draw: Draw) -> None:
    """Refuse a list that was drawn from other items than the machine judged."""
    counts = _item_counts(machine, nuggets=draw.of_nuggets)
    systems = {run.system for run in machine.runs}
    for (topic, system), items in draw.frame.items():
        if system and system not in systems:
            continue
        now = counts[topic, system]
        if now != items:
            where = f"topic '{topic}'" + (f", system '{system}'" if system else "")
            raise DataError(
                f"{where} had {items:,} {draw.kind} by the machine when people's were drawn and "
                f"has {now:,} now; give the machine's files of then, or draw anew",
                place=draw.place,
            )


def _item_counts(machine: JudgedSide, *, nuggets: bool) -> Counter[tuple[str, str]]:
    """How many items the machine judged, by topic and, for nuggets, by system."""
    counts: Counter[tuple[str, str]] = Counter()
    if not nuggets:
        for name, topic in machine.collection.topics.items():
            if topic.judgements is not None:
                counts[name, ""] = len({*topic.judgements.sentences} - topic.judgements.unjudged)
        return counts
    for run in machine.runs:
        for name, output in run.outputs.items():
            if isinstance(output, Ranking):
                named = {one.event for one in output if not np.isnan(one.score)}
                counts[name, run.system] = len(named)
    return counts


def _check_pending(people: JudgedSide, draw: Draw) -> None:
    """Refuse figures while something that was drawn is not judged."""
    scored = {run.system for run in people.runs}
    judged: set[tuple[str, str, str]] = set()
    if draw.of_nuggets:
        judged = {
            (topic, run.system, one.event)
            for run in people.runs
            for topic, output in run.outputs.items()
            if isinstance(output, Ranking)
            for one in output
            if not np.isnan(one.score)
        }
    else:
        judged = {
            (name, "", sentence)
            for name, topic in people.collection.topics.items()
            if topic.judgements is not None
            for sentence in {*topic.judgements.sentences} - topic.judgements.unjudged
        }
    wanted = [one for one in draw.chances if not one[1] or one[1] in scored]
    pending = [one for one in wanted if one not in judged]
    if pending:
        topic, system, item = pending[0]
        whose = f" for system '{system}'" if system else ""
        raise DataError(
            f"{len(pending):,} of {len(wanted):,} drawn {draw.kind} are not judged by people, "
            f"'{item}' of topic '{topic}'{whose} first; judge all: what is skipped is not random",
            place=draw.place,
        )
