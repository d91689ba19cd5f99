"""Corpus figures with intervals over topics."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chronoscore.core import Row
from chronoscore.measures import (
    Measure,
    finish_topic_average,
    topic_contributions,
    topics_without,
)
from chronoscore.measures.measure import Array
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats.intervals import estimate


@dataclass(frozen=True)
class Average:
    """One corpus figure, over the topics where it is defined.

    The interval is nan where these are fewer than two or show no spread, as where all have the
    same figure or it is 0 or 1.
    """

    system: str
    measure: Measure
    part: str
    value: float
    low: float
    high: float
    topics: int

    def row(self) -> Row:
        """A flat record, in the form of a topic's rows with the interval added."""
        return {
            "system": self.system,
            "topic": "",
            "measure": self.measure.title,
            "part": self.part,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "n": self.topics,
        }


def rule_for(measure: Measure, resampling: Resampling) -> Averaging:
    """The averaging rule that was asked for, or the measure's own."""
    return resampling.rule or measure.averaging


def sign(scores: Scores, how: Resampling, drawn: str = "") -> str:
    """The signature of scores and of what was computed from them, with what else was drawn."""
    rules = "/".join(dict.fromkeys(rule_for(m, how) for m in scores.measures))
    interval = (
        f"bootstrap:{how.draws}|level:{how.level:.14g}|seed:{how.seed}"
        if how.interval == "bootstrap"
        else f"interval:{how.interval}|level:{how.level:.14g}"
    )
    seeded = f"|seed:{how.seed}" if drawn and "seed" not in interval else ""
    return f"{scores.signature} average:{rules}|{interval}" + (f"|{drawn}{seeded}" if drawn else "")


def averages(scores: Scores, how: Resampling, *, every: bool = False) -> list[Average]:
    """The corpus figure of every system, measure and part, with its interval over topics.

    Parts are those that tables show, or with `every` all of them.
    """
    order = topic_order(scores)
    return [
        average
        for measure in scores.measures
        for average in _measure_averages(
            scores, measure, how, order, measure.parts if every else measure.shown
        )
    ]


def topic_order(scores: Scores) -> Sequence[int] | None:
    """The places of the topics in the order of their names, or nothing where they are in it.

    Sums and draws over topics in this order do not depend on how they were read.
    """
    if all(one <= other for one, other in pairwise(scores.topics)):
        return None
    return sorted(range(len(scores.topics)), key=scores.topics.__getitem__)


def sorted_tallies(scores: Scores, measure: Measure, order: Sequence[int] | None) -> Array:
    """A measure's tallies, with topics in order."""
    tallies = scores.tallies[measure]
    return tallies if order is None else tallies[:, order]


def _measure_averages(
    scores: Scores,
    measure: Measure,
    how: Resampling,
    order: Sequence[int] | None,
    parts: Sequence[str],
) -> Iterator[Average]:
    """One measure's corpus figures."""
    rule = rule_for(measure, how)
    tallies = sorted_tallies(scores, measure, order)
    # On how many topics a figure rests: where the part is defined, or where there are any counts.
    lacking = topics_without(measure, tallies, rule, nested=scores.nested)
    counts = np.count_nonzero(~lacking, axis=1)
    found = estimate(
        topic_contributions(measure, tallies, rule, nested=scores.nested),
        lambda sums: finish_topic_average(measure, sums, rule),
        how,
        counts=counts,
        bounds=[measure.bounds(part) for part in measure.parts],
    )
    for s, system in enumerate(scores.systems):
        for part in parts:
            at = s, measure.parts.index(part)
            value, low, high = (float(numbers[at]) for numbers in found)
            yield Average(system, measure, part, value, low, high, int(counts[at]))
