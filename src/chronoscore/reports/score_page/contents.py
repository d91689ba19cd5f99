"""What a report is about, and the order of systems by each measure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from chronoscore.core import Collection, Run
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array
from chronoscore.options import Resampling
from chronoscore.reports.tables import Table
from chronoscore.scoring import Scores
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus import Average
from chronoscore.stats.corpus_tests import PartComparison


@dataclass(frozen=True)
class Share:
    """How much of a ceiling each system reaches, by one part of one measure."""

    measure: Measure
    part: str
    kind: str
    shares: dict[str, float]


@dataclass(frozen=True)
class Contents:
    """Everything that the page shows; `collection` and `runs` are missing for saved scores."""

    scores: Scores
    averages: Sequence[Average]
    resampling: Resampling
    compared: Sequence[PartComparison] = ()
    shares: Sequence[Share] = ()
    collection: Collection | None = None
    runs: Sequence[Run] = ()
    notes: Sequence[str] = ()
    warnings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Each warning of a reader with all that it stands for."""
    command: str = ""
    title: str = ""
    published: Table | None = None
    """The averages with published figures below, if they were asked for."""

    @cached_property
    def boards(self) -> tuple["Board", ...]:
        """A ranking of the systems for each measure's main part."""
        found = dict.fromkeys((one.measure, one.part) for one in self.averages)
        main = [key for key in found if key[1] in key[0].compared_parts]
        return tuple(self.board(measure, part) for measure, part in main)

    def board(self, measure: Measure, part: str) -> "Board":
        """The systems by one part of a measure, best first."""
        figures = [one for one in self.averages if (one.measure, one.part) == (measure, part)]
        direction = measure.direction(part)
        figures.sort(key=lambda one: math.inf if math.isnan(one.value) else -direction * one.value)
        values = self.scores.values(measure)[..., measure.parts.index(part)]
        pairs = [
            pair
            for one in self.compared
            if (one.measure, one.part) == (measure, part)
            for pair in one.comparison.pairs
        ]
        share = next(
            (one for one in self.shares if (one.measure, one.part) == (measure, part)), None
        )
        return Board(measure, part, tuple(figures), values, self.scores, pairs, share)


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
    share: Share | None = None

    @property
    def name(self) -> str:
        """What the measure and its part are called."""
        return self.measure.heading(self.part)

    @property
    def rises(self) -> bool:
        """Whether higher is better."""
        return self.measure.direction(self.part) > 0

    @cached_property
    def tests(self) -> dict[frozenset[str], SystemPair]:
        """The test of each two systems."""
        return {frozenset((pair.system, pair.other)): pair for pair in self.pairs}

    def pair(self, system: str, other: str) -> SystemPair | None:
        """The test of two systems, whichever stands first in it."""
        return self.tests.get(frozenset((system, other)))

    def tied_with(self, system: str) -> list[str]:
        """The systems from which this one does not differ significantly, best first."""
        tests = ((one.system, self.pair(system, one.system)) for one in self.figures)
        return [other for other, test in tests if test is not None and not test.significant]

    def topic_values(self, system: str) -> Array:
        """One system's figures by topic."""
        found: Array = self.values[self.scores.systems.index(system)]
        return found

    def wins(self, system: str, other: str) -> tuple[int, int]:
        """On how many topics a system is better than another, and on how many both are defined."""
        difference = self.topic_values(system) - self.topic_values(other)
        defined = ~np.isnan(difference)
        better = difference > 0 if self.rises else difference < 0
        return int(np.count_nonzero(better & defined)), int(np.count_nonzero(defined))
