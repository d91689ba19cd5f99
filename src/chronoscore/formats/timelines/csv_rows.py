"""Timelines in CSV and TSV: a row for each sentence, with a date and a text.

::

    date,text
    2010-05-06,A dome is lowered.
    2010-05-06,It fails.

Which columns hold the date and the text is decided by their values; a first row without a date
where the others have one is the heading. Columns `topic` and `author` put several timelines into
one file. Columns may be separated by commas, semicolons or tabs. The rows that SQL inserts into a
table, as in the dump of a database, are read like those of a file.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from chronoscore import lazy
from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError, UsageError, number_with_noun
from chronoscore.formats.io.notes import quote_in_note
from chronoscore.formats.timelines import field_names, fields, sql_rows
from chronoscore.formats.timelines.entries import (
    Entries,
    LabeledTimeline,
    UndatedError,
    clean_sentences,
    drop_undated,
    label_groups,
)
from chronoscore.formats.timelines.field_values import STRENGTH, date_kind
from chronoscore.formats.timelines.fields import DateNames, Fields, choose, date_names
from chronoscore.formats.timelines.format import Content, Format

DELIMITERS = (",", ";", "\t")
_MARKED = lazy.pattern(r"\s*(?:[-*+•#|>`]|\d+[.)]\s)")
"""How lines begin that are rather Markdown."""
_SAMPLE = 60
"""Rows from which the columns are known."""


@dataclass(frozen=True, slots=True)
class CsvColumns:
    """The names of the columns, in what order they stand, and which of them are read."""

    names: tuple[str, ...]
    fields: Fields
    headed: bool = True
    above: int = 0
    """Rows above the table, such as a title."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns of texts."""
        return self.fields.texts or self.fields.spare[:1]

    @property
    def read(self) -> set[str | None]:
        """The columns that are read."""
        dates = {name for date in self.fields.dates for name in date.all}
        return {*dates, *self.texts, self.fields.topic, self.fields.author}

    @property
    def lacking(self) -> list[str]:
        """The columns that a user has named and the table does not have."""
        return sorted({one for one in self.read if one is not None} - {*self.names})


def read(content: Content) -> list[LabeledTimeline]:
    """Read a file; a date that cannot be is refused with its line."""
    delimiter, columns = _layout(content)
    groups: dict[tuple[str | None, str], Entries] = {}
    undated: list[DataError] = []
    for number, (line, cells) in enumerate(table_cells(content, delimiter)):
        entries = content.entries()
        if number < columns.above:
            text = f"no row of the table: {quote_in_note(' '.join(cells))} is dropped"
            entries.note("dropped", text, line)
            continue
        if columns.headed and number == columns.above:
            for name in columns.names:
                if name not in columns.read and not name.isdigit():
                    entries.note("dropped", f"column '{name}' is not read", line)
            continue
        row = _named_cells(cells, columns, delimiter, line, entries)
        own = columns.fields
        topic = None if own.topic is None else row[own.topic]
        author = "" if own.author is None else row[own.author]
        entries = groups.setdefault((topic, author), entries)
        try:
            _add_row(entries, row, columns, line, lenient=content.lenient)
        except UndatedError as error:
            undated.append(error)
    return label_groups(groups, undated)


def _named_cells(
    cells: Sequence[str], columns: CsvColumns, delimiter: str, line: int, entries: Entries
) -> dict[str, str]:
    """The cells of a row by name; what stands beyond belongs to a text with unquoted commas."""
    row = [cell.strip() for cell in cells]
    width = len(columns.names)
    last = max(columns.names.index(name) for name in columns.read if name is not None)
    if len(row) <= last and any(map(date_kind, row)):
        entries.refuse(
            f"row has only {number_with_noun(len(row), 'column')}; give it a date and a text",
            line,
            "date",
        )
    if any(row[width:]):
        if columns.names[-1] not in columns.texts:
            entries.refuse(
                f"row has {len(row)} columns, {width} are named; quote texts with commas", line
            )
        entries.note("guessed", "commas outside quotes are taken as part of the text", line)
        row[width - 1] = delimiter.join(cells[width - 1 :]).strip()
    return dict.fromkeys(columns.names, "") | dict(zip(columns.names, row, strict=False))


def _add_row(
    entries: Entries, row: dict[str, str], columns: CsvColumns, line: int, *, lenient: bool
) -> None:
    """Add the entry of a row; one without a date is dropped and noted."""
    date, year, guess = columns.fields.date_of(row)
    if not looks_dated(date):
        entries.note("dropped", f"no date in {date!r}; the row is dropped", line)
        text = f"date {date!r} is not understood; write it as 2010-06-03"
        raise UndatedError(text, place=entries.where(line))
    if guess:
        entries.note("guessed", guess, line)
    with drop_undated(entries, date, line, "row", lenient=lenient):
        when = entries.read_date(date, line, year=year)
    entries.add(when, [row[name] for name in columns.names if name in columns.texts], line)


def detect(text: str) -> bool:
    """Look for a heading that names a date and a text, or for rows with dates below or without."""
    if sql_rows.tables_of(text) or is_heading(text.lstrip().partition("\n")[0]):
        return True
    first = [line for line in text[:4000].split("\n") if line.strip()][:6]
    if any(_MARKED.match(line) for line in first):
        return False
    for delimiter in DELIMITERS:
        if not all(delimiter in line for line in first[-2:]):
            continue
        rows = _first_rows(text, delimiter)
        if delimiter != "\t" and len({len(row) for row in rows if len(row) > 1}) != 1:
            continue
        columns = _columns(rows)
        if columns and columns.headed and len(rows) > 2:
            even = all(len(row) == len(columns.names) for row in rows[columns.above :])
            return even and columns.fields.strength > 0.8
        if columns and delimiter == "\t":
            return True
    return False


def is_heading(line: str) -> bool:
    """Whether a line names a date and a text column."""
    rows = (next(iter(_first_rows(line, delimiter)), []) for delimiter in DELIMITERS)
    return any(map(_named_columns, rows))


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
    """The delimiter and the columns: those in which most values are dates."""
    found = []
    for delimiter in DELIMITERS:
        rows = _first_rows(content.text, delimiter)
        if columns := _columns(rows):
            found.append((columns.fields.strength, delimiter, columns))
    if found:
        _, delimiter, columns = max(found, key=lambda one: one[0])
        heading = list(columns.names)
        if {*fields.named_fields()} <= {*heading}:
            return delimiter, columns
    else:
        heading = next(iter(_first_rows(content.text, ",")), [])
    names = ", ".join(heading) or "nothing"
    if named := fields.named_fields():
        raise UsageError(
            f"not all of the columns {', '.join(named)} are among {names}; correct `columns`",
            place=f"{content.place}:{content.first_line}" if content.place else None,
        )
    raise DataError(
        f"no date and text column among {names}; name them date and text, or give "
        '`columns={"date": "NAME", "text": "NAME"}`',
        reason="date",
        place=f"{content.place}:{content.first_line}",
    )


def _columns(rows: Sequence[Sequence[str]]) -> CsvColumns | None:
    """The columns that the first rows of a table show, with a heading or without."""
    widths = [len(row) for row in rows]
    width = max(widths, key=lambda one: (widths.count(one), one), default=0)
    if width < 2:
        return _named_columns(rows[0]) if rows and len(rows[0]) > 1 else None
    above = next(n for n, one in enumerate(widths) if one >= width)
    if rows and (named := _named_columns(rows[0])) and len(rows[0]) != width:
        return named
    return _headed(rows[above:], above) or _columns_without_heading(rows[above:], above)


def _headed(rows: Sequence[Sequence[str]], above: int) -> CsvColumns | None:
    """The columns below a heading, which has no date where the rows have one."""
    names = _unique(rows[0])
    chosen = choose([dict(zip(names, row, strict=False)) for row in rows[1:]])
    if not chosen.strength or not (chosen.texts or chosen.spare):
        named = _named_columns(rows[0])
        return named and replace(named, above=above)
    columns = CsvColumns(names, chosen, above=above)
    main = chosen.dates[0].main
    if columns.lacking or date_kind(rows[0][names.index(main)]):
        return None
    return columns


def _named_columns(row: Sequence[str]) -> CsvColumns | None:
    """The columns that a heading names, if a row is one."""
    date = date_names(row)
    texts = [name for name in row if field_names.is_text_name(name)]
    texts = [name for name in texts if not (date and name in date.all)]
    if date is None or not texts:
        return None
    topic, author = (
        field_names.find_name(names, row) for names in (field_names.TOPIC, field_names.AUTHOR)
    )
    return CsvColumns(_unique(row), Fields((date,), tuple(texts), topic=topic, author=author))


def _columns_without_heading(rows: Sequence[Sequence[str]], above: int) -> CsvColumns | None:
    """The columns of rows that all have a date; behind a first one, what follows is text."""
    widths = {len(row) for row in rows}
    dated = sum(STRENGTH[date_kind(row[0])] for row in rows if row)
    if len(rows[0]) > 1 and date_kind(rows[0][0]) and (len(widths) > 1 or 2 in widths):
        own = Fields((DateNames("1"),), ("2",), strength=dated / len(rows))
        return CsvColumns(("1", "2"), own, headed=False, above=above)
    names = tuple(str(n) for n in range(1, max(widths) + 1))
    chosen = choose([dict(zip(names, row, strict=False)) for row in rows])
    if not chosen.strength or not (chosen.texts or chosen.spare) or len(widths) > 1:
        return None
    columns = CsvColumns(names, chosen, headed=False, above=above)
    return None if columns.lacking else columns


def _unique(row: Sequence[str]) -> tuple[str, ...]:
    """The names of a heading; one that is empty or a duplicate is numbered."""
    return tuple(name if name and name not in row[:n] else str(n + 1) for n, name in enumerate(row))


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    # A row that cannot be read is refused when its turn comes.
    with suppress(DataError):
        for _, row in islice(table_cells(Content(text, ""), delimiter), _SAMPLE):
            rows.append([cell.strip() for cell in row])
    return rows


def table_cells(content: Content, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, with the line on which it begins."""
    if tables := sql_rows.tables_of(content.text):
        yield from _table_rows(tables, content)
        return
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


def _table_rows(
    tables: Sequence[sql_rows.SqlTable], content: Content
) -> Iterator[tuple[int, list[str]]]:
    """The rows of the largest table with dates, below its heading; others are noted."""
    offset = content.first_line - 1
    chosen = max(tables, key=lambda one: (_has_date(one), len(one.rows)))
    for table in tables:
        if table is not chosen:
            text = f"table {table.name} is not read; {chosen.name} counts"
            content.note("dropped", text, table.line + offset)
    if any(chosen.columns):
        yield chosen.line + offset, chosen.columns
    yield from ((line + offset, row) for line, row in chosen.rows)


def _has_date(table: sql_rows.SqlTable) -> bool:
    return any(date_kind(cell) for _, row in table.rows[:_SAMPLE] for cell in row)


def _is_quoted(text: str) -> bool:
    """Whether tab-separated cells are quoted as in CSV; some writers take quotes literally."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True):
            pass
    except csv.Error:
        return False
    return True


CSV = Format("csv", "CSV", ".csv", read, write, detect, several=True)
TSV = Format("tsv", "TSV", ".tsv", read, partial(write, delimiter="\t"), several=True)
