"""The corpus figures of ROUGE-1.5.5: averages and intervals from its own resampling.

Resample number k draws with the generator that Perl has had since 5.20, seeded with k, so the
intervals are the same on every machine. Everything is added up in Perl's order: sums are
rounded for print, and a difference in the last bit can show.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine.plain import Counts
from chronoscore.rouge155.rates import Rates

Array = NDArray[np.float64]
MULTIPLIER, INCREMENT, MODULUS = 25214903917, 11, 2**48


class AverageInterval(NamedTuple):
    """An average with its interval."""

    average: float
    low: float
    high: float


def perl_bootstrap_draws(size: int, resamples: int) -> Iterator[NDArray[np.intp]]:
    """Draw as many instances as there are: first the first of all resamples, then the second.

    >>> [row.tolist() for row in perl_bootstrap_draws(4, 2)]
    [[0, 0], [2, 1], [0, 3], [3, 1]]
    """
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    for _ in range(size):
        # Overflow wraps at 64 bits, which leaves the 48 that count.
        state = (state * np.uint64(MULTIPLIER) + np.uint64(INCREMENT)) % np.uint64(MODULUS)
        yield (size * (state.astype(np.float64) / MODULUS)).astype(np.intp)


def perl_averages(
    instances: Sequence[Sequence[Rates]], resamples: float, confidence: float
) -> list[AverageInterval]:
    """Average rates over instances: recall, precision and F of each measure in turn."""
    means = _resampled_sums(instances, math.ceil(resamples)) / len(instances)
    return _figures(means, resamples, confidence)


def perl_token_averages(
    instances: Sequence[Sequence[Counts]], resamples: float, confidence: float, alpha: float
) -> list[AverageInterval]:
    """Average over tokens: counts are added up in each resample before they are divided."""
    sums = _resampled_sums(instances, math.ceil(resamples)).reshape(math.ceil(resamples), -1, 3)
    hits, reference, system = np.moveaxis(sums, -1, 0)
    recall, precision = _divide(hits, reference), _divide(hits, system)
    f = _divide(precision * recall, (1 - alpha) * precision + alpha * recall)
    rates = np.stack([recall, precision, f], axis=-1)
    return _figures(rates.reshape(len(rates), -1), resamples, confidence)


def _resampled_sums(instances: Sequence[Sequence[tuple[float, ...]]], resamples: int) -> Array:
    values = np.array(instances, dtype=np.float64).reshape(len(instances), -1)
    sums = np.zeros((resamples, values.shape[1]))
    for row in perl_bootstrap_draws(len(values), resamples):
        sums += values[row]
    return sums


def _divide(part: Array, whole: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _figures(means: Array, resamples: float, confidence: float) -> list[AverageInterval]:
    ascending = np.sort(means, axis=0)
    average = np.cumsum(ascending, axis=0)[-1] / len(means)
    outside = resamples * (100 - confidence) / 200
    last = resamples - outside - 1
    fraction = last - int(last)
    # Past the end of an array Perl reads nothing, which counts as 0.
    padded = np.vstack([ascending, np.zeros_like(ascending[:1])])
    low, high = (
        padded[start] + (padded[start + 1] - padded[start]) * fraction
        for start in (int(outside), int(last))
    )
    return [AverageInterval(*row) for row in np.stack([average, low, high], axis=-1).tolist()]
