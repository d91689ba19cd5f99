"""What further topics and runs would show: plans for an experiment, from one that was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from statistics import median

from chronoscore.core import Row
from chronoscore.measures import Measure
from chronoscore.scoring import Scores
from chronoscore.stats import power
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus_tests import PartComparison
from chronoscore.stats.run_spread import share_of_runs


@dataclass(frozen=True)
class Plan:
    """One pair of systems: what its topics can show, and what a difference would need."""

    measure: Measure
    part: str
    pair: SystemPair
    level: float
    power: float
    run_share: float
    """The share of runs in the variance of the topics' differences."""

    @property
    def detectable(self) -> float:
        """The smallest difference that the topics can show with this power."""
        return self._detectable(self.pair.topics)

    @property
    def with_more_topics(self) -> float:
        """The same with twice the topics."""
        return self._detectable(2 * self.pair.topics)

    @property
    def with_more_runs(self) -> float:
        """The same with twice the runs; as it is where there is one run."""
        return self.detectable * sqrt(1 - self.run_share / 2)

    def _detectable(self, topics: int) -> float:
        return power.smallest_difference(self.pair.spread, topics, self.level, self.power)

    def topics_needed(self, difference: float) -> float:
        """How many topics a difference of this size needs."""
        return power.topics_needed(difference, self.pair.spread, self.level, self.power)

    def row(self, difference: float = nan) -> Row:
        """A flat record."""
        return {
            "measure": self.measure.title,
            "part": self.part,
            "system": self.pair.system,
            "other": self.pair.other,
            "topics": self.pair.topics,
            "spread": self.pair.spread,
            "detectable": self.detectable,
            "difference": difference,
            "topics_needed": self.topics_needed(difference),
            "run_share": self.run_share,
        }


def plan(
    scores: Scores, compared: Sequence[PartComparison], chance: float = power.POWER
) -> list[Plan]:
    """A plan for each pair and part that was compared, where topics show any spread."""
    return [
        Plan(
            one.measure,
            one.part,
            pair,
            one.comparison.level,
            chance,
            share_of_runs(scores, one.measure, one.part, (pair.system, pair.other)),
        )
        for one in compared
        for pair in one.comparison.pairs
        if not isnan(pair.spread)
    ]


def middle(values: Sequence[float]) -> float:
    """The median of what is defined."""
    return median([value for value in values if not isnan(value)] or [nan])
