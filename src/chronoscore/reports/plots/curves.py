"""Curves: precision over recall, streams that grow, word frequencies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chronoscore.measures.measure import Array
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.streams.stream_curves import StreamCurve, mean_curves
from chronoscore.options import Resampling
from chronoscore.oracles.people import Frequencies
from chronoscore.reports.plots import COLORS, FAINT, GRID, LINES, MARKERS, begin, finish
from chronoscore.reports.tables import format_level
from chronoscore.stats import curve_bands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def of_systems(curves: Curves, resampling: Resampling) -> "Figure":
    """All systems with their bands."""
    figure, axes = begin(6.4, 4.8)
    low, high = curve_bands.bands(curves, resampling)
    for number, (system, values) in enumerate(zip(curves.systems, curves.average(), strict=True)):
        _draw_system(axes, number, system, values, (low[number], high[number]))
    _label_axes(axes, curves, resampling)
    return figure


def of_streams(curves: Sequence[StreamCurve], measure: Stream, by: str) -> "Figure":
    """How a part of each system's stream grows, averaged over topics."""
    figure, axes = begin(6.4, 4.8)
    part = measure.part or "H"
    places, means = mean_curves(curves)
    for number, (system, values) in enumerate(means.items()):
        style = number % len(LINES)
        axes.step(
            places,
            values[:, measure.parts.index(part)],
            where="post",
            label=system,
            color=COLORS[style],
            linestyle=LINES[style],
            linewidth=1.6,
        )
    axes.set_xlabel("updates, most confident first" if by == "rank" else "hours since first nugget")
    axes.set_ylabel(part)
    axes.set_ylim(bottom=0)
    axes.grid(True, color=GRID, linewidth=0.6)
    topics = len({curve.topic for curve in curves})
    title = f"{measure.title}, average over {topics} topic{'s' if topics > 1 else ''}"
    axes.set_title(title, fontsize=9, loc="left", color=FAINT)
    axes.legend(frameon=False, handlelength=3.5)
    return figure


def _draw_system(
    axes: "Axes", number: int, system: str, values: Array, band: tuple[Array, Array]
) -> None:
    """One system's line and band."""
    style = number % len(LINES)
    axes.plot(
        LEVELS,
        values,
        label=system,
        color=COLORS[style],
        linestyle=LINES[style],
        marker=MARKERS[style],
        markersize=4.5,
        linewidth=1.6,
        clip_on=False,
    )
    if not np.isnan(band[0]).any():
        axes.fill_between(LEVELS, *band, color=COLORS[style], alpha=0.12, linewidth=0)


def _label_axes(axes: "Axes", curves: Curves, resampling: Resampling) -> None:
    """Axes, legend and what the figure shows, in words."""
    name = "nu-precision (strict)" if curves.measure.strict else "nu-precision"
    topics = curves.defined.shape[1]
    axes.set_xlabel("nu-recall")
    axes.set_ylabel(name)
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xticks(LEVELS)
    axes.grid(True, color=GRID, linewidth=0.6)
    title = f"interpolated, average over {topics} topic{'s' if topics > 1 else ''}"
    if topics > 1:
        title += f"; {format_level(resampling.level)} bands"
    axes.set_title(title, fontsize=9, loc="left", color=FAINT)
    axes.legend(frameon=False, handlelength=3.5)


def of_frequencies(found: Frequencies) -> "Figure":
    """Word frequencies: the mean over all references, and each of them by itself.

    A word that only some references have lies below 1 in the mean, though those that have
    it ask for it whole.
    """
    figure, axes = begin(7.2, 4.2)
    counts = np.array(found.counts, dtype=float)
    mean = counts.mean(axis=1)
    floor = 0.8 / counts.shape[1]
    axes.axhline(1.0, color=FAINT, linewidth=0.8, linestyle=(0, (1, 3)))
    axes.fill_between(*_staircase(mean, floor), color=COLORS[0], alpha=0.15, linewidth=0)
    axes.plot(*_staircase(mean, floor), color=COLORS[0], linewidth=1.8, label="mean of all")
    for number in range(counts.shape[1]):
        alone = np.sort(counts[:, number])[::-1]
        alone = alone[alone > 0]
        axes.plot(
            *_staircase(alone, floor),
            color=COLORS[1 + number % (len(COLORS) - 1)],
            linewidth=1.1,
            linestyle=("--", "-.", ":")[number % 3],
            label=f"reference {number + 1}",
        )
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_ylim(bottom=floor)
    axes.set_xlim(left=0)
    axes.set_xlabel("words, most frequent first")
    axes.set_ylabel("frequency")
    partial = f"{found.partial_copies} of {found.copies} matches are partial"
    title = f"{found.topic}: {len(found.words)} different words, {partial}"
    return finish(figure, axes, title)


def _staircase(values: "np.ndarray[Any, Any]", floor: float) -> tuple[list[float], list[float]]:
    """A step a word wide for each value, down to the floor at the end."""
    across = [float(x) for x in np.repeat(np.arange(len(values) + 1), 2)][1:]
    return across, [*(float(y) for y in np.repeat(values, 2)), floor]
