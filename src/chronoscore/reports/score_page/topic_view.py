"""Topic by topic: a heat map, which topics decide, and how far the measures agree."""

import math
from html import escape

from chronoscore.reports.page import scrollable
from chronoscore.reports.score_page.contents import Contents
from chronoscore.reports.tables import Table, format_number
from chronoscore.stats.boards import Board, ranking_agreement

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
    low, high = board.shade_range()
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
    rows = [
        (gap.topic, f"{gap.difference:+.3f}", gap.better or "–")
        for gap in board.gaps(first, second)[:DECIDING]
    ]
    won, defined = board.wins(first, second)
    note = (
        f"Difference in {board.name}: {first} − {second}. {first} is better on {won} of {defined} "
        "topics."
    )
    return Table.of("", ("topic", "difference", "better"), rows, [note]).html()


def measure_agreement_section(contents: Contents) -> str:
    """Kendall's correlation of the measures' orders of systems; empty where there is none."""
    boards = contents.boards
    if len(boards) < 2 or len(contents.scores.systems) < 3:
        return ""
    rows = [
        (
            board.name,
            *("1" if n == m else format_number(tau, ".2f") for m, tau in enumerate(row)),
        )
        for n, (board, row) in enumerate(zip(boards, ranking_agreement(boards), strict=True))
    ]
    note = (
        "Kendall's τ-b between the rankings of the systems by two measures; 1 means the same order."
    )
    return Table.of("", ("measure", *(board.name for board in boards)), rows, [note]).html()
