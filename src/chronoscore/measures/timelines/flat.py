"""Many timelines with their dates end to end, so that one array holds what all of them have."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np

from chronoscore.align import Alignment
from chronoscore.align.dates import Dates, Floats, Ints, Places
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, When
from chronoscore.core.texts import Entry
from chronoscore.measures.measure import Array, Pair
from chronoscore.measures.timelines.cost_functions import CostFunction
from chronoscore.measures.timelines.texts import (
    DatedTexts,
    Texts,
    TimelinePair,
    warn_of_empty_timelines,
)
from chronoscore.measures.timelines.weights import day_pair_closeness, pair_weights
from chronoscore.text import ranges

CELLS = 25_000_000
"""Pairs of days whose overlaps are held at a time, beyond those of a single pair of timelines."""


@dataclass(frozen=True, eq=False)
class Side:
    """The dates of many timelines end to end, each with its texts."""

    bounds: Places
    """By timeline: its first date; and the end."""
    dates: Dates
    owners: Places
    """By text: the place of its date; in order."""
    texts: Places
    whens: Sequence[When] = ()

    @classmethod
    def of_entries(cls, timelines: Sequence[Sequence[Entry]], numbered: Texts) -> Self:
        """Lay outputs end to end, each in order of time, and number their texts."""
        sizes, entries, whens, first = _lay_out(timelines)
        timeline_of = np.repeat(np.arange(len(sizes)), sizes)
        late = (np.diff(first) <= 0) & (np.diff(timeline_of) == 0)
        if late.any():
            ordered = list(timelines)
            for number in np.unique(timeline_of[1:][late]).tolist():
                pairs = [(entry.when, entry.sentences) for entry in ordered[number]]
                ordered[number] = Timeline.of(pairs).entries
            sizes, entries, whens, first = _lay_out(ordered)
        last = np.array([when.last for when in whens], dtype=np.int64)
        texts = numbered.number_all([entry.sentences for entry in entries])
        return cls(ranges.bounds(sizes), Dates(first, last), np.arange(len(texts)), texts, whens)

    @classmethod
    def of(cls, dated: Sequence[DatedTexts]) -> Self:
        """Lay the dates of references end to end."""
        empty = np.empty(0, dtype=np.intp)
        starts = ranges.bounds(np.array([len(one.whens) for one in dated], dtype=np.int64))
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

    def only(self, which: Places) -> "Side":
        """Some timelines that have one text for each date."""
        if len(which) == len(self.sizes):
            return self
        dates = self.places(which)
        return Side(
            ranges.bounds(self.sizes[which]),
            Dates(self.dates.first[dates], self.dates.last[dates]),
            np.arange(len(dates)),
            self.texts[dates],
        )

    def places(self, which: Places) -> Places:
        """The places of all dates of some timelines."""
        return ranges.concatenate(self.bounds[which], self.sizes[which])

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
    """Outputs and the references of their topics, the dates of each side end to end."""

    def __init__(self, pairs: Sequence[Pair], texts: Texts) -> None:
        self.all_texts = texts
        known = texts.topics.references if texts.topics else {}
        topics = {id(topic): topic for topic, _ in pairs}
        places = {key: place for place, key in enumerate(topics)}
        self.references = [
            known[key] if key in known else DatedTexts.of(topic.timelines, texts)
            for key, topic in topics.items()
        ]
        """The dates of each topic's references."""
        found = zip(topics.values(), self.references, strict=True)
        if not texts.topics:
            warn_of_empty_timelines([topic.id for topic, dated in found if not dated.whens])
        self.reference_of = np.array([places[id(topic)] for topic, _ in pairs], dtype=np.intp)
        """By pair: the place of its references."""
        outputs = [output for _, output in pairs if isinstance(output, Timeline)]
        assert len(outputs) == len(pairs)
        self.system = Side.of_entries([output.entries for output in outputs], texts)
        self.reference = Side.of(self.references)

    def __len__(self) -> int:
        return len(self.reference_of)

    @cached_property
    def pairs(self) -> list[TimelinePair]:
        """Each pair by itself."""
        found = []
        starts, whens = self.system.bounds.tolist(), self.system.whens
        spans = zip(starts[:-1], starts[1:], self.reference_of.tolist(), strict=True)
        for start, stop, place in spans:
            texts = self.system.texts[start:stop]
            places = np.arange(stop - start, dtype=np.intp)
            system = DatedTexts(tuple(whens[start:stop]), places, texts, (texts,), (places,))
            found.append(TimelinePair(system, self.references[place]))
        return found

    @cached_property
    def reference_counts(self) -> Places:
        """By pair: how many references it has."""
        counts = [len(dated.wholes) for dated in self.references]
        return np.array(counts, dtype=np.intp)[self.reference_of]

    @cached_property
    def system_owners(self) -> Places:
        """By system's date: its pair."""
        return np.repeat(np.arange(len(self)), self.system.sizes)

    def groups(self) -> Iterator[Places]:
        """Pairs with the same references, as many together as memory allows."""
        texts = np.array([len(dated.texts) for dated in self.references], dtype=np.int64)
        cells = self.system.sizes * texts[self.reference_of]
        order = np.argsort(self.reference_of, kind="stable")
        starts = np.flatnonzero(np.diff(self.reference_of[order])) + 1
        for group in np.split(order, starts) if len(order) else ():
            pieces = (np.cumsum(cells[group]) - 1) // CELLS
            yield from np.split(group, np.flatnonzero(np.diff(pieces)) + 1)

    def partners(self, aligned: Alignment) -> Places:
        """By system's date: the place of its partner among all reference dates, or −1."""
        starts = self.reference.bounds[self.reference_of][self.system_owners]
        return np.where(aligned.system == FREE, FREE, starts + aligned.system)

    def weigh(self, weight: CostFunction, pairs: Places, ours: Places, theirs: Places) -> Floats:
        """What pairs of dates count."""
        if weight.function is None:
            return day_pair_closeness(
                weight, self.system.dates.distance(self.reference.dates, ours, theirs)
            )
        found = [np.empty(0)]
        for number in np.unique(pairs).tolist():
            which = np.flatnonzero(pairs == number)
            here = ours[which] - self.system.bounds[number]
            there = theirs[which] - self.reference.bounds[self.reference_of[number]]
            found.append(pair_weights(weight, self.pairs[number], here, there, self.all_texts))
        return np.concatenate(found)


def _lay_out(
    timelines: Sequence[Sequence[Entry]],
) -> tuple[Places, list[Entry], list[When], Ints]:
    """How many entries each timeline has, all entries, their dates, and the first days of these."""
    sizes = np.array([len(entries) for entries in timelines], dtype=np.intp)
    entries = list(chain.from_iterable(timelines))
    whens = [entry.when for entry in entries]
    return sizes, entries, whens, np.array([when.first for when in whens], dtype=np.int64)
