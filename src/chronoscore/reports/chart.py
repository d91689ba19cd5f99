"""Charts drawn as SVG, without a plotting library."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import TypeAlias

from chronoscore.stats.corpus import Average

Across: TypeAlias = Callable[[float], float]
Marks: TypeAlias = Callable[[Across, float], Iterable[str]]
"""Draws the marks of a row, given where values lie across and how far down the row is."""

WIDTH, LABELS, ROW, MARGIN = 720, 150, 26, 24


def interval_chart(title: str, figures: Sequence[Average]) -> str:
    """A dot for each system's figure with its interval, on one axis from 0."""
    top = max((f.high if not math.isnan(f.high) else f.value for f in figures), default=1.0)

    def marks(figure: Average, x: Across, y: float) -> Iterator[str]:
        if not math.isnan(figure.low):
            yield chart_bar(x(figure.low), x(figure.high), y)
        yield f'<circle class="dot" cx="{x(figure.value):.1f}" cy="{y}" r="4.5"/>'

    return row_chart(title, [(f.system, partial(marks, f)) for f in figures], top)


def row_chart(title: str, rows: Sequence[tuple[str, Marks]], top: float) -> str:
    """A named row for each set of marks, on one axis from 0 to the top or a little more."""
    top = _nice_top(top)
    height = ROW * len(rows) + 2 * MARGIN

    def x(value: float) -> float:
        return LABELS + (WIDTH - LABELS - MARGIN) * value / top

    drawn = [_chart_axis(x, top, height)]
    for number, (name, marks) in enumerate(rows):
        y = MARGIN + ROW * (number + 0.5)
        drawn.append(f'<text x="{LABELS - 10}" y="{y + 4}" text-anchor="end">')
        drawn.append(f"{escape(name)}</text>")
        drawn.extend(marks(x, y))
    label = escape(title, quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">'
        + "".join(drawn)
        + "</svg>"
    )


def chart_bar(low: float, high: float, y: float) -> str:
    """A line from one place of a row to another."""
    return f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'


def _chart_axis(x: Across, top: float, height: int) -> str:
    """Grid lines with their values."""
    lines = []
    for step in range(5):
        value = top * step / 4
        at = x(value)
        lines.append(
            f'<line class="axis" x1="{at:.1f}" x2="{at:.1f}" y1="{MARGIN}" y2="{height - MARGIN}"/>'
            f'<text class="faint" x="{at:.1f}" y="{height - 6}" text-anchor="middle">'
            f"{value:g}</text>"
        )
    return "".join(lines)


def _nice_top(value: float) -> float:
    """A round number not below the value, so that the axis has round marks."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= value)
