"""Timelines in Markdown tables: a row for each event."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chronoscore.dates.labels import label_date
from chronoscore.dates.numbers import looks_dated
from chronoscore.dates.openings import Opening, opening_date, whole_date
from chronoscore.errors import DataError
from chronoscore.formats.timelines import field_names, fields
from chronoscore.formats.timelines.entries import Entries
from chronoscore.formats.timelines.markdown_dates import read_markdown_item_day
from chronoscore.formats.timelines.markdown_dating import DatingState
from chronoscore.formats.timelines.markdown_lines import MarkdownLine, is_table_rule, strip_markdown
from chronoscore.formats.timelines.markdown_state import EntryDraft
from chronoscore.formats.timelines.years import year_for_bare_dates, year_span
from chronoscore.options import DateOrder

_COUNTERS = ("#", "no", "no.", "nr", "nr.", "n°", "number", "№", "")
_DITTO = ("", '"', "″", "〃", "''", "ditto", "same", "↑", "^^", "-", "–", "—")


@dataclass(frozen=True, slots=True)
class _TableRow:
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


class TableState(DatingState):
    """Drafts the entries of tables."""

    def take_table(self, table: Sequence[MarkdownLine]) -> None:
        """Draft the entries of a table, whose rows follow each other."""
        if not table:
            return
        head, self.open = self.open, None
        below = head is not None and head.heads
        for row in _read_table(table, self.entries, below_date=below):
            if row.date:
                self._dated_row(row, head)
            elif head is not None and below and self.done[-1] is head:
                head.sentences.extend(text for text in row.texts if text)
                self.open = head
            elif not self.done or self.done[-1].origin != "row":
                self.drop(row.line, " ".join(row.texts))
            else:
                last = self.done[-1]
                text = f"no date in this row; it is taken to belong to {last.when}"
                self.entries.note("guessed", text, row.line)
                last.sentences.extend(text for text in row.texts if text)
        self.gap = self.open is not None

    def _dated_row(self, row: _TableRow, head: EntryDraft | None) -> None:
        if row.year:
            self.years.name(*year_span(row.year), source="a dated heading")
        if self.month is not None and (day := read_markdown_item_day(self.month, row.date)):
            self._add_row(row, day.opening, head)
            return
        if not looks_dated(row.date):
            if relative := self.relative_cell(row.date, row.line):
                self._add_row(row, relative, head)
                return
            text = f"no date in {row.date!r}; the row is dropped"
            self.entries.note("dropped", text, row.line)
            return
        try:
            date = self.years.read(lambda year: _date_of_cell(row.date, year, self.entries.order))
        except DataError as error:
            if row.alone:
                self.years.name(*year_span(row.date), source="the heading")
            self.note_error(error, row.line)
            return
        if row.alone and date.when.grain != "day":
            self.years.name(
                year_for_bare_dates(date.when), date.last_year, source="a dated heading"
            )
            self.month = date.when if date.when.grain == "month" else None
            return
        self._add_row(row, date, head)

    def _add_row(self, row: _TableRow, date: Opening, head: EntryDraft | None) -> None:
        if head is not None and len(head.sentences) == head.titled and not head.exact:
            head.overtaken = True
        texts = [text for text in row.texts if text]
        date, texts = self._refine(date, texts)
        draft = EntryDraft(date.when, row.line, "row", yearless=date.yearless, guess=date.guess)
        draft.sentences.extend(texts)
        self.told.extend((draft, row.line, text) for text in texts)
        if date.yearless:
            draft.guess = self.years.explain(date.written, draft.guess)
        else:
            self.years.follow(year_for_bare_dates(date.when))
        self.years.pass_date(date.when)
        self.done.append(draft)

    def _refine(self, date: Opening, texts: list[str]) -> tuple[Opening, list[str]]:
        """The date of a row, more finely where its text begins with a date inside of it."""
        year = year_for_bare_dates(date.when)
        try:
            inner = opening_date(texts[0], year, self.entries.order) if texts and year else None
        except DataError:
            return date, texts
        if inner is None or not inner.strong or not inner.rest or date.when.grain == "day":
            return date, texts
        if inner.when == date.when or not date.when.contains(inner.when):
            return date, texts
        return replace(inner, yearless=False), [inner.rest, *texts[1:]]


def _date_of_cell(text: str, year: str, order: DateOrder | None) -> Opening:
    """The date of a cell, which may have other words too."""
    try:
        return whole_date(text, year, order)
    except DataError as error:
        found = None if error.reason == "no such date" else label_date(text, year, order)
        if found is None:
            raise
        return found


def _read_table(
    lines: Sequence[MarkdownLine], entries: Entries, *, below_date: bool = False
) -> Iterator[_TableRow]:
    """The rows of one table; what has no column of ours is noted.

    A blank cell for a year or month, as under a merged one, has that of the row above; but beside
    a year of its own, a row without a month has none. A table `below_date` needs no dates of its
    own.
    """
    body = [line for line in lines if not is_table_rule(line.text)]
    columns, headed = _columns(body, entries)
    if columns is None and below_date:
        for line in body[len(lines) > 1 and is_table_rule(lines[1].text) :]:
            yield _TableRow(line.number, "", "", tuple(map(strip_markdown, line.cells)))
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
            yield _TableRow(line.number, filled[0], "", (), alone=True)
            continue
        values = {name: columns.cell(name, given) for name in columns.date.all}
        own_year = columns.date.year is not None and values[columns.date.year]
        for name in (columns.date.year, columns.date.month):
            if name is not None:
                above = "" if own_year else merged.get(name, "")
                merged[name] = values[name] = values[name] or above
        date, year = columns.date.read(values.__getitem__)
        texts = tuple(dict.fromkeys(given[n] for n in columns.texts))
        yield _TableRow(line.number, date, year, texts)


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
