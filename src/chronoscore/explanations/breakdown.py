"""Flat records of each content unit or nugget, and how far each system expresses it."""

import math
from collections.abc import Iterator, Sequence

from chronoscore.core import Collection, Ranking, Row, Run
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.units.pyramid import PyramidMeasure, breakdown_by_unit


def rows(collection: Collection, runs: Sequence[Run], measures: Sequence[Measure]) -> Iterator[Row]:
    """Each unit or nugget of each topic, heaviest first, with how far each system expresses it."""
    pyramid = next((one for one in measures if isinstance(one, PyramidMeasure)), None)
    stream = next((one for one in measures if isinstance(one, Stream)), None)
    if pyramid is not None:
        return _unit_rows(collection, runs, pyramid)
    if stream is not None:
        return _nugget_rows(collection, runs, stream)
    raise UsageError("`breakdown` lists units or nuggets; add the measure pyramid or stream")


def _unit_rows(
    collection: Collection, runs: Sequence[Run], measure: PyramidMeasure
) -> Iterator[Row]:
    """Each content unit of each topic, heaviest first, with how much of it a system expresses."""
    for run in runs:
        for topic in collection:
            output = run.outputs.get(topic.id, Ranking.empty())
            if not isinstance(output, Ranking) or topic.pyramid is None:
                continue
            for unit in breakdown_by_unit(topic.pyramid, output, cutoff=measure.cutoff):
                yield {
                    "system": run.system,
                    "topic": topic.id,
                    "unit": unit.unit,
                    "text": unit.text,
                    "weight": float(unit.weight),
                    "score": unit.score,
                    "missed": unit.missed,
                }


def _nugget_rows(collection: Collection, runs: Sequence[Run], measure: Stream) -> Iterator[Row]:
    """Each nugget of each topic, most important first, and the update that expresses it.

    A nugget that a system does not express has no update, and `missed` is what it was worth.
    """
    for run in runs:
        for topic in collection:
            output = run.outputs.get(topic.id, Ranking.empty())
            assert isinstance(output, Ranking)
            nuggets = measure.nuggets(topic)
            timed = nuggets.retime(measure.times, output)
            told = {
                match.nugget: (step.update, match)
                for step in measure.walk(nuggets, output)
                for match in step.matches
            }
            texts = {event.id: event.text for event in nuggets.judged.events}
            for nugget, importance in sorted(nuggets.importance.items(), key=lambda one: -one[1]):
                update, match = told.get(nugget, (None, None))
                worth = measure.relevance(importance)
                known = timed.times[nugget]
                yield {
                    "system": run.system,
                    "topic": topic.id,
                    "nugget": nugget,
                    "text": texts[nugget],
                    "importance": importance,
                    "known": math.nan if known is None else known,
                    "update": update.sentence if update else "",
                    "time": update.time if update and update.time is not None else math.nan,
                    "gain": worth if match else 0.0,
                    "timeliness": match.timeliness if match else math.nan,
                    "latency gain": worth * match.timeliness if match else 0.0,
                    "missed": 0.0 if match else worth,
                }
