"""Pictures of agreement, checks, similarities, fits and predictions, as rows of dots or fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from textwrap import fill
from typing import TYPE_CHECKING, Any

from chronoscore.errors import DataError
from chronoscore.reports.plots import COLORS, FAINT, GRID, begin, blank, name_rows, shorten_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKERS = "os^Dv*"
CHARACTERS = 14
"""Of a title or a note, in an inch."""


@dataclass(frozen=True)
class Dots:
    """One figure for each row of a panel, with its interval where it has one."""

    name: str
    values: Sequence[float]
    intervals: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class DotPanel:
    """Rows with a dot for each figure."""

    title: str
    rows: Sequence[str]
    series: Sequence[Dots]


def dots(panels: Sequence[DotPanel]) -> "Figure":
    """Panels below each other; figures of a row differ in color and shape."""
    shown = [panel for panel in panels if panel.rows and panel.series]
    if not shown:
        raise DataError("there is no figure to draw; leave out `plot`")
    heights = [0.9 + 0.32 * len(panel.rows) for panel in shown]
    figure = blank(7.0, sum(heights))
    grid = figure.subplots(len(shown), 1, squeeze=False, height_ratios=heights)
    for panel, axes in zip(shown, grid[:, 0], strict=True):
        _draw_dots(panel, axes)
    return figure


def _draw_dots(panel: DotPanel, axes: Any) -> None:
    """One panel; the dots of a row are drawn a little apart."""
    count = len(panel.series)
    for number, dots in enumerate(panel.series):
        color = COLORS[number % len(COLORS)]
        places = [row + (number - (count - 1) / 2) * 0.5 / count for row in range(len(panel.rows))]
        for place, (low, high) in zip(places, dots.intervals, strict=False):
            axes.plot([low, high], [place, place], color=color, linewidth=1.4)
        marker = MARKERS[number % len(MARKERS)]
        axes.plot(dots.values, places, marker, color=color, markersize=5, label=dots.name)
    name_rows(axes, list(panel.rows))
    axes.set_title(panel.title, fontsize="medium", loc="left")
    if count > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")
    else:
        axes.set_xlabel(panel.series[0].name)


@dataclass(frozen=True)
class FieldPlot:
    """Figures in rows and columns; what is noteworthy has a frame."""

    title: str
    rows: list[str]
    columns: list[str]
    values: Sequence[Sequence[float]]
    framed: Sequence[Sequence[bool]]
    note: str
    by_column: bool = False
    """Whether figures of different columns are on different scales."""

    def shades(self) -> list[list[float]]:
        """How dark each field is, from 0 to 1: its figure's share of the largest one."""
        sizes = [[0.0 if isnan(value) else abs(value) for value in row] for row in self.values]
        most = [max(column, default=0.0) for column in zip(*sizes, strict=True)]
        whole = most if self.by_column else [max(most, default=0.0)] * len(most)
        return [
            [size / (top or 1.0) for size, top in zip(row, whole, strict=True)] for row in sizes
        ]


LONG = 14
"""Letters of a name over a column that do not stand beside another one."""


def fields(shown: FieldPlot) -> "Figure":
    """A field for each row and column, darker the further its figure is from 0."""
    width = 2.6 + 0.95 * len(shown.columns)
    note = fill(shown.note, int(width * CHARACTERS))
    lines = note.count("\n")
    figure, axes = begin(width, 1.3 + 0.3 * len(shown.rows) + 0.15 * lines)
    from matplotlib.patches import Rectangle

    shades = shown.shades()
    for y, (values, framed) in enumerate(zip(shown.values, shown.framed, strict=True)):
        for x, (value, frame) in enumerate(zip(values, framed, strict=True)):
            share = shades[y][x]
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, color=COLORS[0], alpha=share * 0.8))
            text = "–" if isnan(value) else f"{value:+.3f}"
            ink = "white" if share > 0.75 else "black"
            axes.text(x, y, text, ha="center", va="center", fontsize="small", color=ink)
            if frame:
                place, size = (x - 0.46, y - 0.43), (0.92, 0.86)
                edge = Rectangle(place, *size, fill=False, edgecolor=COLORS[1], linewidth=2.0)
                axes.add_patch(edge)
    axes.set_xticks(range(len(shown.columns)), shown.columns)
    axes.xaxis.tick_top()
    if max(map(len, shown.columns), default=0) > LONG:
        for label in axes.get_xticklabels():
            label.set(rotation=30, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(shown.rows)), [shorten_name(name) for name in shown.rows])
    axes.set_xlim(-0.5, len(shown.columns) - 0.5)
    axes.set_ylim(len(shown.rows) - 0.5, -0.5)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    figure.suptitle(fill(shown.title, int(width * CHARACTERS)), fontsize="small")
    figure.supxlabel(note, fontsize="small", color=FAINT)
    return figure


def histogram(title: str, groups: Sequence[tuple[str, Sequence[float]]]) -> "Figure":
    """How often which value occurs, a line for each group."""
    figure, axes = begin(6.4, 3.6)
    highest = max((value for _, values in groups for value in values), default=1.0)
    edges = [highest * place / 40 for place in range(41)]
    for number, (name, values) in enumerate(groups):
        axes.hist(
            values,
            bins=edges,
            histtype="step",
            linewidth=1.6,
            linestyle=("-", "--", ":", "-.")[number // len(COLORS) % 4],
            color=COLORS[number % len(COLORS)],
            label=f"{name} ({len(values):,})",
        )
    axes.set_yscale("log")
    axes.set_xlabel(title)
    axes.set_ylabel("pairs")
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.legend(frameon=False, fontsize="small")
    return figure
