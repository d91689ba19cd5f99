"""The ROUGE family: words, word sequences and skipped pairs shared with references.

Counts come from the exact engine; this module pools them over references, or takes the
best reference, or leaves one reference out at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import DataError, Score, Summary, Topic, UsageError, f_score, ratio
from chronoscore.measures.measure import Array, Measure, Pair, divided, harmonic
from chronoscore.rouge import plain
from chronoscore.rouge.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.text.plain import Prepared, prepare
from chronoscore.text.preparation import Limit, Preparation

FEW = 5
"""Below so many comparisons the plain engine is faster than setting up the batch."""


@dataclass(frozen=True, kw_only=True)
class RougeMeasure(Measure):
    """What all ROUGE measures have in common.

    Several references are pooled (hits and sizes are added up, then divided) or the one
    with the best recall is taken. With `jackknife` a system meets all but one reference
    at a time and the scores are averaged, so that people, who cannot be compared with
    themselves, and systems see equally many references.
    """

    needs = Summary
    prepare: Literal["perl155", "unicode"] = "perl155"
    stem: bool = False
    stop: bool = False
    limit: Limit | None = None
    language: str = "english"
    several: Literal["pool", "best"] = "pool"
    alpha: float = 0.5
    jackknife: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"{self.name}(alpha={self.alpha}): write a number from 0 to 1")

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

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count hits, reference sizes and system sizes over all references."""
        return self.tally_family([self], pairs)[0]

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Prepare every text once and count every kind of gram on it."""
        texts = Texts.of(pairs)
        kinds = list(dict.fromkeys(measure.kind for measure in family))
        counts = dict(zip(kinds, texts.count(kinds, family[0].preparation), strict=True))
        return [measure.pool(counts[measure.kind], texts.sizes, texts.human) for measure in family]

    def pool(self, counts: Array, sizes: NDArray[np.intp], human: NDArray[np.bool_]) -> Array:
        """Turn counts for each reference into one tally for each pair."""
        if not self.jackknife:
            return self.merge(counts, sizes)
        subset, rows, subsets = leave_one_out(sizes, human)
        scores = self.score_tallies(self.merge(counts[rows], subset))
        ends = np.cumsum(subsets)
        sums = np.add.reduceat(scores, ends - subsets, axis=0)
        return np.column_stack([sums, subsets.astype(np.float64)])

    def merge(self, counts: Array, sizes: NDArray[np.intp]) -> Array:
        """Add up the counts of each pair's references, or keep those of the best one."""
        starts = np.cumsum(sizes) - sizes
        if self.several == "pool":
            hits, wanted, offered = np.add.reduceat(counts, starts, axis=0).T
        else:
            owner = np.repeat(np.arange(len(sizes)), sizes)
            # lexsort is stable, so the first of equally good references wins.
            order = np.lexsort((-self.recalls(counts), owner))
            hits, wanted, offered = counts[order[starts]].T
        return np.column_stack([hits, wanted, hits, offered])

    def recalls(self, counts: Array) -> Array:
        """The recall by which the best reference is chosen: printed to five places, as in Perl."""
        recall = divided(counts[:, 0], counts[:, 1])
        return np.array([float(f"{value:.5f}") for value in recall.tolist()])

    def values(self, tallies: Array) -> Array:
        """Precision, recall and F; means of them where one reference was left out at a time."""
        if self.jackknife:
            return divided(tallies[..., :3], tallies[..., 3:])
        return self.score_tallies(tallies)

    def score_tallies(self, tallies: Array) -> Array:
        """Precision, recall and F from hits and sizes."""
        found, wanted, kept, offered = np.moveaxis(tallies, -1, 0)
        precision = self.rooted(divided(kept, offered))
        recall = self.rooted(divided(found, wanted))
        return np.stack([precision, recall, harmonic(precision, recall, self.alpha)], axis=-1)

    def rooted(self, share: Array) -> Array:
        """Undo the weighting of runs, where there is any."""
        return share

    def score(self, system: Prepared, references: Sequence[Prepared]) -> Score:
        """Score one prepared text without arrays; the fast path of a single call."""
        if self.jackknife or self.several == "best" or isinstance(self.kind, WeightedSubsequence):
            counts = np.array([plain.count(self.kind, system, r) for r in references], dtype=float)
            tally = self.pool(counts, np.array([len(references)]), np.array([False]))
            return Score(*self.values(tally)[0].tolist())
        hits = wanted = offered = 0.0
        for reference in references:
            count = plain.count(self.kind, system, reference)
            hits, wanted, offered = hits + count[0], wanted + count[1], offered + count[2]
        precision, recall = ratio(hits, offered), ratio(hits, wanted)
        return Score(precision, recall, f_score(precision, recall, self.alpha))


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
        if self.n < 1:
            raise UsageError(f"rouge(n={self.n}): n counts words; write 1 or more")

    @property
    def kind(self) -> Kind:
        """Runs of n words."""
        return Grams(self.n)


@dataclass(frozen=True, kw_only=True)
class RougeL(RougeMeasure):
    """ROUGE-L: words shared in the same order, united over the system's sentences."""

    name: ClassVar[str] = "rouge-l"

    @property
    def kind(self) -> Kind:
        """Longest common subsequences of sentences."""
        return Subsequence()

    def recalls(self, counts: Array) -> Array:
        """Unrounded, as in Perl."""
        return divided(counts[:, 0], counts[:, 1])


@dataclass(frozen=True, kw_only=True)
class RougeW(RougeMeasure):
    """ROUGE-W: like ROUGE-L, with unbroken runs of words worth more."""

    name: ClassVar[str] = "rouge-w"
    weight: float = 1.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weight <= 0:
            raise UsageError(f"rouge-w(weight={self.weight}): write a number above 0")

    @property
    def kind(self) -> Kind:
        """Weighted longest common subsequences of sentences."""
        return WeightedSubsequence(self.weight)

    def rooted(self, share: Array) -> Array:
        """Undo the weighting of runs."""
        return share ** (1 / self.weight)

    def recalls(self, counts: Array) -> Array:
        """Unrounded, and over the singly weighted size, as in Perl.

        That size is recovered by a root; its noise must not decide between equal references.
        """
        once = counts[:, 1] ** (1 / self.weight)
        return np.round(self.rooted(divided(counts[:, 0], once)), 12)


@dataclass(frozen=True, kw_only=True)
class RougeS(RougeMeasure):
    """ROUGE-S: pairs of words in order with at most `gap` words between (any, if negative)."""

    name: ClassVar[str] = "rouge-s"
    spoken: ClassVar[frozenset[str]] = frozenset({"gap"})
    gap: int = 4

    @property
    def kind(self) -> Kind:
        """Skipped pairs."""
        return SkipGrams(self.gap)


@dataclass(frozen=True, kw_only=True)
class RougeSU(RougeMeasure):
    """ROUGE-SU: the pairs of ROUGE-S, and single words."""

    name: ClassVar[str] = "rouge-su"
    spoken: ClassVar[frozenset[str]] = frozenset({"gap"})
    gap: int = 4

    @property
    def kind(self) -> Kind:
        """Skipped pairs and single words."""
        return SkipGrams(self.gap, unigrams=True)


@dataclass(frozen=True)
class Texts:
    """The texts of many pairs, each kept once, and which of them meet."""

    documents: list[tuple[str, ...]]
    systems: NDArray[np.intp]
    references: NDArray[np.intp]
    sizes: NDArray[np.intp]
    human: NDArray[np.bool_]
    """Whether the output is itself one of the topic's references."""

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> Self:
        """Number the texts; a reference that many systems meet is one text."""
        numbers: dict[int, int] = {}
        documents: list[tuple[str, ...]] = []

        def number(summary: Summary) -> int:
            found = numbers.setdefault(id(summary.sentences), len(documents))
            if found == len(documents):
                documents.append(summary.sentences)
            return found

        systems, references, sizes, human = [], [], [], []
        for topic, output in pairs:
            assert isinstance(output, Summary)
            against = references_for(topic, output)
            systems += [number(output)] * len(against)
            references += [number(reference) for reference in against]
            sizes.append(len(against))
            human.append(any(output is reference for reference in topic.summaries))
        return cls(
            documents,
            np.array(systems, dtype=np.intp),
            np.array(references, dtype=np.intp),
            np.array(sizes, dtype=np.intp),
            np.array(human, dtype=np.bool_),
        )

    def count(self, kinds: Sequence[Kind], preparation: Preparation) -> list[Array]:
        """One row of hits, reference size and system size for each comparison, by kind."""
        if len(self.systems) < FEW:
            texts = [prepare(document, preparation) for document in self.documents]
            return [np.array(list(self.plain_counts(kind, texts)), dtype=float) for kind in kinds]
        from chronoscore.rouge import batch
        from chronoscore.text.batch import prepare as prepare_batch

        prepared = prepare_batch(self.documents, preparation)
        return batch.count(kinds, prepared, self.systems, self.references)

    def plain_counts(self, kind: Kind, texts: Sequence[Prepared]) -> Iterator[plain.Counts]:
        """Compare text by text."""
        for system, reference in zip(self.systems, self.references, strict=True):
            yield plain.count(kind, texts[system], texts[reference])


def references_for(topic: Topic, output: Summary) -> tuple[Summary, ...]:
    """The references of the output's own set; a person is not compared with themselves."""
    found = tuple(s for s in topic.summaries if s.set == output.set and s is not output)
    if not found:
        raise DataError(
            f"topic '{topic.id}': no reference summary of set {output.set}; give at least one"
        )
    return found


def leave_one_out(
    sizes: NDArray[np.intp], human: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """List every subset of references with one left out.

    A lone reference stays, and so do all that a person meets: their own is out already.
    Gives the size of each subset, the rows of all subsets one after the other, and how
    many subsets each pair has.
    """
    subset: list[int] = []
    rows: list[int] = []
    start = 0
    whole = human | (sizes < 2)
    for size, one in zip(sizes.tolist(), whole.tolist(), strict=True):
        every = range(start, start + size)
        kept = [list(every)] if one else [[r for r in every if r != out] for out in every]
        subset += [len(k) for k in kept]
        rows += [r for k in kept for r in k]
        start += size
    subsets = np.where(whole, 1, sizes)
    return np.array(subset, dtype=np.intp), np.array(rows, dtype=np.intp), subsets
