"""How well measures follow people: correlations and their differences."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chronoscore.core import Row
from chronoscore.options.correlation import Bootstrap, Who
from chronoscore.reports.plots import scatter
from chronoscore.reports.tables import Cell, Table, format_level, interval_cell, p_text
from chronoscore.reports.views import View
from chronoscore.stats.correlate import Correlated, Difference
from chronoscore.stats.scatter import of_grid
from chronoscore.stats.score_grid import ScoreGrid, score_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN = {
    "both": "systems and topics",
    "systems": "systems",
    "inputs": "topics",
}
SWAPPED = {
    "perm-both": "single summaries",
    "perm-systems": "systems, exact up to 13",
    "perm-inputs": "topics, exact up to 13",
}
OF = {
    "system": "of systems' means over topics",
    "summary": "over systems, averaged over topics",
    "global": "of all summaries",
}
COUNTED = {"system": "systems", "summary": "topics", "global": "summaries"}
WHOSE = {"machines": "machines only", "humans": "people only", "all": "machines and people"}


@dataclass(frozen=True, kw_only=True)
class Correlations:
    """Correlations of measures with ratings and, if asked for, tests of their differences."""

    correlations: tuple[Correlated, ...]
    differences: tuple[Difference, ...] | None
    judged: ScoreGrid
    """All scores and ratings, of people and of machines."""
    who: Who
    bootstrap: Bootstrap
    trials: int


def rows(found: Correlations) -> Iterator[Row]:
    """A record for each correlation, or for each difference where these were tested."""
    shown = found.correlations if found.differences is None else found.differences
    return (one.row() for one in shown)


def tables(found: Correlations) -> list[Table]:
    """A table for each rating and level, then the differences."""
    kinds: dict[tuple[str, str], list[Correlated]] = {}
    for one in found.correlations:
        kinds.setdefault((one.rating, one.level), []).append(one)
    drawn = [_table(one, found.bootstrap, found.who) for one in kinds.values()]
    if found.differences is not None:
        drawn.append(_difference_table(found.differences, found.bootstrap, found.trials))
    return drawn


def _table(found: Sequence[Correlated], bootstrap: Bootstrap, who: Who) -> Table:
    """The coefficients of one rating at one level: measures down, coefficients across."""
    first = found[0]
    names = list(dict.fromkeys(one.coefficient for one in found))
    measures = list(dict.fromkeys((one.measure, one.part) for one in found))
    cells = {(one.measure, one.part, one.coefficient): one for one in found}
    best = {
        name: max((abs(one.value) for one in found if one.coefficient == name), default=math.nan)
        for name in names
    }
    rows = []
    for scored in measures:
        row: list[Cell | str] = [score_label(scored)]
        for name in names:
            one = cells[*scored, name]
            strongest = len(measures) > 1 and abs(one.value) == best[name]
            row.append(interval_cell(one.value, one.low, one.high, ".3f", best=strongest))
        rows.append([*row, str(cells[*scored, names[0]].n)])
    drawn = f"{bootstrap.times} draws of {DRAWN[bootstrap.redrawn]}, seed {bootstrap.seed}"
    reasons = dict.fromkeys(f"{score_label((o.measure, o.part))}: {o.why}" for o in found if o.why)
    return Table.of(
        f"{first.rating}, {first.level} level",
        ("measure", *names, COUNTED[first.level]),
        rows,
        (
            f"correlation {OF[first.level]}; {WHOSE[who]}",
            f"[low, high]: {format_level(bootstrap.level)} {bootstrap.kind} bootstrap interval, "
            + drawn,
            *(f"– undefined, {reason}" for reason in reasons),
        ),
    )


def _difference_table(found: Sequence[Difference], bootstrap: Bootstrap, trials: int) -> Table:
    """Every pair of measures with its difference, interval and test."""
    rows = [
        (
            f"{score_label((one.measure, one.part))} – {score_label((one.other, one.other_part))}",
            one.rating,
            one.level,
            one.coefficient,
            interval_cell(one.difference, one.low, one.high, "+.3f"),
            p_text(one.p),
            Cell(p_text(one.adjusted), marks="*" if one.adjusted <= 1 - bootstrap.level else ""),
        )
        for one in found
    ]
    test = found[0].test
    way = (
        "Williams's test"
        if test == "williams"
        else f"swaps of {SWAPPED[test]} ({test}), {trials} trials"
    ) + (", two-sided" if found[0].sides == 2 else ", one-sided: the first is better")
    columns = ("measures", "rating", "level", "coefficient", "difference", "p", "p (Holm)")
    note = f"p: {way}; Holm-corrected over the pairs of each rating, level and coefficient"
    return Table.of("differences", columns, rows, [note])


def draw(found: Correlations) -> "Figure":
    """Every measure's means against every rating, people and machines."""
    return scatter.panels(of_grid(found.judged))


VIEW: View[Correlations] = View(
    title="Correlation with people", rows=rows, tables=tables, draw=draw
)
