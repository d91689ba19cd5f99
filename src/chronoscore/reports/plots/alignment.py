"""A picture of two timelines along one time axis, with their alignment drawn."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from chronoscore.reports.plots import COLORS, FAINT, GRID, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def of_topics(title: str, topics: Mapping[str, Mapping[str, Any]]) -> "Figure":
    """For each topic the reference's days above the system's, and a line for each aligned pair.

    Takes the rails that the page of an explanation draws. A line is the thicker the more the
    pair adds to recall; open dots are days that nothing is matched with.
    """
    figure = blank(8.0, 0.6 + 1.7 * len(topics))
    from matplotlib import dates

    grid = figure.subplots(len(topics), 1, squeeze=False)
    for (name, rails), axes in zip(topics.items(), grid[:, 0], strict=True):
        _draw_rails(rails, axes)
        axes.set_title(name, fontsize="medium", loc="left")
        locator = dates.AutoDateLocator()  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    figure.suptitle(title, fontsize="medium")
    figure.supxlabel(
        "lines: aligned days, thicker the more they add to recall; open: matched with none",
        fontsize="small",
        color=FAINT,
    )
    return figure


def _draw_rails(rails: Mapping[str, Any], axes: Any) -> None:
    """One topic: two rows of days, and the links between them."""
    whens = [[date.fromordinal(first) for first in side] for side in rails["first"]]
    links = rails["sides"]["recall"]["links"]
    credit_of = [link[2] * link[3] for link in links]
    most = max(credit_of, default=0.0) or 1.0
    matched: tuple[set[int], set[int]] = (set(), set())
    for (here, there, _, _, apart, *_), credit in zip(links, credit_of, strict=True):
        matched[0].add(here)
        matched[1].add(there)
        color = COLORS[1] if apart else COLORS[0]
        width = 0.5 + 4.5 * credit / most
        ends = [whens[0][here], whens[1][there]]
        axes.plot(ends, [1.0, 0.0], color=color, linewidth=width, alpha=0.7)
    for side, (days, taken) in enumerate(zip(whens, matched, strict=True)):
        height = 1.0 - side
        axes.axhline(height, color=GRID, linewidth=0.8, zorder=0)
        for number, day in enumerate(days):
            face = COLORS[0] if number in taken else "white"
            axes.plot([day], [height], "o", color=COLORS[0], markerfacecolor=face, markersize=5)
    axes.set_yticks([1.0, 0.0], ["reference", "system"])
    axes.set_ylim(-0.35, 1.35)
    for spine in ("top", "right", "left"):
        axes.spines[spine].set_visible(False)
    axes.tick_params(axis="y", length=0)
