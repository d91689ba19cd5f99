"""From topics to a corpus figure, by sums alone.

Each rule turns a topic's tally into contributions, adds them up over topics, and finishes
the sum. A bootstrap draw is then a row of topic counts times the contributions, and a
randomization swaps two systems' contributions: no rule needs a text, or a loop.
"""

import numpy as np

from chronoscore.errors import UsageError
from chronoscore.measures.measure import (
    Array,
    Averaging,
    Measure,
    divide_tallies,
    f_scores_of_measure,
)


def topic_contributions(measure: Measure, tallies: Array, rule: Averaging) -> Array:
    """What each topic adds to the corpus sum: (…, topics, columns) to (…, topics, contributions).

    A part that is undefined for a topic (nan) adds nothing and is not counted there.
    """
    if rule == "micro":
        return np.nan_to_num(tallies)
    values = measure.values(tallies)
    size = values.shape[-1]
    contributions = np.empty((*values.shape[:-1], 2 * size))
    contributions[..., :size] = values
    contributions[..., size:] = 1.0
    undefined = np.isnan(values)
    if undefined.any():
        contributions[np.concatenate([undefined, undefined], axis=-1)] = 0.0
    return contributions


def finish_topic_average(measure: Measure, sums: Array, rule: Averaging) -> Array:
    """Turn summed contributions into the parts of the corpus figure."""
    if rule == "micro":
        return measure.values(sums)
    size = len(measure.parts)
    total, count = sums[..., :size], sums[..., size:]
    means = np.where(count > 0, divide_tallies(total, count), np.nan)
    if rule == "mean":
        return means
    if measure.parts[:3] != ("p", "r", "f"):
        raise UsageError(
            f"measure '{measure.name}' has no precision and recall to average; use the mean"
        )
    means[..., 2] = f_scores_of_measure(means[..., 0], means[..., 1], measure.alpha)
    return means


def average_over_topics(measure: Measure, tallies: Array, rule: Averaging | None = None) -> Array:
    """The corpus figure of each system: (…, topics, columns) to (…, parts)."""
    rule = rule or measure.averaging
    return finish_topic_average(
        measure, topic_contributions(measure, tallies, rule).sum(axis=-2), rule
    )
