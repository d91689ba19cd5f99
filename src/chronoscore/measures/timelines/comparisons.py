"""Every comparison of two texts that alignments ask for, over many pairs of timelines at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from chronoscore.align import Alignment
from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.cost_functions import CostFunction
from chronoscore.measures.timelines.flat import FlatPairs
from chronoscore.measures.timelines.texts import TimelinePair
from chronoscore.text import ranges


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Texts that are compared, what each comparison counts, and for which pair."""

    systems: Places
    references: Places
    weights: Floats
    pairs: Places
    """The pair of each comparison that counts for recall; for precision, with `size` added."""
    size: int
    """How many pairs there are."""

    @classmethod
    def of(cls, weight: CostFunction, aligned: Alignment, flat: FlatPairs) -> Self:
        """List them, those for recall and those for precision."""
        system, reference, size = flat.system, flat.reference, len(flat)
        forward, backward = flat.partners(aligned), aligned.reference
        counts = reference.sizes[flat.reference_of]
        dates = reference.places(flat.reference_of)
        there, here = np.flatnonzero(backward != FREE), np.flatnonzero(forward != FREE)
        recall, precision = np.repeat(np.arange(size), counts)[there], flat.system_owners[here]
        pairs = np.concatenate([recall, precision])
        ours = np.concatenate([system.bounds[recall] + backward[there], here])
        theirs = np.concatenate([dates[there], forward[here]])
        weights = np.concatenate(
            [
                flat.weigh(weight, *(part[half] for part in (pairs, ours, theirs)))
                for half in (slice(0, len(there)), slice(len(there), None))
            ]
        )
        several = reference.text_counts[theirs]
        return cls(
            np.repeat(system.texts[ours], several),
            reference.texts[ranges.concatenate(reference.text_starts[theirs], several)],
            np.repeat(weights, several),
            np.repeat(np.concatenate([recall, precision + size]), several),
            size,
        )

    def similarities(self, tables: Sequence[Floats], timelines: Sequence[TimelinePair]) -> Array:
        """How alike the texts of each comparison are, by a table of every pair of timelines."""
        found = np.zeros((len(self.pairs), 1))
        owners = self.pairs % max(self.size, 1)
        by_pair = np.split(
            np.argsort(owners, kind="stable"),
            np.cumsum(np.bincount(owners, minlength=self.size))[:-1],
        )
        for pair, table, here in zip(timelines, tables, by_pair, strict=True):
            ours, theirs = pair.system.texts, pair.reference.texts
            by_system, by_reference = np.argsort(ours), np.argsort(theirs)
            rows = by_system[np.searchsorted(ours[by_system], self.systems[here])]
            columns = by_reference[np.searchsorted(theirs[by_reference], self.references[here])]
            found[here, 0] = table[rows, columns]
        return found

    def add_up(self, earned: Array) -> tuple[Array, Array]:
        """Weigh what was earned and add it up by pair: for recall, and for precision."""
        sums = [
            np.bincount(self.pairs, self.weights * column, minlength=2 * self.size)
            for column in earned.T
        ]
        both = np.stack(sums, axis=1).astype(np.float64)
        return both[: self.size], both[self.size :]
