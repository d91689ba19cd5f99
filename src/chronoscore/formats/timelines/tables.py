"""Tables in decoded data: objects, rows, columns, or names above rows, as one list of records."""

from collections.abc import Mapping, Sequence
from typing import Any

from chronoscore.formats.timelines.fields import date_kind


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
