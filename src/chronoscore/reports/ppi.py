"""Prediction-powered scores and differences as tables and flat records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chronoscore.core import Row
from chronoscore.measures import Measure
from chronoscore.reports.comparison import p_text
from chronoscore.reports.scores import column_heading
from chronoscore.reports.tables import Cell, Table, format_number
from chronoscore.stats.ppi import PoweredInterval, PoweredMean

INTERVAL_NAMES = {
    "t": "interval, Student's with n − 1 degrees of freedom",
    "bootstrap": "bootstrap interval over topics, people's and further ones apart",
    "normal": "normal interval",
}


@dataclass(frozen=True)
class PoweredFigure:
    """One figure of a system, or of two systems' difference; `within` is λ within topics."""

    system: str
    measure: Measure
    part: str
    mean: PoweredMean
    left_out: int = 0
    within: float = float("nan")

    @property
    def value(self) -> float:
        """The estimate."""
        return self.mean.value

    @property
    def low(self) -> float:
        """The lower end of its interval."""
        return self.mean.low

    @property
    def high(self) -> float:
        """The upper end of its interval."""
        return self.mean.high

    @property
    def weight(self) -> float:
        """λ: how much the machine is listened to."""
        return self.mean.weight

    @property
    def worth(self) -> float:
        """As how many topics judged by people it counts."""
        return self.mean.worth

    def row(self) -> Row:
        """A flat record."""
        return {
            "system": self.system,
            "measure": self.measure.title,
            "part": self.part,
            **_figures_of(self),
        }


def _figures_of(figure: PoweredFigure) -> Row:
    """The numbers of a figure."""
    mean = figure.mean
    return {
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
        "lambda": mean.weight,
        "worth": mean.worth,
        "n": mean.topics,
        "further": mean.further,
        "left_out": figure.left_out,
        "people": mean.people,
        "people_low": mean.people_low,
        "people_high": mean.people_high,
        "lambda_within": figure.within,
    }


@dataclass(frozen=True)
class PoweredPair:
    """The difference of two systems, with p before and after Holm's correction."""

    system: str
    other: str
    figure: PoweredFigure
    adjusted: float
    significant: bool

    def row(self) -> Row:
        """A flat record."""
        return {
            "system": self.system,
            "other": self.other,
            "measure": self.figure.measure.title,
            "part": self.figure.part,
            **_figures_of(self.figure),
            "p": self.figure.mean.p,
            "adjusted": self.adjusted,
            "significant": self.significant,
        }


def score_tables(figures: Sequence[PoweredFigure], notes: Sequence[str]) -> list[Table]:
    """A table for each measure and part; the notes stand under the last."""
    columns = list(dict.fromkeys((one.measure, one.part) for one in figures))
    return [
        _score_table(
            column_heading(*column),
            [one for one in figures if (one.measure, one.part) == column],
            notes if column == columns[-1] else (),
        )
        for column in columns
    ]


def _score_table(title: str, figures: Sequence[PoweredFigure], notes: Sequence[str]) -> Table:
    """Systems down; the figure, what the machine adds, and people alone."""
    direction = figures[0].measure.direction(figures[0].part)
    best = max(figures, key=lambda one: direction * one.value)
    rows = tuple(
        (
            Cell(one.system),
            _figure_cell(one.mean.value, one.low, one.high, len(figures) > 1 and one is best),
            Cell(format_number(one.weight, ".2f")),
            Cell(f"worth {format_number(one.worth, '.1f')} human topics"),
            Cell(str(one.mean.topics)),
            Cell(str(one.mean.further)),
            _figure_cell(one.mean.people, one.mean.people_low, one.mean.people_high),
        )
        for one in figures
    )
    columns = ("system", title, "λ", "people and machine", "n", "N", "people alone")
    return Table("", columns, rows, (*_left_out_notes(figures), *notes))


def _left_out_notes(figures: Sequence[PoweredFigure]) -> Iterator[str]:
    """How many topics were of no use."""
    most = max(one.left_out for one in figures)
    if most:
        yield (
            f"{most} topic{'s' if most > 1 else ''} without a score by the machine or, of those "
            "that people judged, by people are left out"
        )


def _figure_cell(value: float, low: float, high: float, best: bool = False) -> Cell:
    """A figure with its interval."""
    return Cell(format_number(value), f"[{low:.3f}, {high:.3f}]", best=best)


def pair_table(pairs: Sequence[PoweredPair], notes: Sequence[str]) -> Table:
    """Every pair with its difference, p, and what the machine adds."""
    rows = tuple(
        (
            Cell(f"{one.system} – {one.other}"),
            Cell(column_heading(one.figure.measure, one.figure.part)),
            Cell(
                format_number(one.figure.value, "+.4f"),
                f"[{one.figure.low:+.3f}, {one.figure.high:+.3f}]",
            ),
            Cell(p_text(one.figure.mean.p)),
            Cell(p_text(one.adjusted), marks="*" if one.significant else ""),
            Cell(format_number(one.figure.weight, ".2f")),
            Cell(f"worth {format_number(one.figure.worth, '.1f')} human topics"),
            Cell(
                format_number(one.figure.mean.people, "+.4f"),
                f"[{one.figure.mean.people_low:+.3f}, {one.figure.mean.people_high:+.3f}]",
            ),
        )
        for one in pairs
    )
    columns = (
        "systems", "measure", "difference", "p", "p (Holm)", "λ", "people and machine",
        "people alone",
    )  # fmt: skip
    return Table("", columns, rows, tuple(notes))


def powered_notes(interval: PoweredInterval, level: float, drawn: str) -> list[str]:
    """What the columns are, in words."""
    return [
        "n topics judged by people and by the machine, N further ones by the machine alone; "
        "mean over topics by PPI++ (Angelopoulos, Duchi and Zrnic 2023)",
        "λ: how much the machine is listened to, from 0 (people alone) to 1; worth: as many "
        "topics judged by people alone would give as narrow an interval",
        f"[low, high]: {level:.0%} {INTERVAL_NAMES[interval]}{drawn}",
    ]


def pair_note(level: float) -> str:
    """What the marks say."""
    return f"*: p ≤ {1 - level:.2g}, two-sided, Holm-corrected over the pairs of a measure"
