"""A picture of what a machine adds: intervals of people alone and of both."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chronoscore.reports.plots import COLORS, GRID, check_matplotlib
from chronoscore.reports.ppi import PoweredFigure
from chronoscore.reports.scores import column_heading

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def powered_plot(figures: Sequence[PoweredFigure]) -> "Figure":
    """Two intervals for each system: people alone above, with the machine below."""
    check_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 1.2 + 0.5 * len(figures)), layout="constrained")
    axes = figure.add_subplot()
    for place, one in enumerate(figures):
        mean = one.mean
        for up, color, marker, name, (low, value, high) in (
            (
                -0.14,
                COLORS[1],
                "s",
                "people alone",
                (mean.people_low, mean.people, mean.people_high),
            ),
            (0.14, COLORS[0], "o", "people and machine", (mean.low, mean.value, mean.high)),
        ):
            axes.plot([low, high], [place + up] * 2, color=color, linewidth=1.6)
            label = name if place == 0 else None
            axes.plot([value], [place + up], marker=marker, color=color, linestyle="", label=label)
    axes.set_yticks(range(len(figures)), [one.system for one in figures])
    axes.set_ylim(len(figures) - 0.5, -0.5)
    axes.grid(True, axis="x", color=GRID, linewidth=0.6)
    axes.set_xlabel(column_heading(figures[0].measure, figures[0].part))
    axes.legend(loc="best", frameon=False, fontsize="small")
    return figure
