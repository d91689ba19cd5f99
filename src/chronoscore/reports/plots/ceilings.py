"""Plots of what could be reached: ceilings, systems within them, and oracles with their bounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.oracles.ceilings import Ceilings
from chronoscore.reports.plots import COLORS, GRID, MARKERS, begin, finish

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES = ("#e3e8ef", "#c3cbd6")
"""Of bars one before the other, the longest first."""


def of_topics(found: Sequence[Ceilings]) -> "Figure":
    """Three marks for each topic on one line: people, extractive, any text."""
    figure, axes = begin(7.2, max(2.4, 0.34 * len(found) + 1.4))
    places = np.arange(len(found))[::-1]
    named = (("human", "o"), ("extractive", "s"), ("any_text", "D"))
    values = np.array([[getattr(one, name) for name, _ in named] for one in found])
    axes.hlines(places, np.nanmin(values, axis=1), np.nanmax(values, axis=1), color=GRID, lw=3)
    for number, (name, marker) in enumerate(named):
        axes.plot(
            values[:, number],
            places,
            marker,
            color=COLORS[number],
            markersize=7,
            label=name.replace("_", " "),
        )
    axes.set_yticks(places, [one.topic for one in found])
    axes.set_ylim(-0.7, len(found) - 0.3)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"recall, {found[0].measure}")
    return finish(figure, axes, "what people, extractive systems and any text reach")


@dataclass(frozen=True)
class CeilingLine:
    """A line of a plot: ceilings by kind, and the scores that are drawn into them."""

    name: str
    ceilings: Mapping[str, float]
    scores: Mapping[str, float]


def of_systems(lines: Sequence[CeilingLine], title: str) -> "Figure":
    """A bar for each ceiling, the highest behind, and a mark for each score."""
    figure, axes = begin(7.2, max(2.4, 0.42 * len(lines) + 1.6))
    places = np.arange(len(lines))[::-1]
    means = {kind: np.mean([line.ceilings[kind] for line in lines]) for kind in lines[0].ceilings}
    for kind, shade in zip(sorted(means, key=lambda kind: -means[kind]), SHADES, strict=False):
        bounds = [line.ceilings[kind] for line in lines]
        axes.barh(places, bounds, height=0.62, color=shade, label=f"{kind} ceiling")
    for number, name in enumerate(dict.fromkeys(name for line in lines for name in line.scores)):
        axes.plot(
            [line.scores.get(name, np.nan) for line in lines],
            places,
            MARKERS[number % len(MARKERS)],
            color=COLORS[number % len(COLORS)],
            markersize=6,
            label=name,
        )
    axes.set_yticks(places, [line.name for line in lines])
    axes.set_ylim(-0.7, len(lines) - 0.3)
    axes.set_xlim(left=0)
    axes.set_xlabel(title)
    return finish(figure, axes, "scores within what could be reached")


def of_oracles(
    topics: Sequence[str], series: Mapping[str, Sequence[tuple[float, float]]]
) -> "Figure":
    """For each topic and series the value that was reached, and a thin line up to the bound."""
    many = len(series)
    figure, axes = begin(7.2, max(2.4, 0.2 * len(topics) * (many + 1) + 1.4))
    places = np.arange(len(topics))[::-1].astype(float)
    for number, (name, pairs) in enumerate(series.items()):
        values, bounds = np.array(pairs, dtype=float).T
        rows = places - (number - (many - 1) / 2) * 0.8 / many
        color = COLORS[number % len(COLORS)]
        axes.hlines(rows, values, bounds, color=color, lw=1.4)
        axes.plot(bounds, rows, "|", color=color, markersize=7)
        axes.plot(
            values, rows, MARKERS[number % len(MARKERS)], color=color, markersize=5, label=name
        )
    axes.set_yticks(places, topics)
    axes.set_ylim(-0.7, len(topics) - 0.3)
    axes.set_xlim(left=0)
    axes.set_xlabel("value, and bound where it is higher")
    return finish(figure, axes, "what the best choice of sentences reaches")
