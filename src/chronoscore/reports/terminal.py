"""Tables on a terminal: no number or word is ever broken, however narrow the terminal is.

The first layout that fits is drawn: all on one line; fewer columns, if the table says which may
go; what all rows have in common in a note; intervals below their figures; several blocks of
columns under each other; at last a list of what each row holds. Words wrap between words, and only
a word wider than the terminal exceeds it.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from chronoscore.reports.tables import NO_BREAK

if TYPE_CHECKING:
    from chronoscore.reports.tables import Cell, Table

UNBOUNDED = 10_000
"""Columns to assume where there is no terminal to wrap for."""
READABLE = 12
"""Columns below which words do not share a line with other columns."""


def terminal_width() -> int:
    """How many columns there are: as `COLUMNS` says, or as the terminal has."""
    if os.isatty(1) or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size().columns
    return UNBOUNDED


def wrap_lines(lines: Sequence[str], indent: int) -> str:
    """Lines that break between words where the terminal ends; what follows is indented."""
    room = terminal_width()
    if room < 3 * indent:
        indent = 2
    wrapped: list[str] = []
    for line in lines:
        head = line[:indent]
        first, *more = wrap_words(line[indent:], room - indent)
        wrapped += [head + first, *(" " * indent + one for one in more)]
    return "\n".join(wrapped)


def draw_table(table: "Table", width: int) -> Iterator[Text]:
    """The lines of a table with its title and notes, none wider than `width` if words allow."""
    layout = TableLayout.of(table, below=False, width=width)
    if not layout.fits and table.narrow:
        yield from draw_table(table.narrow, width)
        return
    if not layout.fits:
        table = _without_common(table)
        layout = TableLayout.of(table, below=False, width=width)
    if not layout.fits:
        layout = TableLayout.of(table, below=True, width=width)
    yield from (Text(line, style="italic") for line in wrap_words(table.title, width) if line)
    yield Text()
    if layout.fits:
        yield from layout.lines()
    else:
        yield from _draw_blocks(layout)
    yield Text()
    for note in table.notes:
        # A signature is copied as a whole.
        lines = [note] if note.startswith("signature:") else wrap_words(note, width)
        yield from (Text(line, style="dim") for line in lines)


def _without_common(table: "Table") -> "Table":
    """The table with a note instead of words, and of counts at the end, that all rows share."""
    last = len(table.columns) - 1
    common = {
        number: table.rows[0][number].text
        for number in range(1, len(table.columns))
        if len(table.rows) > 1
        and len({row[number] for row in table.rows}) == 1
        and (table.wordy[number] or (number == last and table.rows[0][number].text.isdigit()))
    }
    if not common:
        return table
    kept = [number for number in range(len(table.columns)) if number not in common]
    shared = ", ".join(f"{table.columns[number]} = {text}" for number, text in common.items())
    return replace(
        table,
        columns=tuple(table.columns[number] for number in kept),
        rows=tuple(tuple(row[number] for number in kept) for row in table.rows),
        notes=(f"in all rows: {shared}", *table.notes),
    )


def wrap_words(text: str, width: int) -> list[str]:
    """Text in lines of a display width, broken only between words."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, *words = paragraph.split(" ")
        for word in words:
            joined = f"{line} {word}"
            if line.strip() and cell_len(joined) > width:
                lines.append(line)
                joined = word
            line = joined
        lines.append(line)
    return lines


@dataclass(frozen=True)
class TerminalColumn:
    """A heading with its cells, and the widths that they can have."""

    heading: str
    cells: "Sequence[Cell]"
    wordy: bool
    below: bool
    """Whether intervals are printed below their figures."""

    @cached_property
    def natural(self) -> int:
        """The width with no line wrapped."""
        return max([cell_len(self.heading), *map(self._cell_width, self.cells)])

    @cached_property
    def least(self) -> int:
        """The smallest width that breaks neither a word nor a figure."""
        words = [cell_len(word) for word in self.heading.split(" ")]
        if not self.wordy:
            return max([*words, *map(self._cell_width, self.cells)])
        for cell in self.cells:
            words += [cell_len(word) for word in f"{cell.text} {cell.marks}".split(" ")]
            words.append(cell_len(cell.interval))
        return min(self.natural, max(READABLE, *words))

    def _cell_width(self, cell: "Cell") -> int:
        return max(line.cell_len for line in self.content(cell))

    def content(self, cell: "Cell", width: int = UNBOUNDED) -> list[Text]:
        """The lines of a cell: the figure, its marks, and its interval in a fainter color."""
        style = "bold" if cell.best else ""
        texts = cell.text.split("\n") if width == UNBOUNDED else wrap_words(cell.text, width)
        lines = [Text(text.replace(NO_BREAK, " "), style=style) for text in texts]
        for extra, color in ((cell.marks, "green"), (cell.interval, "dim")):
            if not extra:
                continue
            own_line = self.below and extra is cell.interval
            if own_line or lines[-1].cell_len + 1 + cell_len(extra) > width:
                lines.append(Text(extra, style=color))
            else:
                lines[-1] = lines[-1].copy().append(f" {extra}", style=color)
        return lines

    def aligned(self, lines: Sequence[Text], width: int) -> Iterator[Text]:
        """Lines as wide as the column: words start on the left, figures end on the right."""
        for line in lines:
            room = Text(" " * (width - line.cell_len))
            yield line + room if self.wordy else room + line


@dataclass(frozen=True)
class TableLayout:
    """Columns side by side in a width."""

    columns: Sequence[TerminalColumn]
    width: int

    @classmethod
    def of(cls, table: "Table", *, below: bool, width: int) -> "TableLayout":
        """All columns of a table."""
        return cls(
            [
                TerminalColumn(heading, [row[number] for row in table.rows], wordy, below)
                for number, (heading, wordy) in enumerate(
                    zip(table.columns, table.wordy, strict=True)
                )
            ],
            width,
        )

    @property
    def _loose(self) -> bool:
        """Whether there is room for wide gaps and a margin."""
        return sum(c.natural for c in self.columns) + 3 * len(self.columns) + 1 <= self.width

    @property
    def fits(self) -> bool:
        """Whether no word or figure has to be broken."""
        return sum(c.least for c in self.columns) + 2 * (len(self.columns) - 1) <= self.width

    def _widths(self) -> list[int]:
        """The columns' widths: what is left over goes to those that lack most."""
        if self._loose:
            return [column.natural for column in self.columns]
        widths = [column.least for column in self.columns]
        left = self.width - sum(widths) - 2 * (len(widths) - 1)
        for _ in range(left):
            lacking = [c.natural - width for c, width in zip(self.columns, widths, strict=True)]
            if max(lacking) <= 0:
                break
            widths[lacking.index(max(lacking))] += 1
        return widths

    def lines(self) -> Iterator[Text]:
        """The heading, a rule, and the rows."""
        widths = self._widths()
        gap, margin = (3, 2) if self._loose else (2, 0)
        headings = [
            [Text(line, style="bold") for line in wrap_words(column.heading, width)]
            for column, width in zip(self.columns, widths, strict=True)
        ]
        yield from self._side_by_side(headings, widths, gap, margin, bottom=True)
        extent = sum(widths) + gap * (len(widths) - 1) + margin
        yield Text(" " * (margin // 2) + "─" * extent)
        for row in zip(*(column.cells for column in self.columns), strict=True):
            cells = [
                column.content(cell, width)
                for column, cell, width in zip(self.columns, row, widths, strict=True)
            ]
            yield from self._side_by_side(cells, widths, gap, margin)

    def _side_by_side(
        self,
        cells: Sequence[Sequence[Text]],
        widths: Sequence[int],
        gap: int,
        margin: int,
        *,
        bottom: bool = False,
    ) -> Iterator[Text]:
        """The lines of cells beside each other; headings end on the same line."""
        height = max(map(len, cells))
        filled = []
        for column, lines, width in zip(self.columns, cells, widths, strict=True):
            blank = [Text()] * (height - len(lines))
            whole = [*blank, *lines] if bottom else [*lines, *blank]
            filled.append(list(column.aligned(whole, width)))
        for line in zip(*filled, strict=True):
            yield Text(" " * margin) + Text(" " * gap).join(line)


def _draw_blocks(layout: TableLayout) -> Iterator[Text]:
    """Columns that do not fit side by side as blocks, each with the columns that name the rows."""
    width = layout.width
    layouts = _split_columns(layout)
    if not all(one.fits for one in layouts):
        yield from _list_rows(layout)
        return
    for number, one in enumerate(layouts):
        if number:
            yield Text()
        beside = TableLayout([replace(column, below=False) for column in one.columns], width)
        yield from (beside if beside.fits else one).lines()


def _split_columns(layout: TableLayout) -> list[TableLayout]:
    """As many columns in each block as fit, after those that name the rows."""
    columns, width = list(layout.columns), layout.width
    keys = columns[:1]
    for column in columns[1:-1]:
        if not column.wordy or sum(c.least + 2 for c in [*keys, column]) > width / 2:
            break
        keys.append(column)
    blocks: list[list[TerminalColumn]] = []
    for column in columns[len(keys) :]:
        if not blocks or not TableLayout([*keys, *blocks[-1], column], width).fits:
            blocks.append([])
        blocks[-1].append(column)
    return [TableLayout([*keys, *block], width) for block in blocks]


def _list_rows(layout: TableLayout) -> Iterator[Text]:
    """Each row as a list of what it holds."""
    first, *others = layout.columns
    for number, name in enumerate(first.cells):
        if number:
            yield Text()
        yield from first.content(name, layout.width)
        for column in others:
            cell = column.cells[number]
            words = " ".join(filter(None, [f"{column.heading}:", cell.text, cell.marks]))
            if cell.interval:
                # An interval stays on one line.
                words += " " + cell.interval.replace(" ", NO_BREAK)
            for line, indent in zip_longest(wrap_words(words, layout.width - 4), ["  "]):
                yield Text((indent or "    ") + line.replace(NO_BREAK, " "))
