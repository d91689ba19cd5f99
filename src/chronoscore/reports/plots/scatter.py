"""Scores against ratings: solid points are people, open points machines.

Drawn in black only, so that a print without colors loses nothing.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from chronoscore.reports.plots import check_matplotlib
from chronoscore.stats.scatter import EQUAL, Scatter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.0, 2.8
ABREAST = 4
"""Panels beside each other before a plot continues below."""
SIZE = 8
"""Of all texts, in points."""


def panels(groups: Iterable[list[Scatter]]) -> "Figure":
    """A figure with a grid of panels, a row or more for each group, and one legend for all."""
    check_matplotlib()
    from matplotlib import rc_context

    with rc_context({"font.size": SIZE, "axes.labelsize": SIZE}):
        return _draw([row for group in groups for row in _wrap(group)])


def _wrap(group: list[Scatter]) -> list[list[Scatter]]:
    """Panels in rows that fit on a page."""
    return [group[start : start + ABREAST] for start in range(0, len(group), ABREAST)]


def _draw(rows: list[list[Scatter]]) -> "Figure":
    """The grid of panels."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    columns = max(len(row) for row in rows)
    layout = ConstrainedLayoutEngine(h_pad=0.1, w_pad=0.06)
    figure = Figure(figsize=(WIDTH * columns, HEIGHT * len(rows) + 0.4), layout=layout)
    axes = figure.subplots(len(rows), columns, squeeze=False)
    for row, places in zip(rows, axes, strict=True):
        for place in places[len(row) :]:
            place.set_axis_off()
        for one, place in zip(row, places, strict=False):
            _draw_panel(one, place)
    legend: dict[str, Any] = {}
    for place in axes.flat:
        for handle, name in zip(*place.get_legend_handles_labels(), strict=True):
            legend.setdefault(name, handle)
    figure.legend([*legend.values()], [*legend], loc="outside lower center", ncols=4, frameon=False)
    return figure


def _draw_panel(panel: Scatter, axes: Any) -> None:
    """Points of both kinds, the line, the lowest person, and the machines' correlation."""
    x, y = panel.machines
    axes.scatter(
        x, y, s=20, facecolors="none", edgecolors="black", linewidths=0.8, label="machines"
    )
    ends = [x.min(), x.max()]
    human_x, human_y = panel.people
    if len(human_y):
        axes.scatter(human_x, human_y, s=24, color="black", label="people")
        axes.axhline(
            human_y.min(), color="black", linestyle="--", linewidth=0.9, label="lowest person"
        )
        ends = [min(ends[0], human_x.min()), max(ends[1], human_x.max())]
    constant, slope = panel.line
    label = "prediction = rating" if panel.line == EQUAL else "robust line, machines"
    axes.plot(
        ends, [constant + slope * end for end in ends], color="black", linewidth=1, label=label
    )
    r = panel.correlation
    axes.set_title(f"r = {r:.3f} (machines)" if not np.isnan(r) else "r undefined", fontsize=SIZE)
    axes.locator_params(nbins=5)
    # Ticks are made when they are first drawn, in the size that is usual then.
    axes.tick_params(labelsize=SIZE)
    axes.set_xlabel(panel.across)
    axes.set_ylabel(panel.up)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
