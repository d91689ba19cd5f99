"""Timelines as numbered texts: every day's text once, and where each day finds its own.

The batch engine is imported by the methods that use it: naming a measure must stay cheap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import lt
from threading import Lock
from typing import TYPE_CHECKING, Self

import numpy as np

from chronoscore.align.dates import Dates, Places
from chronoscore.core import Timeline, Topic, When
from chronoscore.errors import warn
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.tilse import read_sentence_like_tilse
from chronoscore.text.plain import Prepared, prepare_text
from chronoscore.text.preparation import Preparation

if TYPE_CHECKING:
    from chronoscore.text.batch import Batch
    from chronoscore.text.warm import WarmTexts


@dataclass(frozen=True, slots=True)
class TextReading:
    """How texts become tokens: by a preparation, as they are or as tilse passes them on."""

    preparation: Preparation
    peer: bool = False

    def clean(self, sentences: Sequence[str]) -> Sequence[str]:
        """Give sentences as they are handed to the preparation."""
        return (
            [read_sentence_like_tilse(sentence) for sentence in sentences]
            if self.peer
            else sentences
        )

    def prepare(self, sentences: Sequence[str]) -> Prepared:
        """Prepare one text."""
        return prepare_text(self.clean(sentences), self.preparation)

    def prepare_batch(self, texts: Sequence[Sequence[str]]) -> "Batch":
        """Prepare many texts."""
        from chronoscore.text.batch import prepare_texts

        return prepare_texts([self.clean(text) for text in texts], self.preparation)


class Texts:
    """Texts by number, and prepared once for each reading.

    The same text object is numbered once, however many days hold it. The first numbers are those
    of topics that are prepared already, if there are any.
    """

    def __init__(self, topics: "PreparedTopics | None" = None) -> None:
        self.topics = topics
        self.texts: list[tuple[str, ...]] = list(topics.numbered.texts) if topics else []
        self._numbers: dict[int, int] = dict(topics.numbered._numbers) if topics else {}
        self._batches: dict[TextReading, Batch] = {}

    def number(self, sentences: tuple[str, ...]) -> int:
        """The number of a text."""
        number = self._numbers.setdefault(id(sentences), len(self.texts))
        if number == len(self.texts):
            self.texts.append(sentences)
        return number

    def number_all(self, texts: Sequence[tuple[str, ...]]) -> Places:
        """The number of each text."""
        names = list(map(id, texts))
        first = len(self.texts)
        # Mostly all texts are new, and no two are the same.
        fresh = dict(zip(names, range(first, first + len(names)), strict=True))
        if len(fresh) == len(names) and self._numbers.keys().isdisjoint(names):
            self._numbers.update(fresh)
            self.texts += texts
            return np.arange(first, first + len(names), dtype=np.intp)
        return np.fromiter(map(self.number, texts), dtype=np.intp, count=len(texts))

    def batch(self, reading: TextReading) -> "Batch":
        """All texts, prepared; none may be added afterwards."""
        if reading not in self._batches:
            self._batches[reading] = (
                self.topics.join(reading, self.texts)
                if self.topics
                else reading.prepare_batch(self.texts)
            )
        return self._batches[reading]


@dataclass(frozen=True, eq=False)
class DatedTexts:
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
    def of(cls, timelines: Sequence[Timeline], numbered: Texts) -> Self:
        """Number the texts of timelines."""
        if len(timelines) == 1 and _in_order(timelines[0]):
            return cls.of_one(timelines[0], numbered)
        whens = tuple(sorted({entry.when for timeline in timelines for entry in timeline}))
        places = {when: place for place, when in enumerate(whens)}
        owners: list[int] = []
        texts: list[int] = []
        wholes, places_by_timeline = [], []
        for timeline in timelines:
            by_place: dict[int, tuple[str, ...]] = {}
            for entry in timeline:
                place = places[entry.when]
                known = by_place.get(place)
                by_place[place] = entry.sentences if known is None else known + entry.sentences
            numbers = [numbered.number(by_place[place]) for place in sorted(by_place)]
            owners += sorted(by_place)
            texts += numbers
            wholes.append(np.array(numbers, dtype=np.intp))
            places_by_timeline.append(np.array(sorted(by_place), dtype=np.intp))
        order = np.argsort(np.array(owners, dtype=np.intp), kind="stable")
        return cls(
            whens,
            np.array(owners, dtype=np.intp)[order],
            np.array(texts, dtype=np.intp)[order],
            tuple(wholes),
            tuple(places_by_timeline),
        )

    @classmethod
    def of_one(cls, timeline: Timeline, numbered: Texts) -> Self:
        """Number the texts of one timeline whose dates are in order."""
        texts = numbered.number_all([entry.sentences for entry in timeline.entries])
        places = np.arange(len(texts), dtype=np.intp)
        whens = tuple([entry.when for entry in timeline.entries])
        return cls(whens, places, texts, (texts,), (places,))

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

    def days(self, numbered: Texts) -> list[Day]:
        """The dates with their texts, as a user's function sees them."""
        days = []
        for place, when in enumerate(self.whens):
            _, numbers = self.texts_of(np.array([place]))
            days.append(Day(when, tuple(numbered.texts[n] for n in numbers.tolist())))
        return days


def _in_order(timeline: Timeline) -> bool:
    """Whether each entry begins later than the one before; others may have to be merged."""
    firsts = [entry.when.first for entry in timeline.entries]
    return all(map(lt, firsts, firsts[1:]))


@dataclass(frozen=True, eq=False)
class TimelinePair:
    """One system's timeline and the references it is compared with."""

    system: DatedTexts
    reference: DatedTexts

    @property
    def references(self) -> int:
        """How many references there are."""
        return len(self.reference.wholes)


class PreparedTopics:
    """The references of some topics, numbered and prepared once; threads may share them."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self.topics = tuple(topics)
        """Held, as the references are found by the identity of their topic."""
        self.numbered = Texts()
        self.references = {
            id(topic): DatedTexts.of(topic.timelines, self.numbered) for topic in topics
        }
        warn_of_empty_timelines(
            [topic.id for topic in topics if not self.references[id(topic)].whens]
        )
        self._lock = Lock()
        self._warm: dict[TextReading, WarmTexts] = {}

    def join(self, reading: TextReading, texts: Sequence[tuple[str, ...]]) -> "Batch":
        """All texts in a reading, of which the first are the references."""
        from chronoscore.text.warm import WarmTexts

        own = len(self.numbered.texts)
        with self._lock:
            if reading not in self._warm:
                cleaned = [reading.clean(text) for text in self.numbered.texts]
                self._warm[reading] = WarmTexts(cleaned, reading.preparation)
            warm = self._warm[reading]
        more = texts[own:]
        return warm.join([reading.clean(text) for text in more] if reading.peer else more)


def warn_of_empty_timelines(topics: Sequence[str]) -> None:
    """Say that references are empty."""
    if topics:
        more = f" ({len(topics)} empty in all)" if len(topics) > 1 else ""
        warn(
            f"topic '{topics[0]}': the reference timeline is empty{more}; scored as 0",
            kind="empty-references",
        )
