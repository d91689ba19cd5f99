"""The log as people read it: who did what, in a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts, sentences
from chronoscore.workbench.domain.catalog import CATALOG
from chronoscore.workbench.domain.formatting import quote
from chronoscore.workbench.domain.union import item_sentences
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import TITLES


@dataclass(frozen=True)
class HistoryRow:
    """An entry in words."""

    time: float
    who: str
    step: str
    what: str
    topic: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """What pages call people and things: sentences by number, events and units by their words."""

    people: Mapping[int, str] = field(default_factory=dict)
    things: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """The names of things by their ids, topic by topic."""

    @classmethod
    def for_entries(cls, connection: Connection, entries: Sequence[LogEntry]) -> "Vocabulary":
        """The names of everybody and everything that some entries are about."""
        about = {entry.person for entry in entries if entry.person is not None}
        about |= {entry.data["person"] for entry in entries if "person" in entry.data}
        mentioned: dict[int, set[str]] = {}
        for entry in entries:
            if entry.topic is not None:
                mentioned.setdefault(entry.topic, set()).update(_mentioned(entry.data))
        things = {topic: _names(connection, topic, ids) for topic, ids in mentioned.items()}
        return cls(accounts.names(connection, about), things)

    def put_into(self, entry: LogEntry) -> dict[str, Any]:
        """What an entry says, with names where it has ids."""
        names = self.things.get(entry.topic or 0, {})
        named: dict[str, Any] = _rename(entry.data, names)
        return named


NAMED = frozenset({"sentence", "story", "event", "unit", "other", "into", "id", "links"})
"""Fields of entries that hold ids of things."""


def _mentioned(value: object, field_name: str = "") -> Iterator[str]:
    """The ids in an entry's data."""
    if isinstance(value, dict):
        for name, inside in value.items():
            if name not in ("before", "rows"):
                yield from _mentioned(inside, name)
    elif isinstance(value, list):
        for inside in value:
            yield from _mentioned(inside, field_name)
    elif isinstance(value, str) and field_name in NAMED:
        yield from item_sentences(value)


def _rename(value: Any, names: Mapping[str, str], field_name: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _rename(inside, names, name) for name, inside in value.items()}
    if isinstance(value, list):
        return [_rename(inside, names, field_name) for inside in value]
    if not isinstance(value, str) or field_name not in NAMED:
        return value
    return " + ".join(names.get(one, one) for one in item_sentences(value))


def _names(connection: Connection, topic: int, ids: set[str]) -> dict[str, str]:
    """What those of some ids are called that are sentences, stories, events or units of a topic."""
    sentence, story, event, unit = tables.sentence, tables.story, tables.event, tables.unit
    names = {}
    of_story = (story.c.topic == sentence.c.topic) & (story.c.id == sentence.c.story)
    wanted = [sentence.c.topic == topic, sentence.c.id.in_(ids)]
    numbers = select(sentence.c.id, story.c.n, sentence.c.n).join(story, of_story).where(*wanted)
    for name, story_number, number in connection.execute(numbers):
        names[name] = f"{story_number}.{number}"
    for table, column, words in (
        (story, story.c.n, "story {}".format),
        (event, event.c.text, quote),
        (unit, unit.c.action, quote),
    ):
        query = select(table.c.id, column).where(table.c.topic == topic, table.c.id.in_(ids))
        for name, text in connection.execute(query):
            names.setdefault(name, words(text))
    return names


def describe_all(connection: Connection, entries: Sequence[LogEntry]) -> list[HistoryRow]:
    """Entries in words, with the names of the people behind them."""
    vocabulary = Vocabulary.for_entries(connection, entries)
    topic = tables.topic
    about = {entry.topic for entry in entries if entry.topic is not None}
    query = select(topic.c.id, topic.c.title).where(topic.c.id.in_(about))
    titles = {row.id: row.title for row in connection.execute(query)}
    return [
        HistoryRow(
            entry.time,
            vocabulary.people.get(entry.person or 0, "the workbench"),
            TITLES.get(entry.step, ""),
            describe(entry, vocabulary),
            titles.get(entry.topic or 0, ""),
        )
        for entry in entries
    ]


def describe(entry: LogEntry, vocabulary: Vocabulary) -> str:
    """What an entry says, in a sentence."""
    data = vocabulary.put_into(entry)
    data["who"] = vocabulary.people.get(data.get("person", 0), "a member")
    data["title"] = data.get("title") or TITLES.get(data.get("step", ""), "")
    # Entries written before texts were kept have ids only.
    quoted = ", ".join(quote(text) for text in data.get("texts", ()))
    data["quoted"] = quoted or data.get("id", "some")
    words = sentences.fill(CATALOG[entry.action].sentence, data)
    return words + (" (undo)" if "undoes" in data and entry.action != "undo" else "")
