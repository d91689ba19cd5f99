"""How sure a corpus figure is, from what each topic adds to it.

The standard error is the jackknife's: how far the figure moves when one topic is left out, which
is a subtraction from the sums, whatever the averaging rule. The interval is Student's with n − 1
degrees of freedom: on the logit scale for a figure between two bounds, on the log scale for one
above a bound, on the plain scale for others and for differences. There it cannot leave the bounds,
and few topics cost less coverage (docs/trust.md). The percentile bootstrap is the other choice.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.measures.measure import ANY_NUMBER, Bounds
from chronoscore.options import Resampling
from chronoscore.stats import student
from chronoscore.stats.resample import CHUNK, bootstrap_sums, percentile_interval
from chronoscore.stats.statistic import ROUNDING, Numbers

Finish: TypeAlias = Callable[[Numbers], Numbers]
"""Summed contributions (…, columns) in, figures (…, parts) out."""


Scale: TypeAlias = Literal["logit", "log", "plain"]


def scale_between(lower: float, upper: float) -> Scale:
    """The scale on which the interval of a figure between two bounds is Student's.

    >>> scale_between(0.0, 1.0), scale_between(0.0, float("inf"))
    ('logit', 'log')
    """
    if not np.isfinite(lower):
        return "plain"
    return "logit" if np.isfinite(upper) else "log"


class Estimates(NamedTuple):
    """Figures (…, parts) with their intervals, nan where topics show no spread."""

    values: Numbers
    low: Numbers
    high: Numbers


def estimate(
    contributions: Numbers,
    finish: Finish,
    how: Resampling,
    *,
    counts: NDArray[np.intp] | int,
    bounds: Sequence[Bounds] = (ANY_NUMBER,),
) -> Estimates:
    """The figures of contributions (…, topics, columns), with intervals over topics.

    `counts` says on how many topics each figure rests, and `bounds` between what each part lies.
    """
    values = finish(contributions.sum(axis=-2))
    counts = np.broadcast_to(counts, values.shape)
    if how.interval == "bootstrap":
        low, high = _bootstrap_bounds(contributions, finish, how)
    else:
        errors = jackknife_errors(contributions, finish, counts)
        low, high = student_bounds(values, errors, counts - 1, how.level, bounds)
    lower, upper = np.array(bounds).T
    unsure = (counts < 2) | ~(high - low > ROUNDING * np.abs(values))
    unsure |= (values <= lower) | (values >= upper)
    return Estimates(values, np.where(unsure, np.nan, low), np.where(unsure, np.nan, high))


def jackknife_errors(
    contributions: Numbers, finish: Finish, counts: NDArray[np.intp] | int
) -> Numbers:
    """The standard errors of figures: (…, topics, columns) to (…, parts)."""
    topics, columns = contributions.shape[-2:]
    total = contributions.sum(axis=-2)
    squares = np.zeros_like(finish(total))
    if topics < 2:
        return squares * np.nan
    step = max(1, CHUNK // (columns * int(np.prod(contributions.shape[:-2]))))
    for start in range(0, topics, step):
        block = contributions[..., start : start + step, :]
        squares += (changes_without(block, total, topics, finish) ** 2).sum(axis=-2)
    counts = np.maximum(counts, 1)
    errors: Numbers = np.sqrt(squares * (counts - 1) / counts)
    return errors


def changes_without(block: Numbers, total: Numbers, topics: int, finish: Finish) -> Numbers:
    """How the figures move as each topic of a block is left out: (…, topics[, parts]).

    What is left is scaled to the number of topics, so that sums are comparable as well.
    """
    left = (total[..., np.newaxis, :] - block) * (topics / (topics - 1))
    return finish(left) - finish(total[..., np.newaxis, :])


def student_bounds(
    values: Numbers,
    errors: Numbers,
    degrees: NDArray[np.intp],
    level: float,
    bounds: Sequence[Bounds] = (ANY_NUMBER,),
) -> tuple[Numbers, Numbers]:
    """Student's interval of each figure, its error carried to the scale by the delta method.

    >>> low, high = student_bounds(np.array([0.9]), np.array([0.05]), np.array([9]), 0.95, [(0, 1)])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.719], [0.969])
    """
    lower, upper = np.array(bounds, dtype=np.float64).T
    reach = student.quantiles(level, degrees) * errors
    inside = np.isfinite(lower) & (lower < values) & (values < upper)
    # Where there is no upper bound, the logit is the logarithm.
    closed = np.isfinite(upper)
    with np.errstate(all="ignore"):
        above, below = values - lower, upper - values
        share_above = np.where(closed, above / (upper - lower), 0.0)
        share_below = np.where(closed, below / (upper - lower), 1.0)
        stretch = np.exp(reach * (1 / above + 1 / below))
        low = lower + above / stretch / (share_below + share_above / stretch)
        high = lower + above / (share_below / stretch + share_above)
    return np.where(inside, low, values - reach), np.where(inside, high, values + reach)


def _bootstrap_bounds(
    contributions: Numbers, finish: Finish, how: Resampling
) -> tuple[Numbers, Numbers]:
    """The percentile interval of each figure over the draws where it is defined."""
    samples = np.moveaxis(finish(bootstrap_sums(contributions, how.draws, how.seed)), -2, -1)
    found = np.full((2, *samples.shape[:-1]), np.nan)
    for place in np.ndindex(samples.shape[:-1]):
        defined = samples[place][~np.isnan(samples[place])]
        if len(defined):
            found[(slice(None), *place)] = percentile_interval(defined, how.level)
    return found[0], found[1]
