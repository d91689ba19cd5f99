"""Timelines in Markdown tables: a row for each event."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chronoscore.dates.openings import whole_date
from chronoscore.errors import DataError
from chronoscore.formats.timelines import field_names, fields
from chronoscore.formats.timelines.entries import Entries
from chronoscore.formats.timelines.markdown_lines import MarkdownLine, is_table_rule, strip_markdown

_COUNTERS = ("#", "no", "no.", "nr", "nr.", "n°", "number", "№", "")
_DITTO = ("", '"', "″", "〃", "''", "ditto", "same", "↑", "^^", "-", "–", "—")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: the texts of its date and of its year where that has a column, and the others.

    `date` is empty where the row has none of its own, and `alone` says that nothing but a date
    stands in the row, as in a row that heads those below it.
    """

    line: int
    date: str
    year: str
    texts: tuple[str, ...]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class _Columns:
    """The names of the columns, which of them hold the date, and where the texts stand."""

    names: tuple[str, ...]
    date: fields.DateNames
    texts: tuple[int, ...]

    def cell(self, name: str, given: Sequence[str]) -> str:
        """What a row has in a column, or in those that one heading covers."""
        cells = [_cell(given[n]) for n, one in enumerate(self.names) if one == name]
        return " ".join(dict.fromkeys(filter(None, cells)))


def read_markdown_table(
    lines: Sequence[MarkdownLine], entries: Entries, *, below_date: bool = False
) -> Iterator[TableRow]:
    """The rows of one table; what has no column of ours is noted.

    A blank cell for a year or month, as under a merged one, has that of the row above; but beside
    a year of its own, a row without a month has none. A table `below_date` needs no dates of its
    own.
    """
    body = [line for line in lines if not is_table_rule(line.text)]
    columns, headed = _columns(body, entries)
    if columns is None and below_date:
        for line in body[len(lines) > 1 and is_table_rule(lines[1].text) :]:
            yield TableRow(line.number, "", "", tuple(map(strip_markdown, line.cells)))
        return
    if columns is None:
        for line in body:
            entries.note(
                "dropped", f"table row without a date: {line.text!r} is dropped", line.number
            )
        return
    dated = {columns.names.index(name) for name in columns.date.all}
    merged: dict[str, str] = {}
    for line in body[headed:]:
        given = [strip_markdown(cell) for cell in line.cells]
        given += [""] * (len(columns.names) - len(given))
        filled = list(dict.fromkeys(cell for cell in given if cell))
        in_date = any(given[n] for n in dated)
        if len(filled) == 1 and (in_date or not _is_text(filled[0], entries)):
            # A heading inside the table: one cell, or one that is merged over all columns.
            if columns.date.year is not None:
                merged[columns.date.year] = filled[0]
            yield TableRow(line.number, filled[0], "", (), alone=True)
            continue
        values = {name: columns.cell(name, given) for name in columns.date.all}
        own_year = columns.date.year is not None and values[columns.date.year]
        for name in (columns.date.year, columns.date.month):
            if name is not None:
                above = "" if own_year else merged.get(name, "")
                merged[name] = values[name] = values[name] or above
        date, year = columns.date.read(values.__getitem__)
        texts = tuple(dict.fromkeys(given[n] for n in columns.texts))
        yield TableRow(line.number, date, year, texts)


def _is_text(cell: str, entries: Entries) -> bool:
    try:
        whole_date(cell, "2000", entries.order)
    except DataError:
        return True
    return False


def _cell(text: str) -> str:
    return "" if text.casefold() in _DITTO else text


def _columns(body: Sequence[MarkdownLine], entries: Entries) -> tuple[_Columns | None, int]:
    """Where date and texts stand, and how many heading rows to skip."""
    heading = [strip_markdown(cell) for cell in body[0].cells] if body else []
    date = fields.date_names(heading)
    if date is None:
        return _guessed_columns(body, entries), 0
    others = [
        n
        for n, name in enumerate(heading)
        if name not in date.all and name.strip().casefold() not in _COUNTERS
    ]
    texts = [n for n in others if field_names.is_text_name(heading[n])] or others
    for n in others:
        if n not in texts:
            entries.note("dropped", f"column '{heading[n]}' is not read", body[0].number)
    return _Columns(tuple(heading), date, tuple(texts)), 1


def _guessed_columns(body: Sequence[MarkdownLine], entries: Entries) -> _Columns | None:
    """Without a heading that we know, the first column that holds a date in some row."""
    for line in body:
        for place, cell in enumerate(line.cells):
            if _is_text(strip_markdown(cell), entries):
                continue
            names = tuple(map(str, range(max(len(row.cells) for row in body))))
            others = tuple(n for n in range(len(names)) if n > place)
            date = fields.DateNames(names[place])
            return _Columns(names, date, others or tuple(range(place)))
    return None
