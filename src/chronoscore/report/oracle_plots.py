"""Plots of ceilings and of what several references ask for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chronoscore.oracles.ceilings import Ceilings
from chronoscore.oracles.people import Frequencies
from chronoscore.report.plots import COLOURS, FAINT, GRID, blank, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_frequencies(found: Frequencies, path: Path) -> None:
    """Word frequencies: the mean over all references, and each of them by itself.

    A word that only some references have lies below 1 in the mean, though those that have
    it ask for it whole.
    """
    figure = blank(path, (7.2, 4.2))
    axes = figure.add_subplot()
    counts = np.array(found.counts, dtype=float)
    mean = counts.mean(axis=1)
    floor = 0.8 / counts.shape[1]
    axes.axhline(1.0, color=FAINT, linewidth=0.8, linestyle=(0, (1, 3)))
    axes.fill_between(*staircase(mean, floor), color=COLOURS[0], alpha=0.15, linewidth=0)
    axes.plot(*staircase(mean, floor), color=COLOURS[0], linewidth=1.8, label="mean of all")
    for number in range(counts.shape[1]):
        alone = np.sort(counts[:, number])[::-1]
        alone = alone[alone > 0]
        axes.plot(
            *staircase(alone, floor),
            color=COLOURS[1 + number % (len(COLOURS) - 1)],
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
    said = f"{found.topic}: {len(found.words)} different words, {partial}"
    finish(figure, axes, said, path)


def staircase(values: "np.ndarray[Any, Any]", floor: float) -> tuple[list[float], list[float]]:
    """A step a word wide for each value, down to the floor at the end."""
    across = [float(x) for x in np.repeat(np.arange(len(values) + 1), 2)][1:]
    return across, [*(float(y) for y in np.repeat(values, 2)), floor]


def plot_ceilings(found: Sequence[Ceilings], path: Path) -> None:
    """Three marks for each topic on one line: people, extractive, any text."""
    rows = max(2.4, 0.34 * len(found) + 1.4)
    figure = blank(path, (7.2, rows))
    axes = figure.add_subplot()
    places = np.arange(len(found))[::-1]
    named = (("human", "o"), ("extractive", "s"), ("any_text", "D"))
    values = np.array([[getattr(one, name) for name, _ in named] for one in found])
    axes.hlines(places, np.nanmin(values, axis=1), np.nanmax(values, axis=1), color=GRID, lw=3)
    for number, (name, marker) in enumerate(named):
        axes.plot(
            values[:, number],
            places,
            marker,
            color=COLOURS[number],
            markersize=7,
            label=name.replace("_", " "),
        )
    axes.set_yticks(places, [one.topic for one in found])
    axes.set_ylim(-0.7, len(found) - 0.3)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"recall, {found[0].measure}")
    finish(figure, axes, "what people, extractive systems and any text reach", path)


def finish(figure: "Figure", axes: "Axes", said: str, path: Path) -> None:
    """A grid, a legend, a title, and the file."""
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title(said, fontsize=9, loc="left", color=FAINT)
    figure.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=5)
    save(figure, path)
