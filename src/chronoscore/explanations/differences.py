"""Why one system scores lower than another: what a difference is made of, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING

from chronoscore.core import When
from chronoscore.measures import Measure
from chronoscore.measures.losses.account import account_of, group_of
from chronoscore.measures.losses.wording import words_for

if TYPE_CHECKING:
    from chronoscore.measures.timelines.align_measures import AlignmentMeasure


@dataclass(frozen=True, kw_only=True)
class Cause:
    """One cause of loss in two systems, and what it adds to their difference.

    `share` is its part of A − B in points of the measure: above 0, it costs B more. The interval
    and p are corrected (Holm) for the number of causes. `recall` and `precision` are the shares
    that A and B lose by it on each side; nan where a side does not know the cause.
    """

    name: str
    recall: tuple[float, float]
    precision: tuple[float, float]
    share: float
    net: float
    """The same once causes of its group that do the opposite are set off; what sentences say."""
    low: float = nan
    high: float = nan
    p: float = nan
    named: bool = False
    """Whether it is sure enough to be named in a sentence."""
    seen: bool = True
    """Whether the system that loses more by it does so on every side, and more than by chance."""
    chance: tuple[float, float] = (nan, nan)
    """What A and B would lose by it by chance alone, where that is known."""

    @property
    def group(self) -> str:
        """The coarser cause that it is a part of."""
        return group_of(self.name)

    @property
    def label(self) -> str:
        """What tables call it."""
        return words_for(self.name).label


@dataclass(frozen=True, kw_only=True)
class TopicDifference:
    """One topic: both figures, and the cause that adds most to their difference."""

    topic: str
    a: float
    b: float
    causes: Mapping[str, float]
    """By cause: its share of the topic's difference."""
    cause: str = ""
    """The cause that explains most of the difference, by the rule of the sentence; none where they
    are even or where nothing explains it."""

    @property
    def difference(self) -> float:
        """A − B."""
        return self.a - self.b


@dataclass(frozen=True, kw_only=True)
class SystemDay:
    """What a system says about a reference's day."""

    when: When | None
    """The day that the reference's day is compared with, if any."""
    text: tuple[str, ...]
    found: float
    """The share of the reference's words that it found, after weights."""
    cause: str
    """What costs most of the rest; empty where nothing is lost."""
    around: tuple[When | None, When | None] = (None, None)
    """Where it is compared with none: the system's dates before and after it."""

    @property
    def gap(self) -> str:
        """Between which of its dates a system has nothing, in words."""
        before, after = self.around
        if before and after:
            return f"nothing between {before} and {after}"
        if before:
            return f"nothing after {before}"
        return f"nothing before {after}" if after else "nothing at all"


@dataclass(frozen=True, kw_only=True)
class DayDifference:
    """A reference's day on which two systems differ, and why."""

    topic: str
    measure: "AlignmentMeasure"
    """The measure as it reads this topic's language."""
    when: When
    reference: tuple[tuple[str, ...], ...]
    """What each reference with this day says."""
    a: SystemDay
    b: SystemDay
    difference: float
    """A − B in points of the topic's recall."""


@dataclass(frozen=True, kw_only=True)
class SystemEvent:
    """What a system says of a judged event, unit or nugget."""

    share: float
    """How much of its worth the system earns, from 0 to 1."""
    what: str
    """What became of it, in a word or two."""
    where: str = ""
    """The place of the sentence that tells it."""
    text: str = ""
    """That sentence, where one is known."""


@dataclass(frozen=True, kw_only=True)
class EventDifference:
    """A judged event, unit or nugget of which one system earns more."""

    topic: str
    event: str
    text: str
    weight: float
    a: SystemEvent
    b: SystemEvent
    difference: float
    """A − B as a share of what all events of the topic are worth."""


@dataclass(frozen=True, kw_only=True)
class SystemDifference:
    """Two systems by one measure: by how much they differ, why, on which topics and days."""

    a: str
    b: str
    measure: Measure
    part: str
    value_a: float
    value_b: float
    low: float
    high: float
    p: float
    level: float
    causes: tuple[Cause, ...]
    topics: tuple[TopicDifference, ...]
    """Those that differ most first."""
    groups: tuple[Cause, ...] = ()
    """The groups of the causes, which are named where no cause of theirs is sure."""
    days: tuple[DayDifference, ...] = ()
    """Of aligned days: those on which they differ most."""
    events: tuple[EventDifference, ...] = ()
    """Of judged events, units and nuggets: those of which one earns most more than the other."""
    notes: tuple[str, ...] = ()
    wrong_year: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By system: the topics on which most of what it says is in the wrong year."""

    @property
    def difference(self) -> float:
        """A − B."""
        return self.value_a - self.value_b

    @property
    def things(self) -> str:
        """What the difference is shown by: days, or events, units or nuggets."""
        return account_of(self.measure, self.part).things

    @property
    def sentence(self) -> str:
        """The difference and its causes in a sentence."""
        from chronoscore.explanations.sentences import describe_difference

        return describe_difference(self)

    @property
    def significant(self) -> bool:
        """Whether the interval of the difference leaves out 0."""
        return not isnan(self.low) and (self.low > 0 or self.high < 0)
