"""Corpus figures with bootstrap intervals."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Row
from chronoscore.measures import (
    Measure,
    averaging_rule,
    finish_topic_average,
    topic_contributions,
)
from chronoscore.measures.measure import Array
from chronoscore.options import Averaging, Resampling
from chronoscore.pipeline import begin_call, finish_in_order, threads
from chronoscore.progress import announce
from chronoscore.scoring import Progress, Scores
from chronoscore.stats.resample import CHUNK, bootstrap_draws, draw_sums, percentile_interval

NOWHERE = (float("nan"), float("nan"))


@dataclass(frozen=True)
class Average:
    """One corpus figure, over the topics where it is defined.

    The interval is nan where these are fewer than two.
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


def sign(scores: Scores, resampling: Resampling) -> str:
    """The signature of scores and of what was computed from them."""
    rules = "/".join(dict.fromkeys(rule_for(m, resampling) for m in scores.measures))
    drawn = f"bootstrap:{resampling.times}|level:{resampling.level:g}|seed:{resampling.seed}"
    return f"{scores.signature} average:{rules}|{drawn}"


def bootstrap_averages(
    scores: Scores, how: Resampling, *, jobs: int = 1, progress: Progress | None = None
) -> list[Average]:
    """The corpus figure of every system, measure and shown part, with its bootstrap interval.

    Topics are drawn with replacement, the same ones for every system and measure.
    """
    totals, drawn = _draw_all(scores, how, jobs, progress)
    return [
        average
        for measure, total, sums in zip(scores.measures, totals, drawn, strict=True)
        for average in _measure_averages(scores, measure, how, total, sums)
    ]


def _draw_all(
    scores: Scores, how: Resampling, jobs: int, progress: Progress | None
) -> tuple[list[Array], list[Array]]:
    """The sums over all topics and over each draw by measure: systems × [draws ×] columns."""
    topics, systems = len(scores.topics), len(scores.systems)
    if topics * how.times <= CHUNK:
        weights = bootstrap_draws(topics, how.times, how.seed).astype(np.float64)
        rows = [
            topic_contributions(measure, tallies, rule_for(measure, how))
            for measure, tallies in scores.tallies.items()
        ]
        drawn = [np.einsum("dt,sta->sda", weights, one, optimize=True) for one in rows]
        return [one.sum(axis=-2) for one in rows], drawn
    # All measures together, so that the draws are read once. A column of ones adds up to the number
    # of topics in every draw and is left out.
    totals: list[Array] = []
    varying: list[Array] = []
    kept: list[NDArray[np.bool_]] = []

    def prepare(measure: Measure) -> tuple[Array, NDArray[np.bool_], Array]:
        added = topic_contributions(measure, scores.tallies[measure], rule_for(measure, how))
        columns = added.swapaxes(0, 1).reshape(topics, -1)
        varies = (columns != 1).any(axis=0)
        return added.sum(axis=-2), varies, columns[:, varies]

    with threads(jobs) as pool:
        begun = (begin_call(pool, prepare, measure) for measure in scores.measures)
        for total, varies, columns in finish_in_order(begun, jobs if pool else 0):
            totals.append(total)
            kept.append(varies)
            varying.append(columns)
    places = np.concatenate(kept)
    sums = np.full((how.times, len(places)), float(topics))
    if places.any():
        joined = np.concatenate(varying, axis=1)
        varying.clear()
        announce("resampling topics", 0, how.times)
        sums[:, places] = draw_sums(joined, how.times, how.seed, jobs=jobs, progress=progress)
    ends = np.cumsum([total.size for total in totals])
    return totals, [
        part.reshape(how.times, systems, -1).swapaxes(0, 1)
        for part in np.split(sums, ends[:-1], axis=1)
    ]


def _measure_averages(
    scores: Scores, measure: Measure, how: Resampling, total: Array, sums: Array
) -> Iterator[Average]:
    """One measure's corpus figures, from its sums over topics and over each draw."""
    rule = rule_for(measure, how)
    values, drawn = (
        finish_topic_average(measure, total, rule),
        finish_topic_average(measure, sums, rule),
    )
    counting = _count_topics(measure, scores.tallies[measure], rule)
    for s, system in enumerate(scores.systems):
        for part in measure.shown:
            place = measure.parts.index(part)
            sample = drawn[s, :, place]
            defined = sample[~np.isnan(sample)]
            topics = int(counting[s, place])
            low, high = (
                percentile_interval(defined, how.level) if topics > 1 and len(defined) else NOWHERE
            )
            value = float(values[s, place])
            yield Average(system, measure, part, value, float(low), float(high), topics)


def _count_topics(measure: Measure, tallies: Array, rule: Averaging) -> NDArray[np.intp]:
    """On how many topics each figure rests: systems × parts.

    A topic counts where the part is defined; where counts are added up, wherever there are
    any.
    """
    lacking = averaging_rule(rule).lacks(measure, tallies)
    counted: NDArray[np.intp] = np.count_nonzero(~lacking, axis=1)
    return counted
