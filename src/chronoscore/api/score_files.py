"""Scores of topics in files, written piece by piece so that memory does not grow with the file."""

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from chronoscore.api.results import format_of_path
from chronoscore.core import Row
from chronoscore.errors import UsageError, check_choice
from chronoscore.extras import install_command
from chronoscore.formats.io.files import encode_text, open_whole, write_text
from chronoscore.options import FORMATS, Resampling, RowChoice
from chronoscore.progress import announce
from chronoscore.reports.rows import csv_lines, json_row

if TYPE_CHECKING:
    from chronoscore.api.scores import ScoreResult

AT_ONCE = 20_000
"""Rows that are written at a time."""


def save(
    result: "ScoreResult", path: Path, form: str | None = None, which: RowChoice = "all"
) -> None:
    """Write a result under its name only when it is complete."""
    if form is None:
        form = "parquet" if path.suffix.lower() == ".parquet" else format_of_path(path)
    check_choice(form, (*FORMATS, "parquet"), "format")
    rows = _announce_rows(result.iterate_rows(which), f"writing {path.name}")
    if form == "parquet":
        _write_parquet(path, rows)
    elif form in ("jsonl", "csv"):
        with open_whole(path) as file:
            for piece in text_pieces(rows, form):
                file.write(encode_text(piece))
    else:
        write_text(path, result.render(form, which))


SETTINGS = {
    "average": "rule",
    "interval": "interval",
    "level": "level",
    "resamples": "times",
    "seed": "seed",
}
"""What rows call the settings of averages, and their names in `Resampling`."""


def changed_settings(how: Resampling) -> dict[str, str]:
    """The settings that are not the usual ones, as the rows of averages have them."""
    usual = Resampling()
    return {
        column: str(getattr(how, name))
        for column, name in SETTINGS.items()
        if getattr(how, name) != getattr(usual, name)
    }


def _announce_rows(rows: Iterator[Row], what: str) -> Iterator[Row]:
    """The rows, with their number announced now and then."""
    for number, row in enumerate(rows):
        if number % 1000 == 0:
            announce(what, number)
        yield row


def text_pieces(rows: Iterable[Row], form: str) -> Iterator[str]:
    """Rows as JSON Lines or CSV, many at a time."""
    lines = csv_lines(rows) if form == "csv" else (f"{json_row(row)}\n" for row in rows)
    while piece := "".join(islice(lines, AT_ONCE)):
        yield piece


def _write_parquet(path: Path, rows: Iterator[Row]) -> None:
    """Rows as a Parquet file with the same columns; an undefined value is null."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            f"Parquet needs pyarrow; {install_command('bulk')}, or write .jsonl", place=path
        ) from None
    writer = None
    with open_whole(path) as file:
        while block := list(islice(rows, AT_ONCE)):
            columns = {key: [_null_undefined(row[key]) for row in block] for key in block[0]}
            if writer is None:
                kinds = {"value": pa.float64(), "low": pa.float64(), "high": pa.float64()}
                kinds["n"] = pa.int64()
                schema = pa.schema([(key, kinds.get(key, pa.string())) for key in columns])
                writer = pq.ParquetWriter(file, schema, compression="zstd")
            writer.write_table(pa.table(columns, schema=schema))
        if writer is not None:
            writer.close()


def _null_undefined(value: str | float) -> str | float | None:
    """A value, or nothing where it is undefined."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
