"""Scores of a stream as it grows: after each update in order of time, or of confidence.

An update keeps what it earned in the order of time; by confidence only the order in which
updates are added up differs. After the last update the figures are the scores themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from chronoscore.core import Collection, Ranking, Row, Run, Topic
from chronoscore.measures.measure import Array
from chronoscore.measures.streams.stream import Stream

CurveOrder: TypeAlias = Literal["rank", "time"]
POINTS = 200
"""Places at which topics are averaged."""


@dataclass(frozen=True)
class StreamCurve:
    """The parts after each update of one stream; `at` is its rank, or hours since a topic began."""

    system: str
    topic: str
    at: Array
    values: Array
    """updates × parts"""

    def held(self, places: Array) -> Array:
        """The parts at other places: those of the last update up to there, 0 before the first."""
        last = np.searchsorted(self.at, places, side="right") - 1
        if not len(self.at):
            return np.zeros((len(places), self.values.shape[1]))
        return np.where(last[:, np.newaxis] < 0, 0.0, self.values[np.maximum(last, 0)])


def stream_curves(
    collection: Collection, runs: Sequence[Run], measure: Stream, by: CurveOrder
) -> list[StreamCurve]:
    """The curve of every run on every topic that has nuggets."""
    return [
        _stream_curve(measure, run.system, topic, run.outputs.get(topic.id, Ranking.empty()), by)
        for run in runs
        for topic in collection
        if measure.nuggets(topic).importance
    ]


def _stream_curve(
    measure: Stream, system: str, topic: Topic, output: object, by: CurveOrder
) -> StreamCurve:
    """The parts after each update of one stream."""
    assert isinstance(output, Ranking)
    nuggets = measure.nuggets(topic)
    steps = list(measure.walk(nuggets, output))
    if by == "rank":
        steps.sort(key=lambda step: -step.update.score)
    sums = np.array([measure.step_sums(step) for step in steps]).reshape(len(steps), -1)
    worths = np.array(measure.worths(nuggets))
    counts = np.arange(1.0, len(steps) + 1)
    best = np.cumsum(worths)[np.minimum(counts, len(worths)).astype(int) - 1]
    ideal = best / np.minimum(counts, len(worths)) * counts
    tallies = np.column_stack(
        [sums.cumsum(axis=0), np.full(len(steps), worths.sum()), ideal]
    ).reshape(len(steps), len(measure.columns))
    if by == "rank":
        at = counts
    else:
        start = min((time for time in nuggets.times.values() if time is not None), default=0.0)
        at = np.array([((step.update.time or start) - start) / 3600 for step in steps])
    return StreamCurve(system, topic.id, at, measure.values(tallies))


def curve_rows(curves: Sequence[StreamCurve], measure: Stream, by: CurveOrder) -> Iterator[Row]:
    """A record for each update of each curve."""
    places = [measure.parts.index(part) for part in measure.shown]
    for curve in curves:
        for number, (at, values) in enumerate(zip(curve.at, curve.values, strict=True), 1):
            yield {
                "system": curve.system,
                "topic": curve.topic,
                "updates": number,
                "rank" if by == "rank" else "hours": float(at),
                **{measure.parts[place]: float(values[place]) for place in places},
            }


def mean_curves(curves: Sequence[StreamCurve]) -> tuple[Array, dict[str, Array]]:
    """Means over topics at the same places: the places, and parts by system (places × parts)."""
    ends = [curve.at[-1] for curve in curves if len(curve.at)]
    starts = [curve.at[0] for curve in curves if len(curve.at)]
    places = np.linspace(min(starts, default=0.0), max(ends, default=1.0), POINTS)
    systems = dict.fromkeys(curve.system for curve in curves)
    return places, {
        system: np.mean([c.held(places) for c in curves if c.system == system], axis=0)
        for system in systems
    }
