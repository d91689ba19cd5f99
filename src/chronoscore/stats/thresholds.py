"""Figures that must not fall short, for builds: 'align+.f=0.30'."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures import parse_measure_text
from chronoscore.stats.corpus import Average
from chronoscore.stats.ppi_estimates import PpiEstimate

Figure: TypeAlias = Average | PpiEstimate


@dataclass(frozen=True)
class Threshold:
    """What every system must reach, by one measure and part or by all of them."""

    least: float
    measure: str = ""

    @classmethod
    def parse(cls, text: str) -> "Threshold":
        """Read `0.3` or `align+.f=0.3`.

        >>> Threshold.parse("align+(n=2).f=0.3")
        Threshold(least=0.3, measure='align+(n=2).f')
        """
        name, _, number = text.rpartition("=")
        try:
            least = float(number)
        except ValueError:
            raise UsageError(
                f"threshold '{text}': write a figure, or a measure and a figure, "
                "such as align+.f=0.3"
            ) from None
        if not math.isfinite(least):
            raise UsageError(f"threshold '{text}': the figure must be finite")
        return cls(least, name.strip())

    def concerns(self, figure: Figure) -> bool:
        """Whether a figure is meant."""
        if not self.measure:
            return True
        if self.measure in (figure.measure.heading(figure.part), figure.measure.title):
            return True
        asked = parse_measure_text(self.measure)
        return asked.whole == figure.measure.whole and asked.part in (None, figure.part)


@dataclass(frozen=True)
class FigureCheck:
    """A figure beside what it must reach."""

    system: str
    name: str
    value: float
    least: float
    most: float = math.inf
    """The most that the figure can be."""

    @property
    def short(self) -> bool:
        """Whether it falls short; an undefined figure does."""
        return not self.value >= self.least

    def __str__(self) -> str:
        value = "undefined" if math.isnan(self.value) else f"{self.value:.4f}"
        said = f"{self.system}: {self.name} is {value}, under {self.least:g}"
        if self.least > self.most:
            said += f", which it cannot reach: the most is {self.most:g}"
        return said


def check(figures: Sequence[Figure], thresholds: Sequence[Threshold]) -> list[FigureCheck]:
    """Every figure that a threshold concerns; one that concerns none is refused."""
    checked = []
    for threshold in thresholds:
        meant = [figure for figure in figures if threshold.concerns(figure)]
        if not meant:
            known = {figure.measure.heading(figure.part) for figure in figures}
            near = did_you_mean(threshold.measure, sorted(known))
            raise UsageError(f"threshold: no figure '{threshold.measure}' was scored; {near}")
        checked += [
            FigureCheck(
                one.system,
                one.measure.heading(one.part),
                one.value,
                threshold.least,
                one.measure.bounds(one.part)[1],
            )
            for one in meant
        ]
    return checked


@dataclass(frozen=True)
class RegressionCheck:
    """Whether a system is lower than another by more than it may be."""

    system: str
    name: str
    other: str
    difference: float
    """How much lower it is."""
    low: float
    """The lower end of the interval of that; undefined on one topic."""
    tolerance: float
    strict: bool = False

    @property
    def lower(self) -> bool:
        """Whether it is lower by more than it may be; an undefined difference counts as such."""
        return not self.difference <= self.tolerance

    @property
    def short(self) -> bool:
        """Whether it is, and more than chance is at work unless the check is strict."""
        return self.lower and (self.strict or math.isnan(self.difference) or self.low > 0)

    @property
    def undecided(self) -> bool:
        """Whether it is lower, but nothing says whether by chance."""
        return self.lower and not self.strict and math.isnan(self.low)

    def __str__(self) -> str:
        by = "undefined" if math.isnan(self.difference) else f"{self.difference:.4f}"
        said = f"{self.system}: {self.name} is {by} lower than that of {self.other}"
        if not self.short:
            return f"{said}, and one topic cannot say whether by chance"
        return f"{said}, more than {self.tolerance:g}"
