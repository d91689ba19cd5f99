"""Counts of runs of words by cause, for many pairs of timelines at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.errors import UsageError
from chronoscore.measures.losses.day_groups import DayGroup
from chronoscore.measures.losses.entries import (
    COUNTED,
    DISTANCES,
    KINDS,
    NEAR,
    YEAR,
    CountedGrams,
    LossEntries,
    bin_distances,
)
from chronoscore.measures.losses.words import CauseWords
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import DAYS
from chronoscore.measures.timelines.frame import Counting, Frame, align_timelines
from chronoscore.text import ranges

BY_DATE = Frame(DAYS, DAYS)


@dataclass(frozen=True, eq=False)
class Matches:
    """One side's days with their partners: weights and distances."""

    partners: Places
    """Among the dates of the other side, all pairs end to end; FREE without one."""
    weights: Floats
    bins: Places
    years_off: NDArray[np.bool_]
    """Whether the partner is about a whole number of years away."""


class DayCounts:
    """The entries of all pairs by one measure."""

    def __init__(self, measure: AlignmentMeasure, counting: Counting) -> None:
        assert measure.pair_credit.gram_length is not None
        self.measure, self.counting, self.flat = measure, counting, counting.flat
        batch = counting.texts.batch(measure.reading)
        self.grams = CountedGrams.of(batch, measure.pair_credit.gram_length)
        self.kinds = CauseWords(counting.texts, measure.reading)
        frame = measure.frame
        self.alignment = align_timelines([frame], counting)[frame]

    def tallies(self) -> Array:
        """By pair: what was found of the references, then what was kept of the output."""
        half = COUNTED * KINDS
        found = np.zeros((len(self.flat), 2 * half))
        for group in self.flat.groups():
            recall, precision = self.entries(group)
            found[group, :half] = recall.tally(len(group))
            found[group, half:] = precision.tally(len(group))
        return found

    def entries(self, group: Places) -> tuple[LossEntries, LossEntries]:
        """The entries of pairs with the same references: recall, precision."""
        counted = DayGroup(self, group)
        return counted.recall(), counted.precision()

    def recall_entries(self, group: Places) -> LossEntries:
        """The entries of recall alone."""
        return DayGroup(self, group).recall()

    @cached_property
    def starts(self) -> Places:
        """By pair: the place of its first reference date among those of all pairs."""
        return ranges.bounds(self.flat.reference.sizes[self.flat.reference_of])

    @cached_property
    def lone(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """By date of the systems, and of the references: whether the other side leaves it out.

        Dates are paired one to one by distance; a date without a partner within a week is left out,
        also where its neighbors have one. A day in the wrong year is not: its own partner is about
        whole years away.
        """
        flat = self.flat
        nearest = align_timelines([BY_DATE], self.counting)[BY_DATE]
        partners = flat.partners(nearest)
        here = np.flatnonzero(partners != FREE)
        distances = flat.system.dates.distance(flat.reference.dates, here, partners[here])
        here, close = here[distances <= NEAR], nearest.system[here[distances <= NEAR]]
        alone = np.ones(len(partners), dtype=bool), np.ones(len(nearest.reference), dtype=bool)
        alone[0][here] = False
        alone[1][self.starts[flat.system_owners[here]] + close] = False
        alone[0][self.precision.years_off] = alone[1][self.recall.years_off] = False
        return alone

    @cached_property
    def recall(self) -> Matches:
        """The references' dates, those of all pairs end to end."""
        flat, back = self.flat, self.alignment.reference
        sizes = np.diff(self.starts)
        pairs = np.repeat(np.arange(len(flat)), sizes)
        dates = flat.reference.places(flat.reference_of)
        there = np.flatnonzero(back != FREE)
        ours = flat.system.bounds[pairs[there]] + back[there]
        return self._match(len(back), there, pairs[there], ours, dates[there], ours)

    @cached_property
    def precision(self) -> Matches:
        """The systems' dates, those of all pairs end to end."""
        flat = self.flat
        partners = flat.partners(self.alignment)
        here = np.flatnonzero(partners != FREE)
        pairs = flat.system_owners[here]
        return self._match(len(partners), here, pairs, here, partners[here], partners[here])

    def _match(
        self, size: int, which: Places, pairs: Places, ours: Places, theirs: Places, others: Places
    ) -> Matches:
        """Weights and distances of aligned days."""
        weights = self.flat.weigh(self.measure.frame.weight, pairs, ours, theirs)
        if len(weights) and not ((weights >= 0) & (weights <= 1)).all():
            wrong = weights[~((weights >= 0) & (weights <= 1))][0]
            raise UsageError(
                f"losses({self.measure}): a weight is {wrong:g}; only weights from 0 to 1 "
                "can be split into causes"
            )
        bins = bin_distances(self.flat.system.dates, self.flat.reference.dates, ours, theirs)
        partners = np.full(size, FREE, dtype=np.intp)
        found, placed = np.zeros(size), np.zeros(size, dtype=np.intp)
        partners[which], found[which], placed[which] = others, weights, bins
        days = self.flat.system.dates.distance(self.flat.reference.dates, ours, theirs)
        rest = np.abs(days - YEAR * np.rint(days / YEAR))
        years_off = np.zeros(size, dtype=bool)
        years_off[which] = (bins == len(DISTANCES) - 1) & (rest <= NEAR)
        return Matches(partners, found, placed, years_off)
