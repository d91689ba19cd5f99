"""People who judged a random sample of the items of a topic, and a machine that judged them all.

The mean of y over all items of a topic is estimated by the mean over the sample, corrected by
how far the machine's mean over the sample is off its mean over all items. Within a topic all
items have the same chance to be in the sample; over topics each topic counts the same, so an
item weighs by the inverse of its topic's sampling rate and of its size.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chronoscore.errors import DataError
from chronoscore.stats.statistic import ROUNDING, Numbers


@dataclass(frozen=True)
class SampledTopic:
    """Scores of items: by people and by the machine on a sample, by the machine on all items."""

    people: Numbers
    machine: Numbers
    every: Numbers

    @property
    def rate(self) -> float:
        """The share of items that people judged."""
        return len(self.people) / len(self.every)


def correct_samples(topics: Sequence[SampledTopic]) -> tuple[Numbers, float]:
    """Each topic's mean as people would judge it, and the λ by which the machine corrected it.

    λ makes the sampling error of all topics together least, and lies between 0 and 1.

    >>> sample = SampledTopic(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([0.0, 1, 1, 1]))
    >>> values, weight = correct_samples([sample])
    >>> values.tolist(), weight
    ([0.75], 1.0)
    """
    for topic in topics:
        if not len(topic.people) or len(topic.people) != len(topic.machine):
            raise DataError("a sample holds no item, or other items for the machine; give both")
        if len(topic.every) < len(topic.people):
            raise DataError("a sample is larger than its topic; give the machine's scores of all")
    weight = _sample_tuning(topics)
    corrected = [
        topic.people.mean() + weight * (topic.every.mean() - topic.machine.mean())
        for topic in topics
    ]
    return np.array(corrected, dtype=np.float64), weight


def _sample_tuning(topics: Sequence[SampledTopic]) -> float:
    """The λ of least sampling variance; a topic counts by its share that was not sampled."""
    covariance = spread = 0.0
    for topic in topics:
        size = len(topic.people)
        if size < 2:
            continue
        share = (1 - topic.rate) / size
        deviation = topic.machine - topic.machine.mean()
        covariance += share * float((topic.people * deviation).sum()) / (size - 1)
        spread += share * float((deviation**2).sum()) / (size - 1)
    return float(np.clip(covariance / spread, 0.0, 1.0)) if spread > ROUNDING**2 else 0.0
