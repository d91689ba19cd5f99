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
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from chronoscore.errors import DataError
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline, clean_sentences
from chronoscore.formats.timelines.format import Content, Format

DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class CsvColumns:
    """Where in a row things stand."""

    names: tuple[str, ...]
    date: fields.DateNames
    texts: tuple[int, ...]
    topic: int | None = None
    author: int | None = None
    headed: bool = True
    unread: tuple[str, ...] = ()
    width: int = 2
    """Columns of the heading; what stands beyond is part of a text with unquoted commas."""

    @property
    def last(self) -> int:
        """The last column that is read."""
        return max(*map(self.names.index, self.date.all), *self.texts)


def read(content: Content) -> list[LabeledTimeline]:
    """Read a file; a bad date is refused with its line."""
    from chronoscore.dates.openings import looks_dated

    delimiter, columns = _layout(content)
    width = columns.width
    groups: dict[tuple[str | None, str], Entries] = {}
    for number, (line, cells) in enumerate(_rows(content, delimiter)):
        row = [cell.strip() for cell in cells]
        entries = content.entries()
        if columns.headed and not number:
            for name in columns.unread:
                entries.note("dropped", f"column '{name}' is not read", line)
            continue
        if len(row) <= columns.last:
            entries.refuse(
                f"row has only {len(row)} columns; give it a date and a text", line, "date"
            )
        topic = None if columns.topic is None else row[columns.topic]
        author = "" if columns.author is None else row[columns.author]
        entries = groups.setdefault((topic, author), entries)
        texts = [row[n] for n in columns.texts]
        if any(row[width:]):
            if max(columns.texts) != width - 1:
                entries.refuse(
                    f"row has {len(row)} columns, {width} are named; quote texts with commas", line
                )
            entries.note("guessed", "commas outside quotes are taken as part of the text", line)
            texts[-1] = delimiter.join(cells[width - 1 :]).strip()
        date, year = columns.date.read(lambda name: row[columns.names.index(name)])  # noqa: B023
        if content.lenient and not looks_dated(date):
            entries.note("dropped", f"no date in {date!r}; the row is dropped", line)
            continue
        entries.add(entries.read_date(date, line, year=year), texts, line)
    return [LabeledTimeline(found.timeline(by), topic) for (topic, by), found in groups.items()]


def detect(text: str) -> bool:
    """Look for a heading that names a date and a text, or for a tab after a date."""
    if is_heading(text):
        return True
    with suppress(DataError):
        return _columns_without_heading(_first_row(text, "\t")) is not None
    return False


def is_heading(line: str) -> bool:
    """Whether a line names a date and a text column."""
    for delimiter in DELIMITERS:
        with suppress(DataError):
            if _named_columns(_first_row(line, delimiter)):
                return True
    return False


def write(timelines: Sequence[LabeledTimeline], delimiter: str = ",") -> str:
    """Write timelines; topics and authors have columns where there are any."""
    named = any(labeled.topic is not None for labeled in timelines)
    signed = any(labeled.timeline.author for labeled in timelines)
    output = io.StringIO(newline="")
    rows = csv.writer(output, delimiter=delimiter, lineterminator="\n")
    rows.writerow(["topic"] * named + ["author"] * signed + ["date", "text"])
    for labeled in timelines:
        front = [labeled.topic or ""] * named + [labeled.timeline.author] * signed
        for entry in labeled.timeline:
            for sentence in clean_sentences(entry.sentences) or [""]:
                rows.writerow([*front, str(entry.when), sentence])
    return output.getvalue()


def _layout(content: Content) -> tuple[str, CsvColumns]:
    """The delimiter and the columns: the first that make sense."""
    for delimiter in DELIMITERS:
        if columns := _columns(_first_row(content.text, delimiter)):
            return delimiter, columns
    names = ", ".join(_first_row(content.text, ",")) or "nothing"
    raise DataError(
        f"no date and text column among {names}; name them date and text",
        reason="date",
        place=f"{content.place}:{content.first_line}",
    )


def _columns(row: Sequence[str]) -> CsvColumns | None:
    """The columns that a first row shows, if it is a heading or begins with a date."""
    return _named_columns(row) or _columns_without_heading(row)


def _named_columns(row: Sequence[str]) -> CsvColumns | None:
    """The columns that a heading names, if a row is one."""
    date = fields.date_names(row)
    dated = date.all if date else set()
    texts = [name for name in fields.all_known_fields(fields.TEXT, row) if name not in dated]
    if date is None or not texts:
        return None
    topic, author = (
        fields.first_known_field(names, row) for names in (fields.TOPIC, fields.AUTHOR)
    )
    read = {*date.all, topic, author, *texts}
    return CsvColumns(
        tuple(row),
        date,
        tuple(row.index(name) for name in texts),
        None if topic is None else row.index(topic),
        None if author is None else row.index(author),
        unread=tuple(name for name in row if name not in read and name.strip()),
        width=len(row),
    )


def _columns_without_heading(row: Sequence[str]) -> CsvColumns | None:
    """The date first and the text second, if a row begins with a date."""
    if len(row) < 2:
        return None
    from chronoscore.dates.openings import whole_date

    try:
        whole_date(row[0])
    except DataError:
        return None
    return CsvColumns(("0", "1"), fields.DateNames("0"), (1,), headed=False)


def _first_row(text: str, delimiter: str) -> list[str]:
    row = next((row for _, row in _rows(Content(text, ""), delimiter)), [])
    return [cell.strip() for cell in row]


def _rows(content: Content, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, with the line on which it begins."""
    reader = csv.reader(
        io.StringIO(content.text, newline=""),
        delimiter=delimiter,
        strict=True,
        quoting=csv.QUOTE_NONE
        if delimiter == "\t" and not _is_quoted(content.text)
        else csv.QUOTE_MINIMAL,
    )
    while True:
        line = content.first_line + reader.line_num
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataError(f"{error}; check the quotes", place=f"{content.place}:{line}") from None
        if any(cell.strip() for cell in row):
            yield line, row


def _is_quoted(text: str) -> bool:
    """Whether tab-separated cells are quoted as in CSV; some writers take quotes literally."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True):
            pass
    except csv.Error:
        return False
    return True


CSV = Format(
    name="csv", title="CSV", ending=".csv", read=read, write=write, detect=detect, several=True
)
TSV = Format(
    name="tsv",
    title="TSV",
    ending=".tsv",
    read=read,
    write=partial(write, delimiter="\t"),
    several=True,
)
