"""Similarities that were computed elsewhere: a table of pairs of texts with their values.

JSON Lines or Parquet with the columns `system`, `reference` and `value`. A text is named by its
id (see `text_id`) or written out. A judge's table opens with a header; pairs on which the judge
abstained have no value.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from chronoscore.align.dates import Floats
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_error, describe_type
from chronoscore.extras import install_command
from chronoscore.formats.io.files import read_bytes, read_lines
from chronoscore.formats.io.json_values import decode_json
from chronoscore.measures.similarity.material import join_sentences

SHAPE = '{"system": "…", "reference": "…", "value": 0.7}'
ID = re.compile(r"[0-9a-f]{16}")


def text_id(text: str) -> str:
    """The id of a text in a table of similarities: 16 digits that depend on its words alone.

    >>> text_id("The dam  broke.\\n") == text_id("The dam broke.")
    True
    """
    if not isinstance(text, str):
        raise WrongTypeError(f"{describe_type(text)} is not a text; give a string")
    joined = join_sentences([text])
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class ValueTable:
    """Values by the ids of the system's text and the reference's."""

    path: str
    values: Mapping[tuple[str, str], float]
    digest: str

    def lookup(self, systems: Sequence[str], references: Sequence[str], topic: str) -> Floats:
        """The value of every pair; a pair that the table lacks is refused, not taken for 0."""
        ours, theirs = [text_id(text) for text in systems], [text_id(text) for text in references]
        table = np.array([[self.values.get((i, j), math.nan) for j in theirs] for i in ours])
        table = table.reshape(len(ours), len(theirs))
        missing = np.argwhere(np.isnan(table))
        if len(missing):
            here, there = missing[0]
            raise DataError(
                f"topic '{topic}': no value for {ours[here]} "
                f"('{_shorten(systems[here])}') and {theirs[there]} "
                f"('{_shorten(references[there])}'), {len(missing)} missing in all; add them",
                place=self.path,
            )
        found: Floats = np.maximum(table, 0.0)
        return found


def _shorten(text: str, most: int = 40) -> str:
    """The beginning of a text."""
    return text if len(text) <= most else text[: most - 1] + "…"


def load_values(path: str) -> ValueTable:
    """Read a table, or take it from memory if the file has not changed."""
    file = Path(path)
    try:
        stat = file.stat()
    except OSError:
        raise DataError("no such file; check the path", place=file) from None
    return _load(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=8)
def _load(path: str, _changed: int, _size: int) -> ValueTable:
    """Read a table of pairs."""
    file = Path(path)
    rows = _parquet_rows(file) if file.suffix.lower() == ".parquet" else _json_rows(file)
    values: dict[tuple[str, str], float] = {}
    for where, row in rows:
        if isinstance(row, Mapping) and row.get("kind") in ("header", "abstention"):
            continue
        key = (_id_of(where, row, "system"), _id_of(where, row, "reference"))
        value = _value_of(where, row)
        if values.setdefault(key, value) != value:
            raise DataError("this pair has another value before; keep one", place=where)
    if not values:
        raise DataError(f"has no rows; write {SHAPE} on each line", place=file)
    digest = hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()[:12]
    return ValueTable(path, values, digest)


def _json_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """The rows of JSON Lines, each with its place."""
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield f"{path}:{number}", decode_json(line, str(path), first_line=number)


def _parquet_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """The rows of a Parquet file, each with its place."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError(
            f"Parquet needs pyarrow; {install_command('bulk')}, or give JSON Lines", place=path
        ) from None
    packed = pyarrow.BufferReader(read_bytes(path))
    try:
        rows = parquet.read_table(packed).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        why = describe_error(error)
        raise DataError(f"cannot be read as Parquet ({why}); write it again", place=path) from None
    yield from ((f"{path}: row {number}", row) for number, row in enumerate(rows, 1))


def _id_of(where: str, row: Any, column: str) -> str:
    """The id of a text, which a row gives or whose text it gives."""
    given = row.get(column) if isinstance(row, Mapping) else None
    if not isinstance(given, str) or not given.strip():
        raise DataError(f"'{column}' must be a text or its id; write {SHAPE}", place=where)
    return given if ID.fullmatch(given) else text_id(given)


def _value_of(where: str, row: Mapping[str, Any]) -> float:
    """A similarity: a number from −1 to 1; negative ones count as 0."""
    value = row.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        raise DataError(f"'value' must be a number from −1 to 1; write {SHAPE}", place=where)
    return float(value)
