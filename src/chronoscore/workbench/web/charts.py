"""Charts drawn as SVG, in the page's own colors."""

import math
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from chronoscore.workbench.domain.formatting import figure

WIDTH, MARGIN = 480, 26


def weight_histogram(title: str, counts: Sequence[int]) -> Markup:
    """Columns for weight 1, 2, 3 …"""
    height, top = 190, max([1, *counts])
    step = (WIDTH - 2 * MARGIN) / max(1, len(counts))
    shapes = []
    for number, count in enumerate(counts):
        size = (height - 2 * MARGIN) * count / top
        left, y = MARGIN + step * number, height - MARGIN - size
        shapes.append(
            f'<rect class="mark" x="{left + step * 0.15:.1f}" y="{y:.1f}" '
            f'width="{step * 0.7:.1f}" height="{size:.1f}" rx="3"/>'
        )
        middle = left + step / 2
        shapes.append(f'<text x="{middle:.1f}" y="{y - 5:.1f}" text-anchor="middle">{count}</text>')
        shapes.append(
            f'<text class="faint" x="{middle:.1f}" y="{height - 8}" text-anchor="middle">'
            f"{number + 1}</text>"
        )
    return _svg(title, height, shapes)


def share_bars(title: str, rows: Sequence[tuple[str, float, float]]) -> Markup:
    """Two shares below each other for each row, from 0 to 1, with their figures; or nothing.

    The labels are text of the page, so that they wrap and are read at any width.
    """
    if all(math.isnan(value) for _, *values in rows for value in values):
        return Markup("")
    item = Markup(
        '<li><span dir="auto">{label}</span><svg aria-hidden="true">{drawn}</svg>'
        '<span class="n"><b>{first}</b> · {second}</span></li>'
    )
    items = [
        item.format(
            label=label,
            drawn=Markup("").join([_bar("mark", first, 2), _bar("second", second, 11)]),
            first=figure(first),
            second=figure(second),
        )
        for label, first, second in rows
    ]
    return Markup('<ul class="bars" aria-label="{}">{}</ul>').format(title, Markup("").join(items))


def _bar(kind: str, value: float, top: int) -> Markup:
    if math.isnan(value):
        return Markup("")
    shape = '<rect class="{}" y="{}" width="{}%" height="6" rx="2"/>'
    return Markup(shape).format(kind, top, f"{max(0.5, 100 * value):.1f}")


def line_with_mark(title: str, points: Sequence[tuple[float, float]], *, at: float) -> Markup:
    """A line through points, with the place that counts marked."""
    height = 210
    defined = [(x, y) for x, y in points if y == y]
    if len(defined) < 2:
        return Markup("")
    last = max(x for x, _ in defined) or 1.0
    low = min(0.0, *(y for _, y in defined))

    def across(x: float) -> float:
        return MARGIN + 14 + (WIDTH - 2 * MARGIN - 14) * x / last

    def down(y: float) -> float:
        return MARGIN + (height - 2 * MARGIN) * (1 - (y - low) / (1 - low))

    shapes = [
        f'<line class="axis" x1="{MARGIN + 14}" x2="{WIDTH - MARGIN}" y1="{down(mark):.1f}" '
        f'y2="{down(mark):.1f}"/><text class="faint" x="{MARGIN + 8}" y="{down(mark) + 4:.1f}" '
        f'text-anchor="end">{mark:g}</text>'
        for mark in (0, 0.5, 1)
    ]
    for (x1, y1), (x2, y2) in pairwise(defined):
        shapes.append(
            f'<line class="line" x1="{across(x1):.1f}" y1="{down(y1):.1f}" '
            f'x2="{across(x2):.1f}" y2="{down(y2):.1f}"/>'
        )
    nearest = min(defined, key=lambda point: abs(point[0] - at))
    shapes.append(
        f'<circle class="mark" cx="{across(nearest[0]):.1f}" cy="{down(nearest[1]):.1f}" r="5"/>'
    )
    for x in (0.0, last / 2, last):
        shapes.append(
            f'<text class="faint" x="{across(x):.1f}" y="{height - 8}" text-anchor="middle">'
            f"{x:.0f}</text>"
        )
    return _svg(title, height, shapes)


def _svg(title: str, height: int, shapes: Sequence[str]) -> Markup:
    shape = '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    return Markup(shape).format(WIDTH, height, title, Markup("".join(shapes)))
