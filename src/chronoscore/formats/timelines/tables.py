"""Tables in decoded data: objects, rows, columns, or names above rows, as one list of records.

Also pairs of dates and texts, and texts below years.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from chronoscore.errors import DataError
from chronoscore.formats.timelines import fields
from chronoscore.formats.timelines.field_values import date_kind, flatten

Path: TypeAlias = tuple[str | int, ...]
"""The keys and places that lead to a value."""


def records_of(value: Any) -> list[dict[str, Any]] | None:
    """The records of a table in any of its forms; nothing for other values.

    >>> records_of({"date": ["2010", "2011"], "text": ["A.", "B."], "n": 2})
    [{'date': '2010', 'text': 'A.'}, {'date': '2011', 'text': 'B.'}]
    >>> records_of({"columns": ["date", "text"], "data": [["2010", "A."], ["2011", "B."]]})
    [{'date': '2010', 'text': 'A.'}, {'date': '2011', 'text': 'B.'}]
    """
    if isinstance(value, dict):
        return _of_heading_and_rows(value) or _of_columns(value)
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(row, dict) for row in value):
        return value
    if all(isinstance(row, list) for row in value) and _are_rows(value):
        return _of_rows(value)
    return None


def _of_columns(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Columns as lists of one length, or as objects from the numbers of rows, as pandas writes."""
    columns = {key: column for key, column in value.items() if isinstance(column, list)}
    if not columns:
        columns = {
            key: list(column.values())
            for key, column in value.items()
            if isinstance(column, dict) and column and all(map(str.isdecimal, column))
            and [*map(int, column)] == [*range(len(column))]
        }  # fmt: skip
    lengths = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(lengths) > 1 or lengths == {0}:
        return None
    if not any(all(map(date_kind, column[:3])) for column in columns.values()):
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _of_heading_and_rows(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Names in one list, and rows of that width in another."""
    lists = [one for one in value.values() if isinstance(one, list) and one]
    for heading in lists:
        for rows in lists:
            if (
                len(heading) > 1
                and all(isinstance(name, str) for name in heading)
                and all(isinstance(row, list) and len(row) == len(heading) for row in rows)
            ):
                return [dict(zip(heading, row, strict=True)) for row in rows]
    return None


def _are_rows(value: Sequence[list[Any]]) -> bool:
    """Rows of one width: of more than two cells, or of two with a heading above."""
    width = len(value[0])
    if width < 2 or any(len(row) != width for row in value):
        return False
    plain = all(not isinstance(cell, list | dict) for row in value for cell in row)
    headed = len(value) > 1 and not any(map(date_kind, value[0])) and any(map(date_kind, value[1]))
    return headed if width == 2 else plain and any(map(date_kind, value[-1]))


def _of_rows(rows: Sequence[list[Any]]) -> list[dict[str, Any]]:
    """Rows below their heading, or by the number of each column."""
    first = rows[0]
    headed = all(isinstance(cell, str) for cell in first) and not any(map(date_kind, first))
    heading = first if headed else [str(n) for n in range(1, len(first) + 1)]
    return [dict(zip(heading, row, strict=True)) for row in rows[headed:]]


def headed_lines(value: list[Any] | dict[str, Any]) -> str | None:
    """Years over lists of texts that begin with days and months of their own, as Markdown."""
    if not isinstance(value, dict) or not all(date_kind(key) == "year" for key in value):
        return None
    if not all(
        isinstance(one, list) and one and all(isinstance(text, str) for text in one)
        for one in value.values()
    ):
        return None
    from chronoscore.dates.openings import opening_date

    texts = [text for one in value.values() for text in one]
    try:
        dates = [opening_date(text, "2000") for text in texts]
    except DataError:
        return None
    if 2 * sum(date is not None and date.yearless for date in dates) < len(texts):
        return None
    return "\n".join(
        f"## {year}\n" + "\n".join(f"- {' '.join(text.split())}" for text in one)
        for year, one in value.items()
    )


def pairs_of(value: list[Any] | dict[str, Any]) -> list[Any] | None:
    """Pairs of a date and its texts, in a list or an object."""
    if isinstance(value, list):
        paired = all(is_pair(one) for one in value)
        return value if paired and any(date_kind(one[0]) for one in value) else None
    dated = sum(bool(date_kind(key)) for key in value)
    if 2 * dated < len(value) or not all(map(_is_dated_text, value, value.values())):
        return None
    return list(value.items())


def is_pair(value: Any) -> bool:
    """A date and what happened then, as news-tls writes them."""
    return isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)


def _is_dated_text(_key: str, value: Any) -> bool:
    """A text or texts, or an object with texts and no date of its own."""
    if isinstance(value, dict):
        chosen = fields.choose([flatten(value)])
        return bool(chosen.texts or chosen.spare) and not chosen.dates
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(one, str | int) for one in value)
    )


def largest_table(value: Any, path: Path = ()) -> tuple[Path, list[dict[str, Any]]] | None:
    """The table with most records in a value, and where it stands; a lone object is the last."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return path, [flatten(one) for one in value]
    items: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)
    found = [table for key, inner in items if (table := largest_table(inner, (*path, key)))]
    if found:
        return max(found, key=lambda one: len(one[1]))
    return (path, [flatten(value)]) if isinstance(value, dict) and value else None


def place_of(path: Path, value: Any) -> list[int]:
    """Where a path leads, as the number of each of its keys among its siblings."""
    places: list[int] = []
    for key in path:
        if isinstance(value, dict) and key in value:
            places.append(list(value).index(str(key)))
            value = value[key]
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            places.append(key)
            value = value[key]
    return places


def describe_path(path: Path) -> str:
    """A place in a value as people write it.

    >>> describe_path(("topics", 0, "events"))
    'topics[0].events'
    """
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return text.removeprefix(".") or "the top"


def is_record(value: Any) -> bool:
    """A record with references, or with a system's timeline and no other."""
    if not isinstance(value, dict):
        return False
    return "references" in value or (
        "system" in value and not isinstance(value["system"], str) and value["system"] is not None
    )


def is_result_file(value: Any) -> bool:
    """What news-tls writes: scores, and a timeline at the end of each of its results."""
    return (
        isinstance(value, dict)
        and value.keys() >= {"average", "results"}
        and isinstance(value["results"], list)
        and all(isinstance(one, list) and one for one in value["results"])
    )


def is_several(value: Any) -> bool:
    """A list of timelines rather than one."""
    if not isinstance(value, list) or not value:
        return isinstance(value, list)
    if is_pair(value[0]) and date_kind(value[0][0]):
        return False
    if all(isinstance(one, dict) for one in value):
        own = fields.choose([flatten(one) for one in value])
        return not own.dates
    return True


def describe_value(value: Any) -> str:
    """What a value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
