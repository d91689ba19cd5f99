"""Timelines in decoded data: JSON, JSON Lines, YAML, XML and what is like them.

`spots` finds where timelines stand and `fields` which fields are their dates and texts; here they
are read. Records ``{"id": …, "system": timeline, "references": [timeline, …]}`` hold a system's
timeline and its references.

A format of this kind is a thin decoder: it gives `read_timeline_values` its values, each with a
function that tells the line of something inside it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, NoReturn

from chronoscore import lazy
from chronoscore.core import Timeline
from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError, Reason
from chronoscore.formats.io.notes import Note, quote_in_note
from chronoscore.formats.timelines import fields, registry
from chronoscore.formats.timelines.entries import (
    Entries,
    LabeledTimeline,
    Role,
    UndatedError,
    drop_undated,
    label_groups,
)
from chronoscore.formats.timelines.field_values import (
    Row,
    flatten,
    is_empty_text,
    is_number_for_text,
    texts_of,
)
from chronoscore.formats.timelines.format import Content, LineOf
from chronoscore.formats.timelines.spots import Finder, Spot
from chronoscore.formats.timelines.tables import (
    describe_path,
    describe_value,
    is_record,
    is_result_file,
    is_several,
    largest_table,
    place_of,
)

_SPACED_DAY = lazy.pattern(r"\s*\d{4}(?:\s*-\s*\d{1,2}){0,2}\s*(?:T\s*[\d:]+)?\s*")
"""A date as in Open-TLS, with blanks beside its hyphens."""


def read_timeline_values(
    values: Iterable[tuple[Any, LineOf]], content: Content
) -> list[LabeledTimeline]:
    """The timelines of a file's values; several are read like those of a list."""
    given = list(values)
    reader = ShapeReader(content, [line_of for _, line_of in given])
    try:
        if len(given) == 1:
            return reader.read(given[0][0])
        return reader.read([value for value, _ in given], several=True)
    except RecursionError:
        raise DataError(
            "is nested too deeply; flatten it", place=f"{content.place}:{content.first_line}"
        ) from None


def holds_timeline(value: Any) -> bool:
    """Whether decoded data hold a timeline, as far as can be told without reading texts."""
    try:
        found = Finder(lambda text: text.count("\n- ")).find(value)
    except RecursionError:
        return False
    return any(spot.strength for spot in found) or isinstance(value, dict)


class ShapeReader:
    """Turns values into timelines, naming the line of what is wrong."""

    def __init__(self, content: Content, lines: Sequence[LineOf]) -> None:
        self.content = content
        self.line = content.first_line
        self.lines = lines
        self.line_of: LineOf = lines[0] if lines else lambda _value, _key: self.line
        self.unread: set[str] = set()
        self.readings: dict[str, tuple[Timeline, list[Note]]] = {}

    def read(self, value: Any, *, several: bool = False) -> list[LabeledTimeline]:
        """The timelines of a value, whatever its shape; `several` values came apart."""
        if is_result_file(value):
            return [self._only(result[-1]) for result in value["results"]]
        if isinstance(value, dict) and is_record(value):
            return self._read_record(value, 1)
        if isinstance(value, list) and value and all(map(is_record, value)):
            found: list[LabeledTimeline] = []
            for number, record in enumerate(value, 1):
                if several:
                    self.line_of = self.lines[number - 1]
                found += self._read_record(record, number)
            return found
        finder = Finder(self._count_entries)
        spots = finder.find(value)
        if not spots:
            self._refuse_value(value)
        for spot in finder.dropped:
            where = describe_path(spot.path)
            text = f"{where} is not read; the timeline under {describe_path(spots[0].path)} counts"
            self.content.note("dropped", text, None)
        timelines: list[LabeledTimeline] = []
        # In the order of the file, in which lines are found.
        for spot in sorted([*spots, *finder.dropped], key=lambda one: place_of(one.path, value)):
            if spot in spots:
                timelines += self._read_spot(spot, several=several)
            elif not several and spot.text_names and spot.text_names == spots[0].text_names:
                self._note_rows(spot)
        return timelines

    def _note_rows(self, spot: Spot) -> None:
        """Note each record of a list that is not read, though it is like the one that counts."""
        assert spot.fields is not None
        for row in spot.rows:
            name = spot.fields.date_in(row).main
            line = self._find(row.get(name), name.rpartition(".")[2])
            told = " ".join(t for key in spot.fields.texts_in(row) for t in texts_of(row[key]))
            text = f"{quote_in_note(told)} under {describe_path(spot.path)} is not read"
            self.content.note("dropped", text, line, lost=True)

    def _read_spot(self, spot: Spot, *, several: bool) -> list[LabeledTimeline]:
        apart = several and not spot.path
        if several and spot.path:
            self.line_of = self.lines[int(spot.path[0])]
        role: Role = "system" if spot.system else ""
        if spot.kind == "rows":
            return [
                replace(one, topic=spot.topic if one.topic is None else one.topic, role=role)
                for one in self._read_rows(spot, apart=apart)
            ]
        if spot.kind == "pairs":
            timeline = self._read_pairs(spot, apart=apart)
        else:
            timeline = self._read_text(spot.text, spot.author, spot.rows)
        return [LabeledTimeline(timeline, spot.topic, role)]

    def _only(self, value: Any, author: str = "") -> LabeledTimeline:
        """Exactly one timeline, in any of its shapes."""
        if isinstance(value, str):
            return LabeledTimeline(self._read_text(value, author))
        if value in ([], {}):
            return LabeledTimeline(Timeline((), author))
        found = self.read(value)
        if len(found) != 1:
            self._refuse(f"holds {len(found)} timelines where one is expected")
        return LabeledTimeline(Timeline(found[0].timeline.entries, author))

    def _read_record(self, record: dict[str, Any], number: int) -> list[LabeledTimeline]:
        """Read `{"id", "system", "references"}`; without an id it is called by its number."""
        name = next((record[key] for key in ("topic", "id") if record.get(key) is not None), number)
        topic = str(name)
        timelines = []
        if record.get("system") is not None:
            labeled = self._only(record["system"])
            timelines.append(replace(labeled, topic=topic, role="system"))
        references = record.get("references")
        if references is not None:
            several = references if is_several(references) else [references]
            if not several:
                self._refuse(f"topic '{topic}' has an empty set of references; give at least one")
            for n, one in enumerate(several, 1):
                labeled = self._only(one, str(n))
                timelines.append(replace(labeled, topic=topic, role="reference"))
        return timelines

    def _count_entries(self, text: str) -> int:
        """How many dated entries a text has that is read like a file."""
        if text not in self.readings:
            form = registry.detect(text, several=False)
            inner = replace(self.content.part(text), notes=[])
            try:
                (labeled,) = form.read(inner) if form else [LabeledTimeline(Timeline(()))]
            except DataError:
                labeled = LabeledTimeline(Timeline(()))
            self.readings[text] = labeled.timeline, inner.notes
        return len(self.readings[text][0])

    def _read_text(self, text: str, author: str, items: Sequence[str] = ()) -> Timeline:
        """Read a timeline that stands in a string, or in several, which are its lines.

        Notes give the line of the string and the one inside it.
        """
        line = self.content.first_line if items else self._find(text)
        place = f"{self.content.place}:{line}"
        if not self._count_entries(text):
            form = registry.detect(text, several=False) or registry.find("markdown")
            form.read(self.content.part(text, place=place))
        timeline, notes = self.readings[text]
        if items:
            lines = [self._find(item) for item in items]
            notes = [replace(note, line=note.line and lines[note.line - 1]) for note in notes]
            place = self.content.place
        self.content.notes.extend(replace(note, place=place) for note in notes)
        return Timeline(timeline.entries, author)

    def _read_rows(self, spot: Spot, *, apart: bool) -> list[LabeledTimeline]:
        """Read records, grouped by topic and author; one without a date is dropped and noted."""
        own = spot.fields
        assert own is not None
        groups: dict[tuple[str | None, str], Entries] = {}
        undated: list[DataError] = []
        for number, row in enumerate(spot.rows):
            if apart:
                self.line_of = self.lines[spot.owners[number] if spot.owners else number]
            names = own.date_in(row)
            if number == 0 and fields.names_missing_date(spot.rows):
                keys = ", ".join(map(repr, row))
                self._refuse(
                    f"no entry has '{names.main}', the first only {keys}; correct `columns`"
                )
            line = self._find(row.get(names.main), names.main.rpartition(".")[2])
            topic = row.get(own.topic) if own.topic else None
            author = row.get(own.author) if own.author else None
            group = None if topic is None else str(topic), str(author or spot.author)
            entries = groups.setdefault(group, self.content.entries())
            texts = self._texts(row, own, names, line)
            try:
                date, year, guess = own.date_of(row)
                if guess:
                    entries.note("guessed", guess, line)
                self._add(entries, date, year or spot.years.get(number, ""), texts, line)
            except UndatedError as error:
                undated.append(error)
        return label_groups(groups, undated)

    def _find(self, value: object, key: str | None = None) -> int:
        self.line = self.line_of(value, key)
        return self.line

    def _read_pairs(self, spot: Spot, *, apart: bool) -> Timeline:
        """Read `[date, texts]` pairs, each a block of its own."""
        entries = self.content.entries()
        undated: list[DataError] = []
        for number, (date, given) in enumerate(spot.rows):
            if apart:
                self.line_of = self.lines[spot.owners[number] if spot.owners else number]
            line = self._find(date)
            texts = [given] if isinstance(given, str) else given
            if isinstance(given, dict):
                flat = flatten(given)
                texts = self._texts(flat, fields.choose([flat]), None, line)
            if not (isinstance(texts, list) and all(isinstance(one, str) for one in texts)):
                self._refuse(
                    f"entry {date!r} holds {describe_value(given)}; give a text or a list of texts"
                )
            try:
                self._add(entries, date, "", texts, line, block=True)
            except UndatedError as error:
                undated.append(error)
        (labeled,) = label_groups({(None, spot.author): entries}, undated)
        return labeled.timeline

    def _texts(
        self, row: Row, own: fields.Fields, date: fields.DateNames | None, line: int
    ) -> list[str]:
        """The texts of an entry; other keys are noted once."""
        known = {*(date.all if date else ()), own.topic, own.author}
        keys = [key for key in own.texts_in(row) if key not in known]
        texts = [text for key in keys for text in texts_of(row[key])]
        if not texts and not any(is_empty_text(row[key], key) for key in row.keys() - known):
            number = next((key for key in row if is_number_for_text(key, row[key])), None)
            if number is not None and number not in known:
                what = describe_value(row[number])
                self._refuse(f"key '{number}' holds {what}; give a text or a list of texts")
            self._refuse(f"entry has no text; give it a key 'text', its keys are {', '.join(row)}")
        for key in sorted(row.keys() - set(keys) - known - self.unread):
            self.unread.add(key)
            self.content.note("dropped", f"key '{key}' is not read", line)
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
        if isinstance(date, bool) or not isinstance(date, str | int | NoneType):
            self._refuse(f"date is {describe_value(date)}; write it as 2010-06-03", "date")
        if date is None or (isinstance(date, str) and not looks_dated(date)):
            text = repr(date) if isinstance(date, str) else describe_value(date)
            entries.note("dropped", f"date is {text}; the entry is dropped", line)
            raise UndatedError(
                f"date is {text}; write it as 2010-06-03", place=f"{entries.place}:{line}"
            )
        with drop_undated(entries, date, line, "entry", lenient=self.content.lenient):
            when = entries.read_date(_strip_blanks(str(date)), line, year=year)
        entries.add(when, texts, line, block=block)

    def _refuse(self, text: str, reason: Reason | None = None) -> NoReturn:
        self.content.entries().refuse(text, self.line, reason)

    def _refuse_value(self, value: Any) -> NoReturn:
        """Say what was found where no timeline is."""
        table = largest_table(value)
        if table is not None:
            path, columns = table
            where = f" under {describe_path(path)}" if path else ""
            self._refuse(f"no dates{where}; {fields.advise(columns)}", "date")
        self._refuse(
            f"{describe_value(value)} is not a timeline; "
            'write [{"date": "2010-06-03", "text": "…"}] or [["2010-06-03", ["…"]]]',
            "date",
        )


def _strip_blanks(date: str) -> str:
    """A date in figures without the blanks that Open-TLS has beside some hyphens."""
    if not _SPACED_DAY.fullmatch(date):
        return date
    return re.sub(r"\s+(?=[-T])|(?<=-)\s+", "", date).strip()
