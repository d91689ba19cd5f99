"""Records of a file as they stand there: rows of a table, objects, or objects by name."""

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError
from chronoscore.formats.io.files import read_lines, read_text
from chronoscore.formats.io.layout import bare_name, is_json_lines_file
from chronoscore.formats.summaries.records import UNREADABLE, describe_json_error

Row: TypeAlias = Mapping[str, Any]
KEY = "id"
"""What the name of an object is called, where objects stand by name."""


def read_rows(path: Path, most: int | None = None) -> list[Row]:
    """The records of a file, at most so many; none where it has no records."""
    ending = path.suffix.lower()
    if ending in (".csv", ".tsv"):
        return [*islice(_table_rows(path), most)]
    if is_json_lines_file(path):
        lines = (line for line in read_lines(path) if line.strip())
        values = [_decode(path, line) for line in islice(lines, most)]
    elif ".json" in path.suffixes:
        value = _decode(path, read_text(path))
        values = value if isinstance(value, list) else [value]
        if isinstance(value, dict) and (named := _named_rows(value)):
            values = named
    else:
        return []
    rows = [one for one in values[:most] if isinstance(one, dict)]
    return [{key: _unwrap(value) for key, value in row.items()} for row in rows]


def _table_rows(path: Path) -> Any:
    """The rows of CSV, by the sign that the heading has most of."""
    text = read_text(path)
    sign = max(",;\t|", key=text.partition("\n")[0].count)
    # Lines are left to the reader: a cell may hold other ends of lines, such as U+2028.
    return csv.DictReader(io.StringIO(text, newline=""), delimiter=sign)


def _decode(path: Path, text: str) -> Any:
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except UNREADABLE as error:
        raise DataError(f"{describe_json_error(error)}; fix the JSON", place=path) from None


def _named_rows(value: Mapping[str, Any]) -> list[Row]:
    """Objects by name as rows, if they have keys in common."""
    inner = [one for one in value.values() if isinstance(one, dict)]
    if not inner or len(inner) < len(value):
        return []
    shared = set.intersection(*({*one} for one in inner))
    return [{KEY: name, **one} for name, one in value.items()] if shared else []


def cells(
    path: Path, systems: Sequence[str], references: Sequence[str], key: str | None
) -> tuple[dict[str, dict[str, Any]], dict[str, list[Any]]]:
    """What each system wrote by topic, and the references by topic.

    The names are those of columns or keys; of names of objects, where topics stand inside them; or
    of values in a column, where each row is an entry or a text of one system.
    """
    rows = read_rows(path)
    names = [*systems, *references]
    if not rows:
        raise DataError("holds no records; give JSON, JSON Lines or CSV", place=path)
    if rows and not any(name in row for row in rows for name in names):
        rows = _turn(rows, names) or _gather(rows, names)
    if not rows:
        raise DataError(f"has no column '{names[0]}'; correct [columns]", place=path)
    for name in names:
        if not any(name in row for row in rows):
            raise DataError(f"has no column '{name}'; correct [columns]", place=path)
    key = key or topic_key(rows, names)
    outputs: dict[str, dict[str, Any]] = {}
    known: dict[str, list[Any]] = {}
    for number, row in enumerate(rows, 1):
        topic = str(row.get(key) or number) if key else str(number)
        if topic in known:
            raise DataError(f"topic '{topic}' is there already; make ids unique", place=path)
        known[topic] = [
            one
            for name in references
            for one in (row[name] if is_several(row.get(name)) else [row.get(name)])
            if one not in (None, "")
        ]
        for system in systems:
            value = row.get(system)
            called = bare_name(path) if len(systems) == 1 else system
            if value is not None:
                outputs.setdefault(called, {})[topic] = value
    return outputs, known


def _unwrap(value: Any) -> Any:
    """The only answer of a list, as harnesses keep what a model was sampled for."""
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], str | list):
        value = value[0]
    return value


def merge_references(known: dict[str, list[Any]], more: Mapping[str, list[Any]]) -> None:
    """Add references that are not there yet."""
    for topic, found in more.items():
        own = known.setdefault(topic, [])
        own += [one for one in found if one not in own]


def are_plain_records(paths: Sequence[Path], system: str) -> bool:
    """Whether files are records of texts that are read in blocks."""
    from chronoscore.projects.columns import is_timeline_value

    for path in paths:
        if not is_json_lines_file(path) and path.suffix.lower() not in (".csv", ".parquet"):
            return False
    first = read_rows(paths[0], 3)
    return bool(first) and all(
        isinstance(one.get(system), str) and not is_timeline_value(one[system]) for one in first
    )


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


def topic_key(rows: Sequence[Row], names: Sequence[str]) -> str | None:
    """The column that names topics: short values, each once."""
    for column in dict.fromkeys(name for row in rows[:1] for name in row):
        values = [row.get(column) for row in rows]
        short = all(isinstance(one, str | int) and len(str(one)) <= 60 for one in values)
        if column not in names and short and len({*map(str, values)}) == len(values):
            return column
    return None


def _turn(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """Rows of topics, from those of systems."""
    by_name = {str(row.get(KEY)): row for row in rows}
    if not all(name in by_name for name in names):
        return []
    topics = dict.fromkeys(key for name in names for key in by_name[name] if key != KEY)
    return [
        {KEY: topic, **{name: by_name[name][topic] for name in names if topic in by_name[name]}}
        for topic in topics
    ]


def _gather(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """Rows of topics, from rows that are entries or texts of one system."""
    column = next((key for key in rows[0] if {*names} <= {str(row.get(key)) for row in rows}), None)
    if column is None:
        return []
    rest = [key for key in rows[0] if key != column]
    topic = group_key(rows, [column])
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        name = str(row.get(column))
        if name not in names:
            continue
        own = found.setdefault(str(row.get(topic) or "1") if topic else "1", {})
        inside = {key: row.get(key) for key in rest if key != topic}
        own.setdefault(name, []).append(inside)
    return [{KEY: one, **{k: _lone_text(v) for k, v in own.items()}} for one, own in found.items()]


def _lone_text(entries: list[dict[str, Any]]) -> Any:
    """The text of a row that is a text and no entry."""
    if len(entries) == 1:
        texts = [one for one in entries[0].values() if isinstance(one, str)]
        if len(texts) == 1:
            return texts[0]
    return entries


def group_key(rows: Sequence[Row], others: Sequence[str]) -> str | None:
    """The column of topics where each has several rows: short words that come again and again."""
    best: tuple[int, str] | None = None
    for column in rows[0]:
        values = [str(row.get(column) or "") for row in rows]
        kinds = {*values}
        if column in others or len(kinds) >= len(values) or any(len(one) > 60 for one in kinds):
            continue
        if all(looks_dated(one) for one in kinds if one):
            continue
        if best is None or len(kinds) > best[0]:
            best = len(kinds), column
    return best[1] if best else None
