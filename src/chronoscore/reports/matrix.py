"""Which measure notices what: measures × damages as tables, records and a picture."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from chronoscore.checks import Profile, Reaction, profile_measures
from chronoscore.checks.matrix import PUNISHED, UNNOTICED, UNSURE
from chronoscore.core import Row
from chronoscore.errors import number_with_noun
from chronoscore.options.checks import Altering
from chronoscore.reports.checks import Outcomes
from chronoscore.reports.plots import panels
from chronoscore.reports.tables import Cell, Table, format_number, interval_cell
from chronoscore.reports.views import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS = {UNNOTICED: "?", PUNISHED: "!", UNSURE: "~"}
ROUNDED = 0.0005
"""A smaller change is shown as none."""


@dataclass(frozen=True)
class Matrix(Outcomes):
    """What each measure made of each alteration."""

    how: Altering = field(default_factory=Altering)

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """The outcomes, all of which have an interval."""
        return cast(tuple[Reaction, ...], self.outcomes)

    @property
    def damages(self) -> list[str]:
        """The names of the alterations, in their order."""
        return list(dict.fromkeys(one.test for one in self.reactions))

    def of(self, damage: str) -> list[Reaction]:
        """What the measures made of an alteration, in the order of the measures."""
        return [one for one in self.reactions if one.test == damage]


def rows(matrix: Matrix) -> Iterator[Row]:
    """A record for each damage and measure, then one with the two shares of each measure."""
    for one in matrix.reactions:
        yield {
            "damage": one.test,
            "harmless": one.harmless,
            "measure": str(one.measure),
            "part": one.part,
            "change": one.change,
            "low": one.low,
            "high": one.high,
            "timelines": one.timelines,
            "verdict": one.verdict,
        }
    for profile in profile_measures(matrix.reactions):
        for name, value, group in _shares(profile):
            if not group:
                continue
            yield {
                "damage": name,
                "harmless": name == "invariance",
                "measure": str(profile.measure),
                "part": profile.measure.main_part,
                "change": value,
                "low": math.nan,
                "high": math.nan,
                "timelines": max(one.timelines for one in group),
                "verdict": f"{sum(one.right for one in group)} of {len(group)}",
            }


def _shares(profile: Profile) -> Iterator[tuple[str, float, Sequence[Reaction]]]:
    """Both shares of a measure, with what they count."""
    yield "sensitivity", profile.sensitivity, profile.harm
    yield "invariance", profile.invariance, profile.harmless


def tables(matrix: Matrix) -> list[Table]:
    """The matrix, and what it says of each measure."""
    return [_matrix_table(matrix), _profile_table(matrix)]


def _matrix_table(matrix: Matrix) -> Table:
    """A row for each damage, a column for each measure."""
    lines: list[list[Cell | str]] = []
    for damage in matrix.damages:
        reactions = matrix.of(damage)
        kind = "harmless" if reactions[0].harmless else "harm"
        lines.append([damage, kind, *map(_cell, reactions)])
    count = max(one.timelines for one in matrix.reactions)
    parts = dict.fromkeys(one.part for one in matrix.reactions)
    lacking = {one.test: one.lacking for one in matrix.reactions if not one.timelines}
    notes = [
        "   ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items()),
        "[ ]: 95% interval over timelines",
        f"part: {', '.join(parts)}; share: {matrix.how.share:g}; seed: {matrix.how.seed}",
        *(f"{damage}: {why}" for damage, why in lacking.items()),
    ]
    if matrix.compat:
        notes.append(f"compat: {matrix.compat}")
    return Table.of(
        f"Change from the undamaged timeline, {number_with_noun(count, 'timeline')}",
        ("damage", "kind", *matrix.labels.values()),
        lines,
        notes,
    )


def _cell(one: Reaction) -> Cell:
    """A change with its interval, and a mark where the measure is wrong."""
    mark = MARKS.get(one.fault or one.verdict, "")
    if abs(one.change) < ROUNDED:
        return Cell("0.000", marks=mark)
    return interval_cell(one.change, one.low, one.high, "+.3f", marks=mark)


def _profile_table(matrix: Matrix) -> Table:
    """What each measure notices, and what harm costs less than something harmless."""
    return Table.of(
        "What each measure notices",
        ("measure", "sensitivity", "invariance", "dearest harmless", "harm that costs less"),
        [_profile_line(matrix, one) for one in profile_measures(matrix.reactions)],
        (
            "sensitivity: share of harmful damages that are noticed; invariance: share of harmless "
            "ones that are not punished",
            "dearest harmless: of those that are punished, the one that costs most",
        ),
    )


def _profile_line(matrix: Matrix, profile: Profile) -> tuple[str, ...]:
    """Two shares, and what is cheaper than the dearest harmless damage."""
    dearest = profile.dearest_harmless
    shares = [
        f"{format_number(value, '.2f')} ({sum(one.right for one in group)}/{len(group)})"
        for _, value, group in _shares(profile)
    ]
    cheaper = ", ".join(one.test for one in profile.cheaper_harm)
    return matrix.labels[profile.measure], *shares, dearest.test if dearest else "", cheaper


def draw(matrix: Matrix) -> "Figure":
    """The matrix; what a measure gets wrong has a frame."""
    return panels.fields(
        panels.FieldPlot(
            title="Change from the undamaged timeline",
            rows=[
                f"{damage} (harmless)" if matrix.of(damage)[0].harmless else damage
                for damage in matrix.damages
            ],
            columns=list(matrix.labels.values()),
            values=[[one.change for one in matrix.of(damage)] for damage in matrix.damages],
            framed=[[bool(one.fault) for one in matrix.of(damage)] for damage in matrix.damages],
            note="framed: harm that is not noticed, or harmless and punished; shades are by column",
            by_column=True,
        )
    )


def _matrix(outcomes: Outcomes) -> Matrix:
    """The matrix that a result holds."""
    assert isinstance(outcomes, Matrix)
    return outcomes


VIEW: View[Outcomes] = View(
    rows=lambda outcomes: rows(_matrix(outcomes)),
    tables=lambda outcomes: tables(_matrix(outcomes)),
    draw=lambda outcomes: draw(_matrix(outcomes)),
    title="Which measure notices what",
)
