"""Flat records: written as JSON, JSON Lines and CSV, and one for each content unit."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence

from chronoscore.core import Collection, Ranking, Row, Run
from chronoscore.errors import UsageError
from chronoscore.measures import Measure
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.units.pyramid import PyramidMeasure, breakdown_by_unit


def json_rows(rows: Iterable[Row]) -> str:
    """A JSON array with a record a line; an undefined value is null, as JSON has no nan."""
    return "[\n" + ",\n".join(json_row(row) for row in rows) + "\n]\n"


def jsonl_rows(rows: Iterable[Row]) -> str:
    """A record a line."""
    return "".join(json_row(row) + "\n" for row in rows)


def json_row(row: Row) -> str:
    """One record as JSON."""
    safe = {key: None if _is_undefined(value) else value for key, value in row.items()}
    return json.dumps(safe, ensure_ascii=False, allow_nan=False)


def _is_undefined(value: object) -> bool:
    """Whether a value is a number that neither JSON nor a table can say: nan or infinite."""
    return isinstance(value, float) and not math.isfinite(value)


def csv_rows(rows: Iterable[Row]) -> str:
    """Comma-separated values under a heading; an undefined value is an empty cell."""
    return "".join(csv_lines(rows))


def csv_lines(rows: Iterable[Row]) -> Iterator[str]:
    """The same line by line, the heading with the first."""
    buffer = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(buffer, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow({key: _csv_cell(value) for key, value in row.items()})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _csv_cell(value: object) -> object:
    """A value as a cell: nothing where it is undefined, a list as JSON."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return "" if _is_undefined(value) else value


def unit_rows(
    collection: Collection, runs: Sequence[Run], measures: Sequence[Measure]
) -> Iterator[Row]:
    """Each unit or nugget of each topic, heaviest first, with how far each system tells it."""
    found = [measure for measure in measures if isinstance(measure, PyramidMeasure)]
    streams = [measure for measure in measures if isinstance(measure, Stream)]
    if streams and not found:
        yield from _nugget_table_rows(collection, runs, streams[0])
        return
    if not found:
        raise UsageError("--breakdown lists units or nuggets; add -m pyramid or -m stream")
    for run in runs:
        for topic in collection:
            output = run.outputs.get(topic.id, Ranking.empty())
            if not isinstance(output, Ranking) or topic.pyramid is None:
                continue
            for unit in breakdown_by_unit(topic.pyramid, output, cutoff=found[0].cutoff):
                yield {
                    "system": run.system,
                    "topic": topic.id,
                    "unit": unit.unit,
                    "text": unit.text,
                    "weight": float(unit.weight),
                    "score": unit.score,
                    "missed": unit.missed,
                }


def _nugget_table_rows(
    collection: Collection, runs: Sequence[Run], measure: Stream
) -> Iterator[Row]:
    """Each nugget of each topic, most important first, and the update that each system tells it by.

    A nugget that a system does not tell has no update, and `missed` is what it was worth.
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
