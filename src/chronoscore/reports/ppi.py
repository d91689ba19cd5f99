"""Prediction-powered scores and differences as tables and flat records."""

import math
from collections.abc import Iterator, Sequence

from chronoscore.reports.scores import NO_SPREAD
from chronoscore.reports.tables import (
    Cell,
    Table,
    format_level,
    format_number,
    interval_cell,
    p_text,
)
from chronoscore.stats.ppi import PoweredInterval
from chronoscore.stats.ppi_estimates import PpiDifference, PpiEstimate

INTERVAL_NAMES = {
    "t": "interval, Student's with n − 2 degrees of freedom (on the logit scale, on the log scale "
    "without an upper bound, and for differences on the plain scale)",
    "bootstrap": "bootstrap interval over topics, people's and further ones drawn separately",
    "normal": "normal interval",
}


def score_tables(figures: Sequence[PpiEstimate], notes: Sequence[str]) -> list[Table]:
    """A table for each measure and part; the last one has the notes."""
    columns = list(dict.fromkeys((one.measure, one.part) for one in figures))
    return [
        _score_table(
            column[0].heading(column[1]),
            [one for one in figures if (one.measure, one.part) == column],
            notes if column == columns[-1] else (),
        )
        for column in columns
    ]


def _score_table(title: str, figures: Sequence[PpiEstimate], notes: Sequence[str]) -> Table:
    """Systems down; the figure, what the machine adds, and people alone."""
    direction = figures[0].measure.direction(figures[0].part)
    best = max(figures, key=lambda one: direction * one.value)
    rows = tuple(
        (
            Cell(one.system),
            interval_cell(one.mean.value, one.low, one.high, best=len(figures) > 1 and one is best),
            Cell(format_number(one.weight if one.mean.further else one.within, ".2f")),
            Cell(f"worth {format_number(one.worth, '.1f')} human topics"),
            Cell(str(one.mean.topics)),
            Cell(str(one.mean.further)),
            interval_cell(one.mean.people, one.mean.people_low, one.mean.people_high),
        )
        for one in figures
    )
    columns = ("system", title, "λ", "people and machine", "n", "N", "people alone")
    return Table("", columns, rows, (*_left_out_notes(figures), *notes))


def _left_out_notes(figures: Sequence[PpiEstimate]) -> Iterator[str]:
    """How many topics were of no use."""
    most = max(one.left_out for one in figures)
    if most:
        yield (
            f"{most} topic{'s' if most > 1 else ''} without a score by the machine or, of those "
            "that people judged, by people are left out"
        )
    if any(one.mean.beyond for one in figures):
        yield "an estimate beyond the range of the measure is set to its end; judge more items"
    if any(one.mean.outside for one in figures):
        yield "people alone (λ 0) where people and machine together leave the range of the measure"
    if any(math.isnan(one.low) for one in figures):
        yield NO_SPREAD


def pair_table(pairs: Sequence[PpiDifference], notes: Sequence[str]) -> Table:
    """Every pair with its difference, p, and what the machine adds."""
    rows = tuple(
        (
            Cell(f"{one.system} – {one.other}"),
            Cell(one.estimate.measure.heading(one.estimate.part)),
            interval_cell(one.estimate.value, one.estimate.low, one.estimate.high, "+.4f"),
            Cell(p_text(one.estimate.mean.p)),
            Cell(p_text(one.adjusted), marks="*" if one.significant else ""),
            Cell(format_number(one.estimate.weight, ".2f")),
            Cell(f"worth {format_number(one.estimate.worth, '.1f')} human topics"),
            Cell(str(one.estimate.mean.topics)),
            Cell(str(one.estimate.mean.further)),
            interval_cell(
                one.estimate.mean.people,
                one.estimate.mean.people_low,
                one.estimate.mean.people_high,
                "+.4f",
            ),
        )
        for one in pairs
    )
    columns = (
        "systems", "measure", "difference", "p", "p (Holm)", "λ", "people and machine", "n", "N",
        "people alone",
    )  # fmt: skip
    return Table("", columns, rows, tuple(notes))


def powered_notes(interval: PoweredInterval, level: float, drawn: str) -> list[str]:
    """What the columns are, in words."""
    return [
        "n topics judged by people and by the machine, N further ones by the machine alone; "
        "mean over topics by PPI++ (Angelopoulos, Duchi and Zrnic 2023)",
        "λ: the weight of the machine's scores, from 0 (people alone) to 1; worth: "
        "how many topics people alone would have to judge for a variance as small",
        f"[low, high]: {format_level(level)} {INTERVAL_NAMES[interval]}{drawn}",
    ]


def pair_note(level: float) -> str:
    """What the marks say."""
    return f"*: p ≤ {1 - level:.2g}, two-sided, Holm-corrected over the pairs of a measure"
