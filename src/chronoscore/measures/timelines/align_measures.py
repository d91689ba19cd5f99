"""ROUGE of aligned days: agreement, align, align+, align+ m:1, and the frame they are cases of.

Precision takes every date of the system with the reference date that it is aligned with,
recall every reference date with its date of the system. What such a pair of days earns is
its credit; how much of that counts is its weight.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from chronoscore.align import Alignment
from chronoscore.align.dates import Places
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array
from chronoscore.measures.similarity.similarities import (
    WORDS,
    MatrixFunction,
    TextSimilarity,
)
from chronoscore.measures.similarity.similarity_measure import SimilarityMeasure
from chronoscore.measures.timelines import blind_spots
from chronoscore.measures.timelines.comparisons import Comparisons
from chronoscore.measures.timelines.cost_functions import (
    CONTENT,
    DAYS,
    SAME,
    CostFunction,
    DayFunction,
)
from chronoscore.measures.timelines.credit import Credit, SimilarityCredit, credit_comparisons
from chronoscore.measures.timelines.flat import FlatPairs
from chronoscore.measures.timelines.frame import Counting, Frame, align_timelines
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure


@dataclass(frozen=True, kw_only=True)
class AlignmentMeasure(TimelineMeasure):
    """What all measures of aligned days have in common.

    `precision` says by how many references a system's day is divided: by all there are
    (peer), by those that have the aligned date (literal), or by at least one (floor).
    """

    precision: Literal["peer", "literal", "floor"] = "peer"

    @property
    def frame(self) -> Frame:
        """Which costs and weights, one to one or many to one."""
        raise NotImplementedError

    @classmethod
    def counter(cls) -> type[TimelineMeasure]:
        """All measures of aligned days share alignments and comparisons."""
        return AlignmentMeasure

    @classmethod
    def tally_together(
        cls, measures: Sequence[TimelineMeasure], counting: Counting
    ) -> Mapping[TimelineMeasure, Array]:
        """Align once for each frame, compare every two texts once, add up by pair."""
        chosen = [measure for measure in measures if isinstance(measure, AlignmentMeasure)]
        frames = list(dict.fromkeys(measure.frame for measure in chosen))
        aligned = align_timelines(frames, counting)
        matches = {
            frame: Comparisons.of(frame.weight, aligned[frame], counting.flat) for frame in frames
        }
        ends = np.cumsum([0, *(len(m.weights) for m in matches.values())])
        rows = {frame: slice(ends[i], ends[i + 1]) for i, frame in enumerate(frames)}
        empty = np.empty(0, dtype=np.intp)
        earned = credit_comparisons(
            [measure.pair_credit for measure in chosen],
            counting.texts,
            np.concatenate([empty, *(m.systems for m in matches.values())]),
            np.concatenate([empty, *(m.references for m in matches.values())]),
        )
        tallies: dict[TimelineMeasure, Array] = {}
        for measure in chosen:
            frame, credit = measure.frame, measure.pair_credit
            if isinstance(credit, SimilarityCredit):
                amounts = matches[frame].similarities(
                    counting.tables(credit.similarity), counting.pairs
                )
            else:
                amounts = earned[credit][rows[frame]]
            found, kept = matches[frame].add_up(amounts)
            wanted, offered = measure.sizes(aligned[frame], counting)
            tallies[measure] = np.hstack([found, wanted, kept, offered])
        return tallies

    def sizes(self, aligned: Alignment, counting: Counting) -> tuple[Array, Array]:
        """What there was to find in the references, and what the system offered."""
        as_reference, as_system = self.pair_credit.sizes(counting.texts)
        flat = counting.flat
        wanted = flat.reference.sums(as_reference[flat.reference.texts])[flat.reference_of]
        divisors = self.divisors(aligned, flat)[:, np.newaxis]
        return wanted, flat.system.sums(divisors * as_system[flat.system.texts])

    def divisors(self, aligned: Alignment, flat: FlatPairs) -> Places:
        """By how many references each of the systems' days is divided."""
        if self.precision == "peer":
            return flat.reference_counts[flat.system_owners]
        counts = np.append(flat.reference.text_counts, 0)[flat.partners(aligned)]
        return counts if self.precision == "literal" else np.maximum(counts, 1)


@dataclass(frozen=True, kw_only=True)
class DateAgreement(AlignmentMeasure):
    """Compare the texts of the same date; a date that the other side lacks gets nothing.

    >>> str(DateAgreement(n=2))
    'agreement(n=2)'
    """

    name: ClassVar[str] = "agreement"
    known_faults: ClassVar[frozenset[str]] = frozenset({"shift"}) | blind_spots.OF_WORDS
    """Once no dates coincide, a longer shift costs no more than a short one."""

    @property
    def frame(self) -> Frame:
        """Only the same date costs nothing and counts."""
        return Frame(SAME, SAME)


@dataclass(frozen=True, kw_only=True)
class Align(AlignmentMeasure):
    """Compare each day with the nearest day of the other side; d days apart counts 1/(d+1).

    Days are paired one to one so that all pairs together are as near as can be.
    """

    name: ClassVar[str] = "align"

    @property
    def frame(self) -> Frame:
        """Costs by distance."""
        return Frame(DAYS, DAYS)


@dataclass(frozen=True, kw_only=True)
class ContentMeasure(SimilarityMeasure, AlignmentMeasure):
    """What measures have in common whose alignment looks at what the days say.

    `similarity` says how alike two days are: by their words, by `tfidf`, by sentence vectors
    (`embed`), by words and vectors (`mixed`), by a table (`file`) or a function. With
    `credit=similarity` an aligned pair is worth its similarity, not the words it shares.
    """

    content: Literal["own", "tilse"] = "own"
    similarity: TextSimilarity | MatrixFunction | str = WORDS
    credit: Literal["ngrams", "similarity"] = "ngrams"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.credit == "similarity" and self.over != "n":
            raise UsageError(
                f"{self.name}(over={self.over},credit=similarity): over is for credit=ngrams; "
                "leave out one"
            )
        if self.similarity == WORDS:
            return
        if self.content != "own" or self.limit is not None:
            one = "content" if self.content != "own" else "limit"
            raise UsageError(
                f"{self.name}(similarity={self.similarity}): {one} is for similarity=words; "
                "leave out one"
            )

    @property
    def pair_credit(self) -> Credit:
        """What an aligned pair is worth: shared runs of words, or its similarity."""
        if self.credit == "similarity":
            return SimilarityCredit(self.reading, self.text_similarity)
        return super().pair_credit

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Also with similarity as the credit."""
        yield from super().examples()
        yield cls(similarity="mixed", credit="similarity")


@dataclass(frozen=True, kw_only=True)
class AlignPlus(ContentMeasure):
    """Compare each day with the closest match in time and words; d days apart counts 1/(d+1).

    Days are paired one to one, as in `align`, but sharing words also makes a pair closer. The
    words are those of the scored texts; `content=tilse` takes tilse's own, which are split
    at blanks and neither stemmed nor folded. `similarity` compares days in another way (tfidf,
    embed, mixed, file, or a function), and with `credit=similarity` a pair is worth how similar it
    is, not the words that it shares.
    """

    name: ClassVar[str] = "align+"

    @property
    def frame(self) -> Frame:
        """Costs by distance and similarity."""
        return Frame(CONTENT, DAYS, content=self.content, similarity=self.text_similarity)


@dataclass(frozen=True, kw_only=True)
class AlignPlusMany(ContentMeasure):
    """As align+, but several days may be compared with the same day of the other side.

    Each day takes its closest match. Of equally close
    days the nearest in time is taken, or with `ties=first` the earliest.
    """

    name: ClassVar[str] = "align+m1"
    ties: Literal["near", "first"] = "near"

    @property
    def frame(self) -> Frame:
        """Costs by distance and similarity, many to one."""
        return Frame(
            CONTENT,
            DAYS,
            many=True,
            content=self.content,
            first=self.ties == "first",
            similarity=self.text_similarity,
        )


@dataclass(frozen=True, kw_only=True)
class Aligned(ContentMeasure):
    """The frame itself: any cost, any weight, one to one or many to one.

    A cost or weight is `same`, `days`, `content` (a cost only) or a function of a system's
    `Day` and a reference's that returns a number; an infinite cost forbids a pair. The cost
    `content` compares days by `similarity`; with `credit=similarity` that is also what a pair
    is worth.

    >>> def calendar(ours, theirs):
    ...     return float(ours.when.first != theirs.when.first)
    >>> Aligned(cost=calendar, weight="days", many=True).cost.function is calendar
    True
    """

    name: ClassVar[str] = "aligned"
    spoken: ClassVar[frozenset[str]] = frozenset({"n", "cost", "weight"})
    cost: CostFunction | DayFunction | str = CONTENT
    weight: CostFunction | DayFunction | str = DAYS
    many: bool = False
    ties: Literal["near", "first"] = "near"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("cost", "weight"):
            object.__setattr__(self, name, CostFunction.of(getattr(self, name)))
        if self.weight == CONTENT:
            raise UsageError("aligned(weight=content): words make a cost only; write weight=days")
        if self.similarity != WORDS and self.credit == "ngrams" and self.cost != CONTENT:
            raise UsageError(
                f"aligned(cost={self.cost},similarity={self.similarity}): nothing uses the "
                "similarity; write cost=content or credit=similarity"
            )

    @property
    def frame(self) -> Frame:
        """As the parameters say."""
        return Frame(
            CostFunction.of(self.cost),
            CostFunction.of(self.weight),
            many=self.many,
            content=self.content,
            first=self.ties == "first",
            similarity=self.text_similarity,
        )
