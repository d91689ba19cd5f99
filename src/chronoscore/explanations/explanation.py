"""What all explanations have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from chronoscore.core import Output, Topic
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array


@dataclass(frozen=True)
class Explanation:
    """Why one output scores as it does on one topic.

    A subclass for each kind of measure says where the figure comes from. What can be said of all
    kinds, such as where points were lost, is a method here.
    """

    measures: ClassVar[tuple[type[Measure], ...]] = ()
    """The measures that a subclass explains."""

    measure: Measure
    topic: Topic
    output: Output

    @classmethod
    def explains(cls, measure: Measure) -> bool:
        """Whether this is the kind of explanation that a measure needs."""
        return isinstance(measure, cls.measures)

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The explained figures by part."""
        (row,) = self.measure.values(self.tally)
        return dict(zip(self.measure.parts, row.tolist(), strict=True))

    @property
    def tally(self) -> Array:
        """The counts behind the figures, in one row."""
        return self.measure.tally([(self.topic, self.output)])
