"""Scores against ratings as plots: solid points are people, open points machines.

Drawn in black only, so that a print without colors loses nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chronoscore.reports import plots
from chronoscore.stats.correlation import pearson
from chronoscore.stats.protocol import Standing
from chronoscore.stats.robust import robust_fit
from chronoscore.stats.statistic import Numbers
from chronoscore.stats.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.0, 2.8
ABREAST = 4
"""Panels beside each other before a plot goes on below."""


@dataclass(frozen=True)
class Panel:
    """One plot of a score, or of a prediction, against a rating."""

    across: str
    up: str
    machines: tuple[Numbers, Numbers]
    people: tuple[Numbers, Numbers]
    line: tuple[float, float]
    """The constant and the slope of the line that was fitted to machines."""


def score_panels(studies: Sequence[Study]) -> list[list[Panel]]:
    """The paper's Figure 1: ratings against R(BB), a row or more for each rating."""
    return [
        row
        for study in studies
        for row in wrap_panels(
            [
                _score_panel(f"{name}, R(BB)", study.rating, machines, people)
                for name, machines, people in _split_by_measure(study)
            ]
        )
    ]


def _score_panel(across: str, up: str, machines: Standing, people: Standing) -> Panel:
    """A rating against a score, with the robust line through the machines."""
    constant, slope = machines.fit_update().coefficients.tolist()
    return Panel(
        across,
        up,
        (machines.update, machines.rating),
        (people.update, people.rating),
        (constant, slope),
    )


def prediction_panels(studies: Sequence[Study]) -> list[list[Panel]]:
    """The paper's Figure 2: ratings against their predictions, by R(BB) alone and by both."""
    rows: list[list[Panel]] = []
    for study in studies:
        row: list[Panel] = []
        for name, machines, people in _split_by_measure(study):
            alone, both = machines.fit_update(), machines.fit()
            for how, fit, given, wanted in (
                ("R", alone, machines.update[:, np.newaxis], people.update[:, np.newaxis]),
                ("N", both, machines.scores, people.scores),
            ):
                row.append(
                    Panel(
                        f"predicted by {how}, {name}",
                        study.rating,
                        (fit.predict(given), machines.rating),
                        (fit.predict(wanted), people.rating),
                        (0.0, 1.0),
                    )
                )
        rows += wrap_panels(row)
    return rows


def wrap_panels(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Panels in rows that fit on a page."""
    return [list(panels[start : start + ABREAST]) for start in range(0, len(panels), ABREAST)]


def _split_by_measure(study: Study) -> list[tuple[str, Standing, Standing]]:
    """Each measure alone: its name, where machines stand and where people do."""
    return [
        (
            name,
            _one_measure(study.machines.standing, number),
            _one_measure(study.people.standing, number),
        )
        for number, name in enumerate(study.measures)
    ]


def _one_measure(standing: Standing, number: int) -> Standing:
    """One measure's part of a standing."""
    return Standing(standing.earlier[number], standing.update[number], standing.rating)


def robust_plot_line(x: Numbers, y: Numbers) -> tuple[float, float]:
    """The robust line of y over x."""
    constant, slope = robust_fit(x[:, np.newaxis], y).coefficients.tolist()
    return constant, slope


def save_panels(panels: Sequence[Sequence[Panel]], path: Path) -> None:
    """Draw rows of panels into a PNG, SVG or PDF file, by its ending."""
    plots.check_plot_path(path)
    from matplotlib import rc_context

    with rc_context({"font.size": 8, "axes.labelsize": 8}):
        plots.save_figure(draw_figure(panels), path)


def draw_figure(panels: Sequence[Sequence[Panel]]) -> "Figure":
    """A figure with a grid of panels and one legend for all."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows, columns = len(panels), max(len(row) for row in panels)
    layout = ConstrainedLayoutEngine(h_pad=0.1, w_pad=0.06)
    figure = Figure(figsize=(WIDTH * columns, HEIGHT * rows + 0.4), layout=layout)
    axes = figure.subplots(rows, columns, squeeze=False)
    for row, places in zip(panels, axes, strict=True):
        for place in places[len(row) :]:
            place.set_axis_off()
        for panel, place in zip(row, places, strict=False):
            _draw_panel(panel, place)
    handles, names = [], []
    for place in axes.flat:
        for handle, name in zip(*place.get_legend_handles_labels(), strict=True):
            if name not in names:
                handles.append(handle)
                names.append(name)
    figure.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
    return figure


def _draw_panel(panel: Panel, axes: Any) -> None:
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
    label = "prediction = rating" if panel.line == (0.0, 1.0) else "robust line, machines"
    axes.plot(
        ends, [constant + slope * end for end in ends], color="black", linewidth=1, label=label
    )
    r = float(pearson(x, y))
    axes.set_title(f"r = {r:.3f} (machines)" if not np.isnan(r) else "r undefined", fontsize=8)
    axes.locator_params(nbins=5)
    axes.set_xlabel(panel.across)
    axes.set_ylabel(panel.up)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
