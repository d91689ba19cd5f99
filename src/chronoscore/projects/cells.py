"""What systems wrote and what references say by topic, from records whose columns are named."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError
from chronoscore.formats.corpora.run_folders import are_numbered_runs
from chronoscore.formats.io.layout import bare_name, is_json_lines_file
from chronoscore.projects.rows import KEY, Row, is_several, read_rows


@dataclass(frozen=True)
class Roles:
    """Which columns of records hold what: their names, or other names in their place."""

    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    topic: str | None = None
    author: str | None = None
    """The column that says which system wrote a row."""


Outputs: TypeAlias = dict[str, dict[str, Any]]
"""By system: its outputs by topic, or by run and topic."""


def read_cells(path: Path, roles: Roles) -> tuple[Outputs, dict[str, list[Any]]]:
    """What each system wrote by topic, and the references by topic.

    Names are those of columns or keys; of names of objects, where topics stand inside them; or
    of values in a column, where each row is an entry or a text of one system.
    """
    rows = read_rows(path)
    names = [*roles.systems, *roles.references]
    if not rows:
        raise DataError("holds no records; give JSON, JSON Lines, CSV or Parquet", place=path)
    if not any(name in row for row in rows for name in names):
        rows = _turn(rows, names) or _gather(rows, names)
    if not rows:
        raise DataError(f"has no column '{names[0]}'; correct [columns]", place=path)
    for name in [*names, *filter(None, (roles.topic, roles.author))]:
        if not any(name in row for row in rows):
            raise DataError(f"has no column '{name}'; correct [columns]", place=path)
    key = roles.topic or topic_key(rows, names)
    called = _name_systems(path, roles.systems)
    authors = [None if roles.author is None else str(row.get(roles.author)) for row in rows]
    has_runs = are_numbered_runs({f"{roles.author} {one}" for one in authors if one is not None})
    outputs: Outputs = {}
    known: dict[str, list[Any]] = {}
    for number, (row, author) in enumerate(zip(rows, authors, strict=True), 1):
        named = row.get(key) if key else None
        topic = str(number if named in (None, "") else named)
        if topic in known and roles.author is None:
            raise DataError(
                f"topic '{topic}' is there already; make ids unique, or say which column names "
                'the system, as in [columns] author = "model"',
                place=path,
            )
        said = [*_references_of(row, roles.references)]
        if topic in known:
            merge_references(known, {topic: said})
        known.setdefault(topic, said)
        for column in roles.systems:
            value = row.get(column)
            if value is None:
                continue
            system = called[column]
            if author is not None and not has_runs:
                who = f"{roles.author} {author}" if author.isdigit() else author
                system = f"{who}/{system}" if len(roles.systems) > 1 else who
            own = outputs.setdefault(system, {})
            if author is not None and has_runs:
                own = own.setdefault(author, {})
            if topic in own:
                raise DataError(
                    f"system '{system}' has an output for topic '{topic}' already; make ids unique",
                    place=path,
                )
            own[topic] = value
    return outputs, known


def _name_systems(path: Path, columns: Sequence[str]) -> dict[str, str]:
    """What systems are called: their columns without what all begin with, or a lone one's file."""
    if len(columns) == 1:
        return {columns[0]: bare_name(path)}
    split = [column.split(".") for column in columns]
    ahead = takewhile(lambda parts: len({*parts}) == 1, zip(*split, strict=False))
    shared = "".join(f"{parts[0]}." for parts in ahead)
    return {column: column.removeprefix(shared) or column for column in columns}


def _references_of(row: Row, columns: Sequence[str]) -> Iterator[Any]:
    for name in columns:
        value = row.get(name)
        said: list[Any] = value if isinstance(value, list) and is_several(value) else [value]
        yield from (one for one in said if one not in (None, ""))


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


def topic_key(rows: Sequence[Row], names: Sequence[str]) -> str | None:
    """The column that names topics: short values, each once."""
    for column in filter(None, dict.fromkeys(name for row in rows[:1] for name in row)):
        values = [row.get(column) for row in rows]
        if column not in names and are_short(values) and len({*map(str, values)}) == len(values):
            return column
    return None


def are_short(values: Sequence[Any]) -> bool:
    """Whether values may be names."""
    return all(isinstance(one, str | int) and len(str(one)) <= 60 for one in values)


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
