"""Where points went as stacked bars, and what each cause adds to a difference."""

from typing import TYPE_CHECKING, Literal, get_args

from chronoscore.errors import check_choice
from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.differences import SystemDifference
from chronoscore.measures.losses.wording import words_for
from chronoscore.reports.plots import COLORS, FAINT, begin, name_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Shown = Literal["recall", "precision"]
FILLS = ("#1f7a4c", "#8fc7a6", "#e0ad4a", "#c9d0da", "#8d99a8")
HATCHES = ("", "//", "..", "", "xx")
"""Bars differ without color too."""


def stacked(found: LossAccount, side: Shown = "recall") -> "Figure":
    """A bar for each system: what was found, then each group of causes; together 1."""
    check_choice(side, get_args(Shown), "side")
    sides = [one for one in found.account.sides if one.title == side] or found.account.sides[:1]
    parts = [sides[0].good, *sides[0].groups]
    labels = [sides[0].label, *(words_for(part).label for part in parts[1:])]
    systems = found.scores.systems
    figure, axes = begin(7.0, 1.4 + 0.4 * len(systems))
    for place, system in enumerate(systems):
        left = 0.0
        for number, part in enumerate(parts):
            value = found[system, part].value
            axes.barh(
                place,
                value,
                left=left,
                color=FILLS[number % len(FILLS)],
                hatch=HATCHES[number % len(HATCHES)],
                edgecolor="white",
                label=labels[number] if place == 0 else None,
            )
            left += value
    name_rows(axes, list(systems))
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"{found.measure.title}: {side}")
    figure.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=4)
    return figure


def shares(found: SystemDifference) -> "Figure":
    """A bar for each cause with its corrected interval; filled where it is sure."""
    causes = [one for one in found.causes if one.share]
    figure, axes = begin(7.0, 1.0 + 0.35 * max(len(causes), 1))
    axes.axvline(0.0, color=FAINT, linewidth=0.8)
    for place, cause in enumerate(causes):
        fill = COLORS[0] if cause.named else "white"
        axes.barh(place, cause.share, color=fill, edgecolor=COLORS[0], height=0.6)
        axes.plot([cause.low, cause.high], [place, place], color=FAINT, linewidth=1.2)
    name_rows(axes, [cause.label for cause in causes])
    heading = found.measure.heading(found.part)
    axes.set_xlabel(f"{found.a} – {found.b}: parts of the difference in {heading} (filled: sure)")
    return figure
