"""The ROUGE family: words, word sequences and skipped pairs shared with references."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from chronoscore.core import Score, Topic
from chronoscore.engine import plain
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.pooling import score_summed_counts
from chronoscore.engine.single import TextCounter
from chronoscore.errors import UsageError
from chronoscore.measures.languages import check_language, tally_by_language
from chronoscore.measures.measure import Array, FamilyCounter, Pair, check_words
from chronoscore.measures.rouge.pooling import PooledMeasure, SummaryPairs
from chronoscore.text.languages import AUTO
from chronoscore.text.plain import Prepared
from chronoscore.text.preparation import Limit, Preparation, PreparationName, Sentences

if TYPE_CHECKING:
    from chronoscore.text.warm import WarmTexts

HEAVIEST = 100
"""What a run's length may be raised to; more leaves nothing but the longest run."""
WIDEST = 1_000_000
"""Words between two that count as a pair."""
FEW = 5
"""Below this many comparisons the plain engine is faster than setting up the batch."""


@dataclass(frozen=True, kw_only=True)
class RougeMeasure(PooledMeasure):
    """What all ROUGE measures on running text have in common: how texts become tokens."""

    prepare: PreparationName = "perl155"
    stem: bool = False
    stop: bool = False
    limit: Limit | None = None
    language: str = "english"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_language(self.name, self.prepare, self.language)

    @property
    def kind(self) -> Kind:
        """What is counted."""
        raise NotImplementedError

    @property
    def preparation(self) -> Preparation:
        """How texts become tokens."""
        return Preparation(
            name=self.prepare,
            stem=self.stem,
            stop=self.stop,
            limit=self.limit,
            language=self.language,
        )

    @property
    def family(self) -> object:
        """Measures with the same preparation are counted together."""
        return (RougeMeasure, self.preparation)

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Prepare every text once and count every kind of gram on it."""
        if family[0].language == AUTO:
            return tally_by_language(family, pairs, cls.tally_family)
        return cls.tally_paired(family, SummaryPairs.of(pairs))

    @classmethod
    def prepare_family(cls, family: Sequence[Self], topics: Sequence[Topic]) -> FamilyCounter:
        """Prepare the references once."""
        if family[0].language == AUTO:
            return super().prepare_family(family, topics)
        from chronoscore.text.warm import WarmTexts

        known = SummaryPairs.of([(topic, one) for topic in topics for one in topic.summaries])
        warm = WarmTexts(known.documents, family[0].preparation)
        return lambda pairs: cls.tally_paired(family, SummaryPairs.of(pairs, known), warm)

    @classmethod
    def tally_paired(
        cls, family: Sequence[Self], paired: SummaryPairs, warm: "WarmTexts | None" = None
    ) -> list[Array]:
        """Count every kind of gram; texts that are warm come first in `paired`."""
        kinds = list(dict.fromkeys(measure.kind for measure in family))
        found = _count_overlap(paired, kinds, family[0].preparation, warm)
        counts = dict(zip(kinds, found, strict=True))
        return [
            measure.pool(counts[measure.kind], paired.sizes, paired.human) for measure in family
        ]

    def score(self, system: Prepared, references: Sequence[Prepared]) -> Score:
        """Score one prepared text."""
        return self.score_counts([plain.count(self.kind, system, one) for one in references])

    @property
    def adds_counts(self) -> bool:
        """Whether a score is a ratio of counts that are added up over the references."""
        return not self.jackknife and self.several == "pool" and self.kind.root == 1

    def score_counts(self, counts: Sequence[plain.CountRow]) -> Score:
        """Score one text from what it shares with each reference, without arrays where possible."""
        if self.adds_counts:
            return score_summed_counts(counts, self.alpha)
        if self.several == "best-f" and not self.jackknife and self.kind.root == 1:
            # Of equally good references, the first.
            scores = [score_summed_counts([row], self.alpha) for row in counts]
            return max(scores, key=lambda score: score.f)
        rows = np.array(counts, dtype=float)
        tally = self.pool(rows, np.array([len(counts)]), np.array([False]))
        return Score(*self.values(tally)[0].tolist())


@dataclass(frozen=True, kw_only=True)
class Rouge(RougeMeasure):
    """ROUGE-N: runs of n words shared with the references.

    >>> str(Rouge(n=2))
    'rouge(n=2)'
    """

    name: ClassVar[str] = "rouge"
    spoken: ClassVar[frozenset[str]] = frozenset({"n"})
    n: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_words(self.name, self.n)

    @property
    def kind(self) -> Kind:
        """Runs of n words."""
        return Grams(self.n)


@dataclass(frozen=True, kw_only=True)
class RougeL(RougeMeasure):
    """ROUGE-L: words shared in the same order, united over the system's sentences.

    A sentence is a line; or the whole text is one (`sentences=text`), or is split into some
    (`sentences=split`).
    """

    name: ClassVar[str] = "rouge-l"
    sentences: Sentences = "lines"

    @property
    def preparation(self) -> Preparation:
        """How texts become tokens and sentences."""
        return replace(super().preparation, sentences=self.sentences)

    @property
    def kind(self) -> Kind:
        """Longest common subsequences of sentences."""
        return Subsequence()


@dataclass(frozen=True, kw_only=True)
class RougeW(RougeMeasure):
    """ROUGE-W: like ROUGE-L, with unbroken runs of words worth more."""

    name: ClassVar[str] = "rouge-w"
    weight: float = 1.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.weight <= HEAVIEST:
            raise UsageError(
                f"rouge-w(weight={self.weight}): write a number above 0, {HEAVIEST} at most"
            )

    @property
    def kind(self) -> Kind:
        """Weighted longest common subsequences of sentences."""
        return WeightedSubsequence(self.weight)


@dataclass(frozen=True, kw_only=True)
class RougeS(RougeMeasure):
    """ROUGE-S: pairs of words in order with at most `gap` words between (any, if negative)."""

    name: ClassVar[str] = "rouge-s"
    spoken: ClassVar[frozenset[str]] = frozenset({"gap"})
    gap: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gap > WIDEST:
            raise UsageError(
                f"{self.name}(gap={self.gap}): write {WIDEST:,} or less, or -1 for any gap"
            )

    @property
    def kind(self) -> Kind:
        """Skipped pairs."""
        return SkipGrams(self.gap)


@dataclass(frozen=True, kw_only=True)
class RougeSU(RougeS):
    """ROUGE-SU: the pairs of ROUGE-S, and single words."""

    name: ClassVar[str] = "rouge-su"

    @property
    def kind(self) -> Kind:
        """Skipped pairs and single words."""
        return SkipGrams(self.gap, unigrams=True)


def _count_overlap(
    paired: SummaryPairs,
    kinds: Sequence[Kind],
    preparation: Preparation,
    warm: "WarmTexts | None" = None,
) -> list[Array]:
    """One row of hits, reference size and system size for each comparison, by kind."""
    if warm is None and len(paired.systems) < FEW:
        counter = TextCounter(kinds, preparation)
        rows = [
            counter.count(paired.documents[system], [paired.documents[reference]])
            for system, reference in zip(paired.systems, paired.references, strict=True)
        ]
        return [
            np.array([row[place][0] for row in rows], dtype=float).reshape(-1, 3)
            for place in range(len(kinds))
        ]
    # The batch engine is slow to import; only many comparisons pay for it.
    from chronoscore.engine import batch
    from chronoscore.text.batch import prepare_texts as prepare_batch

    prepared = (
        prepare_batch(paired.documents, preparation)
        if warm is None
        else warm.join(paired.documents[paired.known :])
    )
    return batch.count(kinds, prepared, paired.systems, paired.references)
