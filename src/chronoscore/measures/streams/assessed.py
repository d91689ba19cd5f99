"""CrisisFACTS as its organizers score what assessors labeled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chronoscore.core import Ranking, Story, Topic
from chronoscore.errors import DataError
from chronoscore.measures.measure import (
    AMOUNT,
    SHARE,
    Array,
    Bounds,
    Measure,
    Pair,
    f_scores,
)
from chronoscore.measures.streams.events import share_or_nan
from chronoscore.options import Averaging


@dataclass(frozen=True, kw_only=True)
class Assessed(Measure):
    """Assessors' facts, as CrisisFACTS 2023 scores them: an event is a topic, its days are stories.

    Redundancy is the mean score of the facts told on a day (so more is better, whatever its
    name), comprehensiveness the share of that day's good facts that are told. A topic's figures
    are means over the days on which the system told something and there was something good to
    tell; F is of the means.
    """

    name: ClassVar[str] = "assessed"
    needs = Ranking
    parts: ClassVar[tuple[str, ...]] = ("redundancy", "comprehensiveness", "f")
    columns = ("redundancy", "comprehensiveness", "days")
    averaging: ClassVar[Averaging] = "of-means"
    has_cutoff: ClassVar[bool] = False

    def bounds(self, part: str) -> Bounds:
        """Comprehensiveness is a share of facts; scores of facts may be any."""
        return SHARE if part == "comprehensiveness" else AMOUNT

    @property
    def skips_missing(self) -> bool:
        """A system that told nothing of an event is not scored on it."""
        return True

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up the figures of the days that count."""
        days = {id(topic): days_of(topic) for topic, _ in pairs}
        tallies = np.zeros((len(pairs), len(self.columns)))
        for row, (topic, output) in enumerate(pairs):
            assert isinstance(output, Ranking)
            chosen = {one.sentence for one in output}
            for day in days[id(topic)]:
                tallies[row] += day.score(chosen)
        return tallies

    def values(self, tallies: Array) -> Array:
        """Means over days, and F of them; undefined where no day counts."""
        redundancy, comprehensiveness, days = np.moveaxis(tallies, -1, 0)
        mean, cover = share_or_nan(redundancy, days), share_or_nan(comprehensiveness, days)
        return np.stack([mean, cover, f_scores(mean, cover)], axis=-1)


@dataclass(frozen=True)
class AssessedDay:
    """The facts that systems told on a day, by id, and what they are worth."""

    facts: dict[str, tuple[str, ...]]
    """By the id of a system's fact: the facts that stand for it."""
    scores: dict[str, float]

    def told(self, chosen: set[str]) -> set[str]:
        """The facts that a system told, by the ids of its own."""
        return {fact for name in chosen for fact in self.facts.get(name, ())}

    def score(self, chosen: set[str]) -> tuple[float, float, float]:
        """Redundancy, comprehensiveness and 1, or nothing if the day does not count."""
        good = {fact for fact, score in self.scores.items() if score > 0}
        told = self.told(chosen)
        if not good or not told:
            return 0.0, 0.0, 0.0
        mean = sum(self.scores[fact] for fact in sorted(told)) / len(told)
        return mean, len(good & told) / len(good), 1.0


def days_of(topic: Topic) -> list[AssessedDay]:
    """The days of an event, each with its own facts."""
    judged = topic.judgements
    if judged is None:
        raise DataError("has no judgements; give `judgements`", place=f"topic '{topic.id}'")
    linked: dict[str, list[str]] = {}
    for link in judged.kept:
        linked.setdefault(link.sentence, []).append(link.event)
    scores = {event.id: event.importance for event in judged.events}
    untold = scores.keys() - {event for events in linked.values() for event in events}
    whole = Story(id="", sentences=judged.sentences)
    known = {*judged.sentences}
    days = [story for story in judged.stories if known.issuperset(story.sentences)]
    found = []
    for story in days if any(day.sentences for day in days) else [whole]:
        facts = {name: tuple(linked.get(name, ())) for name in story.sentences}
        own = {fact: scores[fact] for told in facts.values() for fact in told}
        # A fact that nobody told is known by its id alone.
        own |= {fact: scores[fact] for fact in untold if fact.startswith(story.id)}
        found.append(AssessedDay(facts, own))
    return found
