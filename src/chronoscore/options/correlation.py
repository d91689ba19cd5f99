"""How measures are correlated with ratings, tested against each other, and fitted to ratings."""

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from chronoscore.options.declare import Options, option, positive, share

Coefficient: TypeAlias = Literal[
    "pearson", "spearman", "kendall", "kendall-a", "kendall-b", "kendall-c"
]
IntervalKind: TypeAlias = Literal["centered", "percentile"]
Level: TypeAlias = Literal["system", "summary", "global"]
PointWeighting: TypeAlias = Literal["bisquare", "huber", "none"]
Redrawn: TypeAlias = Literal["both", "systems", "inputs"]
Split: TypeAlias = Literal["halves", "disjoint"]
Splits: TypeAlias = Literal["halves", "disjoint", "both"]
Test: TypeAlias = Literal["perm-both", "perm-systems", "perm-inputs", "williams"]
Who: TypeAlias = Literal["machines", "humans", "all"]

COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
INTERVALS: tuple[IntervalKind, ...] = get_args(IntervalKind)
LEVELS: tuple[Level, ...] = get_args(Level)
REDRAWN: tuple[Redrawn, ...] = get_args(Redrawn)
SPLITS: tuple[Split, ...] = get_args(Split)
TESTS: tuple[Test, ...] = get_args(Test)
WHO: tuple[Who, ...] = get_args(Who)


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Options):
    """What is resampled, how often, and what share of the draws an interval keeps.

    `both` says how the correlation would vary with other systems on other topics, `inputs`
    with the same systems on other topics, `systems` the other way round.

    A mean over topics that were drawn twice over is noisier than the mean itself, so draws
    correlate less than the observed scores do. A `percentile` interval, as published,
    inherits that and may miss the truth far too often; a `centered` one is as wide, but lies
    about the observed value.
    """

    example: ClassVar[str] = "Bootstrap(redrawn='systems', times=1000)"

    redrawn: Redrawn = option(
        "both", "What is resampled for an interval.", group="statistics", name="bootstrap"
    )
    kind: IntervalKind = option(
        "centered",
        "Centered on the value, or the plain percentiles that are published, which miss more.",
        group="statistics",
        name="interval",
    )
    times: int = option(1000, "Bootstrap draws.", group="statistics", name="resamples")
    level: float = option(0.95, "Confidence level of intervals.", group="statistics", check=share)
    seed: int = option(1, "Seed of all resampling.", group="statistics", least=0)


@dataclass(frozen=True, kw_only=True)
class CorrelationTest(Options):
    """How measures are tested against each other, if at all.

    `perm-systems` and `williams` speak of systems in general. `perm-both` and `perm-inputs`
    speak of these systems only, and find differences that other systems would not show.
    One-sided, p is that of the first measure following people better, and every pair is tested
    in both orders. Williams's test compares absolute correlations, unless `signed`.
    """

    test: Test | None = option(
        None,
        "Test measures against each other; perm-both and -inputs are about these systems only.",
        group="common",
    )
    trials: int = option(1000, "Swaps of a perm- test.", group="statistics")
    baseline: str | None = option(
        None, "With a test: compare every measure with this one only.", group="statistics"
    )
    one_sided: bool = option(
        False, "With a test: whether the first of two measures is better.", group="statistics"
    )
    signed: bool = option(
        False, "With williams: compare r itself; |r| is usual, as at WMT.", group="statistics"
    )


TUNINGS: dict[PointWeighting, float] = {"bisquare": 4.685, "huber": 1.345, "none": 1.0}
"""Beyond this distance points are down-weighted; clean data then lose 5 % of the efficiency."""


@dataclass(frozen=True, kw_only=True)
class Fitting(Options):
    """How a fit is made; the defaults are those of the published coefficients.

    `leverage` gives points that pull the fit towards themselves their true distance, and
    `drop` leaves the residuals that the fit makes small by itself out of the scale. With
    both off the fit is the M-estimator of statsmodels.
    """

    example: ClassVar[str] = "Fitting(weighting='huber')"

    weighting: PointWeighting = option(
        "bisquare", "How outlying systems are down-weighted.", group="statistics"
    )
    tuning: float | None = option(
        None,
        "Beyond this distance, in scales, systems are down-weighted.",
        group="statistics",
        check=positive,
    )
    leverage: bool = option(
        True,
        "Correct for systems that pull the fit towards themselves.",
        group="statistics",
    )
    drop: bool = True

    @property
    def threshold(self) -> float:
        """The tuning that was asked for, or the weighting's default."""
        return self.tuning or TUNINGS[self.weighting]


@dataclass(frozen=True, kw_only=True)
class NoveltyStudy(Options):
    """How predictions are tried on systems that were not fitted."""

    draws: int = option(1000, "Draws of systems.", group="statistics")
    split: Splits = option(
        "both",
        "Halves that share systems, as published, or disjoint ones.",
        group="statistics",
    )
    level: float = option(0.95, "Confidence level of intervals.", group="statistics", check=share)
    seed: int = option(1, "Seed of all draws.", group="statistics", least=0)

    @property
    def splits(self) -> tuple[Split, ...]:
        """The splits one by one."""
        return SPLITS if self.split == "both" else (self.split,)
