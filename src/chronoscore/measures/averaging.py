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
    read: Callable[[Measure, Array], Array]
    """What is averaged of tallies (…, columns), nan where there is nothing."""
    contribute: Callable[[Array], Array]
    """What each topic adds: (…, topics, what is read) to (…, topics, contributions)."""
    finish: Callable[[Measure, Array], Array]
    """The parts of the corpus figure, from sums of contributions or, just the same, their means."""
    lacks: Callable[[Measure, Array], NDArray[np.bool_]]
    """Which topics say nothing of a part: (…, topics, what is read) to (…, topics, parts)."""


def averaging_rule(name: Averaging) -> AveragingRule:
    """The rule of a name; one that is unknown is refused and never read as another."""
    check_choice(name, RULES, "averaging rule")
    return RULES[name]


def topic_contributions(
    measure: Measure, tallies: Array, rule: Averaging, *, nested: bool = False
) -> Array:
    """What each topic adds to the corpus sum: (…, topics, columns) to (…, topics, contributions).

    A part that is undefined for a topic (nan) adds nothing and is not counted there. Where runs
    are `nested` in topics, (…, topics, runs, columns), a topic adds the mean over its runs.
    """
    return averaging_rule(rule).contribute(_read(measure, tallies, rule, nested=nested))


def topics_without(
    measure: Measure, tallies: Array, rule: Averaging, *, nested: bool = False
) -> NDArray[np.bool_]:
    """Which topics say nothing of a part: (…, topics, columns) to (…, topics, parts)."""
    return averaging_rule(rule).lacks(measure, _read(measure, tallies, rule, nested=nested))


def _read(measure: Measure, tallies: Array, rule: Averaging, *, nested: bool) -> Array:
    """What is averaged of each topic, over its runs if these are nested in it."""
    found = averaging_rule(rule).read(measure, tallies)
    return mean_over_runs(found) if nested else found


def mean_over_runs(values: Array) -> Array:
    """The mean over the runs that have a figure: (…, runs, columns) to (…, columns).

    >>> mean_over_runs(np.array([[0.2], [0.4], [np.nan]])).round(3).tolist()
    [0.3]
    """
    there = ~np.isnan(values)
    count = there.sum(axis=-2)
    total = np.where(there, values, 0.0).sum(axis=-2)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def finish_topic_average(measure: Measure, sums: Array, rule: Averaging) -> Array:
    """Turn summed contributions into the parts of the corpus figure."""
    return averaging_rule(rule).finish(measure, sums)


def average_over_topics(
    measure: Measure, tallies: Array, rule: Averaging | None = None, *, nested: bool = False
) -> Array:
    """The corpus figure of each system: (…, topics, columns) to (…, parts)."""
    rule = rule or measure.averaging
    added = topic_contributions(measure, tallies, rule, nested=nested)
    return finish_topic_average(measure, added.sum(axis=-2), rule)


def _read_parts(measure: Measure, tallies: Array) -> Array:
    """The parts."""
    return measure.values(tallies)


def _contribute_parts(values: Array) -> Array:
    """The parts themselves, and a 1 for each that is defined."""
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


def _read_counts(measure: Measure, tallies: Array) -> Array:
    """The counts themselves."""
    if not measure.has_counts:
        raise UsageError(
            f"saved scores of '{measure.title}' hold no counts to add up; "
            'average with `rule="mean"`, or score the texts again'
        )
    return tallies


def _contribute_counts(counts: Array) -> Array:
    """The counts; a topic without any adds nothing."""
    return np.nan_to_num(counts)


def _lacks_part(_measure: Measure, values: Array) -> NDArray[np.bool_]:
    """Topics where a part is undefined."""
    return np.isnan(values)


def _lacks_counts(measure: Measure, counts: Array) -> NDArray[np.bool_]:
    """Topics without any counts."""
    lacking = np.asarray(np.isnan(counts).all(axis=-1, keepdims=True))
    return lacking.repeat(len(measure.parts), axis=-1)


RULES: dict[Averaging, AveragingRule] = {
    "mean": AveragingRule(
        "mean over topics of each part",
        _read_parts,
        _contribute_parts,
        _finish_means,
        _lacks_part,
    ),
    "of-means": AveragingRule(
        "F of the mean precision and the mean recall",
        _read_parts,
        _contribute_parts,
        _finish_f_of_means,
        _lacks_part,
    ),
    "micro": AveragingRule(
        "parts of the counts summed over topics",
        _read_counts,
        _contribute_counts,
        lambda measure, sums: measure.values(sums),
        _lacks_counts,
    ),
}
"""All rules; `averaging_rule` looks them up."""
