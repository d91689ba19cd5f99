"""Flat records written as JSON, JSON Lines and CSV."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator

from chronoscore.core import Row


def as_json(rows: Iterable[Row]) -> str:
    """A JSON array with a record a line; an undefined value is null, as JSON has no nan."""
    return "[\n" + ",\n".join(json_row(row) for row in rows) + "\n]\n"


def as_jsonl(rows: Iterable[Row]) -> str:
    """A record a line."""
    return "".join(json_row(row) + "\n" for row in rows)


def json_row(row: Row) -> str:
    """One record as JSON."""
    safe = {key: None if _is_undefined(value) else value for key, value in row.items()}
    return json.dumps(safe, ensure_ascii=False, allow_nan=False)


def _is_undefined(value: object) -> bool:
    """Whether a value is a number that neither JSON nor a table can say: nan or infinite."""
    return isinstance(value, float) and not math.isfinite(value)


def as_csv(rows: Iterable[Row]) -> str:
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
