"""Several references: add them up, take the best, or leave one out at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Summary, Topic
from chronoscore.engine.kinds import Elements, Kind
from chronoscore.engine.pooling import round_rate
from chronoscore.errors import DataError, UsageError
from chronoscore.measures.measure import Array, Measure, Pair, divide_tallies

Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class PooledMeasure(Measure):
    """A measure of hits and sizes against each reference.

    Several references are pooled (hits and sizes are added up, then divided) or the one
    with the best recall is taken, or with `best-f` the one with the best F. With `jackknife` a
    system is compared with all but one reference at a time and the scores are averaged, so that
    people, who cannot be compared with themselves, and systems see equally many references.
    """

    needs = Summary
    several: Literal["pool", "best", "best-f"] = "pool"
    alpha: float = 0.5
    jackknife: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"{self.name}(alpha={self.alpha}): write a number from 0 to 1")

    def pool(self, counts: Array, sizes: Places, human: NDArray[np.bool_]) -> Array:
        """Turn counts for each reference into one tally for each pair."""
        if not self.jackknife:
            return self.merge(counts, sizes)
        subset, rows, subsets = _leave_one_out_rows(sizes, human)
        scores = self.score_tallies(self.merge(counts[rows], subset))
        ends = np.cumsum(subsets)
        sums = np.add.reduceat(scores, ends - subsets, axis=0)
        return np.column_stack([sums, subsets.astype(np.float64)])

    @property
    def kind(self) -> Kind | Elements:
        """What is counted."""
        raise NotImplementedError

    def merge(self, counts: Array, sizes: Places) -> Array:
        """Add up the counts of each pair's references, or keep those of the best one."""
        if self.several == "pool":
            return tally_rouge_references(counts, sizes)
        starts = np.cumsum(sizes) - sizes
        owner = np.repeat(np.arange(len(sizes)), sizes)
        # lexsort is stable, so the first of equally good references wins.
        if self.several == "best-f":
            merits = self.score_tallies(_tally_counts(counts))[:, 2]
        else:
            merits = self.choosing_recalls(counts)
        order = np.lexsort((-merits, owner))
        return _tally_counts(counts[order[starts]])

    def choosing_recalls(self, counts: Array) -> Array:
        """The recalls by which ROUGE-1.5.5 chooses the best reference.

        They are rounded as they are printed, but for ROUGE-L and ROUGE-W. For ROUGE-W they
        are over the singly weighted size, which is recovered by a root; its noise must not
        decide between equal references.
        """
        hits, wanted, _ = counts.T
        root = self.kind.root
        if root != 1:
            return np.round(divide_tallies(hits, wanted**root) ** root, 12)
        recalls = divide_tallies(hits, wanted)
        if not self.kind.rounds_recall:
            return recalls
        return np.array([round_rate(recall) for recall in recalls.tolist()])

    def rates(self, tallies: Array) -> tuple[Array, Array]:
        """Precision and recall from hits and sizes; the weighting of runs is undone."""
        precision, recall = super().rates(tallies)
        root = self.kind.root
        return (precision, recall) if root == 1 else (precision**root, recall**root)


def tally_rouge_references(counts: Array, sizes: Places) -> Array:
    """Turn counts for each reference into a tally for each pair, `sizes` of them at a time."""
    sums = np.zeros((len(sizes), 3))
    some = np.flatnonzero(sizes)
    if len(some):
        sums[some] = np.add.reduceat(counts, (np.cumsum(sizes) - sizes)[some], axis=0)
    return _tally_counts(sums)


def _tally_counts(counts: Array) -> Array:
    """Hits, reference sizes and system sizes as what was found, wanted, kept and offered."""
    hits, wanted, offered = counts.T
    return np.column_stack([hits, wanted, hits, offered])


@dataclass(frozen=True)
class SummaryPairs:
    """The texts of many pairs, each kept once, and which are compared with which."""

    documents: list[tuple[str, ...]]
    systems: Places
    references: Places
    sizes: Places
    human: NDArray[np.bool_]
    """Whether the output is a person's, whose own references are left out already."""
    known: int = 0
    """How many of the texts were known before."""

    @classmethod
    def of(cls, pairs: Sequence[Pair], before: "SummaryPairs | None" = None) -> Self:
        """Number the texts after those that are known; a reference of many systems is one text."""
        documents = list(before.documents) if before else []
        numbers = {id(text): place for place, text in enumerate(documents)}
        known = len(documents)

        def number(summary: Summary) -> int:
            found = numbers.setdefault(id(summary.sentences), len(documents))
            if found == len(documents):
                documents.append(summary.sentences)
            return found

        systems, references, sizes, human = [], [], [], []
        for topic, output in pairs:
            assert isinstance(output, Summary)
            against = _references_for(topic, output)
            systems += [number(output)] * len(against)
            references += [number(reference) for reference in against]
            sizes.append(len(against))
            human.append(topic.left_out)
        return cls(
            documents,
            np.array(systems, dtype=np.intp),
            np.array(references, dtype=np.intp),
            np.array(sizes, dtype=np.intp),
            np.array(human, dtype=np.bool_),
            known,
        )


def _references_for(topic: Topic, output: Summary) -> tuple[Summary, ...]:
    """The references of the output's own set."""
    found = tuple(s for s in topic.summaries if s.set == output.set)
    if not found:
        raise DataError(
            f"no reference summary of set {output.set}; give at least one",
            place=f"topic '{topic.id}'",
        )
    return found


def _leave_one_out_rows(sizes: Places, human: NDArray[np.bool_]) -> tuple[Places, Places, Places]:
    """List every subset of references with one left out.

    A lone reference stays, and so do all that a person is compared with: their own is out
    already.
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
