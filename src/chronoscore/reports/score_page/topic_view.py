"""Topic by topic: a heat map, which topics decide, and how far the measures agree."""

import math
from html import escape

import numpy as np

from chronoscore.reports.page import scrollable
from chronoscore.reports.score_page.contents import Board, Contents
from chronoscore.reports.tables import Cell, Table, format_number
from chronoscore.stats.correlation import kendall_b
from chronoscore.stats.statistic import Numbers

STEPS = 9
DECIDING = 8


def heat_maps(contents: Contents) -> str:
    """Systems down, topics across, darker is better; one map for each measure."""
    return "".join(
        f'<div data-shows="{number}"{" hidden" if number else ""}>{_heat_map(board)}</div>'
        for number, board in enumerate(contents.boards)
    )


def _heat_map(board: Board) -> str:
    """One measure's figures of every system and topic."""
    known = board.values[np.isfinite(board.values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    # Shades begin at 0, unless all figures are far from it and would look alike.
    low = low if low > high / 2 else min(low, 0.0)
    head = "".join(f'<th scope="col">{escape(topic)}</th>' for topic in board.scores.topics)
    rows = []
    for one in board.figures:
        cells = "".join(
            f'<td class="h{_heat_step(value, low, high, board.rises)}">'
            f"{format_number(value, '.3f')}</td>"
            for value in board.topic_values(one.system).tolist()
        )
        rows.append(f'<tr><th scope="row" class="words">{escape(one.system)}</th>{cells}</tr>')
    table = (
        f'<table class="heat"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return scrollable("Figures by topic", table)


def _heat_step(value: float, low: float, high: float, rises: bool) -> int:
    """How dark a cell is, from 0 to 9."""
    if math.isnan(value) or high == low:
        return 0
    share = (value - low) / (high - low)
    return round(STEPS * (share if rises else 1 - share))


def deciding_topics(contents: Contents) -> str:
    """Where the two best systems differ most; empty with fewer than two of either."""
    board = contents.boards[0]
    if len(board.figures) < 2 or len(board.scores.topics) < 2:
        return ""
    first, second = board.figures[0].system, board.figures[1].system
    gaps = board.topic_values(first) - board.topic_values(second)
    order = [t for t in np.argsort(-np.abs(gaps), kind="stable") if not math.isnan(gaps[t])]
    rows = tuple(
        (
            Cell(board.scores.topics[t]),
            Cell(f"{gaps[t]:+.3f}"),
            Cell(first if (gaps[t] > 0) == board.rises and gaps[t] else second if gaps[t] else "–"),
        )
        for t in order[:DECIDING]
    )
    won, defined = board.wins(first, second)
    note = (
        f"Difference in {board.name}: {first} − {second}. {first} is better on {won} of {defined} "
        "topics."
    )
    return Table("", ("topic", "difference", "better"), rows, (note,)).html()


def measure_agreement_section(contents: Contents) -> str:
    """Kendall's correlation of the measures' orders of systems; empty where there is none."""
    boards = contents.boards
    if len(boards) < 2 or len(contents.scores.systems) < 3:
        return ""
    orders = [
        np.array([_signed_value(board, system) for system in contents.scores.systems])
        for board in boards
    ]
    rows = []
    for number, board in enumerate(boards):
        cells = [
            Cell(
                "1"
                if number == other
                else format_number(_kendall_agreement(orders[number], found), ".2f")
            )
            for other, found in enumerate(orders)
        ]
        rows.append((Cell(board.name), *cells))
    note = (
        "Kendall's τ-b between the rankings of the systems by two measures; 1 means the same order."
    )
    return Table("", ("measure", *(board.name for board in boards)), tuple(rows), (note,)).html()


def _signed_value(board: Board, system: str) -> float:
    """A system's average, higher being better."""
    value = next(one.value for one in board.figures if one.system == system)
    return value if board.rises else -value


def _kendall_agreement(x: Numbers, y: Numbers) -> float:
    """Kendall's τ-b over the systems for which both are defined."""
    there = ~np.isnan(x + y)
    if np.count_nonzero(there) < 3:
        return math.nan
    return float(kendall_b(x[there], y[there]))
