"""The measures of aligned days, each a case of the same frame."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from chronoscore.errors import UsageError
from chronoscore.measures.timelines.aligned_rouge import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import (
    CONTENT,
    DAYS,
    SAME,
    DayFunction,
    Frame,
    Plug,
)


@dataclass(frozen=True, kw_only=True)
class Agreement(AlignmentMeasure):
    """Compare the texts of the same date; a date that the other side lacks gets nothing.

    >>> str(Agreement(n=2))
    'agreement(n=2)'
    """

    name: ClassVar[str] = "agreement"
    known_faults: ClassVar[frozenset[str]] = frozenset({"shift"})
    """Where no date meets another any more, a longer shift costs no more than a short one."""

    @property
    def frame(self) -> Frame:
        """Only the same date costs nothing and counts."""
        return Frame(SAME, SAME)


@dataclass(frozen=True, kw_only=True)
class Align(AlignmentMeasure):
    """Compare each date with the date that answers to it on the other side.

    Dates are paired one to one so that they are as near to each other as can be. A pair
    counts in full on the same day and as 1/(d+1) at d days' distance.
    """

    name: ClassVar[str] = "align"

    @property
    def frame(self) -> Frame:
        """Costs by distance."""
        return Frame(DAYS, DAYS)


@dataclass(frozen=True, kw_only=True)
class AlignPlus(AlignmentMeasure):
    """Like `align`, but a pair is also the cheaper the more words its days share.

    The words are those of the scored texts; `content=tilse` takes the peer's own,
    which are split at blanks and neither stemmed nor folded.
    """

    name: ClassVar[str] = "align+"
    content: Literal["own", "tilse"] = "own"

    @property
    def frame(self) -> Frame:
        """Costs by distance and words."""
        return Frame(CONTENT, DAYS, content=self.content)


@dataclass(frozen=True, kw_only=True)
class AlignPlusMany(AlignmentMeasure):
    """Like `align+`, but several dates may have the same answer: each takes its cheapest.

    Of equally cheap dates the nearest is taken, or with `ties=first` the earliest.
    """

    name: ClassVar[str] = "align+m1"
    content: Literal["own", "tilse"] = "own"
    ties: Literal["near", "first"] = "near"

    @property
    def frame(self) -> Frame:
        """Costs by distance and words, many to one."""
        return Frame(CONTENT, DAYS, many=True, content=self.content, first=self.ties == "first")


@dataclass(frozen=True, kw_only=True)
class Aligned(AlignmentMeasure):
    """The frame itself: any cost, any weight, one to one or many to one.

    A cost or weight is `same`, `days`, `content` (a cost only) or a function of a system's
    `Day` and a reference's that returns a number; an infinite cost forbids a pair.

    >>> def calendar(ours, theirs):
    ...     return float(ours.when.first != theirs.when.first)
    >>> Aligned(cost=calendar, weight="days", many=True).cost.function is calendar
    True
    """

    name: ClassVar[str] = "aligned"
    spoken: ClassVar[frozenset[str]] = frozenset({"n", "cost", "weight"})
    cost: Plug | DayFunction | str = CONTENT
    weight: Plug | DayFunction | str = DAYS
    many: bool = False
    content: Literal["own", "tilse"] = "own"
    ties: Literal["near", "first"] = "near"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("cost", "weight"):
            object.__setattr__(self, name, Plug.of(getattr(self, name)))
        if self.weight == CONTENT:
            raise UsageError("aligned(weight=content): words make a cost only; write weight=days")

    @property
    def frame(self) -> Frame:
        """As the parameters say."""
        return Frame(
            Plug.of(self.cost),
            Plug.of(self.weight),
            many=self.many,
            content=self.content,
            first=self.ties == "first",
        )
