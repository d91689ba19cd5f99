"""A leaderboard, a conclusion and an explanation on one screen of a terminal."""

import math
from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len

from chronoscore.explanations import DayExplanation, changes
from chronoscore.explanations.days import Pairing
from chronoscore.reports.explanation import date_of
from chronoscore.reports.score_page.contents import Contents
from chronoscore.reports.score_page.headline import caution, conclusions
from chronoscore.reports.tables import format_level, format_number
from chronoscore.stats.corpus import Average

BLOCKS = " ▏▎▍▌▋▊▉█"
NARROW, WIDE = 40, 100
ROOM_FOR_REMARKS = 60
"""Columns below which what two days share stands on a line of its own."""


def leaderboard(contents: Contents, width: int) -> list[str]:
    """The systems by the first measure, with bars, and the other measures beside."""
    board, *others = contents.boards
    names = max(map(len, ["system", *contents.scores.systems]))
    heads = [f"{one.name:>{max(7, len(one.name))}}" for one in others]
    interval = f"{format_level(contents.resampling.level)} interval"
    fixed = 5 + names + 2 + max(7, len(board.name)) + 2 + 12
    while heads and fixed + sum(2 + len(head) for head in heads) > width:
        heads, others = heads[:-1], others[:-1]
    room = max(0, min(WIDE, width) - fixed - sum(2 + len(head) for head in heads) - 4)
    score = max(7, len(board.name))
    lines = [
        f"     {'system':<{names}}  {board.name:>{score}}  {interval:<12}  {'':<{room}}"
        + "".join(f"  {head}" for head in heads)
    ]
    top = max((one.high if one.high > one.value else one.value for one in board.figures), default=1)
    for place, one in enumerate(board.figures, 1):
        figures = "".join(
            f"  {format_number(other.value_of(one.system), '.3f'):>{len(head)}}"
            for other, head in zip(others, heads, strict=True)
        )
        lines.append(
            f"{place:>3}  {one.system:<{names}}  {format_number(one.value, '.3f'):>{score}}  "
            f"{_bounds(one):<12}  {_bar(one.value, top, room):<{room}}{figures}"
        )
    return [line.rstrip() for line in lines]


def _bounds(one: Average) -> str:
    """The interval of a figure."""
    return "" if math.isnan(one.low) else f"{one.low:.3f}–{one.high:.3f}"


def _bar(value: float, top: float, room: int) -> str:
    """A bar of block characters."""
    if not value > 0 or not top > 0:
        return ""
    eighths = round(8 * room * value / top)
    return BLOCKS[8] * (eighths // 8) + BLOCKS[eighths % 8].strip()


def conclusion(contents: Contents, width: int) -> list[str]:
    """The headline and its caution in lines."""
    sentences = [*conclusions(contents), *filter(None, [caution(contents)])]
    return wrap(" ".join(sentences), min(WIDE, width))


def telling_days(explanation: DayExplanation, width: int, most: int = 7) -> Iterator[str]:
    """Some days of an explanation, the different kinds of them, and what would gain most."""
    room = min(WIDE, width) - 2
    narrow = room < ROOM_FOR_REMARKS
    dates, gap = (10, " ") if narrow else (12, "  ")

    def draw(left: str, right: str, weight: str, count: str, remark: str) -> Iterator[str]:
        cells = [f"{left:<{dates}}", f"{right:<{dates}}", f"{weight:>6}", f"{count:<9}"]
        figures = gap + gap.join(cells)
        lines = [figures, f"    {remark}"] if narrow else [f"{figures} {remark}"]
        return (_shorten(line, room) for line in lines if line.strip())

    yield from draw("reference", "system", "weight", "words", "" if narrow else "shared")
    for pairing in _choose_kinds(explanation.pairings("recall"), most):
        count = f"{len(pairing.shared)} of {pairing.size}" if pairing.reference else ""
        weight = f"{pairing.weight:.2f}" if pairing.days is not None else ""
        left, right = date_of(pairing.reference), date_of(pairing.system)
        yield from draw(left, right, weight, count, _pairing_remark(pairing))
    best = changes.best(explanation)
    if best:
        yield "What would gain most:"
    for number, change in enumerate(best, 1):
        gain = f" {change.gain:+.3f}"
        yield _shorten(f"  {number}. {change.sentence}", room - len(gain)) + gain


def _choose_kinds(found: Sequence[Pairing], most: int) -> list[Pairing]:
    """Days matched on the day, nearby, missed and extra, some of each, in order of time."""
    kinds: dict[str, list[Pairing]] = {"exact": [], "near": [], "missed": [], "extra": []}
    for one in found:
        kind = "exact" if one.days == 0 else "near" if one.days else ""
        kinds[kind or ("missed" if one.reference else "extra")].append(one)
    chosen: list[Pairing] = []
    while len(chosen) < most and any(kinds.values()):
        for several in kinds.values():
            if several and len(chosen) < most:
                chosen.append(several.pop(0))
    return [one for one in found if one in chosen]


def _pairing_remark(pairing: Pairing) -> str:
    """What a pair of days shares, or the words that were missed."""
    if pairing.system is None and pairing.reference is not None:
        return "missed: " + " ".join(pairing.reference.sentences)
    if pairing.reference is None and pairing.system is not None:
        return "matched with no day: " + " ".join(pairing.system.sentences)
    return ", ".join(dict.fromkeys(pairing.words))


def _shorten(line: str, room: int) -> str:
    """A line that fits, cut between words."""
    line = line.rstrip()
    if cell_len(line) <= room:
        return line
    words = line.split(" ")
    while len(words) > 1 and cell_len(" ".join(words).rstrip()) > room - 1:
        words.pop()
    return " ".join(words).rstrip(" ,") + "…"
