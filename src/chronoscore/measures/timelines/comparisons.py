"""Every comparison of two texts that alignments ask for, over many pairs of timelines at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from chronoscore.align import Alignment
from chronoscore.align.dates import Dates, Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.engine.numbering import bounds, ranges
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.cost_functions import CostFunction
from chronoscore.measures.timelines.texts import DatedTexts, Texts, TimelinePair
from chronoscore.measures.timelines.weights import closeness, pair_weights


@dataclass(frozen=True, eq=False)
class Side:
    """The dates of many timelines end to end, each with its texts."""

    bounds: Places
    """By timeline: its first date; and the end."""
    dates: Dates
    owners: Places
    """By text: the place of its date; in order."""
    texts: Places

    @classmethod
    def of(cls, dated: Sequence[DatedTexts]) -> Self:
        """Lay the timelines end to end."""
        empty = np.empty(0, dtype=np.intp)
        starts = bounds(np.array([len(one.whens) for one in dated], dtype=np.int64))
        held = np.array([len(one.texts) for one in dated], dtype=np.intp)
        owners = np.concatenate([empty, *(one.owners for one in dated)])
        return cls(
            starts,
            Dates.joined([one.dates for one in dated]),
            owners + np.repeat(starts[:-1], held),
            np.concatenate([empty, *(one.texts for one in dated)]),
        )

    @cached_property
    def text_counts(self) -> Places:
        """By date."""
        return np.bincount(self.owners, minlength=len(self.dates))

    @cached_property
    def text_starts(self) -> Places:
        """By date: the place of its first text."""
        return np.cumsum(self.text_counts) - self.text_counts

    def only(self, which: Sequence[int]) -> "Side":
        """Some timelines that have one text for each date."""
        if len(which) == len(self.sizes):
            return self
        sizes = self.sizes[which]
        dates = ranges(self.bounds[which], sizes)
        return Side(
            bounds(sizes),
            Dates(self.dates.first[dates], self.dates.last[dates]),
            np.arange(len(dates)),
            self.texts[dates],
        )

    @cached_property
    def sizes(self) -> Places:
        """How many dates each timeline has."""
        return np.diff(self.bounds)

    def sums(self, amounts: Array) -> Array:
        """Add up what each text amounts to, by timeline: × the amounts' columns."""
        owners = np.repeat(np.repeat(np.arange(len(self.sizes)), self.sizes), self.text_counts)
        sums = [np.bincount(owners, column, minlength=len(self.sizes)) for column in amounts.T]
        return np.stack(sums, axis=1).astype(np.float64)


class FlatPairs:
    """Pairs of timelines with the dates of all of them end to end."""

    def __init__(self, pairs: Sequence[TimelinePair], texts: Texts) -> None:
        self.pairs = pairs
        self.all_texts = texts
        distinct = {id(pair.reference): pair.reference for pair in pairs}
        places = {key: place for place, key in enumerate(distinct)}
        self.system = Side.of([pair.system for pair in pairs])
        self.reference = Side.of(list(distinct.values()))
        self.reference_of = np.array([places[id(pair.reference)] for pair in pairs], dtype=np.intp)
        """By pair: the place of its references."""

    @cached_property
    def system_owners(self) -> Places:
        """By system's date: its pair."""
        return np.repeat(np.arange(len(self.pairs)), self.system.sizes)

    def partners(self, aligned: Sequence[Alignment]) -> Places:
        """By system's date: the place of its partner among all reference dates, or −1."""
        forward = np.concatenate([np.empty(0, dtype=np.intp), *(a.system for a in aligned)])
        starts = self.reference.bounds[self.reference_of][self.system_owners]
        return np.where(forward == FREE, FREE, starts + forward)

    def weigh(self, weight: CostFunction, pairs: Places, ours: Places, theirs: Places) -> Floats:
        """What pairs of dates count."""
        if weight.function is None:
            return closeness(weight, self.system.dates.distance(self.reference.dates, ours, theirs))
        found = [np.empty(0)]
        for number in np.unique(pairs).tolist():
            which = np.flatnonzero(pairs == number)
            here = ours[which] - self.system.bounds[number]
            there = theirs[which] - self.reference.bounds[self.reference_of[number]]
            found.append(pair_weights(weight, self.pairs[number], here, there, self.all_texts))
        return np.concatenate(found)


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
    def of(cls, weight: CostFunction, aligned: Sequence[Alignment], flat: FlatPairs) -> Self:
        """List them, those for recall and those for precision."""
        system, reference, size = flat.system, flat.reference, len(aligned)
        forward = flat.partners(aligned)
        backward = np.concatenate([np.empty(0, dtype=np.intp), *(a.reference for a in aligned)])
        counts = reference.sizes[flat.reference_of]
        dates = ranges(reference.bounds[flat.reference_of], counts)
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
            reference.texts[ranges(reference.text_starts[theirs], several)],
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
