"""Timelines in Markdown tables: a row for each event."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chronoscore.dates.openings import Opening, looks_dated, whole_date
from chronoscore.errors import DataError
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.entries import Entries
from chronoscore.formats.timelines.markdown_dates import only_year
from chronoscore.formats.timelines.markdown_lines import MarkdownLine, is_table_rule, plain

_COUNTERS = ("#", "no", "no.", "nr", "number", "")


@dataclass(frozen=True, slots=True)
class DatedRow:
    """A row with its date, or with none where its cell is empty."""

    line: int
    date: Opening | None
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    date: int
    texts: tuple[int, ...]
    year: int | None = None


def read_rows(lines: Sequence[MarkdownLine], entries: Entries, year: str) -> Iterator[DatedRow]:
    """The rows of one table; what has no date, or no column of ours, is noted."""
    body = [line for line in lines if not is_table_rule(line.text)]
    columns, headed = _columns(body, entries)
    if columns is None:
        for line in body:
            entries.note(
                "dropped", f"table row without a date: {line.text!r} is dropped", line.number
            )
        return
    for line in body[headed:]:
        given = [plain(cell) for cell in line.cells] + [""] * len(columns.texts)
        if columns.year is not None and columns.year < len(line.cells):
            year = only_year(given[columns.year]) or year
        cell = given[columns.date] if columns.date < len(given) else ""
        texts = tuple(given[n] for n in columns.texts if n < len(given))
        if cell and not looks_dated(cell):
            entries.note("dropped", f"no date in {cell!r}; the row is dropped", line.number)
            continue
        try:
            yield DatedRow(line.number, whole_date(cell, year) if cell else None, texts)
        except DataError as error:
            entries.refuse(str(error), line.number)


def _columns(body: Sequence[MarkdownLine], entries: Entries) -> tuple[_Columns | None, int]:
    """Where date and texts stand, and how many heading rows to skip."""
    heading = [plain(cell) for cell in body[0].cells] if body else []
    date = fields.first_of(fields.DATE, heading)
    if date is None:
        return _guessed_columns(body), 0
    place = heading.index(date)
    years = [n for n, name in enumerate(heading) if fields.fold_name(name) == "year" and n != place]
    named = [heading.index(name) for name in fields.all_of(fields.TEXT, heading)]
    others = [
        n
        for n, name in enumerate(heading)
        if n != place and n not in years and fields.fold_name(name) not in _COUNTERS
    ]
    texts = named or others
    for n in others:
        if n not in texts:
            entries.note("dropped", f"column '{heading[n]}' is not read", body[0].number)
    return _Columns(place, tuple(texts), years[0] if years else None), 1


def _guessed_columns(body: Sequence[MarkdownLine]) -> _Columns | None:
    """Without a heading that we know, the first column that holds a date in some row."""
    for line in body:
        for place, cell in enumerate(line.cells):
            if cell.isdigit() and len(cell) < 4:
                continue
            try:
                whole_date(plain(cell))
            except DataError:
                continue
            others = (n for n in range(len(line.cells)) if n > place)
            return _Columns(place, tuple(others))
    return None
