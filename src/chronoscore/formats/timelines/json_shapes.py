"""Timelines in JSON and JSON Lines.

What we write is one object for a timeline, a list or lines of them for several::

    {"topic": "spill", "author": "ana", "timeline": [
        {"date": "2010-05-06", "sentences": ["A dome is lowered.", "It fails."]}]}

What we read is that and what others make of it: a list of entries (a date under `date`,
`when` …, a text under `text`, `event`, `summary` … as one string or a list), a list of
``[date, sentences]`` pairs, an object from dates to texts, an object from topics to timelines,
one entry a line, and records ``{"id": …, "system": timeline, "references": [timeline, …]}``.
Where a timeline is expected, a string is read as the Markdown or tilse text that it holds.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from chronoscore.core import Timeline
from chronoscore.formats.io.files import read_lines, read_text, write_text
from chronoscore.formats.io.json_values import Cursor, decoded
from chronoscore.formats.io.notes import Note, warn
from chronoscore.formats.summaries.records import is_lines
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.entries import Entries, Held, Repeated, Role, cleaned

ReadText: TypeAlias = Callable[[str, Entries], None]
"""Reads a timeline that was put into a JSON string as it was written."""

_HOLDERS = ("timeline", "entries", "events")


class Reader:
    """Turns decoded JSON into timelines, naming the line of what is wrong."""

    def __init__(
        self,
        place: str,
        *,
        repeated: Repeated = "merge",
        notes: list[Note] | None = None,
        read_text: ReadText | None = None,
    ) -> None:
        self.place = place
        self.repeated = repeated
        self.notes: list[Note] = [] if notes is None else notes
        self.read_text = read_text
        self.cursor = Cursor("")
        self.unread: set[str] = set()

    def read(self, text: str, *, first_line: int = 1) -> list[Held]:
        """Take a text that is one JSON value."""
        value = decoded(text, self.place, first_line=first_line)
        self.cursor = Cursor(text, first_line)
        return self.held(value)

    def read_lines(self, lines: Sequence[str]) -> list[Held]:
        """Take JSON Lines; entries on lines of their own belong to one timeline."""
        found: list[Held] = []
        loose: list[tuple[Any, int]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            value = decoded(line, self.place, first_line=number)
            self.cursor = Cursor(line, number)
            if is_entry(value):
                loose.append((value, number))
            else:
                found.extend(self.held(value, number=len(found) + 1))
        return found + self._rows([value for value, _ in loose], [line for _, line in loose])

    def held(self, value: Any, *, number: int = 1) -> list[Held]:
        """The timelines of a value, whatever its shape."""
        if isinstance(value, list) and value and not (is_entry(value[0]) or is_pair(value[0])):
            several = enumerate(value, 1)
            return [held for n, one in several for held in self.held(one, number=n)]
        if isinstance(value, list):
            return self._rows(value) if value and is_entry(value[0]) else [self._bare(value)]
        if not isinstance(value, dict):
            return [self._bare(value)]
        if is_entry(value):
            return self._rows([value])
        if any(key in value for key in (*_HOLDERS, "system", "references")):
            return self._record(value, number)
        if all(isinstance(one, str) or is_texts(one) for one in value.values()):
            return [self._bare(value)]
        return [Held(self.timeline(one), topic) for topic, one in value.items()]

    def timeline(self, value: Any, author: str = "") -> Timeline:
        """Exactly one timeline, in any of its shapes."""
        if isinstance(value, str) and self.read_text is not None:
            # Notes then say the line of the record, and the line inside its text.
            line = self.cursor.find(value)
            entries = Entries(f"{self.place}:{line}", repeated=self.repeated, notes=self.notes)
            self.read_text(value, entries)
            return entries.timeline(author)
        if isinstance(value, dict) and not is_entry(value):
            inner = next((value[key] for key in _HOLDERS if key in value), None)
            if inner is not None:
                return self.timeline(inner, author or str(value.get("author") or ""))
            return self._pairs(list(value.items()), author)
        if isinstance(value, dict):
            return self._rows([value], author=author)[0].timeline
        if isinstance(value, list) and all(is_entry(one) for one in value):
            return self._rows(value, author=author)[0].timeline if value else Timeline((), author)
        if not isinstance(value, list):
            self._refuse_shape(value)
        return self._pairs(value, author)

    def _bare(self, value: Any) -> Held:
        return Held(self.timeline(value))

    def _record(self, record: dict[str, Any], number: int) -> list[Held]:
        """Take `{"topic", "timeline"}` or `{"id", "system", "references"}`."""
        named = next((record[key] for key in ("topic", "id") if record.get(key) is not None), None)
        topic = None if named is None else str(named)
        if holder := next((key for key in _HOLDERS if key in record), None):
            author = next((record[key] for key in fields.AUTHOR if record.get(key)), "")
            role: Role = "system" if isinstance(record.get("system"), str) else ""
            return [Held(self.timeline(record[holder], str(author)), topic, role)]
        topic = str(number) if topic is None else topic
        found = []
        if record.get("system") is not None:
            found.append(Held(self.timeline(record["system"]), topic, "system"))
        given = record.get("references")
        if given is not None:
            several = given if is_several(given) else [given]
            if not several:
                self._refuse(f"topic '{topic}' has an empty set of references; give at least one")
            for n, one in enumerate(several, 1):
                found.append(Held(self.timeline(one, str(n)), topic, "reference"))
        return found

    def _rows(
        self, rows: Sequence[Any], lines: Sequence[int] = (), *, author: str = ""
    ) -> list[Held]:
        """Take entries, sorted by the topic and author that they may name."""
        groups: dict[tuple[str | None, str], Entries] = {}
        for place, row in enumerate(rows):
            if not is_entry(row):
                self._refuse_shape(row)
            key = fields.first_of(fields.DATE, row)
            assert key is not None
            line = lines[place] if lines else self.cursor.find(row[key], key)
            topic = fields.first_of(fields.TOPIC, row)
            writer = fields.first_of(fields.AUTHOR, row)
            group = (
                None if topic is None else str(row[topic]),
                str(row[writer]) if writer else author,
            )
            entries = groups.setdefault(group, self._entries())
            self._add(entries, row[key], self._texts(row, {key, topic, writer}, line), line)
        return [Held(found.timeline(by), topic) for (topic, by), found in groups.items()]

    def _pairs(self, pairs: Sequence[Any], author: str) -> Timeline:
        """Take `[date, texts]` pairs, each a block of its own."""
        entries = self._entries()
        for pair in pairs:
            if not is_pair(pair):
                self._refuse_shape(pair)
            date, texts = pair
            line = self.cursor.find(date)
            given = [texts] if isinstance(texts, str) else texts
            if not is_texts(given):
                self._refuse(f"entry {date!r} holds {kind(texts)}; give a text or a list of texts")
            self._add(entries, date, given, line, blocked=True)
        return entries.timeline(author)

    def _texts(self, row: dict[str, Any], read: set[str | None], line: int) -> list[str]:
        """The texts of an entry, under whatever keys they stand."""
        keys = [key for key in fields.all_of(fields.TEXT, row) if key not in read]
        if not keys:
            self._refuse(f"entry has no text; give it a key 'text', known are {', '.join(row)}")
        texts: list[str] = []
        for key in keys:
            value = row[key]
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    texts.extend(self._texts(one, set(), line))
                elif isinstance(one, str):
                    texts.append(one)
                elif one is not None:
                    self._refuse(f"key '{key}' holds {kind(one)}; give a text or a list of texts")
        for key in row.keys() - set(keys) - read - self.unread:
            self.unread.add(key)
            self.notes.append(Note(self.place, line, "dropped", f"key '{key}' is not read"))
        return texts

    def _add(
        self, entries: Entries, date: Any, texts: list[str], line: int, *, blocked: bool = False
    ) -> None:
        if not isinstance(date, str | int) or isinstance(date, bool):
            self._refuse(f"date is {kind(date)}; write it as 2010-06-03")
        entries.add(entries.spoken(str(date), line), texts, line, blocked=blocked)

    def _entries(self) -> Entries:
        return Entries(self.place, repeated=self.repeated, notes=self.notes)

    def _refuse(self, text: str) -> NoReturn:
        self._entries().refuse(text, self.cursor.line)

    def _refuse_shape(self, value: Any) -> NoReturn:
        self._refuse(
            f"{kind(value)} is no timeline; "
            'write [{"date": "2010-06-03", "text": "…"}] or [["2010-06-03", ["…"]]]'
        )


def is_entry(value: Any) -> bool:
    """An object with a date, which is no record of a whole timeline."""
    return (
        isinstance(value, dict)
        and fields.first_of(fields.DATE, value) is not None
        and not any(holds_entries(value.get(key)) for key in (*_HOLDERS, "system", "references"))
    )


def holds_entries(value: Any) -> bool:
    """A timeline or several, so that the object around it is a record."""
    return isinstance(value, dict) or (
        isinstance(value, list)
        and bool(value)
        and (is_entry(value[0]) or is_pair(value[0]) or isinstance(value[0], list))
    )


def is_pair(value: Any) -> bool:
    """A date and what happened then, as news-tls writes them."""
    return isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)


def is_texts(value: Any) -> bool:
    """A list of strings."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_several(value: Any) -> bool:
    """A list of timelines rather than one."""
    return isinstance(value, list) and not (value and (is_entry(value[0]) or is_pair(value[0])))


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")


def load(path: Path, *, repeated: Repeated = "merge") -> list[Held]:
    """Read every timeline of a `.json` or `.jsonl` file, warning of what was not as it seems."""
    reader = Reader(str(path), repeated=repeated)
    found = reader.read_lines(read_lines(path)) if is_lines(path) else reader.read(read_text(path))
    warn(reader.notes)
    return found


def save(timelines: Sequence[Held], path: Path) -> None:
    """Write timelines; a name in `.jsonl` gets one a line."""
    write_text(path, written_lines(timelines) if is_lines(path) else written(timelines))


def written(timelines: Sequence[Held]) -> str:
    """JSON for people to look at: one object, or a list of them, an entry a line."""
    records = [_indented(held) for held in timelines]
    if len(records) == 1:
        return f"{records[0]}\n"
    return "[\n" + ",\n".join(records) + "\n]\n" if records else "[]\n"


def written_lines(timelines: Sequence[Held]) -> str:
    """JSON Lines, a timeline a line."""
    return "".join(f"{_dumped(record(held))}\n" for held in timelines)


def record(held: Held) -> dict[str, Any]:
    """What is known of a timeline, as one JSON object."""
    named = {"topic": held.topic, "author": held.timeline.author or None}
    entries = [
        {"date": str(entry.when), "sentences": cleaned(entry.sentences)} for entry in held.timeline
    ]
    return {key: value for key, value in named.items() if value is not None} | {"timeline": entries}


def _indented(held: Held) -> str:
    whole = record(held)
    lines = ",\n".join(f"  {_dumped(entry)}" for entry in whole.pop("timeline"))
    head = "".join(f"{_dumped(key)}: {_dumped(value)}, " for key, value in whole.items())
    return f'{{{head}"timeline": [\n{lines}\n]}}' if lines else f'{{{head}"timeline": []}}'


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
