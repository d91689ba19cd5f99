"""Averages and differences with their intervals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from chronoscore.reports.plots import COLORS, FAINT, begin, name_rows
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus import Average
from chronoscore.stats.ppi_estimates import PpiEstimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def averages(title: str, figures: Sequence[Average]) -> "Figure":
    """A dot for each system's average with its interval, the first system on top."""
    figure, axes = begin(6.0, 0.9 + 0.35 * len(figures))
    for place, one in enumerate(figures):
        axes.plot([one.low, one.high], [place, place], color=COLORS[0], linewidth=1.6)
        axes.plot([one.value], [place], marker="o", color=COLORS[0])
    name_rows(axes, [one.system for one in figures])
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


def differences(title: str, pairs: Sequence[SystemPair | DrawnPair]) -> "Figure":
    """A dot for each pair's difference with its interval; filled where it is significant."""
    figure, axes = begin(7.0, 0.9 + 0.3 * len(pairs))
    axes.axvline(0.0, color=FAINT, linewidth=0.8)
    for place, pair in enumerate(pairs):
        axes.plot([pair.low, pair.high], [place, place], color=COLORS[0], linewidth=1.6)
        filled = COLORS[0] if pair.significant else "white"
        axes.plot([pair.difference], [place], "o", color=COLORS[0], markerfacecolor=filled)
    name_rows(axes, [f"{pair.system} – {pair.other}" for pair in pairs])
    axes.set_xlabel(f"difference in {title} (filled: significant after Holm's correction)")
    return figure


def estimates(found: Sequence[PpiEstimate]) -> "Figure":
    """Two intervals for each system: people alone above, with the machine below."""
    figure, axes = begin(6.0, 1.2 + 0.5 * len(found))
    for place, one in enumerate(found):
        mean = one.mean
        alone = (mean.people_low, mean.people, mean.people_high)
        for up, color, marker, name, (low, value, high) in (
            (-0.14, COLORS[1], "s", "people alone", alone),
            (0.14, COLORS[0], "o", "people and machine", (mean.low, mean.value, mean.high)),
        ):
            axes.plot([low, high], [place + up] * 2, color=color, linewidth=1.6)
            label = name if place == 0 else None
            axes.plot([value], [place + up], marker=marker, color=color, linestyle="", label=label)
    name_rows(axes, [one.system for one in found])
    axes.set_xlabel(found[0].measure.heading(found[0].part))
    axes.legend(loc="best", frameon=False, fontsize="small")
    return figure
