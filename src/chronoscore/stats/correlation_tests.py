"""Does one measure follow people better than another? Tests of a difference of correlations."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.options.correlation import REDRAWN, Coefficient, Level, Redrawn
from chronoscore.stats.correlation import correlation
from chronoscore.stats.resample import CHUNK
from chronoscore.stats.significance import MOST_EXACT
from chronoscore.stats.statistic import ROUNDING, Numbers


@dataclass(frozen=True)
class SwapTest:
    """The outcome of a permutation test; p is never 0."""

    difference: float
    p: float
    trials: int
    exact: bool


@dataclass(frozen=True)
class WilliamsTest:
    """The outcome of Williams's test."""

    difference: float
    t: float
    p: float
    degrees: int


def permutation_test(
    one: Numbers,
    other: Numbers,
    ratings: Numbers,
    *,
    swapped: Redrawn = "both",
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    trials: int = 1000,
    seed: int = 1,
    one_sided: bool = False,
) -> SwapTest:
    """Swap two measures' scores at random and see how often chance does as well.

    If the measures follow people equally well, it does not matter which of them gave a
    score: whole systems (`systems`), whole topics (`inputs`) or single summaries (`both`)
    change hands. Scores are standardized first, as the measures have different scales.
    With 13 systems or topics to swap, or fewer, every way is tried and p is exact. A
    one-sided p is that of `one` following people better than `other`.
    """
    if swapped not in REDRAWN:
        raise UsageError(f"cannot swap '{swapped}'; {did_you_mean(swapped, REDRAWN)}")
    if trials < 1:
        raise UsageError(f"cannot test with {trials} trials; ask for at least 1")
    one, other, ratings = standardize(one, other, ratings)

    def difference(a: Numbers, b: Numbers) -> Numbers:
        return correlation(a, ratings, level=level, coefficient=coefficient) - correlation(
            b, ratings, level=level, coefficient=coefficient
        )

    observed = float(difference(one, other))
    if np.isnan(observed):
        return SwapTest(nan, nan, 0, False)
    reached = tried = 0
    exact = swapped != "both" and _count_swappable(one.shape, swapped) <= MOST_EXACT
    for coins in _toss_coins(one.shape, swapped, trials, seed):
        found = difference(np.where(coins, other, one), np.where(coins, one, other))
        # Rounding noise must not turn a tie into a loss, nor may an undefined trial.
        if not one_sided:
            reached += int(np.count_nonzero(~(np.abs(found) < abs(observed) - ROUNDING)))
        else:
            # Half of the ways stand for all of them: the others have the opposite difference.
            for mirrored in (found, -found) if exact else (found,):
                reached += int(np.count_nonzero(~(mirrored < observed - ROUNDING)))
        tried += len(coins)
    ways = 2 * tried if exact and one_sided else tried
    p = reached / ways if exact else (reached + 1) / (tried + 1)
    return SwapTest(observed, p, 2 * tried if exact else tried, exact)


def standardize(*values: Numbers) -> tuple[Numbers, ...]:
    """Each array with mean 0 and deviation 1 over the cells that all of them have."""
    together = np.broadcast_arrays(*values)
    lacking = np.any([np.isnan(array) for array in together], axis=0)
    found = []
    for array in together:
        there = array[~lacking]
        spread = float(there.std()) if len(there) else 0.0
        flat = not len(there) or spread <= ROUNDING * float(np.abs(there).max())
        scaled = (array - (there.mean() if len(there) else 0.0)) / (1.0 if flat else spread)
        found.append(np.where(lacking, np.nan, 0.0 if flat else scaled))
    return tuple(found)


def _count_swappable(shape: tuple[int, ...], swapped: Redrawn) -> int:
    """How many things there are to swap."""
    systems, topics = shape
    return {"both": systems * topics, "systems": systems, "inputs": topics}[swapped]


def _toss_coins(
    shape: tuple[int, ...], swapped: Redrawn, trials: int, seed: int
) -> Iterator[NDArray[np.bool_]]:
    """Trial by trial which cells change hands, some trials at a time."""
    systems, topics = shape
    sides = {"both": shape, "systems": (systems, 1), "inputs": (1, topics)}[swapped]
    size = _count_swappable(shape, swapped)
    step = max(1, CHUNK // (systems * topics))
    if swapped != "both" and size <= MOST_EXACT:
        # Swapping everything mirrors a trial, so half of the ways stand for all of them.
        ways = np.arange(2 ** (size - 1))[:, np.newaxis]
        coins = ((ways >> np.arange(size)) & 1).astype(np.bool_)
    else:
        rng = np.random.default_rng(seed)
        coins = rng.integers(0, 2, size=(trials, size), dtype=np.int8).astype(np.bool_)
    for start in range(0, len(coins), step):
        yield coins[start : start + step].reshape(-1, *sides)


def williams_test(
    one: float, other: float, between: float, count: int, *, one_sided: bool = False
) -> WilliamsTest:
    """Test two correlations that share the ratings, from the three correlations alone.

    `one` and `other` are the measures' correlations with the ratings, `between` that of the
    measures with each other, over `count` systems. It holds for Pearson's coefficient of
    about normal values; the permutation tests assume less. A one-sided p is that of `one`
    being the greater correlation.
    """
    if count < 4:
        raise DataError(f"Williams's test of {count} systems is undefined; give at least 4")
    shape = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    mean = (one + other) / 2
    below = 2 * (count - 1) / (count - 3) * shape + mean**2 * (1 - between) ** 3
    if np.isnan(below) or below <= 0:
        # Two measures that order and space the systems alike cannot differ.
        same = abs(one - other) <= ROUNDING
        p = (0.5 if one_sided else 1.0) if same else nan
        return WilliamsTest(one - other, 0.0 if same else nan, p, count - 3)
    t = (one - other) * sqrt((count - 1) * (1 + between) / below)
    # scipy.special is much quicker to import than scipy.stats.
    from scipy.special import stdtr

    tail = float(stdtr(count - 3, -t if one_sided else -abs(t)))
    return WilliamsTest(one - other, t, tail if one_sided else 2 * tail, count - 3)
