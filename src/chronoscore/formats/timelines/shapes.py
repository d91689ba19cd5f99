"""Timelines in the shapes that people give decoded data: JSON, JSON Lines, and what is like them.

A timeline is a list of entries (a date under `date`, `when` …, a text under `text`, `event`,
`summary` … as one string or a list), a list of ``[date, sentences]`` pairs, or an object from
dates to texts. Several are a list of these, an object from topics to timelines, or records
``{"id": …, "system": timeline, "references": [timeline, …]}``. Where a timeline is expected, a
string is read as the Markdown or tilse text that it holds.

A format of this kind is a thin decoder: it gives `read_timeline_values` its values, each with a
function that tells the line of something inside it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import NoneType
from typing import Any, NoReturn, TypeAlias

from chronoscore import lazy
from chronoscore.core import Timeline
from chronoscore.errors import DataError, Reason
from chronoscore.formats.io.notes import Note
from chronoscore.formats.timelines import fields, registry
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline, Role
from chronoscore.formats.timelines.format import Content
from chronoscore.formats.timelines.nested import flatten_nested
from chronoscore.formats.timelines.years import year_span

LineOf: TypeAlias = Callable[[object, str | None], int]
"""The line of the next such value under its key; of the last known one if there is none."""

_HOLDERS = (
    "timeline", "predict-timeline", "entries", "events", "data", "items", "results", "key_events",
    "timeline_events",
    "milestones", "chronology", "eventos", "ereignisse", "événements", "eventi", "gebeurtenissen",
    "события", "الأحداث", "事件", "年表", "出来事", "사건",
)  # fmt: skip
"""Keys of a record under which a timeline stands; the second is that of CHRONOS."""

_SPACED_DAY = lazy.pattern(r"\s*\d{4}(?:\s*-\s*\d{1,2}){0,2}\s*(?:T\s*[\d:]+)?\s*")
"""A date as in Open-TLS, with blanks beside its hyphens."""


def read_timeline_values(
    values: Iterable[tuple[Any, LineOf]], content: Content
) -> list[LabeledTimeline]:
    """The timelines of a file's values; bare entries among them belong together."""
    timelines: list[LabeledTimeline] = []
    entries: list[tuple[Any, int | None, str]] = []
    reader = ShapeReader(content)
    for value, line_of in values:
        reader.line_of = line_of
        if is_json_entry(value):
            entries.append((value, reader.entry_line(value), ""))
        else:
            timelines.extend(reader.read(value, number=len(timelines) + 1))
    return timelines + reader.read_rows(entries)


class ShapeReader:
    """Turns values into timelines, naming the line of what is wrong."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.line = content.first_line
        self.line_of: LineOf = lambda _value, _key: self.line
        self.unread: set[str] = set()

    def read(self, value: Any, *, number: int = 1) -> list[LabeledTimeline]:
        """The timelines of a value, whatever its shape; `number` names a record without an id."""
        if (nested := flatten_nested(value)) is not None:
            return self.read_rows([(row, None, "") for row in nested])
        if _is_result_file(value):
            return [LabeledTimeline(self.timeline(result[-1])) for result in value["results"]]
        if isinstance(value, list) and value and all(map(_is_phase, value)):
            return self.read_rows(list(_flatten(value)))
        if (
            isinstance(value, list)
            and value
            and not (is_json_entry(value[0]) or is_json_date_text_pair(value[0]))
        ):
            parts = (self.read(part, number=n) for n, part in enumerate(value, 1))
            return [timeline for part in parts for timeline in part]
        if isinstance(value, list) and value and is_json_entry(value[0]):
            return self.read_rows([(row, None, "") for row in value])
        if isinstance(value, dict) and is_json_entry(value):
            return self.read_rows([(value, None, "")])
        if isinstance(value, dict) and any(
            key in value for key in (*_HOLDERS, "system", "references")
        ):
            return self._read_record(value, number)
        if isinstance(value, dict) and not all(map(_is_dated_text, value, value.values())):
            return [LabeledTimeline(self.timeline(one), topic) for topic, one in value.items()]
        return [LabeledTimeline(self.timeline(value))]

    def timeline(self, value: Any, author: str = "") -> Timeline:
        """Read exactly one timeline, in any of its shapes."""
        if isinstance(value, str):
            return self._read_text(value, author)
        if (nested := flatten_nested(value)) is not None:
            return self.read_rows([(row, None, "") for row in nested], author=author)[0].timeline
        if isinstance(value, dict) and not is_json_entry(value):
            inner = next((value[key] for key in _HOLDERS if key in value), None)
            if inner is not None:
                return self.timeline(inner, author or str(value.get("author") or ""))
            return self._read_pairs(list(value.items()), author)
        entries = [value] if isinstance(value, dict) else value
        if not isinstance(entries, list):
            self._refuse_shape(value)
        if entries and all(map(_is_phase, entries)):
            return self.read_rows(list(_flatten(entries)), author=author)[0].timeline
        if entries and all(map(is_json_entry, entries)):
            rows = [(row, None, "") for row in entries]
            return self.read_rows(rows, author=author)[0].timeline
        return self._read_pairs(entries, author)

    def read_rows(
        self, rows: Sequence[tuple[Any, int | None, str]], *, author: str = ""
    ) -> list[LabeledTimeline]:
        """Read entries with the lines they stand on, if known, grouped by topic and author.

        The third of each is the year of its date where that has none.
        """
        groups: dict[tuple[str | None, str], Entries] = {}
        undated: DataError | None = None
        for row, line, year in rows:
            if not is_json_entry(row):
                self._refuse_shape(row)
            place = self.entry_line(row) if line is None else line
            topic = fields.first_known_field(fields.TOPIC, row)
            writer = fields.first_known_field(fields.AUTHOR, row)
            group = (
                None if topic is None else str(row[topic]),
                str(row[writer]) if writer else author,
            )
            entries = groups.setdefault(group, self.content.entries())
            names = fields.date_names(list(row))
            assert names is not None
            texts = self._texts(row, {*names.all, topic, writer}, place)
            try:
                self._add(entries, *self._date(row, names, year), texts, place)
            except _UndatedError as error:
                undated = undated or error
        if undated and not any(len(found.timeline()) for found in groups.values()):
            raise DataError(undated.message, reason="date", place=undated.place)
        return [LabeledTimeline(found.timeline(by), topic) for (topic, by), found in groups.items()]

    def _date(self, row: dict[str, Any], names: fields.DateNames, year: str) -> tuple[Any, str]:
        """The date of an entry, put together where it stands in parts, and its year."""
        if names.whole is not None and not isinstance(row[names.whole], dict):
            own = row.get(names.year) if names.year else None
            return row[names.whole], str(own) if own is not None else year
        if names.whole is not None:
            inner = row[names.whole]
            parts = fields.date_names(list(inner))
            return self._date(inner, parts, year) if parts else (None, year)
        date, own = names.read(lambda name: "" if row[name] is None else str(row[name]))
        return date, own or year

    def entry_line(self, row: dict[str, Any]) -> int:
        """The line of an entry's date."""
        names = fields.date_names(list(row))
        assert names is not None
        name = names.whole or names.day or names.month or names.year
        assert name is not None
        return self._find(row[name], name)

    def _find(self, value: object, key: str | None = None) -> int:
        self.line = self.line_of(value, key)
        return self.line

    def _read_text(self, text: str, author: str) -> Timeline:
        """Read a timeline that stands in a string; notes give its line and the one inside it."""
        form = registry.detect(text, several=False)
        if form is None:
            self._refuse_shape(text)
        inner = self.content.part(text, place=f"{self.content.place}:{self._find(text)}")
        (labeled,) = form.read(inner)
        return Timeline(labeled.timeline.entries, author)

    def _read_record(self, record: dict[str, Any], number: int) -> list[LabeledTimeline]:
        """Read `{"topic", "timeline"}` or `{"id", "system", "references"}`."""
        name = next((record[key] for key in ("topic", "id") if record.get(key) is not None), None)
        topic = None if name is None else str(name)
        if holder := next((key for key in _HOLDERS if key in record), None):
            author = next((record[key] for key in fields.AUTHOR if record.get(key)), "")
            role: Role = "system" if isinstance(record.get("system"), str) else ""
            return [LabeledTimeline(self.timeline(record[holder], str(author)), topic, role)]
        topic = str(number) if topic is None else topic
        timelines = []
        if record.get("system") is not None:
            timelines.append(LabeledTimeline(self.timeline(record["system"]), topic, "system"))
        references = record.get("references")
        if references is not None:
            several = references if _is_several(references) else [references]
            if not several:
                self._refuse(f"topic '{topic}' has an empty set of references; give at least one")
            for n, one in enumerate(several, 1):
                timelines.append(LabeledTimeline(self.timeline(one, str(n)), topic, "reference"))
        return timelines

    def _read_pairs(self, pairs: Sequence[Any], author: str) -> Timeline:
        """Read `[date, texts]` pairs, each a block of its own."""
        entries = self.content.entries()
        undated: DataError | None = None
        for pair in pairs:
            if not is_json_date_text_pair(pair):
                self._refuse_shape(pair)
            date, given = pair
            line = self._find(date)
            texts = [given] if isinstance(given, str) else given
            if isinstance(given, dict) and fields.all_known_fields(fields.TEXT, given):
                texts = self._texts(given, set(), line)
            if not _is_texts(texts):
                self._refuse(
                    f"entry {date!r} holds {_describe_value(given)}; give a text or a list of texts"
                )
            try:
                self._add(entries, date, "", texts, line, block=True)
            except _UndatedError as error:
                undated = undated or error
        if undated and not len(entries.timeline()):
            raise DataError(undated.message, reason="date", place=undated.place)
        return entries.timeline(author)

    def _texts(self, row: dict[str, Any], known: set[str | None], line: int) -> list[str]:
        """The texts of an entry, under whatever keys they stand; `known` keys are read already."""
        keys = [key for key in fields.all_known_fields(fields.TEXT, row) if key not in known]
        if not keys:
            others = [key for key in row if key not in known and isinstance(row[key], str)]
            keys = others if len(others) == 1 else []
        if not keys:
            self._refuse(f"entry has no text; give it a key 'text', its keys are {', '.join(row)}")
        texts: list[str] = []
        for key in keys:
            value = row[key]
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, dict):
                    texts.extend(self._texts(text, set(), line))
                elif isinstance(text, str):
                    texts.append(text)
                elif text is not None:
                    self._refuse(
                        f"key '{key}' holds {_describe_value(text)}; give a text or a list of texts"
                    )
        for key in row.keys() - set(keys) - known - self.unread:
            self.unread.add(key)
            self.content.notes.append(
                Note(self.content.place, line, "dropped", f"key '{key}' is not read")
            )
        return texts

    def _add(
        self,
        entries: Entries,
        date: Any,
        year: str,
        texts: list[str],
        line: int,
        *,
        block: bool = False,
    ) -> None:
        """Add an entry; one without a date ("Unknown") is dropped and noted."""
        from chronoscore.dates.openings import looks_dated

        if isinstance(date, bool) or not isinstance(date, str | int | NoneType):
            self._refuse(f"date is {_describe_value(date)}; write it as 2010-06-03", "date")
        if date is None or (isinstance(date, str) and not looks_dated(date)):
            text = repr(date) if isinstance(date, str) else _describe_value(date)
            entries.note("dropped", f"date is {text}; the entry is dropped", line)
            raise _UndatedError(
                f"date is {text}; write it as 2010-06-03", place=f"{entries.place}:{line}"
            )
        try:
            when = entries.read_date(_strip_blanks(str(date)), line, year=year)
        except DataError as error:
            if not self.content.lenient:
                raise
            entries.note("dropped", f"{error.message}; the entry is dropped", line)
            raise _UndatedError(error.message, place=error.place) from None
        entries.add(when, texts, line, block=block)

    def _refuse(self, text: str, reason: Reason | None = None) -> NoReturn:
        self.content.entries().refuse(text, self.line, reason)

    def _refuse_shape(self, value: Any) -> NoReturn:
        self._refuse(
            f"{_describe_value(value)} is not a timeline; "
            'write [{"date": "2010-06-03", "text": "…"}] or [["2010-06-03", ["…"]]]',
            "date",
        )


class _UndatedError(DataError):
    """An entry has no date that can be read; the others may have one."""


def _is_phase(value: Any) -> bool:
    """An object that holds entries under a heading of its own, and is no record of a topic."""
    return (
        isinstance(value, dict)
        and not value.keys() & {"topic", "id", "author", "system", "references"}
        and any(
            isinstance(rows := value.get(key), list) and rows and all(map(is_json_entry, rows))
            for key in _HOLDERS
        )
    )


def _flatten(phases: Sequence[dict[str, Any]]) -> Iterator[tuple[Any, int | None, str]]:
    """The entries of phases, each with the year that its phase names."""
    for phase in phases:
        titles = " ".join(str(value) for value in phase.values() if isinstance(value, str | int))
        rows = next(phase[key] for key in _HOLDERS if isinstance(phase.get(key), list))
        for row in rows:
            yield row, None, year_span(titles)[0]


def is_json_entry(value: Any) -> bool:
    """An object with a date, which is not a record of a whole timeline."""
    return (
        isinstance(value, dict)
        and fields.first_known_field(fields.DATE, value) is not None
        and not any(_holds_entries(value.get(key)) for key in (*_HOLDERS, "system", "references"))
    )


def _holds_entries(value: Any) -> bool:
    """A timeline or several, so that the object around it is a record."""
    return isinstance(value, dict) or (
        isinstance(value, list)
        and bool(value)
        and (
            is_json_entry(value[0])
            or is_json_date_text_pair(value[0])
            or isinstance(value[0], list)
        )
    )


def _strip_blanks(date: str) -> str:
    """A date in figures without the blanks that Open-TLS has beside some hyphens."""
    if not _SPACED_DAY.fullmatch(date):
        return date
    return re.sub(r"\s+(?=[-T])|(?<=-)\s+", "", date).strip()


def _is_result_file(value: Any) -> bool:
    """What news-tls writes: scores, and a timeline at the end of each of its results."""
    return (
        isinstance(value, dict)
        and value.keys() >= {"average", "results"}
        and isinstance(value["results"], list)
        and all(isinstance(one, list) and one for one in value["results"])
    )


def is_json_date_text_pair(value: Any) -> bool:
    """A date and what happened then, as news-tls writes them."""
    return isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)


def _is_dated_text(key: str, value: Any) -> bool:
    """A text or texts under a key; an object with a text counts only where the key is a date."""
    if (
        isinstance(value, dict)
        and not is_json_entry(value)
        and fields.all_known_fields(fields.TEXT, value)
    ):
        return _is_date(key)
    return isinstance(value, str) or _is_texts(value)


def _is_date(text: str) -> bool:
    """Whether a text is a date with its year."""
    from chronoscore.dates.openings import whole_date

    try:
        whole_date(text)
    except DataError:
        return False
    return True


def _is_texts(value: Any) -> bool:
    """A list of strings."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_several(value: Any) -> bool:
    """A list of timelines rather than one."""
    return isinstance(value, list) and not (
        value and (is_json_entry(value[0]) or is_json_date_text_pair(value[0]))
    )


def _describe_value(value: Any) -> str:
    """What a value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
