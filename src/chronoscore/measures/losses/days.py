"""The account of measures of aligned days: found, near, on another day, not said, extra."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

from chronoscore.core import Timeline
from chronoscore.errors import UsageError
from chronoscore.measures.languages import language_of, tally_by_language
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.losses.day_counts import DayCounts
from chronoscore.measures.losses.entries import DISTANCES
from chronoscore.measures.losses.words import WORDS
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.timelines.align_measures import Align, AlignmentMeasure, AlignPlus
from chronoscore.measures.timelines.frame import Counting
from chronoscore.options import Averaging
from chronoscore.text.languages import AUTO

RECALL = LossSide(
    rate="r",
    good="found",
    causes=(
        *(f"near.{name}" for name in DISTANCES),
        "another_day",
        "not_said.missing_days",
        "not_said.on_the_day",
    ),
    empty="nothing_wanted",
    whole="of what the references say",
    label="said on the right day",
)
PRECISION = LossSide(
    rate="p",
    good="p.kept",
    causes=(
        *(f"p.near.{name}" for name in DISTANCES),
        "p.another_day",
        "p.extra.days",
        "p.extra.words",
    ),
    empty="p.nothing_offered",
    whole="of what the system says",
    label="on the right day",
)


@dataclass(frozen=True, kw_only=True)
class DayLosses(Losses):
    """Where the points of another measure went: its causes of loss, which add up exactly.

    Of aligned days (`losses(align+)`), a run of words is `found` on the aligned day as far as the
    weight of the two days goes; what the weight takes away is `near`, by distance: the same day
    (for weights of your own), 1 day, 2–3, 4–7, more, or a year and more. It is said on
    `another_day` if the output has it where it is not matched, and `not_said` otherwise: on days
    that the output leaves out (`missing_days`) or on days that are there. Of what the system says,
    the same causes begin with `p.`; the rest is `p.extra`, on days that no reference has or on
    shared days. A day is left out if the other side has no date for it within 7 days when dates are
    paired one to one. `lost` is 1 − F.

    Of dates and ROUGE-N, what is missed and extra is split; of judged streams (nu, u, n, stream,
    auto-stream, crisis, assessed), what is missed, late, about no event or told before; of units
    and nuggets (pyramid, classic-pyramid, nuggets), what is missed by weight or importance. Each
    has causes of its own, which the pages on timelines, judged streams and content units list.

    >>> str(DayLosses(of=AlignPlus(n=2), part="near.year"))
    'losses(align+(n=2)).near.year'
    """

    sides: ClassVar[tuple[LossSide, ...]] = (RECALL, PRECISION)
    words: ClassVar[tuple[str, ...]] = WORDS
    parts = part_names(sides, words)
    columns = column_names(sides, words)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides, words)
    averaging: ClassVar[Averaging] = "of-means"
    needs = Timeline
    of: AlignmentMeasure = field(default=AlignPlus(), metadata={"bare": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        why = ""
        if self.of.pair_credit.gram_length is None:
            why = "only runs of words can be split into causes; write over=n and credit=ngrams"
        elif self.of.jackknife:
            why = "an account leaves no reference out; leave out jackknife"
        if why:
            raise UsageError(f"losses({self.of}): {why}")

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Measures of aligned days."""
        return isinstance(measure, AlignmentMeasure)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Of runs of one and two words, and with another divisor of precision."""
        yield AlignPlus()
        yield Align(n=2)
        yield AlignPlus(precision="floor")

    @property
    def family(self) -> object:
        """Accounts of measures that read texts in the same way are counted together."""
        return (DayLosses, self.of.reading)

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Read all texts once, then count account by account."""
        if language_of(family[0]) == AUTO:
            return tally_by_language(family, pairs, cls.tally_family)
        counting = Counting(pairs, family[0].of.reading)
        return [DayCounts(measure.of, counting).tallies() for measure in family]
