"""Several references: add them up, take the best, or leave one out at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures.measure import Array, Measure, Pair, divided, harmonic


@dataclass(frozen=True, kw_only=True)
class PooledMeasure(Measure):
    """A measure of hits and sizes against each reference.

    Several references are pooled (hits and sizes are added up, then divided) or the one
    with the best recall is taken. With `jackknife` a system meets all but one reference
    at a time and the scores are averaged, so that people, who cannot be compared with
    themselves, and systems see equally many references.
    """

    needs = Summary
    several: Literal["pool", "best"] = "pool"
    alpha: float = 0.5
    jackknife: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"{self.name}(alpha={self.alpha}): write a number from 0 to 1")

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


@dataclass(frozen=True)
class Meetings:
    """The texts of many pairs, each kept once, and which of them meet."""

    documents: list[tuple[str, ...]]
    systems: NDArray[np.intp]
    references: NDArray[np.intp]
    sizes: NDArray[np.intp]
    human: NDArray[np.bool_]
    """Whether the output is a person's, whose own references are left out already."""

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
            human.append(topic.left_out)
        return cls(
            documents,
            np.array(systems, dtype=np.intp),
            np.array(references, dtype=np.intp),
            np.array(sizes, dtype=np.intp),
            np.array(human, dtype=np.bool_),
        )


def references_for(topic: Topic, output: Summary) -> tuple[Summary, ...]:
    """The references of the output's own set."""
    found = tuple(s for s in topic.summaries if s.set == output.set)
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
