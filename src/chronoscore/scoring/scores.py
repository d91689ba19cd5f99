"""Tallies of every measure, system and topic, and what is computed from them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from chronoscore.core import Row
from chronoscore.measures.averaging import average_over_topics
from chronoscore.measures.measure import Array, Measure
from chronoscore.options import Averaging

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many shards are done, of how many."""


@dataclass(frozen=True)
class Scores:
    """Tallies of every measure, system and topic, with all that is computed from them."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    tallies: Mapping[Measure, Array]
    """By measure: systems × topics × columns."""
    signature: str

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order in which they were asked for."""
        return tuple(self.tallies)

    def values(self, measure: Measure) -> Array:
        """Parts by system and topic: systems × topics × parts."""
        return measure.values(self.tallies[measure])

    def average(self, measure: Measure, rule: Averaging | None = None) -> Array:
        """Corpus figures: systems × parts."""
        return average_over_topics(measure, self.tallies[measure], rule)

    def rows(self) -> Iterator[Row]:
        """Flat records, one for each system, topic, measure and part."""
        for measure in self.measures:
            values = self.values(measure)
            places = [measure.parts.index(part) for part in measure.shown]
            label = measure.title
            for s, system in enumerate(self.systems):
                for t, topic in enumerate(self.topics):
                    for place in places:
                        yield {
                            "system": system,
                            "topic": topic,
                            "measure": label,
                            "part": measure.parts[place],
                            "value": float(values[s, t, place]),
                        }
