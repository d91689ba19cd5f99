"""The bootstrap: how a figure varies with the choice of topics."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, check_level
from chronoscore.kernel import compiled_bulk, is_bulk_compiled
from chronoscore.pipeline import begin_call, finish_in_order, threads
from chronoscore.stats.statistic import MeanStatistic, Numbers, Statistic

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Numbers held at once while resampling: 32 MB of them.
CHUNK = 4_000_000

BLOCK = 16_000_000
"""Draws in a block, a byte each, unless eight rows of them are more."""
SPAN = 512
"""Topics that the compiled code adds up at a time, as in `_bulk.c`."""
STRETCH = 32 * SPAN
"""Topics that NumPy works on at a time; their numbers stay in the cache."""


# One comparison asks for the same draws many times over.
@lru_cache(maxsize=2)
def bootstrap_draws(topics: int, times: int, seed: int) -> NDArray[np.int64]:
    """Draw as many topics as there are, with replacement, again and again.

    Row by row, how often each topic was drawn. The same arguments give the same
    draws, so that every system and measure meets the same topics and their
    differences stay paired; the array is shared and cannot be written to.
    """
    _check_draws(topics, times)
    picks = np.random.default_rng(seed).integers(0, topics, size=(times, topics))
    picks += np.arange(times)[:, np.newaxis] * topics
    counts = np.bincount(picks.ravel(), minlength=times * topics).reshape(times, topics)
    counts.setflags(write=False)
    return counts


def _check_draws(topics: int, times: int) -> None:
    """Refuse to draw from nothing, or never."""
    if topics < 1:
        raise DataError("no topics to resample; score at least one")
    if times < 1:
        raise UsageError(f"cannot resample {times} times; ask for at least 1")


def draw_sums(
    contributions: Numbers,
    times: int,
    seed: int,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Numbers:
    """Add up contributions over the topics of every draw: (topics, columns) to (times, columns).

    Draws are made and added up in blocks of bounded size, `jobs` of them at a time. The sums are
    exact before they are rounded once, so that they do not depend on blocks, threads or machines.
    """
    topics, columns = contributions.shape
    _check_draws(topics, times)
    height = max(8, BLOCK // topics)
    bounds = [*range(0, times, height), times]
    sums = np.empty((times, columns))
    draws = _open_draws(topics, seed)

    def add_up(block: DrawnBlock, before: int) -> int:
        end = block.start + len(block.drawn)
        added = draws.add_up(block, before, parts)
        np.add(added[:, :columns], added[:, columns:], out=sums[block.start : end])
        return end

    def begin_sums(drawn: Iterator[DrawnBlock]) -> Iterator[Callable[[], int]]:
        before = 0
        for block in drawn:
            yield begin_call(pool, add_up, block, before)
            before += block.total

    with threads(jobs) as pool:
        ahead = jobs if pool else 0
        parts = _split_exactly(contributions, pool)
        anywhere = pool if draws.in_any_order else None
        begun = (begin_call(anywhere, draws.draw, *rows) for rows in pairwise(bounds))
        for done in finish_in_order(begin_sums(finish_in_order(begun, ahead)), ahead):
            if progress:
                progress(done, times)
    return sums


def _split_exactly(contributions: Numbers, pool: "Executor | None") -> Numbers:
    """Each column as the sum of two parts whose sums over any draw of topics need no rounding.

    All numbers of a part are multiples of a unit that is so large that no sum of them needs more
    than the 53 bits of a float. What is smaller than the unit of the second part is dropped: with a
    million topics it is below 2⁻⁶⁴ of the largest number. Parts are rows, filled up with zeros to
    whole spans.
    """
    topics, columns = contributions.shape
    parts = np.zeros((2 * columns, -(-topics // SPAN) * SPAN))
    largest = np.maximum(contributions.max(axis=0), -contributions.min(axis=0))[:, np.newaxis]
    coarse = _exact_unit(largest * topics)
    fine = _exact_unit(coarse * topics)

    def split(start: int) -> None:
        end = min(start + STRETCH, topics)
        numbers = contributions[start:end].T
        first = np.rint(numbers / coarse) * coarse
        parts[:columns, start:end] = first
        parts[columns:, start:end] = np.rint((numbers - first) / fine) * fine

    for begun in [begin_call(pool, split, start) for start in range(0, topics, STRETCH)]:
        begun()
    return parts


def _exact_unit(largest: Numbers) -> Numbers:
    """The unit whose multiples need no more than 53 bits up to the largest sum."""
    unit: Numbers = np.ldexp(1.0, np.maximum(np.frexp(largest)[1] - 52, -1074))
    return unit


@dataclass(frozen=True, slots=True)
class DrawnBlock:
    """Some rows of draws: how often each topic is drawn."""

    start: int
    """The number of the first row."""
    counts: NDArray[np.uint8 | np.uint16]
    drawn: NDArray[np.uint32]
    """How many topics each row has drawn, as far as is known without the rows before it."""

    @property
    def total(self) -> int:
        """How many topics all rows have drawn."""
        return int(self.drawn.sum(dtype=np.int64))


class _NumpyDraws:
    """Rows of draws by NumPy's generator, one after the other."""

    in_any_order = False

    def __init__(self, topics: int, seed: int) -> None:
        self.topics = topics
        self.rng = np.random.default_rng(seed)

    def draw(self, start: int, end: int) -> DrawnBlock:
        counts = np.empty((end - start, self.topics), dtype=np.uint16)
        for row in counts:
            picks = self.rng.integers(0, self.topics, size=self.topics)
            row[:] = np.bincount(picks, minlength=self.topics)
        return DrawnBlock(start, counts, np.full(len(counts), self.topics, dtype=np.uint32))

    def add_up(self, block: DrawnBlock, before: int, parts: Numbers) -> Numbers:
        added = np.zeros((len(block.counts), len(parts)))
        for first in range(0, self.topics, STRETCH):
            weights = block.counts[:, first : first + STRETCH].astype(np.float64)
            added += weights @ parts[:, first : first + weights.shape[1]].T
        return added


class _CompiledDraws:
    """The same rows, computed from the seed in any order.

    A row is counted about where it is expected in the stream of random numbers, and settled when
    it is known how many topics the rows before it have drawn.
    """

    in_any_order = True

    def __init__(self, topics: int, state: NDArray[np.uint64]) -> None:
        self.topics = topics
        self.state = state

    def draw(self, start: int, end: int) -> DrawnBlock:
        counts = np.empty((end - start, self.topics), dtype=np.uint8)
        drawn = np.empty(len(counts), dtype=np.uint32)
        compiled_bulk.draw(self.state, start, counts, drawn, self.topics)
        return DrawnBlock(start, counts, drawn)

    def settle(self, block: DrawnBlock, before: int) -> None:
        drawn = block.drawn
        compiled_bulk.settle(self.state, block.start, block.counts, drawn, self.topics, before)

    def add_up(self, block: DrawnBlock, before: int, parts: Numbers) -> Numbers:
        self.settle(block, before)
        added = np.empty((len(block.counts), len(parts)))
        compiled_bulk.add_up(block.counts, parts, added, self.topics)
        return added


def _open_draws(topics: int, seed: int) -> _NumpyDraws | _CompiledDraws:
    """The rows of `bootstrap_draws` for one seed.

    Should another version of NumPy draw in another way than the compiled code, the first row shows
    it, and NumPy draws.
    """
    plain = _NumpyDraws(topics, seed)
    state = generator_state(plain.rng)
    if state is None or not 1 < topics < 2**32 - 1:
        return plain
    compiled = _CompiledDraws(topics, state)
    first = compiled.draw(0, 1)
    compiled.settle(first, 0)
    same = np.array_equal(first.counts, _NumpyDraws(topics, seed).draw(0, 1).counts)
    return compiled if same else plain


def generator_state(rng: np.random.Generator) -> NDArray[np.uint64] | None:
    """The state of a new generator as four numbers; none where no compiled code takes it on."""
    if not hasattr(compiled_bulk, "draw") or not is_bulk_compiled():
        return None
    state = rng.bit_generator.state
    if state["bit_generator"] != "PCG64" or state["has_uint32"]:
        return None
    numbers = (state["state"]["state"], state["state"]["inc"])
    halves = [part for number in numbers for part in (number >> 64, number & (2**64 - 1))]
    return np.array(halves, dtype=np.uint64)


def resample_statistic(
    records: Numbers, statistic: Statistic, counts: NDArray[np.int64]
) -> Numbers:
    """Compute the statistic on every draw: (…, topics, columns) in, (…, times) out."""
    topics = counts.shape[1]
    if isinstance(statistic, MeanStatistic):
        # Columns before draws: the function reads each column as one block of memory.
        means = np.swapaxes(records / topics, -1, -2) @ counts.T.astype(np.float64)
        return statistic.function(np.swapaxes(means, -1, -2))
    every = np.tile(np.arange(topics), len(counts))
    picks = np.repeat(every, counts.ravel()).reshape(counts.shape)
    step = max(1, CHUNK // max(1, records.size))
    parts = [
        statistic(records[..., picks[start : start + step], :])
        for start in range(0, len(picks), step)
    ]
    return np.concatenate(parts, axis=-1)


def resample(records: Numbers, statistic: Statistic, times: int, seed: int) -> Numbers:
    """The same with draws of a seed, a block of them at a time if there are many topics."""
    topics, columns = records.shape[-2:]
    if not isinstance(statistic, MeanStatistic) or topics * times <= CHUNK:
        return resample_statistic(records, statistic, bootstrap_draws(topics, times, seed))
    joined = np.moveaxis(records / topics, -2, 0).reshape(topics, -1)
    sums = draw_sums(joined, times, seed).reshape(times, *records.shape[:-2], columns)
    return statistic.function(np.moveaxis(sums, 0, -2))


def percentile_interval(samples: Numbers, level: float = 0.95) -> tuple[Numbers, Numbers]:
    """Cut off the same share of samples at both ends of the last axis, interpolating.

    The figures are those of `np.quantile`, whose first call loads all of masked arrays.
    """
    check_level(level)
    tail = (1 - level) / 2
    return _quantile(samples, tail), _quantile(samples, 1 - tail)


def _quantile(samples: Numbers, share: float) -> Numbers:
    """What this share of samples lies below, on a line between the two nearest."""
    last = samples.shape[-1] - 1
    below = int(last * share)
    above, step = min(below + 1, last), last * share - below
    ordered = np.partition(samples, (below, above, last), axis=-1)
    a, b, top = (np.take(ordered, place, axis=-1) for place in (below, above, last))
    # The nearer of the two is where the line begins, so that rounding never leaves its ends.
    between: Numbers = a + (b - a) * step if step < 0.5 else b - (b - a) * (1 - step)
    undefined = np.isnan(top)  # nan is sorted behind all numbers
    return np.where(undefined, np.nan, between)[()]


def bootstrap_interval(
    records: Numbers,
    statistic: Statistic,
    *,
    times: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Numbers, Numbers]:
    """Give the percentile bootstrap interval of a statistic over topics.

    Leading axes are systems or whatever else the topics are common to.
    """
    return percentile_interval(resample(records, statistic, times, seed), level)


def bootstrap_means(
    columns: Numbers, *, times: int = 1000, level: float = 0.95, seed: int = 0
) -> Numbers:
    """Low, median and high of each column's mean over resampled rows, drawn as rouge-score does."""
    random = np.random.default_rng(seed)
    count = len(columns)
    means = np.empty((times, columns.shape[1]))
    for row in means:
        drawn = np.bincount(random.integers(0, count, count), minlength=count)
        row[:] = drawn @ columns / count
    tail = (1 - level) / 2
    cuts: Numbers = np.percentile(means, [100 * tail, 50, 100 * (1 - tail)], axis=0)
    return cuts
