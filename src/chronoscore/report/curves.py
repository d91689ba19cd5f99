"""Precision over recall, averaged over topics, as a plot for a paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.measures.measure import Array
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.report.plots import COLOURS, FAINT, GRID, blank, save
from chronoscore.stats.corpus import Resampling
from chronoscore.stats.resample import draws, percentile_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2, 2, 2)))
MARKERS = "osD^vPX*"
"""Eight of each, as of colours: systems differ in all three, so that print without colour does."""


def bands(curves: Curves, how: Resampling) -> tuple[Array, Array]:
    """Where the averages lie with so much confidence: lows and highs, systems × levels."""
    topics = curves.defined.shape[1]
    if topics < 2:
        blank = np.full((len(curves.systems), len(LEVELS)), np.nan)
        return blank, blank
    weights = draws(topics, how.times, how.seed).astype(np.float64)
    return percentile_interval(np.swapaxes(curves.drawn(weights), 1, 2), how.level)


def draw(curves: Curves, how: Resampling, path: Path) -> None:
    """Draw all systems with their bands and write the plot."""
    figure = blank(path, (6.4, 4.8))
    axes = figure.add_subplot()
    low, high = bands(curves, how)
    for number, (system, values) in enumerate(zip(curves.systems, curves.average(), strict=True)):
        one_line(axes, number, system, values, (low[number], high[number]))
    finished(axes, curves, how)
    save(figure, path)


def one_line(
    axes: "Axes", number: int, system: str, values: Array, band: tuple[Array, Array]
) -> None:
    """One system's line and band."""
    style = number % len(LINES)
    axes.plot(
        LEVELS,
        values,
        label=system,
        color=COLOURS[style],
        linestyle=LINES[style],
        marker=MARKERS[style],
        markersize=4.5,
        linewidth=1.6,
        clip_on=False,
    )
    if not np.isnan(band[0]).any():
        axes.fill_between(LEVELS, *band, color=COLOURS[style], alpha=0.12, linewidth=0)


def finished(axes: "Axes", curves: Curves, how: Resampling) -> None:
    """Axes, legend and what the figure shows, in words."""
    name = "nu-precision (strict)" if curves.measure.strict else "nu-precision"
    topics = curves.defined.shape[1]
    axes.set_xlabel("nu-recall")
    axes.set_ylabel(name)
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xticks(LEVELS)
    axes.grid(True, color=GRID, linewidth=0.6)
    said = f"interpolated, average over {topics} topic{'s' if topics > 1 else ''}"
    if topics > 1:
        said += f"; {how.level:.0%} bootstrap bands"
    axes.set_title(said, fontsize=9, loc="left", color=FAINT)
    axes.legend(frameon=False, handlelength=3.5)
