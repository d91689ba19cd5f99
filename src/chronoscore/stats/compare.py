"""Compare systems with each other or with a baseline: tests, intervals and effect sizes.

All pairs are one family, for which p-values are corrected.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import copysign, isnan, nan

import numpy as np
from numpy.typing import NDArray

from chronoscore.core.scores import Row
from chronoscore.errors import DataError, UsageError, did_you_mean, warn
from chronoscore.options import PairTests, Resampling
from chronoscore.progress import announce
from chronoscore.stats import power, student
from chronoscore.stats.difference_errors import difference_bounds, difference_errors
from chronoscore.stats.significance import (
    holm,
    randomization_tests,
    sign_test,
    signed_rank_test,
    smallest_p,
)
from chronoscore.stats.statistic import ROUNDING, MeanStatistic, Numbers, statistic_by_topic


def standardized_difference(a: Numbers, b: Numbers, difference: float | None = None) -> float:
    """Divide a difference by the standard deviation of the topics' differences (Cohen's d).

    The difference is that of the corpus figures; without one, the mean over topics. It gives
    the effect its sign. 0 where nothing differs; undefined where all topics differ by the
    same amount, and with fewer than two topics.

    >>> standardized_difference(np.array([3.0, 5.0]), np.array([2.0, 2.0]))
    1.414213562373095
    """
    a, b = _both_defined(a, b)
    if len(a) < 2:
        return float("nan")
    noise = ROUNDING * float(np.max(np.maximum(np.abs(a), np.abs(b))))
    differences = a - b
    size = float(differences.mean()) if difference is None else difference
    spread = float(differences.std(ddof=1))
    if spread > noise:
        return size / spread
    return float("nan") if abs(size) > noise else copysign(0.0, size)


def superiority(a: Numbers, b: Numbers) -> float:
    """The share of topics on which the first is higher, ties counting half.

    One half means no difference. Twice this less 1 is Cliff's delta for pairs.

    >>> superiority(np.array([3.0, 2.0, 1.0]), np.array([1.0, 2.0, 0.0]))
    0.8333333333333333
    """
    a, b = _both_defined(a, b)
    if not len(a):
        return float("nan")
    noise = ROUNDING * np.maximum(np.abs(a), np.abs(b))
    higher, lower = a - b > noise, b - a > noise
    return float((np.mean(higher) - np.mean(lower) + 1) / 2)


def _both_defined(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Both figures of the topics where both have one."""
    there = ~np.isnan(a - b)
    return a[there], b[there]


OTHER_TESTS = {"t_p": "t", "wilcoxon_p": "Wilcoxon", "sign_p": "sign"}
"""The fields of tests beside the randomization test, and what they are called."""


@dataclass(frozen=True, kw_only=True)
class SystemPair:
    """Two systems on the topics that both have, and how sure their difference is.

    `low` and `high` bound the difference; they are nan where all topics differ by the same
    amount. `p` is that of the randomization test and `adjusted` is p after Holm's correction
    for all pairs; the p of other tests, if asked for, are as they are. The randomization test
    asks whether topics can tell the systems apart in any way: one that is precise and one that is
    complete are not alike, even if their F is. So a difference is `significant` only if the paired
    t test on it rejects too, also after Holm's correction. `effect` is the
    standardized difference, with the sign of `difference`; `superiority` is the share of topics
    on which the system is higher than the other, or lower if less of a measure is better.
    `spread` is the standard deviation of the topics' differences, and `detectable` the smallest
    difference that a paired t test on so many topics would find with a chance of .8. Without a
    common topic everything is nan, and so is the test where a system's figure is undefined.
    """

    system: str
    other: str
    value: float = nan
    other_value: float = nan
    difference: float = nan
    low: float = nan
    high: float = nan
    p: float = nan
    adjusted: float = nan
    significant: bool = False
    t_p: float = nan
    wilcoxon_p: float = nan
    sign_p: float = nan
    effect: float = nan
    superiority: float = nan
    topics: int
    left_out: int
    trials: int = 0
    exact: bool = False
    spread: float = nan
    detectable: float = nan

    def is_likely(self, level: float) -> bool:
        """Whether both tests reject, uncorrected."""
        return self.p <= 1 - level and not self.differs_otherwise(level)

    def differs_otherwise(self, level: float) -> bool:
        """Whether the systems can be told apart, but perhaps not by this figure."""
        return self.p <= 1 - level < self.t_p


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All pairs that were compared, and the settings that it takes to repeat it."""

    pairs: tuple[SystemPair, ...]
    baseline: str | None
    trials: int
    tests: PairTests
    level: float

    @property
    def drawn(self) -> bool:
        """Whether swaps were drawn, as there are too many topics to try all."""
        return any(pair.topics and not pair.exact for pair in self.pairs)

    def rows(self) -> list[Row]:
        """Give one flat record for each pair."""
        left_out = () if self.tests == "all" else OTHER_TESTS
        rows = [asdict(pair) for pair in self.pairs]
        return [{name: row[name] for name in row if name not in left_out} for row in rows]


def compare(
    records: Mapping[str, Numbers],
    statistic: MeanStatistic,
    how: Resampling,
    *,
    baseline: str | None = None,
    trials: int = 9999,
    tests: PairTests = "randomization",
) -> Comparison:
    """Test every pair of systems, or every system against the baseline.

    Each system has one record per topic, the topics in the same order. A record
    with a nan in it is a topic that the system has no figure for: each pair
    leaves out what either lacks, and counts it.
    """
    table = _table(records)
    names = list(records)
    order = _pairs_of(names, baseline)
    defined: NDArray[np.bool_] = np.logical_not(np.isnan(table).any(axis=2))
    # Pairs that have the same topics in common are tested together.
    groups: dict[bytes, list[tuple[int, int]]] = {}
    for i, j in order:
        groups.setdefault((defined[i] & defined[j]).tobytes(), []).append((i, j))
    found: dict[tuple[int, int], SystemPair] = {}
    for mask, pairs in groups.items():
        common = np.frombuffer(mask, dtype=bool)
        tested = compare_pairs(table, common, names, pairs, statistic, how, trials=trials)
        for pair, outcome in zip(pairs, tested, strict=True):
            found[pair] = outcome
            announce("testing pairs", len(found), len(order))
    compared = _correct_for_family([found[pair] for pair in order], how.level)
    if tests == "all":
        compared = tuple(
            _add_tests(pair, table[[i, j]], statistic)
            for pair, (i, j) in zip(compared, order, strict=True)
        )
    return Comparison(
        pairs=compared, baseline=baseline, trials=trials, tests=tests, level=how.level
    )


def _table(records: Mapping[str, Numbers]) -> Numbers:
    """Stack the systems' records: (systems, topics, columns)."""
    if len(records) < 2:
        raise UsageError(f"cannot compare {len(records)} system; give at least two")
    arrays = {name: np.asarray(array, dtype=np.float64) for name, array in records.items()}
    first, shape = next((name, array.shape) for name, array in arrays.items())
    for name, array in arrays.items():
        if array.ndim != 2 or array.shape != shape:
            raise DataError(
                f"system {name!r} has records of shape {array.shape} and {first!r} of {shape}; "
                "give every system one row for each topic, of nan where it has no figure"
            )
    return np.stack(list(arrays.values()))


def _pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        raise UsageError(f"unknown baseline {baseline!r}; {did_you_mean(baseline, names)}")
    return [(i, names.index(baseline)) for i in range(len(names)) if names[i] != baseline]


def compare_pairs(
    table: Numbers,
    common: NDArray[np.bool_],
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    statistic: MeanStatistic,
    how: Resampling,
    *,
    trials: int,
) -> Iterator[SystemPair]:
    """Test pairs on the topics they have in common, not yet corrected for their number."""
    topics = int(common.sum())
    left_out = len(common) - topics
    if not topics:
        for i, j in pairs:
            yield SystemPair(system=names[i], other=names[j], topics=0, left_out=left_out)
        return
    # The other systems may lack some of these topics.
    used = sorted({system for pair in pairs for system in pair})
    records = table[used][:, common]
    local = [(used.index(i), used.index(j)) for i, j in pairs]
    values, single = statistic(records), statistic_by_topic(records, statistic)
    chance = randomization_tests(records, local, statistic, trials=trials, seed=how.seed)
    errors = [*difference_errors(records, local, statistic)]
    bounds = difference_bounds(records, local, statistic, how, errors)
    for (i, j), test, error, (low, high) in zip(local, chance, errors, bounds, strict=True):
        spread = error.spread
        noisy = not isnan(error.error) and not isnan(test.difference)
        ratio = test.difference / error.error if noisy else nan
        yield SystemPair(
            system=names[used[i]],
            other=names[used[j]],
            value=float(values[i]),
            other_value=float(values[j]),
            difference=test.difference,
            low=low,
            high=high,
            p=test.p,
            t_p=student.chance_beyond(ratio, error.degrees) if noisy else nan,
            effect=standardized_difference(single[i], single[j], test.difference),
            superiority=superiority(single[i], single[j]),
            topics=topics,
            left_out=left_out,
            trials=test.trials,
            exact=test.exact,
            spread=spread,
            detectable=power.smallest_difference(spread, error.degrees + 1, how.level),
        )


def _add_tests(pair: SystemPair, both: Numbers, statistic: MeanStatistic) -> SystemPair:
    """A pair with the p of the other paired tests over topics."""
    if pair.topics < 2 or isnan(pair.difference):
        return pair
    records = both[:, ~np.isnan(both).any(axis=(0, 2))]
    ((difference, error, degrees),) = difference_errors(records, [(0, 1)], statistic)
    a, b = _both_defined(*statistic_by_topic(records, statistic))
    return replace(
        pair,
        t_p=student.p_value(difference / error, degrees) if error > 0 else nan,
        wilcoxon_p=signed_rank_test(a, b),
        sign_p=sign_test(a, b),
    )


def smallest_adjusted_p(pairs: Sequence[SystemPair]) -> float:
    """The smallest p after Holm's correction that any pair could come to; nan without a test."""
    family = [pair for pair in pairs if not isnan(pair.p)]
    if not family:
        return nan
    floor = min(smallest_p(pair.trials, exact=pair.exact) for pair in family)
    return min(1.0, floor * len(family))


def _correct_for_family(pairs: Sequence[SystemPair], level: float) -> tuple[SystemPair, ...]:
    """Apply Holm's correction, and say so if no difference could survive it."""
    family = [pair for pair in pairs if not isnan(pair.p)]
    least = smallest_adjusted_p(pairs)
    if least > 1 - level:
        exact = all(pair.exact for pair in family)
        count = max(pair.topics if exact else pair.trials for pair in family)
        what = "topics" if exact else "trials"
        counted = f"1 {what[:-1]}" if count == 1 else f"{count} {what}"
        fewer = " or compare fewer systems" if len(family) > 1 else ""
        warn(
            f"with {counted} the smallest possible adjusted p is {least:.2g}: add {what}{fewer}",
            kind="coarse-p-values",
        )
    adjusted = holm([pair.p for pair in pairs])
    # Undefined where nothing varies: then there is nothing that the swaps could mistake.
    contradicted = holm([pair.t_p for pair in pairs]) > 1 - level
    return tuple(
        replace(pair, adjusted=float(p), significant=bool(p <= 1 - level and not doubt))
        for pair, p, doubt in zip(pairs, adjusted, contradicted, strict=True)
    )
