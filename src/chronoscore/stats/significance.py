"""Is the difference between two systems more than chance? Paired tests over topics."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chronoscore.errors import DataError, UsageError
from chronoscore.stats.resample import CHUNK
from chronoscore.stats.statistic import (
    ROUNDING,
    MeanStatistic,
    Numbers,
    mean_statistic,
    statistic_by_topic,
)

# Up to this many topics every way to swap is tried: 2^13 = 8,192.
MOST_EXACT = 13
# Figures of pairs that are computed at once: few enough to stay in the processor's cache.
CACHED = 32_768


@dataclass(frozen=True)
class RandomizationTest:
    """The outcome of a randomization test; p is two-sided and never 0.

    An undefined difference has an undefined p.
    """

    difference: float
    p: float
    trials: int
    exact: bool


def smallest_p(trials: int, *, exact: bool) -> float:
    """Give the smallest p that a randomization test can come to, however large the difference.

    >>> smallest_p(8, exact=True), smallest_p(9999, exact=False)
    (0.25, 0.0001)
    """
    return min(1.0, 2 / trials) if exact else 1 / (trials + 1)


def randomization_test(
    a: Numbers, b: Numbers, statistic: MeanStatistic, *, trials: int = 9999, seed: int = 0
) -> RandomizationTest:
    """Swap the two systems topic by topic and see how often chance does as well.

    Whole records are swapped and the statistic computed again. With 13 topics or
    fewer every way to swap is tried and p is exact. Otherwise the observed
    labeling counts as a trial: the smallest p that can be reported is
    1 / (trials + 1).
    """
    return randomization_tests(_stack(a, b), [(0, 1)], statistic, trials=trials, seed=seed)[0]


def randomization_tests(
    records: Numbers,
    pairs: Sequence[tuple[int, int]],
    statistic: MeanStatistic,
    *,
    trials: int = 9999,
    seed: int = 0,
) -> list[RandomizationTest]:
    """Run `randomization_test` on many pairs out of (systems, topics, columns) at once."""
    topics = records.shape[1]
    if topics < 1:
        raise DataError("no topics to test on; score at least one")
    if trials < 1:
        raise UsageError(f"cannot test with {trials} trials; ask for at least 1")
    exact = topics <= MOST_EXACT
    values = statistic(records)
    bars = _bars(records, values, pairs, statistic)
    reached = np.zeros(len(pairs), dtype=np.int64)
    for numbers, one, other in (
        figures
        for swaps in _swap_blocks(topics, trials, seed)
        for figures in _swap_records(records, pairs, statistic, swaps)
    ):
        apart = one - other
        below = np.abs(apart, out=apart) < bars[numbers, np.newaxis]
        reached[numbers] += below.shape[1] - np.count_nonzero(below, axis=1)
    # Swapping all topics mirrors a trial, so half of the ways stood for all of them.
    p = reached / 2 ** (topics - 1) if exact else (reached + 1) / (trials + 1)
    tried = 2**topics if exact else trials
    differences = [float(values[i] - values[j]) for i, j in pairs]
    return [
        RandomizationTest(difference, nan if isnan(difference) else float(chance), tried, exact)
        for difference, chance in zip(differences, p, strict=True)
    ]


def _bars(
    records: Numbers, values: Numbers, pairs: Sequence[tuple[int, int]], statistic: MeanStatistic
) -> Numbers:
    """The difference that a trial of each pair must reach; a tie reaches it whatever is rounded.

    Nor may an undefined trial count as a smaller difference.
    """
    sizes = np.abs(statistic_by_topic(records, statistic))
    scale = np.fmax(np.abs(values), np.where(np.isnan(sizes), 0.0, sizes).mean(axis=1))
    i, j = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    bars: Numbers = np.abs(values[i] - values[j]) - ROUNDING * np.fmax(scale[i], scale[j])
    return bars


def holm(p_values: ArrayLike) -> Numbers:
    """Adjust p-values so that the whole family is wrong no more often than one test is.

    An undefined p stays undefined and does not count towards the family.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    defined = np.flatnonzero(~np.isnan(p))
    order = defined[np.argsort(p[defined], kind="stable")]
    stricter = p[order] * np.arange(len(order), 0, -1)
    adjusted = np.full_like(p, np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(stricter))
    return adjusted


def benjamini_yekutieli(p_values: ArrayLike) -> Numbers:
    """Adjust p-values to bound the share of false discoveries, however the tests depend.

    >>> benjamini_yekutieli([0.01, 0.04, 0.03]).round(4).tolist()
    [0.055, 0.0733, 0.0733]
    """
    p = np.asarray(p_values, dtype=np.float64)
    ranks = np.arange(1, len(p) + 1)
    order = np.argsort(p, kind="stable")
    stricter = p[order] * (len(p) * (1 / ranks).sum()) / ranks
    adjusted = np.empty_like(p)
    # The largest p first: no p may be adjusted to more than a larger one.
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(stricter[::-1])[::-1])
    return adjusted


def _stack(a: Numbers, b: Numbers) -> Numbers:
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 2:
        raise DataError(
            f"records of shape {a.shape} and {b.shape} make no pairs; "
            "give both systems one row for each topic"
        )
    return np.stack([a, b])


def _swap_blocks(topics: int, trials: int, seed: int) -> Iterator[Numbers]:
    """The rows of `_swaps`, in blocks where all of them would need too much memory."""
    if topics <= MOST_EXACT or topics * trials <= CHUNK:
        yield _swaps(topics, trials, seed)
        return
    rng = np.random.default_rng(seed)
    # Coins are drawn four at a time, so that only blocks of whole fours are the same coins.
    blocks = max(1, min(trials // 8, -(-trials * topics // CHUNK)))
    starts = [*(trials * block // blocks // 4 * 4 for block in range(blocks)), trials]
    for start, end in pairwise(starts):
        coins = rng.integers(0, 2, size=(end - start, topics), dtype=np.int8)
        yield coins.astype(np.float64)


@lru_cache(maxsize=2)
def _swaps(topics: int, trials: int, seed: int) -> Numbers:
    """Say trial by trial which topics are swapped (1) or left (0); all ways if they are few."""
    if topics <= MOST_EXACT:
        ways = np.arange(2 ** (topics - 1))[:, np.newaxis]
        return ((ways >> np.arange(topics)) & 1).astype(np.float64)
    coins = np.random.default_rng(seed).integers(0, 2, size=(trials, topics), dtype=np.int8)
    return coins.astype(np.float64)


def _swap_records(
    records: Numbers, pairs: Sequence[tuple[int, int]], statistic: MeanStatistic, swaps: Numbers
) -> Iterator[tuple[list[int], Numbers, Numbers]]:
    """Give the two figures of some pairs at a time under some swaps: (pairs, trials) each."""
    systems, topics, columns = records.shape
    means = records.mean(axis=1)[:, np.newaxis]
    partners: dict[int, list[int]] = {}
    for number, (i, _) in enumerate(pairs):
        partners.setdefault(i, []).append(number)
    most = max(map(len, partners.values()), default=1)
    step = max(1, min(CHUNK // (systems * columns), CACHED // most))
    for start in range(0, len(swaps), step):
        # What each system gives away in each trial, and keeps, serves all pairs that it is in.
        gives = _by_column(records / topics, swaps[start : start + step])
        keeps = means - gives
        for i, numbers in partners.items():
            others = [pairs[number][1] for number in numbers]
            near = others[-1] - others[0] == len(others) - 1
            chosen = slice(others[0], others[-1] + 1) if near else others
            yield (
                numbers,
                statistic.function(keeps[i] + gives[chosen]),
                statistic.function(keeps[chosen] + gives[i]),
            )


def _by_column(records: Numbers, weights: Numbers) -> NDArray[np.float64]:
    """Weigh and add up topics: (systems, trials, columns), each column one block of memory."""
    return np.swapaxes(np.swapaxes(records, -1, -2) @ weights.T, -1, -2)


def sign_test(a: Numbers, b: Numbers) -> float:
    """Give the exact two-sided p of the sign test over topics, ties left out.

    >>> sign_test(np.arange(8.0) + 1, np.arange(8.0))
    0.0078125
    """
    # scipy.stats is slow to import; only a caller of these tests pays for it.
    from scipy.stats import binomtest

    differences = _untied_differences(a, b)
    if not len(differences):
        return 1.0
    return float(binomtest(int((differences > 0).sum()), len(differences)).pvalue)


def signed_rank_test(a: Numbers, b: Numbers) -> float:
    """Give the two-sided p of Wilcoxon's signed-rank test over topics, ties left out.

    Exact with 13 topics or fewer even where two differences are the same size,
    and up to 50 where none are; the normal approximation beyond.
    """
    from scipy.stats import rankdata, wilcoxon

    # Differences that only rounding tells apart must share a rank.
    differences = _untied_differences(a, b)
    if not len(differences):
        return 1.0
    digits = 9 - int(np.floor(np.log10(np.abs(differences).max())))
    differences = np.round(differences, digits)
    if len(differences) <= MOST_EXACT:
        ranks = np.sign(differences) * rankdata(np.abs(differences))
        return randomization_test(
            ranks[:, np.newaxis], np.zeros((len(ranks), 1)), mean_statistic()
        ).p
    return float(wilcoxon(differences, method="auto").pvalue)


def _untied_differences(a: Numbers, b: Numbers) -> Numbers:
    differences = a - b
    return differences[np.abs(differences) > ROUNDING * np.maximum(np.abs(a), np.abs(b))]
