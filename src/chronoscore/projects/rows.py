"""Records of a file as they stand there: rows of a table, objects, or objects by name.

Objects inside a record are columns of their own, such as `response.output`, and records may lie
deep in a document, as harnesses write them.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError, UsageError
from chronoscore.extras import install_command
from chronoscore.formats.io.files import read_lines, read_text
from chronoscore.formats.io.layout import is_json_lines_file
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error
from chronoscore.formats.timelines.csv_rows import table_cells
from chronoscore.formats.timelines.field_values import date_kind
from chronoscore.formats.timelines.format import Content

Row: TypeAlias = Mapping[str, Any]
KEY = "id"
"""What the name of an object is called, where objects stand by name."""
DEEPEST = 4
"""Levels of a document at which its records are looked for."""


def read_rows(path: Path, most: int | None = None) -> list[Row]:
    """The records of a file, at most so many; none where it has no records."""
    ending = path.suffix.lower()
    if ending in (".csv", ".tsv"):
        return [*islice(_table_rows(path), most)]
    if ending == ".parquet":
        values = [*islice(_parquet_rows(path), most)]
    elif is_json_lines_file(path):
        lines = (line for line in read_lines(path) if line.strip())
        values = [_decode(path, line) for line in islice(lines, most)]
    elif ".json" in path.suffixes:
        value = _decode(path, read_text(path))
        if isinstance(value, dict) and (named := _named_rows(value)):
            return named[:most]
        values = _find_records(value)
    else:
        return []
    return [open_row(one) for one in values[:most] if isinstance(one, dict)]


def _table_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of CSV, by the sign that the heading has most of."""
    text = read_text(path)
    sign = max(",;\t|", key=text.partition("\n")[0].count)
    rows = (cells for _, cells in table_cells(Content(text, str(path)), sign))
    heading = next(rows, [])
    yield from (dict(zip(heading, cells, strict=False)) for cells in rows)


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(f"Parquet needs pyarrow; {install_command('bulk')}", place=path) from None
    try:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=1000):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"cannot be read as Parquet ({error}); write it again", place=path
        ) from None


def _decode(path: Path, text: str) -> Any:
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except UNREADABLE as error:
        raise DataError(f"{describe_json_error(error)}; fix the JSON", place=path) from None


def _find_records(value: Any) -> list[Any]:
    """The records of a document: its list, or the longest list inside it."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return []
    if any(map(_is_told, value.values())):
        return [value]
    if table := _table_in(value):
        return table
    return max(_inner_lists(value, DEEPEST), key=len, default=[value])


def _table_in(value: Mapping[str, Any]) -> list[Any]:
    """The rows of a table that a document holds as names of columns and lists of cells."""
    lists = [one for one in value.values() if isinstance(one, list) and one]
    for names in (one for one in lists if all(isinstance(name, str) for name in one)):
        for rows in lists:
            if all(isinstance(row, list) and len(row) == len(names) for row in rows):
                return [dict(zip(names, row, strict=True)) for row in rows]
    return []


def _is_told(value: Any) -> bool:
    """Whether a value is what a record says: a timeline by date, or a text of several words."""
    return _has_days(value) or (isinstance(value, str) and len(value.split()) > 5)


def _inner_lists(value: Any, levels: int) -> Iterator[list[Any]]:
    """Lists of records in a document; those of dated entries are timelines."""
    for inner in value.values() if isinstance(value, dict) else ():
        if isinstance(inner, list) and inner and all(isinstance(one, dict) for one in inner):
            if not any(_is_entry(one) for one in inner[:3]):
                yield inner
        elif levels > 1:
            yield from _inner_lists(inner, levels - 1)


def _named_rows(value: Mapping[str, Any]) -> list[Row]:
    """Objects by name as rows, if they have keys in common."""
    inner = [one for one in value.values() if isinstance(one, dict)]
    if not inner or len(inner) < len(value) or any(map(_has_days, inner)):
        return []
    shared = set.intersection(*({*one} for one in inner))
    if not shared:
        return []
    rows: list[Row] = []
    for name, one in value.items():
        row: dict[str, Any] = {KEY: name}
        for key, held in one.items():
            if isinstance(held, dict) and held and all(map(_has_days, held.values())):
                row |= {f"{key}.{system}": timeline for system, timeline in held.items()}
            else:
                row[key] = _unwrap(held)
        rows.append(row)
    return rows


def open_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A record with what its objects hold beside it, under names such as `response.output`.

    >>> open_row({"id": 1, "vars": {"topic": "dam"}, "gold": {"2031-03-12": "It broke."}})
    {'id': 1, 'vars.topic': 'dam', 'gold': {'2031-03-12': 'It broke.'}}
    """
    found: dict[str, Any] = {}
    for key, value in row.items():
        held = _unwrap(value)
        if isinstance(held, list) and len(held) == 1 and isinstance(held[0], dict):
            inner = held[0]
            held = held if _has_days(inner) or _is_entry(inner) or _is_message(inner) else inner
        if isinstance(held, dict) and held and not (_has_days(held) or _is_entry(held)):
            found |= {f"{key}.{name}": one for name, one in open_row(held).items()}
        else:
            found[key] = held
    return found


def _unwrap(value: Any) -> Any:
    """The only answer of a list, as harnesses keep what a model was sampled for."""
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], str | list):
        value = value[0]
    return value


def is_chat(value: Any) -> bool:
    """Whether a value is a conversation, the last word of which is a model's."""
    return isinstance(value, list) and bool(value) and all(map(_is_message, value))


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value and "content" in value


def is_several(value: object) -> bool:
    """Whether a value holds several texts or timelines rather than one."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, str) for one in value) or all(map(_has_days, value))


def _has_days(value: object) -> bool:
    """Whether the keys of a value are days."""
    return isinstance(value, Mapping) and bool(value) and all(map(_is_day, value))


def _is_day(key: object) -> bool:
    return isinstance(key, str) and key[:4].isdigit() and looks_dated(key)


def _is_entry(value: Mapping[str, Any]) -> bool:
    """Whether a record is a dated entry: one of its values is a day, and there are few others."""
    return len(value) <= 6 and any(date_kind(one) == "full" for one in value.values())
