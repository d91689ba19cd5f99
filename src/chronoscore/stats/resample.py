"""The bootstrap: how a figure varies with the choice of topics."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, check_level
from chronoscore.kernel import compiled_bulk, is_bulk_compiled
from chronoscore.stats.statistic import MeanStatistic, Numbers, Statistic

# Numbers held at once while resampling: 32 MB of them.
CHUNK = 4_000_000


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


def draw_blocks(
    topics: int, times: int, seed: int, *, ahead: bool = False
) -> Iterator[tuple[int, Numbers]]:
    """The rows of `bootstrap_draws` in blocks of bounded size, each with its first row's number.

    Blocks are about equally high: a matrix product of a few rows would add up in another order
    than one of many. With `ahead` another thread draws the next block. A block is written over
    once the next but one is asked for.
    """
    if times * topics <= CHUNK:
        yield 0, bootstrap_draws(topics, times, seed).astype(np.float64)
        return
    _check_draws(topics, times)
    blocks = max(1, min(times // 8, -(-times * topics // CHUNK)))
    starts = [times * block // blocks for block in range(blocks + 1)]
    heights = [end - start for start, end in pairwise(starts)]
    draw = _draw_filler(topics, seed)
    held = [np.empty((max(heights), topics)) for _ in range(1 + ahead)]
    if not ahead:
        for start, height in zip(starts, heights, strict=False):
            yield start, draw(held[0][:height])
        return
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(draw, held[0][: heights[0]])
        for number, (start, following) in enumerate(
            zip(starts, [*heights[1:], 0], strict=False), 1
        ):
            ready = waiting.result()
            waiting = pool.submit(draw, held[number % 2][:following])
            yield start, ready


def _draw_filler(topics: int, seed: int) -> Callable[[Numbers], Numbers]:
    """A function that fills rows with how often each topic is drawn, always the next draws.

    The compiled one repeats what NumPy's generator does. Should another version of NumPy do
    something else, the first row shows it, and NumPy draws.
    """
    rng = np.random.default_rng(seed)
    state = generator_state(rng)

    def fill(weights: Numbers) -> Numbers:
        for row in weights:
            row[:] = np.bincount(rng.integers(0, topics, size=topics), minlength=topics)
        return weights

    def fill_compiled(weights: Numbers) -> Numbers:
        compiled_bulk.draw(state, weights, topics)
        return weights

    if not (state is not None and 1 < topics < 2**32 - 1):
        return fill
    first = np.empty((1, topics))
    compiled_bulk.draw(state.copy(), first, topics)
    picks = np.random.default_rng(seed).integers(0, topics, size=topics)
    same = np.array_equal(first[0], np.bincount(picks, minlength=topics))
    return fill_compiled if same else fill


def generator_state(rng: np.random.Generator) -> NDArray[np.uint64] | None:
    """The state of a generator as six numbers; none where no compiled code takes it on."""
    state = rng.bit_generator.state
    if not hasattr(compiled_bulk, "draw") or not is_bulk_compiled():
        return None
    if state["bit_generator"] != "PCG64":
        return None
    halves = [
        part
        for number in (state["state"]["state"], state["state"]["inc"])
        for part in (number >> 64, number & (2**64 - 1))
    ]
    return np.array([*halves, state["has_uint32"], state["uinteger"]], dtype=np.uint64)


def draw_sums(
    contributions: Numbers,
    times: int,
    seed: int,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Numbers:
    """Add up contributions over the topics of every draw: (topics, columns) to (times, columns)."""
    sums = np.empty((times, contributions.shape[1]))
    for start, weights in draw_blocks(len(contributions), times, seed, ahead=jobs > 1):
        np.matmul(weights, contributions, out=sums[start : start + len(weights)])
        if progress:
            progress(start + len(weights), times)
    return sums


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
    """Cut off the same share of samples at both ends of the last axis, interpolating."""
    check_level(level)
    tail = (1 - level) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=-1)
    return low, high


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
