"""Timelines as numbered texts: every day's text once, and where each day finds its own."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from chronoscore.align.dates import Dates, Places
from chronoscore.core import Timeline, When
from chronoscore.errors import ChronoscoreWarning
from chronoscore.measures.measure import Pair
from chronoscore.measures.timelines.cost_functions import Day


class Documents:
    """Texts by number; the same text object is numbered once, however many days hold it."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, ...]] = []
        self._numbers: dict[int, int] = {}

    def number(self, sentences: tuple[str, ...]) -> int:
        """The number of a text."""
        found = self._numbers.setdefault(id(sentences), len(self.texts))
        if found == len(self.texts):
            self.texts.append(sentences)
        return found


@dataclass(frozen=True, eq=False)
class Side:
    """The dates of one or several timelines in order, and the texts that each date has."""

    whens: tuple[When, ...]
    owners: Places
    """By text: the place of its date; in order."""
    texts: Places
    """By text: its number."""
    wholes: tuple[Places, ...]
    """By timeline: the numbers of its texts in order of time."""
    places: tuple[Places, ...]
    """By timeline: the places of its dates."""

    @classmethod
    def of(cls, timelines: Sequence[Timeline], documents: Documents) -> Self:
        """Number the texts of timelines."""
        whens = tuple(sorted({entry.when for timeline in timelines for entry in timeline}))
        places = {when: place for place, when in enumerate(whens)}
        owners: list[int] = []
        texts: list[int] = []
        wholes, held = [], []
        for timeline in timelines:
            by_place: dict[int, tuple[str, ...]] = {}
            for entry in timeline:
                place = places[entry.when]
                said = by_place.get(place)
                by_place[place] = entry.sentences if said is None else said + entry.sentences
            numbers = [documents.number(by_place[place]) for place in sorted(by_place)]
            owners += sorted(by_place)
            texts += numbers
            wholes.append(np.array(numbers, dtype=np.intp))
            held.append(np.array(sorted(by_place), dtype=np.intp))
        order = np.argsort(np.array(owners, dtype=np.intp), kind="stable")
        return cls(
            whens,
            np.array(owners, dtype=np.intp)[order],
            np.array(texts, dtype=np.intp)[order],
            tuple(wholes),
            tuple(held),
        )

    @cached_property
    def dates(self) -> Dates:
        """The dates as arrays."""
        return Dates.of(self.whens)

    @cached_property
    def counts(self) -> Places:
        """How many texts each date has."""
        return np.bincount(self.owners, minlength=len(self.whens))

    def texts_of(self, places: Places) -> tuple[Places, Places]:
        """All texts of some dates: which of the given dates each belongs to, and its number."""
        counts = self.counts[places]
        begins = (np.cumsum(self.counts) - self.counts)[places]
        which = np.repeat(np.arange(len(places)), counts)
        within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        return which, self.texts[begins[which] + within]

    def days(self, documents: Documents) -> list[Day]:
        """The dates with their texts, as a user's function sees them."""
        found = []
        for place, when in enumerate(self.whens):
            _, numbers = self.texts_of(np.array([place]))
            found.append(Day(when, tuple(documents.texts[n] for n in numbers.tolist())))
        return found


@dataclass(frozen=True, eq=False)
class Meeting:
    """One system's timeline and the references it meets."""

    system: Side
    reference: Side

    @property
    def references(self) -> int:
        """How many references there are."""
        return len(self.reference.wholes)


def meetings(pairs: Iterable[Pair], documents: Documents) -> list[Meeting]:
    """Number the texts of all pairs; the references of a topic are looked at once."""
    found: list[Meeting] = []
    references: dict[int, Side] = {}
    lacking: list[str] = []
    for topic, output in pairs:
        assert isinstance(output, Timeline)
        if id(topic) not in references:
            references[id(topic)] = Side.of(topic.timelines, documents)
            if not references[id(topic)].whens:
                lacking.append(topic.id)
        found.append(Meeting(Side.of([output], documents), references[id(topic)]))
    if lacking:
        more = f" ({len(lacking)} empty in all)" if len(lacking) > 1 else ""
        warnings.warn(
            f"topic '{lacking[0]}': the reference timeline is empty{more}; scored as 0",
            ChronoscoreWarning,
            stacklevel=4,
        )
    return found
