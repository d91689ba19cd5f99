"""Systems ranked by one part of one measure: ties, the topics that decide, how rankings agree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from chronoscore.measures import Measure
from chronoscore.measures.measure import Array
from chronoscore.scoring import Scores
from chronoscore.stats.compare import SystemPair, smallest_adjusted_p
from chronoscore.stats.corpus import Average
from chronoscore.stats.corpus_tests import PartComparison
from chronoscore.stats.correlation import kendall_b


class TopicGap(NamedTuple):
    """How far one system is ahead of another on a topic."""

    topic: str
    difference: float
    better: str
    """The better system; empty where the two are level."""


@dataclass(frozen=True)
class Board:
    """The systems by one part of one measure, best first."""

    measure: Measure
    part: str
    figures: tuple[Average, ...]
    values: Array
    """Systems × topics, in the order of the scores."""
    scores: Scores = field(repr=False)
    pairs: Sequence[SystemPair] = ()

    @property
    def name(self) -> str:
        """What the measure and its part are called."""
        return self.measure.heading(self.part)

    @property
    def rises(self) -> bool:
        """Whether higher is better."""
        return self.measure.direction(self.part) > 0

    @cached_property
    def _tests(self) -> dict[frozenset[str], SystemPair]:
        return {frozenset((pair.system, pair.other)): pair for pair in self.pairs}

    def pair(self, system: str, other: str) -> SystemPair | None:
        """The test of two systems, whichever comes first in it."""
        return self._tests.get(frozenset((system, other)))

    def tied_with(self, system: str) -> list[str]:
        """The systems from which this one does not differ significantly, best first."""
        tests = ((one.system, self.pair(system, one.system)) for one in self.figures)
        return [other for other, test in tests if test is not None and not test.significant]

    def can_differ(self, level: float) -> bool:
        """Whether there are enough topics for a test to tell any two systems apart."""
        least = smallest_adjusted_p(self.pairs)
        return math.isnan(least) or least <= 1 - level

    def value_of(self, system: str) -> float:
        """A system's average."""
        return next((one.value for one in self.figures if one.system == system), math.nan)

    def topic_values(self, system: str) -> Array:
        """One system's figures by topic."""
        found: Array = self.values[self.scores.systems.index(system)]
        return found

    def shade_range(self) -> tuple[float, float]:
        """The figures between which shades vary: from 0, unless all are far from it."""
        known = self.values[np.isfinite(self.values)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        return (low if low > high / 2 else min(low, 0.0)), high

    def wins(self, system: str, other: str) -> tuple[int, int]:
        """On how many topics a system is better than another, and on how many both are defined."""
        gaps = self.gaps(system, other)
        return sum(gap.better == system for gap in gaps), len(gaps)

    def gaps(self, system: str, other: str) -> list[TopicGap]:
        """The differences of two systems on the topics that both have, largest first."""
        found = []
        differences = (self.topic_values(system) - self.topic_values(other)).tolist()
        for topic, difference in zip(self.scores.topics, differences, strict=True):
            if not math.isnan(difference):
                ahead = difference > 0 if self.rises else difference < 0
                better = system if ahead else other if difference else ""
                found.append(TopicGap(topic, difference, better))
        return sorted(found, key=lambda gap: -abs(gap.difference))


def rank(
    averages: Sequence[Average], scores: Scores, compared: Sequence[PartComparison] = ()
) -> tuple[Board, ...]:
    """A board for each measure's main part."""
    found = dict.fromkeys((one.measure, one.part) for one in averages)
    tests = {(one.measure, one.part): one.comparison.pairs for one in compared}
    boards = []
    for measure, part in found:
        if part in measure.compared_parts:
            figures = [one for one in averages if (one.measure, one.part) == (measure, part)]
            figures.sort(key=_badness)
            values = scores.values(measure)[..., measure.parts.index(part)]
            pairs = tests.get((measure, part), ())
            boards.append(Board(measure, part, tuple(figures), values, scores, pairs))
    return tuple(boards)


def _badness(one: Average) -> float:
    """Sorts the best figure first and undefined ones last."""
    return math.inf if math.isnan(one.value) else -one.measure.direction(one.part) * one.value


def ranking_agreement(boards: Sequence[Board]) -> list[list[float]]:
    """Kendall's τ-b between the rankings of each two boards, over the systems that both rank.

    It is nan where these are fewer than three.
    """
    systems = boards[0].scores.systems
    orders = [
        np.array(
            [one.value_of(system) if one.rises else -one.value_of(system) for system in systems]
        )
        for one in boards
    ]
    found = []
    for x in orders:
        there = [~np.isnan(x + y) for y in orders]
        found.append(
            [
                float(kendall_b(x[both], y[both])) if np.count_nonzero(both) > 2 else math.nan
                for y, both in zip(orders, there, strict=True)
            ]
        )
    return found


class TopicSpread(NamedTuple):
    """The systems' figures on a topic, and how far apart the best and the worst are."""

    topic: str
    values: list[float]
    spread: float


def topic_spreads(scores: Scores, measure: Measure, part: str) -> list[TopicSpread]:
    """The topics by how far the systems are apart, farthest first."""
    values = scores.values(measure)[:, :, measure.parts.index(part)]
    spread = np.fmax.reduce(values) - np.fmin.reduce(values)
    return [
        TopicSpread(scores.topics[t], values[:, t].tolist(), float(spread[t]))
        for t in np.argsort(-spread, kind="stable")
    ]
