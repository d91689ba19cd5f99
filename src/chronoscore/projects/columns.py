"""Which columns of records hold systems and which references: by values, then by names."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from statistics import mean
from typing import Any, Literal

from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import ChronoscoreError
from chronoscore.formats.timelines import fields, timeline_files
from chronoscore.formats.timelines.field_values import flatten
from chronoscore.formats.timelines.shapes import holds_timeline
from chronoscore.projects.cells import Roles, are_short, group_key, read_cells, topic_key
from chronoscore.projects.names import is_source, speaks_for
from chronoscore.projects.rows import KEY, Row, is_chat, is_several, read_rows

ROWS = 200
"""Rows that are looked at."""
TABLES = (".csv", ".tsv", ".parquet")
"""Endings of tables; a cell may hold a whole timeline, which other readers do not look for."""
FEW = 30
"""Values of a column from which on they are no names of systems."""


@dataclass(frozen=True)
class TableSides:
    """The columns of a file, or other names in it, that hold systems and references."""

    systems: tuple[str, ...]
    references: tuple[str, ...]
    key: str | None
    kind: Literal["timeline", "text"]
    topics: tuple[str, ...]
    sure: bool = True
    author: str | None = None
    """The column that says which system wrote a row."""

    @property
    def is_half(self) -> bool:
        """Whether the other side is in another file."""
        return not self.references

    @property
    def plain(self) -> bool:
        """Whether records have the keys that `score` reads without being told."""
        return self.systems == ("system",) and self.references == ("references",)


def find_sides(path: Path) -> TableSides | None:
    """The sides of a file that holds systems beside references; none for any other file."""
    try:
        rows = read_rows(path, ROWS)
    except ChronoscoreError:
        return None
    if not rows:
        return None
    return _in_columns(path, rows) or _in_names(path, rows) or _in_values(path, rows)


def _in_columns(path: Path, rows: Sequence[Row]) -> TableSides | None:
    """Sides that are columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    values = {
        name: [row[name] for row in rows if row.get(name) not in (None, "")] for name in names
    }
    if sum(looks_dated(one) and one[:4].isdigit() for one in names) > len(names) / 2:
        return None  # A mapping by date is a timeline.
    dated = [name for name in names if nearly_all(values[name], is_timeline_value)]
    held = dated or [
        name for name in names if not is_source(name) and nearly_all(values[name], _is_long_text)
    ]
    held = [name for name in held if not is_source(name)]
    held = [name for name in held if not is_told_elsewhere(name, held, rows)]
    if not dated and (are_entries(rows) or not held):
        return None
    references = [name for name in held if speaks_for(name) > 0]
    chats = [name for name in held if nearly_all(values[name], is_chat)]
    if chats and not references and len(held) > len(chats):
        # A model wrote the last word of a conversation.
        references = [name for name in held if name not in chats]
    several = [name for name in held if nearly_all(values[name], is_several) and not dated]
    references = references or (several if len(several) < len(held) else [])
    systems = [name for name in held if name not in references]
    if len(held) == 1 and (not dated or path.suffix.lower() in TABLES):
        return _half_of(path, held, rows, "timeline" if dated else "text")
    if len(held) < 2 or not systems:
        return None
    sure = bool(references)
    if not references and len(rows) == 1:
        return None  # Timelines by topic, not by side.
    if not references:
        quiet = [name for name in systems if speaks_for(name) == 0]
        if len(quiet) == 1 < len(systems):
            references, systems, sure = quiet, [one for one in systems if one not in quiet], False
        elif _are_topics(names, rows):
            return None
        else:
            references, systems = held[:1], held[1:]
    return _sides(path, systems, references, rows, "timeline" if dated else "text", sure)


def _half_of(
    path: Path, held: Sequence[str], rows: Sequence[Row], kind: Literal["timeline", "text"]
) -> TableSides | None:
    """The side of a file with one text in a row, of each topic or of each system and topic."""
    if topic_key(rows, held):
        return _sides(path, held, (), rows, kind, True)
    short = {
        name: [str(row.get(name)) for row in rows]
        for name in rows[0]
        if name not in held and are_short([row.get(name) for row in rows])
    }
    for author, topic in permutations(short, 2):
        pairs = {*zip(short[author], short[topic], strict=True)}
        if len(pairs) == len(rows) and 1 < len({*short[author]}) < len({*short[topic]}):
            told = tuple(dict.fromkeys(short[topic]))
            return TableSides(tuple(held), (), topic, kind, told, author=author)
    return None


def _are_topics(names: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether the columns are topics and the names of objects systems."""
    return any(speaks_for(str(row.get(KEY, ""))) for row in rows)


def _in_names(path: Path, rows: Sequence[Row]) -> TableSides | None:
    """Sides that are names of objects, in which topics stand."""
    named = [str(row[KEY]) for row in rows if KEY in row]
    references = [name for name in named if speaks_for(name) > 0]
    systems = [name for name in named if name not in references]
    if len(named) < len(rows) or not references or not systems or len(named) > FEW:
        return None
    inner = [value for row in rows for key, value in row.items() if key != KEY]
    dated = nearly_all(inner, is_timeline_value)
    if not dated and not nearly_all(inner, _is_long_text):
        return None
    return _sides(path, systems, references, rows, "timeline" if dated else "text", True)


def _in_values(path: Path, rows: Sequence[Row]) -> TableSides | None:
    """Sides that are values of a column, where each row is of one of them."""
    whole = read_rows(path)
    for column in rows[0]:
        found = dict.fromkeys(str(row.get(column) or "") for row in whole)
        if not 2 <= len(found) <= FEW or len(found) == len(whole):
            continue
        references = [name for name in found if speaks_for(name) > 0]
        systems = [name for name in found if name and name not in references]
        if references and systems and group_key(whole, [column]) != column:
            kind: Literal["timeline", "text"] = "timeline" if are_entries(rows) else "text"
            return _sides(path, systems, references, whole, kind, True)
    return None


def _sides(
    path: Path,
    systems: Sequence[str],
    references: Sequence[str],
    rows: Sequence[Row],
    kind: Literal["timeline", "text"],
    sure: bool,
) -> TableSides | None:
    names = [*systems, *references]
    key = author = None
    if any(name in row for row in rows for name in names):
        key, author = _find_author(rows, references, names)
        key = key or topic_key(rows, names)
    try:
        roles = Roles(tuple(systems), tuple(references), key, author)
        outputs, known = read_cells(path, roles)
    except ChronoscoreError:
        return None
    if not any(outputs.values()):
        return None
    own = tuple(systems), tuple(references), key
    return TableSides(*own, kind, tuple(known), sure, author)


def is_told_elsewhere(name: str, held: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether another column has what this one says, and this one more around it.

    Harnesses keep what a model said, and what they took from it; of equal columns the last counts.
    """
    mine = [_told(row.get(name)) for row in rows]
    for other in held:
        if other == name or speaks_for(other) * speaks_for(name) < 0:
            continue
        theirs = [_told(row.get(other)) for row in rows]
        is_inside = all(b and b in a for a, b in zip(mine, theirs, strict=True))
        if is_inside and (mine != theirs or held.index(other) > held.index(name)):
            return True
    return False


def _told(value: Any) -> str:
    """The text of a value: of a conversation, its last word."""
    if is_chat(value):
        value = value[-1]["content"]
    return value.strip() if isinstance(value, str) else json.dumps(value, default=str)


def _find_author(
    rows: Sequence[Row], references: Sequence[str], names: Sequence[str]
) -> tuple[str | None, str | None]:
    """The columns of topics and of systems where rows repeat their references.

    Rows with the same reference are of one topic; what tells them apart are their systems.
    """
    told = [json.dumps([row.get(name) for name in references], default=str) for row in rows]
    kinds = len({*told})
    if not references or kinds == len(rows):
        return None, None
    columns = {
        name: [str(row.get(name)) for row in rows]
        for name in rows[0]
        if name not in names and are_short([row.get(name) for row in rows])
    }
    topics = sorted(
        (
            name
            for name, values in columns.items()
            if len({*values}) == kinds == len({*zip(values, told, strict=True)})
        ),
        key=lambda name: sum(map(len, columns[name])),
    )
    for name, values in columns.items():
        few = 1 < len({*values}) <= FEW and name not in topics
        if topics and few and len({*zip(values, told, strict=True)}) == len(rows):
            return topics[0], name
    return None, None


def nearly_all(values: Sequence[Any], check: Any) -> bool:
    """Whether nearly all values are of a kind."""
    some = values[:: max(1, len(values) // 20)]
    return bool(some) and mean(map(bool, map(check, some))) > 0.8


def is_timeline_value(value: Any) -> bool:
    """Whether a value is a timeline: text of one, a mapping by date, or entries."""
    if is_chat(value):
        return is_timeline_value(_told(value))
    if is_several(value) and not is_plain_list(value):
        return True
    if isinstance(value, list) and value and is_plain_list(value):
        return all("\n" in one and timeline_files.is_timeline_text(one) for one in value)
    if isinstance(value, str):
        if value.lstrip()[:1] in ("{", "["):
            with suppress(ValueError, RecursionError):
                return is_timeline_value(json.loads(value))
        return "\n" in value.strip() and timeline_files.is_timeline_text(value)
    if isinstance(value, Mapping) or (isinstance(value, list) and not is_plain_list(value)):
        try:
            text = json.dumps(value)
            found = timeline_files.read_timeline_text(text, "", form="json").timelines
        except ChronoscoreError:
            return False
        return holds_timeline(value) and len(found) == 1 and len(found[0].timeline) > 0
    return False


def is_plain_list(value: list[Any]) -> bool:
    """Whether a list holds texts."""
    return all(isinstance(one, str) for one in value)


def _is_long_text(value: Any) -> bool:
    """Whether a value is a text or several, not a name or a number."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, str) for one in value)
    return isinstance(value, str) and (len(value.split()) >= 3 or len(value) >= 20)


def are_entries(rows: Sequence[Row]) -> bool:
    """Whether rows are dated entries."""
    chosen = fields.choose([flatten(dict(row)) for row in rows])
    return bool(chosen.dates) and chosen.strength > 0.5
