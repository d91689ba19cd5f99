"""The leaderboard: a bar with its interval, who is tied with whom, and the other measures."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from chronoscore.reports.catalogue import measure_summary_line
from chronoscore.reports.page import scrollable
from chronoscore.reports.score_page.contents import Contents
from chronoscore.reports.tables import format_level, format_number
from chronoscore.stats.boards import Board
from chronoscore.stats.corpus import Average
from chronoscore.stats.run_spread import RunSpread

RATES = {"p": "precision", "r": "recall"}
"""Parts that are shown next to the F that they make."""


def leaderboard_section(contents: Contents) -> str:
    """A button for each measure and a ranking below; the first is shown."""
    first, *_ = contents.boards
    buttons = "".join(
        f'<button type="button" data-board="{number}" aria-pressed="{str(board is first).lower()}">'
        f"{escape(board.name)}</button>"
        for number, board in enumerate(contents.boards)
    )
    tabs = f'<div class="tabs" role="group" aria-label="Measure">{buttons}</div>'
    tables = "".join(
        f'<div data-shows="{number}"{"" if board is first else " hidden"}>'
        f"{_describe_board(board, contents)}{_ranking(board, contents)}</div>"
        for number, board in enumerate(contents.boards)
    )
    return (tabs if len(contents.boards) > 1 else "") + tables


def _describe_board(board: Board, contents: Contents) -> str:
    """What the measure is, and what the bars are."""
    level = format_level(contents.resampling.level)
    many = len(contents.scores.topics) > 1
    bars = f" Bars: the average over topics with its {level} interval." if many else ""
    order = "" if board.rises else " Lower is better."
    few = (
        " There are too few topics to tell which systems are tied."
        if _too_few(board, contents)
        else ""
    )
    what = escape(measure_summary_line(type(board.measure)))
    runs = _describe_runs(contents.spreads_of(board))
    return f'<p class="faint">{what}{bars}{order}{few}{runs}</p>'


def _describe_runs(spreads: Mapping[str, RunSpread]) -> str:
    """What a figure of several runs is."""
    if not spreads:
        return ""
    counts = sorted({one.runs for one in spreads.values()})
    runs = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    return (
        f" A topic's figure is the mean over {runs} runs; sd: standard deviation over topics, and "
        "over the runs on one topic."
    )


def _too_few(board: Board, contents: Contents) -> bool:
    """Whether no test could tell any two systems apart."""
    return bool(board.pairs) and not board.can_differ(contents.resampling.level)


class BoardColumn(NamedTuple):
    """A column beside the figure itself: its heading, and a cell for each system."""

    heading: str
    cell: Callable[[str], str]
    sorts: bool = True
    words: bool = False
    title: str = ""
    """What the heading means, where it is short."""


def _columns(board: Board, contents: Contents) -> list[BoardColumn]:
    """What stands behind the figure: its rates, ties, lengths, the ceiling, other measures."""
    others = [one for one in contents.boards if one is not board]
    found = []
    if board.part == "f":
        for part, name in RATES.items():
            if part in board.measure.parts and not math.isnan(
                contents.value_of(board, part, board.figures[0].system)
            ):
                value = partial(contents.value_of, board, part)
                found.append(BoardColumn(part.upper(), partial(_figure, value), title=name))
    if board.pairs and not _too_few(board, contents):
        found.append(BoardColumn("tied with", partial(_ties_cell, board), sorts=False, words=True))
    found += _spread_columns(contents.spreads_of(board))
    if share := contents.share_of(board):
        reached = partial(_get, share.shares)
        found.append(BoardColumn("of ceiling", partial(_figure, reached, digits=".0%")))
    found += _length_columns(contents)
    found += [BoardColumn(one.name, partial(_figure, one.value_of)) for one in others]
    return found


def _spread_columns(spreads: Mapping[str, RunSpread]) -> list[BoardColumn]:
    """How much a figure varies over topics and over runs; none without several runs."""
    if not spreads:
        return []
    topics = partial(_get, {name: one.over_topics for name, one in spreads.items()})
    runs = partial(_get, {name: one.over_runs for name, one in spreads.items()})
    over = "standard deviation over"
    return [
        BoardColumn("sd topics", partial(_figure, topics), title=f"{over} topics, without runs'"),
        BoardColumn("sd runs", partial(_figure, runs), title=f"{over} runs on one topic"),
    ]


def _get(values: Mapping[str, float], system: str) -> float:
    """A system's figure; nan where it has none."""
    return values.get(system, math.nan)


def _length_columns(contents: Contents) -> list[BoardColumn]:
    """How many days and words an output has on average."""
    lengths = contents.lengths
    if not lengths:
        return []
    words = partial(_get, {name: one.words for name, one in lengths.items()})
    days = {name: one.days for name, one in lengths.items() if one.days is not None}
    dated = partial(_figure, partial(_get, days), digits=".1f")
    written = partial(_figure, words, digits=".0f")
    return [
        *([BoardColumn("days", dated, title="days of a timeline, on average")] if days else []),
        BoardColumn("words", written, title="words of an output, on average"),
    ]


def _ranking(board: Board, contents: Contents) -> str:
    """One table: rank, system, bar, figure, and what stands behind it."""
    columns = _columns(board, contents)
    order = "descending" if board.rises else "ascending"
    heads = [
        "<td></td>",
        _head(BoardColumn("system", str, words=True)),
        '<td class="words"></td>',
        _head(BoardColumn(board.name, str), order),
        *map(_head, columns),
    ]
    scale = BarScale.of(board)
    rows = []
    for place, one in enumerate(board.figures, 1):
        cells = "".join(_labeled(column, one.system) for column in columns)
        rows.append(f"<tr>{_figure_cells(place, one, scale)}{cells}</tr>")
    table = (
        f'<table class="board"><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return scrollable(f"Systems by {board.name}", table)


def _labeled(column: BoardColumn, system: str) -> str:
    """A cell that knows its heading, which a phone shows beside it."""
    name = escape(column.heading, quote=True)
    return column.cell(system).replace("<td", f'<td data-head="{name}"', 1)


def _head(column: BoardColumn, order: str = "") -> str:
    """A heading, a button where the column sorts."""
    style = ' class="words"' if column.words else ""
    sorted_by = f' aria-sort="{order}"' if order else ""
    title = f' title="{escape(column.title)}"' if column.title else ""
    text = escape(column.heading)
    inside = f'<button type="button">{text}</button>' if column.sorts else text
    return f'<th scope="col"{style}{sorted_by}{title}>{inside}</th>'


class BarScale:
    """From figures to places on a drawing of any width, with 0 on it."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, board: Board) -> "BarScale":
        """Wide enough for all figures and intervals."""
        known = [
            bound
            for one in board.figures
            for bound in (one.value, one.low, one.high)
            if math.isfinite(bound)
        ]
        low, high = min([0.0, *known]), max([0.0, *known])
        return cls(low, high if high > low else low + 1.0)

    def __call__(self, value: float) -> float:
        """Where a figure is on the drawing, in percent of its width."""
        return 1 + 98 * (value - self.low) / (self.high - self.low)


def _figure_cells(place: int, one: Average, scale: BarScale) -> str:
    """A system's rank, name, bar and figure."""
    interval, text = "", format_number(one.value, ".3f")
    if not math.isnan(one.low):
        interval = f" <small>{one.low:.3f}–{one.high:.3f}</small>"
        text += f" [{one.low:.3f}, {one.high:.3f}]"
    # The name of a file that is not UTF-8 holds surrogates.
    address = quote(one.system, safe="", errors="surrogateescape")
    return (
        f'<td class="rank">{place}</td>'
        f'<th scope="row" class="words"><a href="#why/{address}">'
        f"{escape(one.system)}</a></th>"
        f"<td>{_bar(one, scale)}</td>"
        f'<td data-value="{_sort_value(one.value)}" data-low="{_sort_value(one.low)}" '
        f'data-high="{_sort_value(one.high)}" data-text="{text}">'
        f"{format_number(one.value, '.3f')}{interval}</td>"
    )


def _figure(value_of: Callable[[str], float], system: str, digits: str = ".3f") -> str:
    """A cell with a system's figure."""
    value = value_of(system)
    return f'<td data-value="{_sort_value(value)}">{format_number(value, digits)}</td>'


def _sort_value(value: float) -> str:
    """A figure for the script to sort by; undefined ones are empty."""
    return "" if math.isnan(value) else f"{value:.6g}"


def _ties_cell(board: Board, system: str) -> str:
    """A cell that says with whom a system is tied."""
    return f'<td class="words">{_describe_ties(system, board)}</td>'


def _describe_ties(system: str, board: Board) -> str:
    """With whom a system is tied, or that it is apart from all others."""
    ties = board.tied_with(system)
    if not ties:
        return '<span class="clear">nobody</span>'
    if len(ties) == len(board.figures) - 1 > 1:
        return '<span class="tie">all others</span>'
    names = ", ".join(ties[:3]) + (f" and {len(ties) - 3} more" if len(ties) > 3 else "")
    return f'<span class="tie">{escape(names)}</span>'


def _bar(one: Average, scale: BarScale) -> str:
    """A bar from 0 to the figure, with whiskers for its interval."""
    if math.isnan(one.value):
        return ""
    zero, here = scale(0.0), scale(one.value)
    left, width = min(zero, here), abs(here - zero)
    marks = [
        f'<line class="track" x1="{zero:.1f}%" x2="99%" y1="17" y2="17"/>',
        f'<line class="axis" x1="{zero:.1f}%" x2="{zero:.1f}%" y1="2" y2="22"/>',
        f'<rect class="bar" x="{left:.1f}%" y="7" width="{width:.1f}%" height="10" rx="2"/>',
    ]
    if not math.isnan(one.low):
        low, high = scale(one.low), scale(one.high)
        ends = ((low, high, 12, 12), (low, low, 8, 16), (high, high, 8, 16))
        marks += [
            f'<line class="whisker" x1="{x1:.1f}%" x2="{x2:.1f}%" y1="{y1}" y2="{y2}"/>'
            for x1, x2, y1, y2 in ends
        ]
    return f'<svg class="bars" height="24" aria-hidden="true">{"".join(marks)}</svg>'
