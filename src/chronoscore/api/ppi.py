"""Prediction-powered scores: people's on some topics, a machine's on these and on further ones."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from os import PathLike
from typing import TYPE_CHECKING, ClassVar

from chronoscore.api.results import Result, Section, save_plot
from chronoscore.api.scores import ScoreResult
from chronoscore.core import Row
from chronoscore.data.sides import JudgedSide
from chronoscore.errors import (
    DataError,
    UsageError,
    WrongTypeError,
    check_choice,
    describe_type,
    did_you_mean,
    warn,
)
from chronoscore.measures import Measure
from chronoscore.reports import ppi as report
from chronoscore.stats.corpus import rule_for
from chronoscore.stats.ppi import ENOUGH, INTERVALS, PoweredInterval
from chronoscore.stats.ppi_draws import drawn_samples
from chronoscore.stats.ppi_estimates import BothSides, PpiDifference, PpiEstimate
from chronoscore.stats.ppi_samples import Samples, find_samples
from chronoscore.stats.significance import holm

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class PoweredResult(Result):
    """Scores from few topics judged by people and many by a machine: `result["mine", "nu.f"]`."""

    title: ClassVar[str] = "Prediction-powered scores"

    people: ScoreResult
    machine: ScoreResult
    sides: BothSides
    figures: tuple[PpiEstimate, ...]

    def __repr__(self) -> str:
        return f"<PoweredResult: {', '.join(self.people.measures)}; figures: {len(self.figures)}>"

    def __getitem__(self, key: object) -> PpiEstimate:
        """One figure by system and measure, as in `result["mine", "nu.f"]`."""
        match key:
            case (str(system), str() | Measure() as named):
                measure, part = self.people.column(named)
            case _:
                raise WrongTypeError(
                    f"{key!r} names no figure; write result[system, 'measure.part']"
                )
        check_choice(system, self.people.systems, "system")
        for one in self.figures:
            if (one.system, one.measure, one.part) == (system, measure, part):
                return one
        raise UsageError(f"'{measure.title}.{part}' is no mean over items; see the notes")

    def rows(self) -> Sequence[Row]:
        """A record for each system, measure and part."""
        return [one.row() for one in self.figures]

    def sections(self) -> Sequence[Section]:
        """A table for each measure and part."""
        return [("", table) for table in report.score_tables(self.figures, self.notes)]

    @property
    def interval(self) -> PoweredInterval:
        """How intervals are made."""
        return self.sides.interval

    @property
    def notes(self) -> tuple[str, ...]:
        """How the figures were made."""
        how = self.people.resampling
        drawn = f", {how.draws} draws" if self.interval == "bootstrap" else ""
        return (
            *report.powered_notes(self.interval, how.level, drawn),
            *self.sides.samples.notes,
            *(one.describe() for one in self.people.certificates),
            f"signature: {self.signature}",
        )

    @property
    def signature(self) -> str:
        """How the figures were made: both sides' data, and the interval."""
        _, sign, data = self.machine.scores.signature.rpartition("missing:")
        return f"{self.people.signature} ppi:{self.interval}|machine:[{sign}{data}]"

    def compare(self, baseline: str | None = None) -> "PoweredComparison":
        """The differences of all pairs of systems, or of each to the baseline."""
        return _compare_powered(self, baseline)

    def plot(self, measure: str | None = None, path: str | PathLike[str] | None = None) -> "Figure":
        """Plot each system's interval by people alone and with the machine."""
        from chronoscore.reports.plots import intervals

        named = self.people.measures[0] if measure is None else measure
        chosen = self.people.column(named)
        shown = [one for one in self.figures if (one.measure, one.part) == chosen]
        return save_plot(intervals.estimates(shown), path)


@dataclass(frozen=True, repr=False)
class PoweredComparison(Result):
    """Differences from few topics judged by people and many judged by a machine."""

    title: ClassVar[str] = "Prediction-powered comparison"

    powered: PoweredResult
    pairs: tuple[PpiDifference, ...]

    def __repr__(self) -> str:
        return f"<PoweredComparison: pairs: {len(self.pairs)}>"

    def rows(self) -> Sequence[Row]:
        """A record for each pair and measure."""
        return [one.row() for one in self.pairs]

    def sections(self) -> Sequence[Section]:
        """The table of all pairs."""
        level = self.powered.people.resampling.level
        notes = (report.pair_note(level), *self.powered.notes)
        return [("", report.pair_table(self.pairs, notes))]

    def plot(self, measure: str | None = None, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw the difference of every pair with its interval; save it if a path is given."""
        from chronoscore.reports.plots import intervals

        people = self.powered.people
        chosen = people.column(people.measures[0] if measure is None else measure)
        pairs = [
            intervals.DrawnPair(
                one.system, one.other, mean.value, mean.low, mean.high, one.significant
            )
            for one in self.pairs
            if (one.estimate.measure, one.estimate.part) == chosen
            for mean in [one.estimate.mean]
        ]
        figure = intervals.differences(chosen[0].heading(chosen[1]), pairs)
        return save_plot(figure, path)


def power_result(
    people: ScoreResult, machine: ScoreResult | None, interval: PoweredInterval
) -> PoweredResult:
    """Estimate every figure that is a mean over topics."""
    other = people.machine if machine is None else machine
    if other is None:
        raise UsageError("there are no scores by a machine; give `machine`")
    if not isinstance(other, ScoreResult):
        raise WrongTypeError(f"{describe_type(other)} is not a result of score(); give one")
    check_choice(interval, INTERVALS, "interval")
    _check_sides(people, other)
    sides = BothSides(
        people.scores, other.scores, _samples(people, other), interval, people.resampling
    )
    figures = [
        sides.estimate(measure, part, (system,))
        for measure, part in sides.columns()
        for system in people.systems
    ]
    _warn_of_constant(figures)
    _warn_of_zeros(figures)
    return PoweredResult(people, other, sides, tuple(figures))


def _samples(people: ScoreResult, machine: ScoreResult) -> Samples:
    """The topics of which people judged a sample, where texts were kept to see it."""
    if people.collection is None or machine.collection is None:
        return Samples()
    own = JudgedSide(people.collection, list(people.runs))
    other = JudgedSide(machine.collection, list(machine.runs))
    if people.draw is not None:
        return drawn_samples(own, other, people.scores.measures, people.draw)
    return find_samples(own, other, people.scores.measures) if people.sampled else Samples()


def _check_sides(people: ScoreResult, machine: ScoreResult) -> None:
    """Refuse sides that do not speak of the same systems and measures, or of sums over topics."""
    if people.scores.nested or machine.scores.nested:
        raise UsageError(
            "`ppi` takes one run of each system; name every run as a system of its own"
        )
    for what, own, others in (
        ("system", people.systems, machine.systems),
        ("measure", people.measures, machine.measures),
    ):
        for name in own:
            if name not in others:
                raise DataError(
                    f"{what} '{name}' has scores by people and none by the machine; "
                    f"{did_you_mean(name, others)}"
                )
    for measure in people.scores.measures:
        rule = rule_for(measure, people.resampling)
        if rule != "mean":
            raise UsageError(
                f"prediction-powered figures are means over topics and '{measure}' averages by "
                f'{rule}; average with `rule="mean"`'
            )


def _warn_of_constant(figures: Sequence[PpiEstimate]) -> None:
    """Say where a machine tells nothing, as it scores all topics alike."""
    alike = [one for one in figures if one.mean.constant]
    if alike:
        first = alike[0]
        more = f" ({len(alike)} such figures)" if len(alike) > 1 else ""
        warn(
            f"'{first.system}', {first.measure.title}.{first.part}: the machine gives all topics "
            f"that people judged the same score, so it tells nothing and λ is 0{more}",
            kind="constant-machine-scores",
        )


def _warn_of_zeros(figures: Sequence[PpiEstimate]) -> None:
    """Say where topics are so few and so often 0 that intervals are too narrow."""
    means = [one.mean for one in figures]
    scarce = [one for one in means if one.topics < ENOUGH and 2 * one.zeros > one.topics]
    if scarce:
        warn(
            f"{scarce[0].zeros} of {scarce[0].topics} topics are scored 0 by people: with so few "
            f"others the interval is too narrow; let people judge at least {ENOUGH} topics",
            kind="few-topics-many-zeros",
        )


def _compare_powered(powered: PoweredResult, baseline: str | None) -> PoweredComparison:
    """Estimate the difference of every pair, with Holm's correction for each measure and part."""
    systems = powered.people.systems
    if len(systems) < 2:
        raise UsageError(f"cannot compare {len(systems)} system; give at least two")
    if baseline is not None:
        check_choice(baseline, systems, "baseline")
    chosen = [
        (one, other) if baseline is None else (one if one != baseline else other, baseline)
        for one, other in combinations(systems, 2)
        if baseline is None or baseline in (one, other)
    ]
    pairs: list[PpiDifference] = []
    for measure, part in powered.sides.columns():
        if part in measure.compared_parts:
            pairs += _compare_pairs(powered, measure, part, chosen)
    return PoweredComparison(powered, tuple(pairs))


def _compare_pairs(
    powered: PoweredResult, measure: Measure, part: str, chosen: Sequence[tuple[str, str]]
) -> Iterator[PpiDifference]:
    """All pairs on one figure."""
    figures = [powered.sides.estimate(measure, part, pair) for pair in chosen]
    _warn_of_constant(figures)
    adjusted = holm([one.mean.p for one in figures])
    least = 1 - powered.people.resampling.level
    for (system, other), figure, p in zip(chosen, figures, adjusted.tolist(), strict=True):
        yield PpiDifference(system, other, figure, p, not math.isnan(p) and p <= least)
