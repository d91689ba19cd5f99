"""Baselines for content units: events of an article, from its sections in turn or at large."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from chronoscore.core import Document, Output, Place, Ranking, Selection, Topic
from chronoscore.dates.finder import dates_in
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.formats.corpora.timeml import TaggedText
from chronoscore.systems.system import System, check_system_parameters, system_random_generator
from chronoscore.text.events import tag_events
from chronoscore.text.sentences import sentences_in

LENGTH = 40
"""Events asked for where neither the call nor the topic says how many."""
_PARAGRAPHS = re.compile(r"\n\s*\n")


class TaggedSentence(NamedTuple):
    """A sentence: the events in it, and whether it has a date."""

    events: tuple[Selection, ...]
    dated: bool


@dataclass(frozen=True)
class SectionedArticle:
    """What a baseline chooses from: sections of sentences with events."""

    id: str
    sections: tuple[tuple[TaggedSentence, ...], ...]
    length: int | None = None

    @property
    def events(self) -> int:
        """How many events there are."""
        return sum(len(sentence.events) for section in self.sections for sentence in section)

    @property
    def dated_events(self) -> int:
        """How many of them stand in a sentence with a date."""
        return sum(len(n.events) for section in self.sections for n in section if n.dated)


@dataclass(frozen=True, kw_only=True)
class UnitBaseline(System):
    """Choose `n` events: one by one from each section in turn, or from the whole article.

    With `item` sentence all events of a chosen sentence count, the last one's too where
    they go beyond n, unless they are to be `truncated`. `dated` leaves only events in a
    sentence with a date.
    """

    name: ClassVar[str] = "units"
    makes = Ranking
    line: ClassVar[str] = "events from sections in turn or at large; see units-1 to units-10"
    paper: ClassVar[str] = "Bauer & Teufel, ACL 2015 (baselines 1, 1b, 2–10)"
    item: Literal["event", "sentence"] = "event"
    pool: Literal["sections", "article"] = "sections"
    order: Literal["top", "bottom", "random"] = "top"
    dated: bool = False
    n: int | None = None
    truncated: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, n=1)
        if self.dated and self.item == "sentence":
            raise UsageError("units(dated): is about events; leave item=sentence out")

    def run(self, topic: Topic, background: Sequence[Document]) -> Ranking:
        """Choose from a topic, each of whose documents is a section."""
        return self.select(article_of(topic))

    def select(self, article: SectionedArticle) -> Ranking:
        """Choose from an article."""
        size = self.n or article.length or LENGTH
        known = article.dated_events if self.dated else article.events
        if known < size and self.dated:
            raise DataError(
                f"article '{article.id}' has {known} events in sentences with a date and {size} "
                "are asked for; ask for fewer"
            )
        if not known:
            raise DataError(f"article '{article.id}' has no events; tag it or give another")
        chosen: list[Selection] = []
        for events in self.items_in_order(article):
            if len(chosen) >= size:
                break
            chosen += events
        if self.truncated or self.item == "event":
            chosen = chosen[:size]
        count = len(chosen)
        return Ranking(tuple(one._replace(score=float(count - n)) for n, one in enumerate(chosen)))

    def select_all(self, articles: Sequence[SectionedArticle]) -> dict[str, Output]:
        """Choose from each article; those with too few events in dated sentences are left out."""
        short = [
            one.id
            for one in articles
            if self.dated and one.dated_events < (self.n or one.length or LENGTH)
        ]
        if len(short) == len(articles):
            raise DataError("no article has enough events in sentences with a date; ask for fewer")
        if short:
            warn(
                f"{len(short)} of {len(articles)} articles have too few events in sentences with "
                f"a date, '{short[0]}' first; left out",
                kind="too-few-events",
            )
        return {one.id: self.select(one) for one in articles if one.id not in short}

    def items_in_order(self, article: SectionedArticle) -> Iterator[tuple[Selection, ...]]:
        """The items in the order in which they are taken."""
        queues = [self.items(section) for section in article.sections]
        if self.pool == "article":
            queues = [[item for queue in queues for item in queue]]
        rng = system_random_generator(self.seed, article.id)
        ordered = [self.arrange(queue, rng) for queue in queues if queue]
        while ordered:
            for queue in ordered:
                yield queue.pop(0)
            ordered = [queue for queue in ordered if queue]

    def items(self, section: Iterable[TaggedSentence]) -> list[tuple[Selection, ...]]:
        """Events, or sentences that have some."""
        kept = [
            sentence
            for sentence in section
            if sentence.events and (sentence.dated or not self.dated)
        ]
        if self.item == "sentence":
            return [sentence.events for sentence in kept]
        return [(event,) for sentence in kept for event in sentence.events]

    def arrange(
        self, queue: list[tuple[Selection, ...]], rng: np.random.Generator
    ) -> list[tuple[Selection, ...]]:
        """From the top, from the bottom, or shuffled."""
        if self.order == "random":
            return [queue[place] for place in rng.permutation(len(queue)).tolist()]
        return queue if self.order == "top" else queue[::-1]


BASELINES: dict[str, tuple[str, dict[str, object]]] = {
    "1": ("RR, first events in section", {}),
    "1b": ("like 1, events with dates only", {"dated": True}),
    "2": ("RR, last events in section", {"order": "bottom"}),
    "3": ("RR, random events in section", {"order": "random"}),
    "4": ("Random events in article", {"pool": "article", "order": "random"}),
    "5": ("First events in article", {"pool": "article"}),
    "6": ("Last events in article", {"pool": "article", "order": "bottom"}),
    "7": ("RR, first sentences in section", {"item": "sentence"}),
    "8": ("RR, last sentences in section", {"item": "sentence", "order": "bottom"}),
    "9": ("RR, random sentences in section", {"item": "sentence", "order": "random"}),
    "10": (
        "Random sentences in article",
        {"item": "sentence", "pool": "article", "order": "random"},
    ),
}
"""The baselines by the paper's numbers: a description and the parameters."""


def article_of(source: Topic | TaggedText) -> SectionedArticle:
    """An article with sections: a tagged text, or a topic whose documents are its sections."""
    if isinstance(source, TaggedText):
        return _tagged_article(source)
    sections = [
        tuple(
            TaggedSentence(
                tuple(
                    Selection(one.id, start=event.start, end=event.end)
                    for event in tag_events(one.text, tagger="rules")
                ),
                bool(dates_in(one.text, on=document.when)),
            )
            for one in document.sentences
        )
        for document in source.documents
    ]
    length = source.pyramid.length if source.pyramid else None
    return SectionedArticle(source.id, tuple(section for section in sections if section), length)


def _tagged_article(tagged: TaggedText) -> SectionedArticle:
    """Sections are what stands between headings, the text before the first one left out.

    A heading is a paragraph of at most eight words without an event. Without headings each
    paragraph is a section.
    """
    places = tagged.sentences or tuple(
        Place(f"{tagged.id}-s{number:03}", start, end)
        for number, (start, end) in enumerate(sentences_in(tagged.text), 1)
    )
    sections: list[list[TaggedSentence]] = [[]]
    parts = _paragraphs(tagged.text)
    heads = [one for one in parts if _is_heading(tagged, one)]
    bounds = [place.start for place in heads] or [place.start for place in parts[1:]]
    for place in sorted(places, key=lambda one: one.start):
        while bounds and place.start >= bounds[0]:
            bounds.pop(0)
            sections.append([])
        sections[-1].append(_tagged_sentence(tagged, place))
    body = sections[1:] if heads and any(n.events for s in sections[1:] for n in s) else sections
    kept = [tuple(section) for section in body if any(sentence.events for sentence in section)]
    return SectionedArticle(tagged.id, tuple(kept))


def _tagged_sentence(tagged: TaggedText, place: Place) -> TaggedSentence:
    """The events and dates between two characters."""
    events = [n for n in tagged.events if place.start <= n.start < place.end]
    return TaggedSentence(
        tuple(
            Selection(tagged.id, start=event.start, end=event.end, event=f"{tagged.id}-{event.id}")
            for event in events
        ),
        any(place.start <= time.start < place.end for time in tagged.times),
    )


def _paragraphs(text: str) -> list[Place]:
    """What stands between blank lines."""
    bounds = [0, *(n for gap in _PARAGRAPHS.finditer(text) for n in gap.span()), len(text)]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return [Place("", start, end) for start, end in pairs if text[start:end].strip()]


def _is_heading(tagged: TaggedText, place: Place) -> bool:
    """Short, and nothing happens in it."""
    short = len(tagged.text[place.start : place.end].split()) <= 8
    return short and not any(place.start <= n.start < place.end for n in tagged.events)
