"""The text of a topic: stories and sentences, which never change once they are there."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, select

from chronoscore.errors import DataError
from chronoscore.workbench.store import tables

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence in its story; `place` counts through the whole stream."""

    id: str
    place: int
    n: int
    start: int
    stop: int
    text: str
    story: str


@dataclass(frozen=True, slots=True)
class SourceStory:
    """A text of the stream."""

    id: str
    n: int
    time: str
    title: str
    publisher: str
    text: str
    sentences: tuple[SourceSentence, ...]


@dataclass(frozen=True)
class TopicSource:
    """All stories of a topic in order of time."""

    stories: tuple[SourceStory, ...]
    _memo: dict[str, tuple[object, Any]] = field(default_factory=dict, compare=False, repr=False)

    def remember(self, what: str, state: object, compute: Callable[[], T]) -> T:
        """Something about the topic that cannot change while its state is the same."""
        known = self._memo.get(what)
        if known is None or known[0] != state:
            known = self._memo[what] = (state, compute())
        value: T = known[1]
        return value

    @cached_property
    def sentences(self) -> tuple[SourceSentence, ...]:
        """All sentences of the stream, in order."""
        return tuple(sentence for story in self.stories for sentence in story.sentences)

    @cached_property
    def by_id(self) -> dict[str, SourceSentence]:
        """Sentences by their ids."""
        return {sentence.id: sentence for sentence in self.sentences}

    @cached_property
    def by_label(self) -> dict[str, SourceSentence]:
        """Sentences by what pages call them: the story's number and their own, as in 2.3."""
        return {f"{story.n}.{one.n}": one for story in self.stories for one in story.sentences}

    def label(self, place: str) -> str:
        """What pages call a sentence, as in 2.3; anything else keeps its id."""
        sentence = self.by_id.get(place)
        return f"{self.story[sentence.story].n}.{sentence.n}" if sentence else place

    def find_sentence(self, label: str) -> SourceSentence:
        """The sentence with this label."""
        if label not in self.by_label:
            raise DataError(f"there is no sentence '{label}'; write its number, such as 1.2")
        return self.by_label[label]

    @cached_property
    def story(self) -> dict[str, SourceStory]:
        """Stories by their ids."""
        return {story.id: story for story in self.stories}

    @cached_property
    def json(self) -> bytes:
        """Stories and sentences for the browser, written once."""
        columns = ("id", "n", "time", "title", "publisher")
        return msgspec.json.encode(
            [
                {
                    **{name: getattr(story, name) for name in columns},
                    "sentences": [[sentence.id, sentence.text] for sentence in story.sentences],
                }
                for story in self.stories
            ]
        )


class Library:
    """Keeps the sources of the topics that were used last."""

    def __init__(self, most: int = 24) -> None:
        self._most = most
        self._kept: OrderedDict[int, TopicSource] = OrderedDict()
        self._lock = threading.Lock()

    def source(self, connection: Connection, topic: int) -> TopicSource:
        """A topic's text, read from the database at most once in a while."""
        with self._lock:
            if topic in self._kept:
                self._kept.move_to_end(topic)
                return self._kept[topic]
        fresh = load(connection, topic)
        if _is_draft(connection, topic):
            # Its stories may still get other titles.
            return fresh
        with self._lock:
            self._kept[topic] = fresh
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return fresh


def _is_draft(connection: Connection, topic: int) -> bool:
    table = tables.topic
    return connection.execute(select(table.c.step).where(table.c.id == topic)).scalar() == "draft"


def load(connection: Connection, topic: int) -> TopicSource:
    """Read a topic's stories and cut them into their sentences."""
    story, sentence = tables.story, tables.sentence
    stories = connection.execute(
        select(story).where(story.c.topic == topic).order_by(story.c.n)
    ).all()
    texts = {row.id: row.text for row in stories}
    sentences: dict[str, list[SourceSentence]] = {row.id: [] for row in stories}
    columns = (sentence.c[name] for name in ("id", "place", "n", "start", "stop", "story"))
    rows = connection.execute(
        select(*columns).where(sentence.c.topic == topic).order_by(sentence.c.place)
    )
    # Rows are unpacked at once: there may be many, and a visitor waits for the first page.
    for name, place, n, start, stop, inside in rows:
        text = texts[inside][start:stop]
        sentences[inside].append(SourceSentence(name, place, n, start, stop, text, inside))
    return TopicSource(
        tuple(
            SourceStory(
                row.id,
                row.n,
                row.time,
                row.title,
                row.publisher,
                row.text,
                tuple(sentences[row.id]),
            )
            for row in stories
        )
    )
