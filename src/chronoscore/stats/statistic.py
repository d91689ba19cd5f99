"""What a set of topics comes to: a number computed from one record per topic.

A published figure is seldom a mean of scores. F is taken from mean precision
and mean recall, or from counts added up, so a test must move whole records and
compute the figure again. Here a statistic turns records of shape (…, topics, columns)
into numbers of shape (…); the leading axes are trials.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
"""An array of numbers."""

# Sums taken in another order differ by less than this share, real scores by more.
ROUNDING = 1e-10


@dataclass(frozen=True)
class MeanStatistic:
    """A statistic that looks only at the mean of each column: (…, columns) in, (…) out.

    Every published figure here is one, counts added up included wherever they
    are then divided by each other, so that swapping and leaving out topics are sums.

    >>> float(f_score_statistic(0, 1)(np.array([[1.0, 0.5], [0.0, 0.5]])))
    0.5
    """

    function: Callable[[Numbers], Numbers]

    def __call__(self, records: Numbers) -> Numbers:
        """Compute it from the records themselves."""
        return self.function(records.mean(axis=-2))


def mean_statistic(column: int = 0) -> MeanStatistic:
    """Average one column over the topics."""
    return MeanStatistic(lambda means: means[..., column])


def ratio_statistic(part: int, whole: int) -> MeanStatistic:
    """Add up two columns of counts and divide them; 0 where there is nothing to divide by."""
    return MeanStatistic(lambda means: _ratio(means[..., part], means[..., whole]))


def f_score_statistic(precision: int = 0, recall: int = 1, *, alpha: float = 0.5) -> MeanStatistic:
    """Take F from mean precision and mean recall; alpha towards 1 favors precision."""

    def f(means: Numbers) -> Numbers:
        p, r = means[..., precision], means[..., recall]
        # Halves are exact, so that the sum may be halved instead, which is faster.
        whole = 0.5 * (p + r) if alpha == 0.5 else (1 - alpha) * p + alpha * r
        return _ratio(p * r, whole)

    return MeanStatistic(f)


def statistic_by_topic(records: Numbers, statistic: MeanStatistic) -> Numbers:
    """Compute the statistic for every topic alone: (…, topics)."""
    return statistic(records[..., :, np.newaxis, :])


def _ratio(part: Numbers, whole: Numbers) -> Numbers:
    if whole.all():
        return part / whole
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole != 0)
