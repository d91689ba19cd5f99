"""Timelines in CSV and TSV: a row for each sentence, with a date and a text.

::

    date,text
    2010-05-06,A dome is lowered.
    2010-05-06,It fails.

A heading row is looked for under the names that people use (Date, Event, Summary …); without
one, the first column is the date and the second the text. Columns `topic` and `author` put
several timelines into one file. Columns may be separated by commas, semicolons or tabs.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chronoscore.dates.openings import whole
from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_text, write_text
from chronoscore.formats.io.notes import Note, warn
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.entries import Entries, Held, cleaned

DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in a row things stand."""

    date: int
    texts: tuple[int, ...]
    topic: int | None = None
    author: int | None = None
    headed: bool = True
    unread: tuple[str, ...] = ()


def load(path: Path) -> list[Held]:
    """Read every timeline of a file, warning of what was guessed or not read."""
    notes: list[Note] = []
    found = read(read_text(path), str(path), notes=notes)
    warn(notes)
    return found


def read(text: str, place: str, *, notes: list[Note], first_line: int = 1) -> list[Held]:
    """Take a file's text; a bad date is refused with its line."""
    delimiter, columns = _layout(text, place, first_line)
    groups: dict[tuple[str | None, str], Entries] = {}
    for line, row in _rows(text, delimiter, place, first_line):
        if columns.headed:
            for name in columns.unread:
                notes.append(Note(place, line, "dropped", f"column '{name}' is not read"))
            columns = Columns(
                columns.date, columns.texts, columns.topic, columns.author, headed=False
            )
            continue
        entries = Entries(place, notes=notes)
        if len(row) <= max(columns.date, *columns.texts):
            entries.refuse(f"row has {len(row)} columns only; give it a date and a text", line)
        topic = None if columns.topic is None else row[columns.topic]
        author = "" if columns.author is None else row[columns.author]
        entries = groups.setdefault((topic, author), entries)
        texts = [row[n] for n in columns.texts]
        entries.add(entries.spoken(row[columns.date], line), texts, line)
    return [Held(found.timeline(by), topic) for (topic, by), found in groups.items()]


def fits(text: str) -> bool:
    """Tell by a look: a heading names a date and a text, or tabs follow a date."""
    for delimiter in DELIMITERS:
        try:
            columns = _columns(_first_row(text, delimiter))
        except DataError:
            continue
        if columns and (columns.headed or delimiter == "\t"):
            return True
    return False


def is_heading(line: str) -> bool:
    """Whether a line names a date and a text column."""
    try:
        rows = [_columns(_first_row(line, mark)) for mark in DELIMITERS]
    except DataError:
        return False
    return any(columns is not None and columns.headed for columns in rows)


def save(timelines: Sequence[Held], path: Path) -> None:
    """Write timelines, separated by tabs where the name ends in `.tsv`."""
    write_text(path, written(timelines, "\t" if ".tsv" in path.suffixes else ","))


def written(timelines: Sequence[Held], delimiter: str = ",") -> str:
    """The file's text; topics and authors have columns where there are any."""
    named = any(held.topic is not None for held in timelines)
    signed = any(held.timeline.author for held in timelines)
    output = io.StringIO(newline="")
    rows = csv.writer(output, delimiter=delimiter, lineterminator="\n")
    rows.writerow(["topic"] * named + ["author"] * signed + ["date", "text"])
    for held in timelines:
        front = [held.topic or ""] * named + [held.timeline.author] * signed
        for entry in held.timeline:
            for sentence in cleaned(entry.sentences) or [""]:
                rows.writerow([*front, str(entry.when), sentence])
    return output.getvalue()


def _layout(text: str, place: str, first_line: int) -> tuple[str, Columns]:
    """The delimiter and the columns: the first that make sense."""
    for delimiter in DELIMITERS:
        if columns := _columns(_first_row(text, delimiter)):
            return delimiter, columns
    first = _first_row(text, ",")
    raise DataError(
        f"{place}:{first_line}: no date and text column among {', '.join(first) or 'nothing'}; "
        "name them date and text"
    )


def _columns(row: Sequence[str]) -> Columns | None:
    """What a first row tells, if it is a heading or begins with a date."""
    date = fields.first_of(fields.DATE, row)
    texts = fields.all_of(fields.TEXT, row)
    if date is not None and texts:
        topic, author = (fields.first_of(names, row) for names in (fields.TOPIC, fields.AUTHOR))
        read = {date, topic, author, *texts}
        return Columns(
            row.index(date),
            tuple(row.index(name) for name in texts),
            None if topic is None else row.index(topic),
            None if author is None else row.index(author),
            unread=tuple(name for name in row if name not in read and name.strip()),
        )
    try:
        return Columns(0, (1,), headed=False) if len(row) > 1 and whole(row[0]) else None
    except DataError:
        return None


def _first_row(text: str, delimiter: str) -> list[str]:
    return next((row for _, row in _rows(text, delimiter, "", 1)), [])


def _rows(
    text: str, delimiter: str, place: str, first_line: int
) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, with the line on which it begins."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        strict=True,
        quoting=csv.QUOTE_NONE if delimiter == "\t" and not quoted(text) else csv.QUOTE_MINIMAL,
    )
    while True:
        line = first_line + reader.line_num
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataError(f"{place}:{line}: {error}; check the quotes") from None
        if any(cell.strip() for cell in row):
            yield line, [cell.strip() for cell in row]


def quoted(text: str) -> bool:
    """Whether tab-separated cells are quoted as in CSV; some writers take quotes literally."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True):
            pass
    except csv.Error:
        return False
    return True
