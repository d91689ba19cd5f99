"""The leaderboard: a bar with its interval, who is tied with whom, and the other measures."""

import math
from collections.abc import Sequence
from html import escape

from chronoscore.reports.catalogue import measure_summary_line
from chronoscore.reports.page import scrollable
from chronoscore.reports.score_page.contents import Contents, Share
from chronoscore.reports.tables import format_number
from chronoscore.stats.boards import Board
from chronoscore.stats.corpus import Average

WIDTH, HEIGHT = 220, 24
TOO_FEW = '<span class="tag">too few topics</span>'
"""In place of ties where no test could tell any two systems apart."""


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
    level = f"{contents.resampling.level:.0%}"
    many = len(contents.scores.topics) > 1
    bars = f"Bars: the average over topics with its {level} interval." if many else ""
    order = "" if board.rises else " Lower is better."
    what = escape(measure_summary_line(type(board.measure)))
    return f'<p class="faint">{what} {bars}{order}</p>'


def _ranking(board: Board, contents: Contents) -> str:
    """One table: rank, system, bar, figure, ties, share of the ceiling, other measures."""
    others = [one for one in contents.boards if one is not board]
    share = contents.share_of(board)
    heads = [
        ("", ""),
        ("words", "system"),
        ("words", ""),
        ("", board.name),
        *([("words", "tied with")] if board.pairs else []),
        *([("", "of ceiling")] if share else []),
        *(("", one.name) for one in others),
    ]
    columns = "".join(
        _head(kind, text, at == 3, board.rises) for at, (kind, text) in enumerate(heads)
    )
    scale = BarScale.of(board)
    rows = []
    for place, one in enumerate(board.figures, 1):
        ties = _ties_cell(one.system, board, contents.resampling.level) if board.pairs else ""
        cells = _figure_cells(place, one, scale) + ties + _other_cells(one.system, share, others)
        rows.append(f"<tr>{cells}</tr>")
    body = "".join(rows)
    table = f'<table class="board"><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>'
    return scrollable(f"Systems by {board.name}", table)


def _head(kind: str, text: str, sorted_by: bool, rises: bool) -> str:
    """A heading that sorts by its column, or an empty one."""
    style = f' class="{kind}"' if kind else ""
    if not text:
        return f"<td{style}></td>"
    order = f' aria-sort="{"descending" if rises else "ascending"}"' if sorted_by else ""
    if text == "tied with":
        return f'<th scope="col"{style}>{text}</th>'
    return f'<th scope="col"{style}{order}><button type="button">{escape(text)}</button></th>'


class BarScale:
    """From figures to the width of the drawing, with 0 on it."""

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
        """Where a figure is on the drawing."""
        return 2 + (WIDTH - 4) * (value - self.low) / (self.high - self.low)


def _figure_cells(place: int, one: Average, scale: BarScale) -> str:
    """A system's rank, name, bar and figure."""
    interval = "" if math.isnan(one.low) else f" <small>{one.low:.3f}–{one.high:.3f}</small>"
    return (
        f'<td class="rank">{place}</td>'
        f'<th scope="row" class="words"><a href="#why" data-system="{escape(one.system)}">'
        f"{escape(one.system)}</a></th>"
        f"<td>{_bar(one, scale)}</td>"
        f'<td data-value="{_sort_value(one.value)}">'
        f"{format_number(one.value, '.3f')}{interval}</td>"
    )


def _other_cells(system: str, share: Share | None, others: Sequence[Board]) -> str:
    """A system's share of the ceiling, and its figures by other measures."""
    shares = [share.shares.get(system, math.nan)] if share else []
    figures = [
        *((value, ".0%") for value in shares),
        *((other.value_of(system), ".3f") for other in others),
    ]
    return "".join(
        f'<td data-value="{_sort_value(value)}">{format_number(value, digits)}</td>'
        for value, digits in figures
    )


def _sort_value(value: float) -> str:
    """A figure for the script to sort by; undefined ones are empty."""
    return "" if math.isnan(value) else f"{value:.6g}"


def _ties_cell(system: str, board: Board, level: float) -> str:
    """With whom a system is tied, or that there are too few topics to tell."""
    ties = _describe_ties(system, board) if board.can_differ(level) else TOO_FEW
    return f'<td class="words">{ties}</td>'


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
        f'<line class="track" x1="{zero:.1f}" x2="{WIDTH - 2}" y1="17" y2="17"/>',
        f'<line class="axis" x1="{zero:.1f}" x2="{zero:.1f}" y1="2" y2="22"/>',
        f'<rect class="bar" x="{left:.1f}" y="7" width="{width:.1f}" height="10" rx="2"/>',
    ]
    if not math.isnan(one.low):
        low, high = scale(one.low), scale(one.high)
        marks.append(
            f'<path class="whisker" d="M{low:.1f} 12H{high:.1f}M{low:.1f} 8v8M{high:.1f} 8v8"/>'
        )
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg {box} class="bars" aria-hidden="true">{"".join(marks)}</svg>'
