"""Prediction-powered means: few topics judged by people, many by a machine (PPI++).

Angelopoulos, Duchi and Zrnic (2023). With scores y by people and f by the machine on n topics,
and f alone on N further topics, the estimate is λ · mean of f over the N + mean of (y − λ f)
over the n; λ is the weight of the machine's scores. For a given λ it is unbiased whatever the
machine does. λ is fitted to the same topics, which costs a degree of freedom: the variance of what
is left over is that of n − 2, and so are the degrees of Student's interval.
"""

from dataclasses import dataclass
from functools import partial
from math import nan
from statistics import NormalDist
from typing import Literal, TypeAlias, get_args

import numpy as np

from chronoscore.errors import DataError, check_level, number_with_noun
from chronoscore.measures.measure import ANY_NUMBER, Bounds
from chronoscore.stats import student
from chronoscore.stats.intervals import student_bounds
from chronoscore.stats.resample import bootstrap_draws, percentile_interval
from chronoscore.stats.statistic import ROUNDING, Numbers

PoweredInterval: TypeAlias = Literal["t", "bootstrap", "normal"]
INTERVALS: tuple[PoweredInterval, ...] = get_args(PoweredInterval)
ENOUGH = 8
"""Topics below which scores that are mostly 0 make intervals too narrow."""
FEWEST = 5
"""Topics judged by people and by the machine, below which nothing is estimated."""


@dataclass(frozen=True, kw_only=True)
class PoweredMean:
    """A mean from people's and a machine's scores, beside the mean of people alone.

    `weight` is λ: 0 is people alone, 1 takes the machine at its word. `p` is two-sided, for a
    mean of 0, which is of use for differences.
    """

    value: float
    low: float
    high: float
    p: float
    weight: float
    topics: int
    further: int
    variance: float
    people: float
    people_low: float
    people_high: float
    people_variance: float
    zeros: int = 0
    """How many of the topics people scored 0."""
    constant: bool = False
    """Whether the machine gave all topics of the people the same score, so that λ is 0."""
    outside: bool = False
    """Whether the estimate left its bounds, so that it is people alone's."""
    beyond: bool = False
    """Whether the estimate from a sample left its bounds, so that it is set to the nearer one."""

    @property
    def worth(self) -> float:
        """How many topics people alone would have to judge for a variance as small."""
        if self.variance > 0:
            return self.topics * self.people_variance / self.variance
        return float("inf") if self.people_variance > 0 else float(self.topics)


def powered_mean(
    people: Numbers,
    machine: Numbers,
    further: Numbers,
    *,
    alone: Numbers | None = None,
    bounds: Bounds = ANY_NUMBER,
    interval: PoweredInterval = "t",
    level: float = 0.95,
    times: int = 1000,
    seed: int = 1,
) -> PoweredMean:
    """Estimate a mean from topics that people and a machine judged, and further ones it judged.

    `people` and `machine` are scores of the same n topics, `further` the machine's scores of
    the N others. The interval is Student's on the scale that the bounds ask for, or the
    bootstrap's over topics, or `normal`, as ppi-python computes it. `alone` are the people's own
    scores where `people` are already corrected within topics; then there may be no further topic.
    An estimate that is not between the bounds is replaced by people alone's.

    >>> y, f = np.array([0.2, 0.4, 0.5, 0.7, 0.9]), np.array([0.3, 0.4, 0.6, 0.7, 0.8])
    >>> found = powered_mean(y, f, np.linspace(0.1, 0.9, 50))
    >>> round(found.value, 3), round(found.weight, 3), round(found.worth, 1)
    (0.497, 0.722, 14.5)
    """
    check_level(level)
    y, f, extra = (np.asarray(array, dtype=np.float64) for array in (people, machine, further))
    _check_scores(y, f, extra, further_needed=alone is None)
    own = y if alone is None else np.asarray(alone, dtype=np.float64)
    if not len(extra):
        # Nothing but the people's topics: the machine helped within them only.
        f, extra = np.zeros_like(y), np.zeros(1)
    weight, constant = _power_tuning(y, f, extra)
    fitted = int(not constant)
    divisor = 0 if interval == "normal" else 1
    mean, variance = _combined(y, f, extra, weight, divisor + (fitted if divisor else 0))
    own_mean, own_variance = float(own.mean()), float(own.var(ddof=divisor)) / len(own)
    if interval == "bootstrap":
        resample = partial(_bootstrap_bounds, extra=extra, level=level, times=times, seed=seed)
        ends, own_ends = resample(y, f), resample(own, np.zeros(len(own)))
    else:
        spread = partial(_powered_interval, level=level, interval=interval, bounds=bounds)
        ends = spread(mean, variance, len(y) - 1 - fitted)
        own_ends = spread(own_mean, own_variance, len(own) - 1)
    outside = weight > 0 and not bounds[0] < mean < bounds[1]
    if outside:
        mean, variance, ends, weight = own_mean, own_variance, own_ends, 0.0
    beyond = alone is not None and not outside and not bounds[0] <= mean <= bounds[1]
    if beyond:
        # Weights of drawn items may leave the range; on a plain scale there is an interval.
        plain = _powered_interval(
            mean, variance, len(y) - 1 - fitted, level=level, interval="t", bounds=ANY_NUMBER
        )
        low, high = (float(np.clip(one, *bounds)) for one in plain[:2])
        ends = low, high, plain[2]
        mean = float(np.clip(mean, *bounds))
    return PoweredMean(
        value=mean,
        low=ends[0],
        high=ends[1],
        p=ends[2],
        weight=weight,
        topics=len(y),
        further=len(further),
        variance=variance,
        people=own_mean,
        people_low=own_ends[0],
        people_high=own_ends[1],
        people_variance=own_variance,
        zeros=int(np.count_nonzero(own == 0)),
        constant=constant and len(further) > 0,
        outside=outside,
        beyond=beyond,
    )


def _combined(
    y: Numbers, f: Numbers, extra: Numbers, weight: float, divisor: int
) -> tuple[float, float]:
    """The estimate of the mean for a λ, and its variance, `divisor` degrees being spent."""
    rest = y - weight * f
    machine_variance = (
        float(extra.var(ddof=min(divisor, 1))) / len(extra) if len(extra) > 1 else 0.0
    )
    variance = weight**2 * machine_variance + float(rest.var(ddof=divisor)) / len(y)
    return float(weight * extra.mean() + rest.mean()), variance


def _check_scores(y: Numbers, f: Numbers, extra: Numbers, *, further_needed: bool = True) -> None:
    """Refuse scores from which no valid interval can be computed."""
    for name, array in (("people", y), ("machine", f), ("further", extra)):
        if array.ndim != 1 or not np.isfinite(array).all():
            raise DataError(f"scores '{name}' must be a list of finite numbers; leave out others")
    if len(y) != len(f):
        raise DataError(
            f"{len(y)} scores by people and {len(f)} by the machine; give both for each topic"
        )
    if not len(y):
        raise DataError(
            "no topic is judged both by people and by the machine; "
            f"let the machine judge at least {FEWEST} of the people's topics"
        )
    if len(y) < FEWEST:
        raise DataError(
            f"{number_with_noun(len(y), 'topic is', 'topics are')} judged both by people and "
            f"by the machine; prediction-powered figures need at least {FEWEST}"
        )
    if not len(extra) and further_needed:
        raise DataError(
            "no further topic is judged by the machine alone, so it adds nothing to the people's "
            "figures; let it judge more topics, or leave out `ppi`"
        )


def _power_tuning(y: Numbers, f: Numbers, extra: Numbers) -> tuple[float, bool]:
    """The λ of least variance, between 0 and 1, and whether it is 0 as all f are the same."""
    every = np.concatenate([f, extra])
    if np.ptp(f) <= ROUNDING * np.abs(f).max():
        return 0.0, True
    covariance = float(np.mean((y - y.mean()) * (f - f.mean())))
    spread = (1 + len(y) / len(extra)) * float(every.var(ddof=1))
    return float(np.clip(covariance / spread, 0.0, 1.0)), False


def _powered_interval(
    value: float,
    variance: float,
    degrees: int,
    *,
    level: float,
    interval: PoweredInterval,
    bounds: Bounds,
) -> tuple[float, float, float]:
    """The interval by the distribution of t or by the normal one, and p for a value of 0.

    Without any spread, or for a value at a bound, there is no interval.
    """
    error = float(np.sqrt(variance))
    if not error > ROUNDING * abs(value) or not bounds[0] < value < bounds[1]:
        return nan, nan, 1.0 if value == 0 else nan
    if interval == "normal":
        normal = NormalDist()
        reach = normal.inv_cdf((1 + level) / 2) * error
        return value - reach, value + reach, 2 * normal.cdf(-abs(value) / error)
    low, high = student_bounds(
        np.array([value]), np.array([error]), np.array([degrees]), level, [bounds]
    )
    return float(low[0]), float(high[0]), student.p_value(value / error, degrees)


def _bootstrap_bounds(
    y: Numbers, f: Numbers, extra: Numbers, *, level: float, times: int, seed: int
) -> tuple[float, float, float]:
    """The percentile interval over draws of people's topics and, apart, of further ones, and p.

    λ is tuned again in each draw. With few topics percentiles are too narrow, so the tails are
    those that make the interval of a normal mean as wide as Student's.
    """
    from scipy.special import ndtr, stdtrit

    n = len(y)
    # Two seeds: the same one would draw the same places of two lists of the same length.
    samples = _resample(
        y, f, extra, bootstrap_draws(n, times, seed), bootstrap_draws(len(extra), times, seed + 1)
    )
    tail = float(ndtr(stdtrit(n - 1, (1 - level) / 2) * np.sqrt(n / (n - 1))))
    low, high = percentile_interval(samples, 1 - 2 * tail)
    below, above = np.count_nonzero(samples <= 0), np.count_nonzero(samples >= 0)
    p = min(1.0, 2 * (min(below, above) + 1) / (times + 1))
    return float(low), float(high), p


def _resample(
    y: Numbers, f: Numbers, extra: Numbers, own: np.ndarray, others: np.ndarray
) -> Numbers:
    """The estimate of every draw, from how often it has each topic."""
    n, size = len(y), len(extra)
    # Taken from the middle, so that squares of large scores lose no digits.
    middle = float(np.concatenate([f, extra]).mean())
    g, more = f - middle, extra - middle
    mean_y, mean_f, mean_yf = own @ y / n, own @ g / n, own @ (y * g) / n
    mean_more = others @ more / size
    covariance = mean_yf - mean_y * mean_f
    mean_all = (n * mean_f + size * mean_more) / (n + size)
    squares = (own @ (g * g) + others @ (more * more)) / (n + size)
    spread = (1 + n / size) * (squares - mean_all**2) * (n + size) / (n + size - 1)
    noise = ROUNDING * max(float(np.abs(f).max()), float(np.abs(extra).max())) ** 2
    tuned = np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > noise)
    weight = np.clip(tuned, 0.0, 1.0)
    found: Numbers = weight * mean_more + mean_y - weight * mean_f
    return found
