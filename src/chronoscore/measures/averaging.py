"""From topics to a corpus figure, by sums alone.

Each rule turns a topic's tally into contributions, adds them up over topics, and finishes
the sum. Leaving a topic out is then a subtraction, a bootstrap draw a row of topic counts times
the contributions, and a randomization swaps two systems' contributions: no rule needs a text, or
a loop.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import UsageError, check_choice
from chronoscore.measures.measure import Array, Measure, divide_tallies
from chronoscore.options import Averaging


class AveragingRule(NamedTuple):
    """How topics become a corpus figure."""

    text: str
    """What the figure is, in a line."""
    contribute: Callable[[Measure, Array], Array]
    """What each topic adds: (…, topics, columns) to (…, topics, contributions)."""
    finish: Callable[[Measure, Array], Array]
    """The parts of the corpus figure, from sums of contributions or, just the same, their means."""
    lacks: Callable[[Measure, Array], NDArray[np.bool_]]
    """Which topics say nothing of a part: (…, topics, columns) to (…, topics, parts)."""


def averaging_rule(name: Averaging) -> AveragingRule:
    """The rule of a name; one that is unknown is refused and never read as another."""
    check_choice(name, RULES, "averaging rule")
    return RULES[name]


def topic_contributions(measure: Measure, tallies: Array, rule: Averaging) -> Array:
    """What each topic adds to the corpus sum: (…, topics, columns) to (…, topics, contributions).

    A part that is undefined for a topic (nan) adds nothing and is not counted there.
    """
    return averaging_rule(rule).contribute(measure, tallies)


def finish_topic_average(measure: Measure, sums: Array, rule: Averaging) -> Array:
    """Turn summed contributions into the parts of the corpus figure."""
    return averaging_rule(rule).finish(measure, sums)


def average_over_topics(measure: Measure, tallies: Array, rule: Averaging | None = None) -> Array:
    """The corpus figure of each system: (…, topics, columns) to (…, parts)."""
    rule = rule or measure.averaging
    return finish_topic_average(
        measure, topic_contributions(measure, tallies, rule).sum(axis=-2), rule
    )


def _contribute_parts(measure: Measure, tallies: Array) -> Array:
    """The parts themselves, and a 1 for each that is defined."""
    values = measure.values(tallies)
    size = values.shape[-1]
    contributions = np.empty((*values.shape[:-1], 2 * size))
    contributions[..., :size] = values
    contributions[..., size:] = 1.0
    undefined = np.isnan(values)
    if undefined.any():
        contributions[np.concatenate([undefined, undefined], axis=-1)] = 0.0
    return contributions


def _finish_means(measure: Measure, sums: Array) -> Array:
    """The mean of each part over the topics where it is defined."""
    size = len(measure.parts)
    total, count = sums[..., :size], sums[..., size:]
    return np.where(count > 0, divide_tallies(total, count), np.nan)


def _finish_f_of_means(measure: Measure, sums: Array) -> Array:
    """The means, with F of the mean precision and the mean recall."""
    return measure.of_means(_finish_means(measure, sums))


def _contribute_counts(measure: Measure, tallies: Array) -> Array:
    """The counts themselves; a topic without any adds nothing."""
    if not measure.has_counts:
        raise UsageError(
            f"saved scores of '{measure.title}' hold no counts to add up; "
            'average with `rule="mean"`, or score the texts again'
        )
    return np.nan_to_num(tallies)


def _lacks_part(measure: Measure, tallies: Array) -> NDArray[np.bool_]:
    """Topics where a part is undefined."""
    return np.isnan(measure.values(tallies))


def _lacks_counts(measure: Measure, tallies: Array) -> NDArray[np.bool_]:
    """Topics without any counts."""
    lacking = np.asarray(np.isnan(tallies).all(axis=-1, keepdims=True))
    return lacking.repeat(len(measure.parts), axis=-1)


RULES: dict[Averaging, AveragingRule] = {
    "mean": AveragingRule(
        "mean over topics of each part", _contribute_parts, _finish_means, _lacks_part
    ),
    "of-means": AveragingRule(
        "F of the mean precision and the mean recall",
        _contribute_parts,
        _finish_f_of_means,
        _lacks_part,
    ),
    "micro": AveragingRule(
        "parts of the counts summed over topics",
        _contribute_counts,
        lambda measure, sums: measure.values(sums),
        _lacks_counts,
    ),
}
"""All rules; `averaging_rule` looks them up."""
