"""The difference of two systems over topics: its jackknife error and its interval."""

from collections.abc import Iterator, Sequence
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from chronoscore.options import Resampling
from chronoscore.stats import student
from chronoscore.stats.intervals import changes_without
from chronoscore.stats.resample import bootstrap_sums, percentile_interval
from chronoscore.stats.statistic import ROUNDING, MeanStatistic, Numbers, statistic_by_topic


class DifferenceError(NamedTuple):
    """A difference, its standard error over topics and the degrees of freedom of that."""

    difference: float
    error: float
    degrees: int

    @property
    def spread(self) -> float:
        """The standard deviation of the topics' differences, or of what they add to it."""
        return self.error * sqrt(self.degrees + 1)


def difference_errors(
    records: Numbers, pairs: Sequence[tuple[int, int]], statistic: MeanStatistic
) -> Iterator[DifferenceError]:
    """Each difference, its jackknife error, nan where nothing varies, and degrees of freedom."""
    topics = records.shape[1]
    values, single = statistic(records), statistic_by_topic(records, statistic)
    if topics < 2:
        yield from (DifferenceError(float(values[i] - values[j]), nan, 0) for i, j in pairs)
        return
    means = records.mean(axis=1)
    changes = changes_without(records / topics, means, topics, statistic.function)
    for i, j in pairs:
        # A figure may be undefined on a topic without that the topic is left out.
        count = int(np.count_nonzero(~np.isnan(single[i] - single[j])))
        squares = float(((changes[i] - changes[j]) ** 2).sum())
        error = sqrt(squares * (count - 1) / count) if count > 1 else nan
        noise = ROUNDING * max(abs(values[i]), abs(values[j]))
        difference = float(values[i] - values[j])
        yield DifferenceError(difference, error if error > noise else nan, count - 1)


def difference_bounds(
    records: Numbers,
    pairs: Sequence[tuple[int, int]],
    statistic: MeanStatistic,
    how: Resampling,
    errors: Sequence[DifferenceError],
) -> Iterator[tuple[float, float]]:
    """The interval of each difference over topics; nan where these show no spread."""
    if how.interval == "bootstrap":
        sums = bootstrap_sums(records / records.shape[1], how.draws, how.seed)
        samples = statistic.function(sums)
    for (i, j), (difference, error, degrees) in zip(pairs, errors, strict=True):
        if isnan(error):
            yield nan, nan
        elif how.interval == "bootstrap":
            low, high = percentile_interval(samples[i] - samples[j], how.level)
            yield float(low), float(high)
        else:
            reach = student.quantile(how.level, degrees) * error
            yield difference - reach, difference + reach
