"""Plots for papers, drawn with matplotlib: intervals, curves and word frequencies.

The same figures give the same file, byte for byte.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chronoscore.errors import UsageError
from chronoscore.extras import install_command
from chronoscore.formats.io.files import write_bytes
from chronoscore.measures.measure import Array
from chronoscore.measures.streams.curves import LEVELS, Curves
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.streams.stream_curves import StreamCurve, mean_curves
from chronoscore.oracles.people import Frequencies
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus import Average, Resampling
from chronoscore.stats.resample import bootstrap_draws, percentile_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLORS = (
    "#1f4e9e",
    "#b3541e",
    "#3c7d3f",
    "#7b3f98",
    "#8a6d1d",
    "#a02c4f",
    "#2b7f86",
    "#555555",
)
GRID = "#d5dae1"
FAINT = "#5b6675"
UNCHANGING: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
"""By ending: metadata to leave out, because it changes from run to run."""
ENDINGS = tuple(UNCHANGING)


def check_plot_path(path: Path) -> None:
    """Refuse an ending that is no plot's, and a machine without matplotlib."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"{path}: a plot ends in {', '.join(ENDINGS)}; choose one")
    check_matplotlib()


def check_matplotlib() -> None:
    """Refuse to plot without matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(f"plots need matplotlib; {install_command('plots')}") from None


def blank_figure(path: Path, size: tuple[float, float]) -> "Figure":
    """An empty figure, once it is clear that it can be written to the path."""
    check_plot_path(path)
    # matplotlib is an extra, and slow to import; only a plot pays for it.
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def interval_plot(title: str, figures: Sequence[Average]) -> "Figure":
    """A dot for each system's average with its interval, the first system on top."""
    check_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 0.9 + 0.35 * len(figures)), layout="constrained")
    axes = figure.add_subplot()
    for place, one in enumerate(figures):
        axes.plot([one.low, one.high], [place, place], color=COLORS[0], linewidth=1.6)
        axes.plot([one.value], [place], marker="o", color=COLORS[0])
    axes.set_yticks(range(len(figures)), [one.system for one in figures])
    axes.set_ylim(len(figures) - 0.5, -0.5)
    axes.grid(True, axis="x", color=GRID, linewidth=0.6)
    axes.set_xlabel(title)
    return figure


class DrawnPair(NamedTuple):
    """Two systems and how far apart they are."""

    system: str
    other: str
    difference: float
    low: float
    high: float
    significant: bool


def difference_plot(title: str, pairs: Sequence[SystemPair | DrawnPair]) -> "Figure":
    """A dot for each pair's difference with its interval; filled where it is significant."""
    check_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 0.9 + 0.3 * len(pairs)), layout="constrained")
    axes = figure.add_subplot()
    axes.axvline(0.0, color=FAINT, linewidth=0.8)
    for place, pair in enumerate(pairs):
        axes.plot([pair.low, pair.high], [place, place], color=COLORS[0], linewidth=1.6)
        filled = COLORS[0] if pair.significant else "white"
        axes.plot([pair.difference], [place], "o", color=COLORS[0], markerfacecolor=filled)
    axes.set_yticks(range(len(pairs)), [f"{pair.system} – {pair.other}" for pair in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    axes.grid(True, axis="x", color=GRID, linewidth=0.6)
    axes.set_xlabel(f"difference in {title} (filled: significant after Holm's correction)")
    return figure


def save_figure(figure: "Figure", path: Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the path's ending."""
    from matplotlib import rc_context

    check_plot_path(path)
    ending = path.suffix.lower()
    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "chronoscore"}):
        figure.savefig(buffer, format=ending[1:], dpi=200, metadata=UNCHANGING[ending])
    write_bytes(path, buffer.getvalue())


LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2, 2, 2)))
MARKERS = "osD^vPX*"
"""Eight of each, as of colors: systems differ in all three, so that print without color does."""


def bands(curves: Curves, how: Resampling) -> tuple[Array, Array]:
    """Where the averages lie with so much confidence: lows and highs, systems × levels."""
    topics = curves.defined.shape[1]
    if topics < 2:
        blank = np.full((len(curves.systems), len(LEVELS)), np.nan)
        return blank, blank
    weights = bootstrap_draws(topics, how.times, how.seed).astype(np.float64)
    return percentile_interval(np.swapaxes(curves.drawn(weights), 1, 2), how.level)


def plot_curves(curves: Curves, how: Resampling, path: Path) -> None:
    """Draw all systems with their bands and write the plot."""
    figure = blank_figure(path, (6.4, 4.8))
    axes = figure.add_subplot()
    low, high = bands(curves, how)
    for number, (system, values) in enumerate(zip(curves.systems, curves.average(), strict=True)):
        _draw_system(axes, number, system, values, (low[number], high[number]))
    _label_axes(axes, curves, how)
    save_figure(figure, path)


def plot_stream_curves(curves: Sequence[StreamCurve], measure: Stream, by: str, path: Path) -> None:
    """Draw how a part of each system's stream grows, averaged over topics."""
    figure = blank_figure(path, (6.4, 4.8))
    axes = figure.add_subplot()
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
    save_figure(figure, path)


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


def _label_axes(axes: "Axes", curves: Curves, how: Resampling) -> None:
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
        title += f"; {how.level:.0%} bootstrap bands"
    axes.set_title(title, fontsize=9, loc="left", color=FAINT)
    axes.legend(frameon=False, handlelength=3.5)


def plot_frequencies(found: Frequencies, path: Path) -> None:
    """Word frequencies: the mean over all references, and each of them by itself.

    A word that only some references have lies below 1 in the mean, though those that have
    it ask for it whole.
    """
    figure = blank_figure(path, (7.2, 4.2))
    axes = figure.add_subplot()
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
    finish(figure, axes, title, path)


def _staircase(values: "np.ndarray[Any, Any]", floor: float) -> tuple[list[float], list[float]]:
    """A step a word wide for each value, down to the floor at the end."""
    across = [float(x) for x in np.repeat(np.arange(len(values) + 1), 2)][1:]
    return across, [*(float(y) for y in np.repeat(values, 2)), floor]


def finish(figure: "Figure", axes: "Axes", title: str, path: Path) -> None:
    """A grid, a legend, a title, and the file."""
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title(title, fontsize=9, loc="left", color=FAINT)
    figure.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=5)
    save_figure(figure, path)
