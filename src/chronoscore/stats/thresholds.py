"""Figures that must reach a bound, or stay within one, for builds: 'align+.f=0.30'."""

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
    """What every system must reach, by one measure and part or by all of them.

    An upper one must not be passed, and is for figures of which less is better.
    """

    bound: float
    measure: str = ""
    upper: bool = False

    @classmethod
    def parse(cls, text: str, *, upper: bool = False) -> "Threshold":
        """Read `0.3` or `align+.f=0.3`.

        >>> Threshold.parse("align+(n=2).f=0.3")
        Threshold(bound=0.3, measure='align+(n=2).f', upper=False)
        """
        name, _, number = text.rpartition("=")
        try:
            bound = float(number)
        except ValueError:
            raise UsageError(
                f"threshold '{text}': write a figure, or a measure and a figure, "
                "such as align+.f=0.3"
            ) from None
        if not math.isfinite(bound):
            raise UsageError(f"threshold '{text}': the figure must be finite")
        return cls(bound, name.strip(), upper)

    def concerns(self, figure: Figure) -> bool:
        """Whether a figure is meant, whichever way is better."""
        if not self.measure:
            return True
        if self.measure in (figure.measure.heading(figure.part), figure.measure.title):
            return True
        asked = parse_measure_text(self.measure)
        return asked.whole == figure.measure.whole and asked.part in (None, figure.part)

    def choose(self, figures: Sequence[Figure]) -> list[Figure]:
        """The figures that are meant: of their parts, those that are better in this direction."""
        meant = [figure for figure in figures if self.concerns(figure)]
        if not meant:
            known = {figure.measure.heading(figure.part) for figure in figures}
            near = did_you_mean(self.measure, sorted(known))
            raise UsageError(f"threshold: no figure '{self.measure}' was scored; {near}")
        direction = -1 if self.upper else 1
        fitting = [one for one in meant if one.measure.direction(one.part) == direction]
        if not fitting:
            less, option = ("more", "fail_under") if self.upper else ("less", "fail_over")
            name = meant[0].measure.heading(meant[0].part)
            raise UsageError(
                f"threshold {self.bound:g}: {less} of '{name}' is better; "
                f"write `{option}={self.measure or name}={self.bound:g}`"
            )
        return fitting


@dataclass(frozen=True)
class FigureCheck:
    """A figure beside the bound that it must reach, or must not pass if that is an upper one."""

    system: str
    name: str
    value: float
    bound: float
    best: float = math.inf
    """The most that the figure can be, or the least if the bound is an upper one."""
    upper: bool = False

    @property
    def short(self) -> bool:
        """Whether it fails; an undefined figure does."""
        return not (self.value <= self.bound if self.upper else self.value >= self.bound)

    def __str__(self) -> str:
        value = "undefined" if math.isnan(self.value) else f"{self.value:.4f}"
        side, extreme = ("over", "least") if self.upper else ("under", "most")
        said = f"{self.system}: {self.name} is {value}, {side} {self.bound:g}"
        if self.bound < self.best if self.upper else self.bound > self.best:
            said += f", which it cannot reach: the {extreme} is {self.best:g}"
        return said


def check(figures: Sequence[Figure], thresholds: Sequence[Threshold]) -> list[FigureCheck]:
    """Every figure that a threshold concerns; one that concerns none is refused."""
    return [
        FigureCheck(
            one.system,
            one.measure.heading(one.part),
            one.value,
            threshold.bound,
            one.measure.bounds(one.part)[0 if threshold.upper else 1],
            threshold.upper,
        )
        for threshold in thresholds
        for one in threshold.choose(figures)
    ]


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
