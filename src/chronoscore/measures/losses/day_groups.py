"""Outputs with the same references, counted together."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.measures.losses.entries import LossEntries, add_up, look_up, settle
from chronoscore.measures.timelines.texts import DatedTexts
from chronoscore.text import ranges

if TYPE_CHECKING:
    from chronoscore.measures.losses.day_counts import DayCounts


class DayGroup:
    """Pairs with the same references: their grams by place in the references' own vocabulary."""

    def __init__(self, counts: "DayCounts", group: Places) -> None:
        self.counts, self.group = counts, group
        flat = counts.flat
        self.dated: DatedTexts = flat.references[flat.reference_of[group[0]]]
        self.references = len(self.dated.wholes)
        self.dates = len(self.dated.whens)
        self.days = flat.system.places(group)
        """The places of the pairs' days among all systems' days."""
        self.day_pairs = np.repeat(np.arange(len(group)), flat.system.sizes[group])
        self.text_entry, gram, self.text_count = counts.grams.of_texts(self.dated.texts)
        self.vocabulary, self.text_gram = np.unique(gram, return_inverse=True)
        self.size = len(self.vocabulary) + 1
        """The grams of the references, and one for all others."""
        day_texts = flat.system.texts[self.days]
        self.day_entry, self.day_grams, self.day_count = counts.grams.of_texts(day_texts)
        self.day_gram = np.searchsorted(self.vocabulary, self.day_grams)
        known = np.append(self.vocabulary, -1)[self.day_gram] == self.day_grams
        self.day_gram = np.where(known, self.day_gram, self.size - 1)
        self.known = known

    @cached_property
    def reference_of(self) -> Places:
        """By text of the references: which reference it belongs to."""
        owners = np.concatenate([np.empty(0, dtype=np.intp), *self.dated.places])
        whose = np.repeat(np.arange(self.references), [len(one) for one in self.dated.places])
        return whose[np.argsort(owners, kind="stable")]

    @cached_property
    def text_at(self) -> Places:
        """By date and reference: the place of the text; −1 where there is none."""
        found = np.full((self.dates + 1, max(self.references, 1)), -1, dtype=np.intp)
        found[self.dated.owners, self.reference_of] = np.arange(len(self.dated.texts))
        return found

    def recall(self) -> LossEntries:
        """What the references say, day by day, once for each output."""
        counts, pairs = self.counts, len(self.group)
        places = ranges.concatenate(counts.starts[self.group], np.full(pairs, self.dates))
        matches = counts.recall
        entries = len(self.text_gram)
        pair = np.repeat(np.arange(pairs), entries)
        date = self.dated.owners[self.text_entry]
        day = pair * self.dates + np.tile(date, pairs)
        gram = np.tile(self.text_gram, pairs)
        owed = np.tile(self.text_count, pairs).astype(np.float64)
        partner = matches.partners[places][day]
        shared = np.minimum(owed, self._count_in_days(partner, gram))
        cell = (pair * max(self.references, 1) + np.tile(self.reference_of[self.text_entry], pairs)
                ) * self.size + gram  # fmt: skip
        supply = self._supply_of_days(cell, pair, gram)
        kind = counts.kinds.of_grams(
            np.zeros(len(self.vocabulary), dtype=np.intp),
            counts.grams.words[self.vocabulary],
            np.unique(self.dated.texts),
            np.zeros(len(np.unique(self.dated.texts)), dtype=np.intp),
        )
        return LossEntries(
            pair,
            day,
            kind[gram],
            owed,
            shared,
            matches.weights[places][day],
            matches.bins[places][day],
            counts.lone[1][places][day],
            settle(cell, owed, shared, supply, partner if counts.measure.frame.many else None),
        )

    def _count_in_days(self, day: Places, gram: Places) -> Places:
        """How often days of the outputs, by their places among all, have grams."""
        order = np.argsort(self.days, kind="stable")
        if not len(order):
            return np.zeros(len(day), dtype=np.intp)
        local = order[np.searchsorted(self.days[order], day).clip(max=len(order) - 1)]
        held = (self.day_entry * self.size + self.day_gram)[self.known]
        return look_up(held, self.day_count[self.known], local * self.size + gram, day != FREE)

    def _supply_of_days(self, cell: Places, pair: Places, gram: Places) -> Floats:
        """By entry: how often the whole output has its gram."""
        keys = self.day_pairs[self.day_entry] * self.size + self.day_gram
        said = add_up(keys, self.day_count, len(self.group) * self.size)
        supply: Floats = said[pair * self.size + gram]
        return supply

    def precision(self) -> LossEntries:
        """What the outputs say, day by day, once for each reference in the day's divisor."""
        counts = self.counts
        matches = counts.precision
        partner = matches.partners[self.days]
        date = np.where(
            partner == FREE, self.dates, partner - counts.flat.reference.bounds[
                counts.flat.reference_of[self.group[0]]
            ]
        )  # fmt: skip
        shares = self._divisor(date)
        each = max(self.references, 1)
        day = np.repeat(self.day_entry, each)
        reference = np.tile(np.arange(each), len(self.day_entry))
        times = shares[day, reference]
        counted = times > 0
        day, reference, times = day[counted], reference[counted], times[counted]
        gram = np.repeat(self.day_gram, each)[counted]
        owed = times * np.repeat(self.day_count, each)[counted]
        text = self.text_at[date[day], reference]
        shared = np.minimum(owed, self._count_in_texts(text, gram))
        pair = self.day_pairs[day]
        wanted = add_up(
            self.reference_of[self.text_entry] * self.size + self.text_gram,
            self.text_count,
            each * self.size,
        )
        kind = counts.kinds.of_grams(
            self.day_pairs[self.day_entry],
            counts.grams.words[self.day_grams],
            counts.flat.system.texts[self.days],
            self.day_pairs,
        )
        return LossEntries(
            pair,
            day,
            np.repeat(kind, each)[counted],
            owed,
            shared,
            matches.weights[self.days][day],
            matches.bins[self.days][day],
            counts.lone[0][self.days][day],
            settle(
                (pair * each + reference) * self.size + gram,
                owed,
                shared,
                wanted[reference * self.size + gram],
                date[day] if counts.measure.frame.many else None,
            ),
        )

    def _divisor(self, date: Places) -> Floats:
        """By day and reference: how often the day counts against the reference.

        Of a day without a partner, `floor` counts one reference: every one in equal parts.
        """
        each = max(self.references, 1)
        if self.counts.measure.precision == "peer":
            return np.full((len(date), each), float(self.references > 0))
        has = (self.text_at[date] >= 0).astype(np.float64)
        if self.counts.measure.precision == "floor":
            has[date == self.dates] = 1.0 / each
        return has

    def _count_in_texts(self, text: Places, gram: Places) -> Places:
        """How often texts of the references have grams."""
        held = self.text_entry * self.size + self.text_gram
        return look_up(held, self.text_count, text * self.size + gram, text >= 0)
