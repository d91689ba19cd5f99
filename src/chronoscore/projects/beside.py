"""Records that hold systems only: which columns tell them, where the references lie elsewhere."""

from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from chronoscore.errors import ChronoscoreError
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.field_values import flatten, place_in_time
from chronoscore.projects.cells import are_short
from chronoscore.projects.columns import (
    FEW,
    ROWS,
    TableSides,
    are_entries,
    is_timeline_value,
    is_told_elsewhere,
    nearly_all,
)
from chronoscore.projects.rows import read_rows


def as_systems(sides: TableSides, topics: Set[str]) -> TableSides | None:
    """A file without references of its own, where others are of its topics.

    Topics are what other files are called. A file names them in its rows or in its columns.
    """
    names = (*sides.systems, *sides.references)
    for systems, own, key in ((names, sides.topics, sides.key), (sides.topics, names, None)):
        if 2 * sum(one.casefold() in topics for one in own) > len(own):
            return replace(sides, systems=systems, references=(), topics=own, key=key, sure=True)
    return None


def find_half(path: Path, topics: Set[str]) -> TableSides | None:
    """The systems of a file of records without references, where others are of its topics."""
    try:
        rows = read_rows(path)
    except ChronoscoreError:
        return None
    names = list(dict.fromkeys(name for row in rows[:ROWS] for name in row))
    values = {name: [row.get(name) for row in rows] for name in names}
    held = [name for name in names if nearly_all(values[name], is_timeline_value)]
    held = [name for name in held if not is_told_elsewhere(name, held, rows)]
    short = [name for name in names if name not in held and are_short(values[name])]
    for key in short:
        own = {str(one).casefold() for one in values[key]}
        if len(held) != 1 or 2 * len(own & topics) <= len(own):
            continue
        rest = (name for name in short if name != key and 1 < len({*values[name]}) <= FEW)
        authors = [None] if len(own) == len(rows) else [*rest]
        for author in authors:
            if author is None or len({*zip(values[key], values[author], strict=True)}) == len(rows):
                told = tuple(dict.fromkeys(map(str, values[key])))
                return TableSides((held[0],), (), key, "timeline", told, author=author)
    return None


def find_writers(path: Path) -> TableSides | None:
    """The systems of a table of dated entries, by a column whose name does not tell.

    Without it the days of a topic begin again and again; with it they are in order.
    """
    try:
        rows = read_rows(path)
    except ChronoscoreError:
        return None
    if not rows or not are_entries(rows[:ROWS]):
        return None
    chosen = fields.choose([flatten(dict(row)) for row in rows[:ROWS]])
    if chosen.author is not None:
        return None
    days = [str(row.get(chosen.dates[0].main)) for row in rows]
    topics = [str(row.get(chosen.topic or "")) for row in rows]
    if not any(map(_begin_again, _group(topics, days))):
        return None
    for name in rows[0]:
        values = [str(row.get(name)) for row in rows]
        if name in (chosen.topic, *chosen.texts) or not 1 < len({*values}) <= FEW:
            continue
        both = [*zip(topics, values, strict=True)]
        if not any(map(_begin_again, _group(both, days))) and len({*both}) > len({*topics}):
            told = tuple(dict.fromkeys(topics))
            return TableSides(tuple(dict.fromkeys(values)), (), None, "timeline", told)
    return None


def _group(keys: Sequence[Any], days: Sequence[str]) -> list[list[str]]:
    """The days of each key."""
    found: dict[Any, list[str]] = {}
    for key, day in zip(keys, days, strict=True):
        found.setdefault(key, []).append(day)
    return [*found.values()]


def _begin_again(days: Sequence[str]) -> bool:
    """Whether days are out of order; sentences of one day stand together."""
    places = [*map(place_in_time, days)]
    return places != sorted(places)
