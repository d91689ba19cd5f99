"""Tallies of every measure, system and topic, and what is computed from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from chronoscore.core import Row
from chronoscore.measures.averaging import average_over_topics, mean_over_runs, topic_contributions
from chronoscore.measures.measure import Array, Measure
from chronoscore.options import Averaging

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many shards are done, of how many."""


@dataclass(frozen=True)
class Scores:
    """Tallies of every measure, system and topic, with all that is computed from them.

    Where systems have several runs, `runs` names them, and the tallies are those of each run:
    systems × topics × runs × columns, nan where a system has fewer. A topic's value is then the
    mean over its runs.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    tallies: Mapping[Measure, Array]
    """By measure: systems × topics × columns."""
    signature: str
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By system, where any has several."""

    @property
    def nested(self) -> bool:
        """Whether topics have several runs."""
        return bool(self.runs)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order in which they were asked for."""
        return tuple(self.tallies)

    def values(self, measure: Measure) -> Array:
        """Parts by system and topic: systems × topics × parts."""
        values = measure.values(self.tallies[measure])
        return mean_over_runs(values) if self.nested else values

    def run_values(self, measure: Measure) -> Array:
        """Parts of each run: systems × topics × runs × parts."""
        values = measure.values(self.tallies[measure])
        return values if self.nested else values[:, :, np.newaxis]

    def contributions(self, measure: Measure, rule: Averaging) -> Array:
        """What each topic adds to a corpus figure: systems × topics × contributions."""
        return topic_contributions(measure, self.tallies[measure], rule, nested=self.nested)

    def only(self, systems: Sequence[str], measure: Measure) -> "Scores":
        """The scores of some systems by one measure, unsigned."""
        rows = [self.systems.index(name) for name in systems]
        kept = {name: names for name, names in self.runs.items() if name in systems}
        return replace(
            self,
            systems=tuple(systems),
            tallies={measure: self.tallies[measure][rows]},
            signature="",
            runs=kept,
        )

    def average(self, measure: Measure, rule: Averaging | None = None) -> Array:
        """Corpus figures: systems × parts."""
        return average_over_topics(measure, self.tallies[measure], rule, nested=self.nested)

    def rows(self) -> Iterator[Row]:
        """Flat records, one for each system, topic, measure and part."""
        for measure in self.measures:
            values = self.values(measure)
            for s, system in enumerate(self.systems):
                for t, topic in enumerate(self.topics):
                    named: Row = {"system": system, "topic": topic, "measure": measure.title}
                    yield from _part_rows(named, measure, values[s, t])

    def run_rows(self) -> Iterator[Row]:
        """The same for each run of a system that has the topic."""
        for measure in self.measures:
            values, counted = self.run_values(measure), self.tallies[measure]
            for s, system in enumerate(self.systems):
                runs = self.runs.get(system) or ("",)
                for t, topic in enumerate(self.topics):
                    for r, run in enumerate(runs):
                        if self.nested and np.isnan(counted[s, t, r]).all():
                            continue
                        named: Row = {"system": system, "run": run, "topic": topic}
                        labeled: Row = {**named, "measure": measure.title}
                        yield from _part_rows(labeled, measure, values[s, t, r])


def _part_rows(named: Row, measure: Measure, values: Array) -> Iterator[Row]:
    """A record for each part that is shown."""
    for part in measure.shown:
        yield {**named, "part": part, "value": float(values[measure.parts.index(part)])}
