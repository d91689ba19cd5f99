"""Tables: one value, printed to a terminal, Markdown, LaTeX or HTML."""

import io
import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Self, TypeAlias

from chronoscore.core import Row
from chronoscore.errors import on_one_line


@dataclass(frozen=True)
class Cell:
    """A figure with what qualifies it: an interval and significance marks."""

    text: str
    interval: str = ""
    marks: str = ""
    best: bool = False
    whole: str = ""
    """What a page shows, where the text was cut to fit a terminal."""


@dataclass(frozen=True)
class Table:
    """Rows of cells under headings; the first column holds names."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    narrow: "Table | None" = None
    """The same with fewer columns, for a terminal that is too narrow for all."""

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[str],
        rows: "Iterable[Cells]",
        notes: Iterable[str] = (),
    ) -> Self:
        """A table whose cells may be given as plain text."""
        cells = (
            tuple(Cell(cell) if isinstance(cell, str) else cell for cell in row) for row in rows
        )
        return cls(title, tuple(columns), tuple(cells), tuple(notes))

    @property
    def wordy(self) -> list[bool]:
        """Which columns hold words, which start on the left; figures end on the right."""
        return [
            number == 0 or any(WORD.search(row[number].text) for row in self.rows)
            for number in range(len(self.columns))
        ]

    def records(self) -> list[Row]:
        """The cells as flat records; columns of one name are numbered."""
        before = [self.columns[:place].count(name) for place, name in enumerate(self.columns)]
        names = [
            f"{name} {n + 1}" if n else name for name, n in zip(self.columns, before, strict=True)
        ]
        return [
            dict(zip(names, (cell.text.replace(NO_BREAK, " ") for cell in row), strict=True))
            for row in self.rows
        ]

    def terminal(self) -> str:
        """Draw the table for a person, as wide as the terminal allows."""
        # rich is slow to import; only a table on a terminal pays for it.
        from rich.console import Console

        from chronoscore.reports.terminal import draw_table, terminal_width

        buffer = io.StringIO()
        width = terminal_width()
        # Rich would take COLUMNS=0 for a terminal that has no room for anything.
        console = Console(file=buffer, force_terminal=os.isatty(1), highlight=False, width=width)
        for line in draw_table(self._printable(), width):
            line.rstrip()
            console.print(line, soft_wrap=True)
        return buffer.getvalue().rstrip("\n") + "\n"

    def _printable(self) -> "Table":
        """The table with names that neither break its lines nor steer a terminal."""
        return Table(
            on_one_line(self.title),
            tuple(map(on_one_line, self.columns)),
            tuple(
                tuple(replace(cell, text=on_one_line(cell.text)) for cell in row)
                for row in self.rows
            ),
            tuple(map(on_one_line, self.notes)),
            self.narrow and self.narrow._printable(),
        )

    def markdown(self) -> str:
        """A Markdown table; the best figure of a column in bold."""
        lines = [f"**{_escape_pipes(self.title)}**", ""] if self.title else []
        lines.append("| " + " | ".join(_escape_pipes(heading) for heading in self.columns) + " |")
        lines.append("|" + "|".join("---" if wordy else "---:" for wordy in self.wordy) + "|")
        for row in self.rows:
            lines.append("| " + " | ".join(_markdown_cell(cell) for cell in row) + " |")
        notes = [line for note in self.notes for line in ("", _escape_pipes(note))]
        return "\n".join([*lines, *notes]) + "\n"

    def latex(self) -> str:
        """A LaTeX table as people paste it into papers: never wider than its column.

        Notes become the caption, except for the signature, which stays a comment.
        """
        stacked = sum(any(row[n].interval for row in self.rows) for n in range(len(self.columns)))
        ends = r" \\[2pt]" if stacked > STACKED else r" \\"
        columns = "".join("l" if wordy else "r" for wordy in self.wordy)
        head = " & ".join(_latex_text(heading) for heading in self.columns)
        body = [
            " & ".join(_latex_cell(cell, stacked > STACKED) for cell in row) + ends
            for row in self.rows
        ]
        legend = [note for note in self.notes if not note.startswith("signature:")]
        told = [self.title, *(_begin_sentence(note) for note in legend)]
        caption = ". ".join(_latex_text(one) for one in told if one)
        lines = [
            r"% \usepackage{booktabs,graphicx}",
            *(f"% {on_one_line(note)}" for note in self.notes if note.startswith("signature:")),
            r"\begin{table}",
            r"\centering\small",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            head + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}}",
            *([rf"\caption{{{caption}.}}"] if caption else []),
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """An HTML table, to be put into a page."""
        sides = [' class="words"' if wordy else "" for wordy in self.wordy]
        head = "".join(
            f'<th scope="col"{side}>{escape(heading)}</th>'
            for heading, side in zip(self.columns, sides, strict=True)
        )
        body = "".join(f"<tr>{_html_row(row, sides)}</tr>" for row in self.rows)
        notes = "".join(f'<p class="note">{escape(note)}</p>' for note in self.notes)
        caption = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        return (
            f'<div class="scroll" tabindex="0"><table>{caption}<thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>{notes}"
        )


Cells: TypeAlias = Sequence[Cell | str]
"""A row of a table, whose plain cells are text."""


def format_number(value: float, form: str = ".4f") -> str:
    """A figure in a format, or a dash where it is undefined."""
    return "–" if math.isnan(value) else format(value, form)


def format_level(level: float) -> str:
    """A confidence level in percent, with all digits that it was given with.

    >>> format_level(0.95), format_level(0.975)
    ('95%', '97.5%')
    """
    return f"{100 * level:.14g}%"


NO_BREAK = "\N{NO-BREAK SPACE}"


def unbroken(words: str) -> str:
    """Words that stay on one line of a terminal, such as a date."""
    return words.replace(" ", NO_BREAK)


def p_text(p: float) -> str:
    """A p-value as people print it."""
    return format_number(p, ".4f" if p >= 0.0001 else ".1e")


def interval_cell(
    value: float,
    low: float,
    high: float,
    form: str = ".4f",
    *,
    best: bool = False,
    marks: str = "",
) -> Cell:
    """A figure with its interval, as far as they are defined; a difference shows its sign."""
    sign = "+" if form.startswith("+") else ""
    interval = "" if math.isnan(low) else f"[{low:{sign}.3f}, {high:{sign}.3f}]"
    return Cell(format_number(value, form), interval, marks, best)


WORD = re.compile(r"(?!nan|inf)[^\W\d_]{3}|\d{4}-\d\d")
"""What no figure has: three letters in a row, or a date."""


def _markdown_cell(cell: Cell) -> str:
    """A cell in Markdown."""
    text = _escape_pipes(cell.text)
    figure = f"**{text}**" if cell.best and text else text
    marks = f"<sup>{cell.marks}</sup>" if cell.marks else ""
    return figure + marks + (f" {cell.interval}" if cell.interval else "")


def _escape_pipes(text: str) -> str:
    """Text that cannot break out of a Markdown cell, nor be read as HTML."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), ("\\", "\\\\"), ("|", "\\|")):
        text = text.replace(character, entity)
    return on_one_line(text.replace("\n", " ").replace(NO_BREAK, " "))


def _begin_sentence(note: str) -> str:
    """A note as a sentence; a symbol that it explains, as in `b: …`, stays as it is."""
    return note if re.match(r"\w[:,]", note) else note[:1].upper() + note[1:]


LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "†": r"$\dagger$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "α": r"$\alpha$",
    "λ": r"$\lambda$",
    "τ": r"$\tau$",
    "κ": r"$\kappa$",
    "Δ": r"$\Delta$",
    "−": r"$-$",
    "–": "--",
    NO_BREAK: "~",
    "…": r"\dots{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}


STACKED = 2
"""Columns with intervals beside their figures; with more of them, intervals go below."""


def _latex_cell(cell: Cell, stacked: bool = False) -> str:
    """A cell in LaTeX; marks are raised, the interval is small, beside or below."""
    text = _latex_text(cell.text)
    figure = rf"\textbf{{{text}}}" if cell.best and text else text
    marks = rf"$^{{{cell.marks}}}$" if cell.marks else ""
    if not cell.interval:
        return figure + marks
    interval = rf"{{\footnotesize {_latex_text(cell.interval)}}}"
    if stacked:
        return rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{figure}{marks}\\{interval}\end{{tabular}}"
    return f"{figure}{marks} {interval}"


def _latex_text(text: str) -> str:
    """Text with LaTeX's special characters made harmless."""
    return "".join(LATEX_SPECIAL.get(character, character) for character in on_one_line(text))


SHORT = 14
"""Characters of a cell that a page does not break, such as a date."""


def _html_row(row: Sequence[Cell], sides: Sequence[str]) -> str:
    """The cells of one row; the first is its heading."""
    # A row without a name continues the one above; it has no heading.
    name = '<th scope="row"{}>{}</th>' if row and row[0].text else "<td{}>{}</td>"
    cells = [name.format(sides[0], escape(row[0].text))] if row else []
    for cell, side in zip(row[1:], sides[1:], strict=True):
        text = escape(cell.whole or cell.text)
        figure = f"<b>{text}</b>" if cell.best else text
        marks = f"<sup>{escape(cell.marks)}</sup>" if cell.marks else ""
        interval = (
            f' <span class="interval">{escape(cell.interval)}</span>' if cell.interval else ""
        )
        kind = side.replace("words", "words short") if len(text) <= SHORT else side
        cells.append(f"<td{kind}>{figure}{marks}{interval}</td>")
    return "".join(cells)
