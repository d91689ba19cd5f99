"""Records of JSON Lines, some megabytes at a time."""

from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.io.decoding import wide_encoding
from chronoscore.formats.io.files import BOM, LONGEST_LINE
from chronoscore.formats.io.sources import FileSource
from chronoscore.formats.summaries import record_files
from chronoscore.formats.summaries.record_files import (
    ReadRecords,
    RecordReader,
    Rows,
    TextColumns,
    UnreadableError,
)
from chronoscore.formats.summaries.record_layout import Columns
from chronoscore.formats.summaries.records import (
    UNREADABLE,
    RecordFields,
    convert_record,
    describe_json_error,
)
from chronoscore.kernel import compiled_bulk, is_bulk_compiled

_DECODER = msgspec.json.Decoder(RecordFields)
BREAK = b"\n"


def json_blocks(reader: RecordReader) -> Iterator[Rows | ReadRecords]:
    """The records of JSON Lines; blank lines are ignored."""
    with reader.source.open() as file:
        first = 1
        for raw in _line_blocks(file, reader.source):
            if len(raw) - raw.rfind(BREAK) - 1 > LONGEST_LINE:
                raise DataError(
                    f"line of more than {LONGEST_LINE:,} bytes; put one record on a line",
                    place=f"{reader.source}:{first + raw.count(BREAK)}",
                )
            columns = _decode_columns(raw) if reader.columns.usual else None
            if columns is not None:
                yield reader.take_columns(columns, partial(_name_line, reader.source, first))
                first += len(columns.ids)
                continue
            fields = decode_record_lines(raw) if reader.columns.usual else None
            numbered = (
                _decode_each(reader, first, raw) if fields is None else [*enumerate(fields, first)]
            )
            yield Rows(numbered, partial(_name_line, reader.source, 0))
            first += raw.count(BREAK) + 1


def _name_line(source: FileSource, first: int, place: int) -> str:
    """A line of a file, as errors name it."""
    return f"{source}:{first + place}"


def _decode_columns(raw: bytes) -> TextColumns | None:
    """All records of some lines as columns; nothing where a line is unusual or wrong."""
    found = compiled_bulk.read_records(raw) if is_bulk_compiled() else None
    return None if found is None else TextColumns.of(*found[:4])


def _line_blocks(file: BinaryIO, source: FileSource) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time, without the last line end.

    The last line may be too long; it is then cut off.
    """
    first = True
    while chunk := file.read(record_files.BLOCK_BYTES):
        if first:
            if wide_encoding(chunk):
                raise DataError(
                    "is not UTF-8; save the file as UTF-8, or unpack and split it", place=source
                )
            chunk = chunk.removeprefix(BOM)
        first = False
        lines = chunk + file.readline(LONGEST_LINE + 1)
        yield lines.removesuffix(BREAK)


def decode_record_lines(raw: bytes) -> list[RecordFields] | None:
    """All records of some lines at once; nothing unless every line is one good record."""
    try:
        fields = _DECODER.decode_lines(raw)
    except UNREADABLE:
        return None
    return fields if len(fields) == raw.count(BREAK) + 1 and b"\0" not in raw else None


def _decode_each(
    reader: RecordReader, first: int, raw: bytes
) -> list[tuple[int, RecordFields | None]]:
    """Records line by line, so that each fault is reported with its line."""
    found: list[tuple[int, RecordFields | None]] = []
    for number, line in enumerate(raw.split(BREAK), first):
        if not line.strip():
            continue
        where = f"{reader.source}:{number}"
        try:
            found.append((number, _decode_line(where, line, reader.columns)))
        except UnreadableError as error:
            found.append((number, reader.refuse(error)))
    return found


def _decode_line(where: str, line: bytes, columns: Columns) -> RecordFields:
    """One record, or an error that says what is wrong with it."""
    try:
        line.decode()  # the decoder counts from the beginning of a string, not of the line
        value = msgspec.json.decode(line)
    except UnicodeDecodeError as error:
        raise UnreadableError(
            f"byte 0x{line[error.start]:02x} at offset {error.start} "
            "is not UTF-8; save the file as UTF-8 or name its `encoding`",
            place=where,
        ) from None
    except UNREADABLE as error:
        if b"\0" in line:
            raise UnreadableError(
                "holds a NUL byte and looks binary; give a text file", place=where
            ) from None
        raise UnreadableError(f"{describe_json_error(error)}; fix the JSON", place=where) from None
    if not columns.usual:
        value = _pick_columns(where, value, columns)
    try:
        return convert_record(where, value)
    except DataError as error:
        fields = _empty_output(where, value)
        raise UnreadableError(error.message, fields, place=error.place) from None


def _empty_output(where: str, value: Any) -> RecordFields | None:
    """A record whose output alone is wrong, with an empty one."""
    if not isinstance(value, dict):
        return None
    try:
        fields = convert_record(where, {**value, "system": ""})
    except DataError:
        return None
    return fields if fields.references else None


def _pick_columns(where: str, value: Any, columns: Columns) -> dict[str, Any]:
    """A record under the usual names."""
    if not isinstance(value, dict):
        raise UnreadableError("expected an object; write a record on each line", place=where)
    given = [value.get(name) for name in columns.references]
    for name, texts in zip(columns.references, given, strict=True):
        if texts is None:
            raise UnreadableError(
                f"the record has no '{name}'{_name_keys(value)}; add it or name the column",
                place=where,
            )
    several = len(given) > 1
    references = given if several else given[0]
    picked = {"id": value.get(columns.id or "id"), "references": references}
    if columns.system not in value:
        raise UnreadableError(
            f"the record has no '{columns.system}'{_name_keys(value)}; add it or name the column",
            _empty_output(where, picked),
            place=where,
        )
    return {**picked, "system": value[columns.system]}


def _name_keys(record: dict[str, Any]) -> str:
    """The keys that a record does have."""
    return f", only {', '.join(map(repr, record))}" if record else ""
