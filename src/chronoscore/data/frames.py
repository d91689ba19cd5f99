"""Data frames without depending on any: read columns by duck typing, build frames on request."""

import math
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from chronoscore.core import Row
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type, did_you_mean

Record: TypeAlias = Mapping[str, Any]
"""A row of a frame: values by column, None where the frame has nothing."""


def is_data_frame(value: object) -> bool:
    """Whether a value is a table: a pandas, polars or Arrow one, or a list of records.

    >>> is_data_frame([{"topic": "dam", "text": "The dam broke."}]), is_data_frame("runs/*")
    (True, False)
    """
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(item, Mapping) for item in value)
    kind = type(value)
    named = hasattr(kind, "columns") or hasattr(kind, "column_names")
    return named and hasattr(kind, "__getitem__") and not isinstance(value, Mapping)


def is_frame_column(value: object) -> bool:
    """Whether a value is a column of a frame or an array: a Series, or what NumPy has."""
    return any(hasattr(type(value), name) for name in ("to_list", "tolist", "to_pylist"))


def column_values(column: Any) -> list[Any]:
    """The values of a column or a plain sequence as a list, None for missing ones."""
    for name in ("to_list", "tolist", "to_pylist"):
        if hasattr(type(column), name):
            listed = getattr(column, name)()
            return [
                _plain_cell(value) for value in (listed if isinstance(listed, list) else [listed])
            ]
    return [_plain_cell(value) for value in column]


def _plain_cell(value: Any) -> Any:
    """A cell, or None for what frames use to say that there is nothing."""
    if isinstance(value, float) and math.isnan(value):
        return None
    return None if type(value).__name__ in ("NAType", "NaTType") else value


def column_names(frame: Any) -> list[str]:
    """The names of a frame's columns, in order, and those of its index before them."""
    frame = _with_index(frame)
    names = frame.column_names if hasattr(type(frame), "column_names") else frame.columns
    return [str(name) for name in names]


def _with_index(frame: Any) -> Any:
    """A frame of pandas with the named parts of its index as columns."""
    index = getattr(getattr(frame, "index", None), "names", ())
    named = [one for one in index if one is not None and one not in frame.columns]
    return frame.reset_index(level=named) if named else frame


def frame_records(
    frame: Any, required: Sequence[str], optional: Sequence[str] = (), *, what: str = "frame"
) -> Iterator[tuple[str, Record]]:
    """Each row with the place to name in errors; a missing column is refused."""
    if isinstance(frame, list | tuple):
        for number, row in enumerate(frame, 1):
            _check_columns(f"{what}, row {number}", [str(key) for key in row], required)
            cells = {name: _plain_cell(row.get(name)) for name in (*required, *optional)}
            yield f"{what}, row {number}", cells
        return
    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    frame = _with_index(frame)
    names = column_names(frame)
    _check_columns(what, names, required)
    there = [name for name in (*required, *optional) if name in names]
    if any(names.count(name) > 1 for name in there):
        raise DataError(f"{what}: has two columns of the same name; rename one")
    columns = [column_values(frame[name]) for name in there]
    blank = dict.fromkeys(optional)
    for number, values in enumerate(zip(*columns, strict=True), 1):
        yield f"{what}, row {number}", {**blank, **dict(zip(there, values, strict=True))}


def whole_records(frame: Any) -> list[Record]:
    """Every row of a frame with all of its columns."""
    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    return [cells for _, cells in frame_records(frame, column_names(frame))]


def _check_columns(where: str, names: Sequence[str], required: Sequence[str]) -> None:
    """Refuse a table that lacks a column, naming the nearest one."""
    for column in required:
        if column not in names:
            near = did_you_mean(column, names) if names else "there are none"
            raise DataError(f"column '{column}' is missing; {near}", place=where)


def has_column(frame: Any, name: str) -> bool:
    """Whether a frame, or the first of some records, has a column."""
    if isinstance(frame, list | tuple):
        return any(name in row for row in frame)
    return name in (
        frame.collect_schema().names()
        if type(frame).__name__ == "LazyFrame"
        else column_names(frame)
    )


def build_frame(library: str, rows: Sequence[Row]) -> Any:
    """A data frame of a library that the user has; nothing else ever imports one."""
    try:
        module = import_module(library)
    except ImportError:
        raise UsageError(
            f"to_{library}() needs {library}; install it with: pip install {library}"
        ) from None
    return module.DataFrame([dict(row) for row in rows])


def text_cell(where: str, cells: Record, column: str) -> str:
    """A cell that must hold text; numbers are accepted as names."""
    value = cells[column]
    if value is None or value == "":
        raise DataError(f"column '{column}' is empty; fill it or drop the row", place=where)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and column != "text":
        return str(value)
    raise WrongTypeError(f"column '{column}' holds {describe_type(value)}; give text", place=where)
