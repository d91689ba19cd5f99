"""Records of CSV files with a heading, some megabytes at a time.

The compiled reader takes usual rows. From a block with an unusual one on, Python's reader goes on,
and says what is wrong if anything is.
"""

import csv
import io
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Self

from chronoscore.errors import DataError
from chronoscore.formats.io.files import BOM, LONGEST_LINE
from chronoscore.formats.io.sources import FileSource
from chronoscore.formats.summaries import record_files
from chronoscore.formats.summaries.record_files import (
    ReadRecords,
    RecordReader,
    Rows,
    TextColumns,
    UnreadableError,
    missing_column,
    repeated_column,
)
from chronoscore.formats.summaries.record_layout import Columns
from chronoscore.formats.summaries.records import RecordFields
from chronoscore.kernel import compiled_bulk, is_bulk_compiled


def csv_blocks(reader: RecordReader) -> Iterator[Rows | ReadRecords]:
    """The records of a CSV file with a heading; a cell is a text, and its lines are sentences."""
    with reader.source.open() as file:
        unread = yield from _usual_rows(reader, file)
        if unread is None:
            return
        text = io.TextIOWrapper(
            io.BufferedReader(_Rejoined(unread.given, file)), encoding="utf-8", newline=""
        )
        limit = csv.field_size_limit(LONGEST_LINE)
        try:
            yield from _other_rows(reader, csv.reader(text, strict=True), unread)
        except csv.Error as error:
            raise DataError(f"{error}; fix the quotes", place=reader.source) from None
        except UnicodeDecodeError as error:
            raise DataError(
                f"byte 0x{error.object[error.start]:02x} is not UTF-8; save the file as UTF-8",
                place=reader.source,
            ) from None
        finally:
            csv.field_size_limit(limit)


@dataclass(frozen=True)
class Heading:
    """How many cells a row has, and which of them hold what."""

    width: int
    id: int | None
    system: int
    references: list[int]

    @classmethod
    def of(cls, source: FileSource, cells: list[str], columns: Columns) -> Self:
        """The first row of a file, checked."""
        names = [name.strip() for name in cells]
        for name in (columns.system, *columns.references, *([columns.id] if columns.id else [])):
            if name not in names:
                raise missing_column(name, names, source)
        own = columns.id or "id"
        for name in (own, columns.system, *columns.references):
            if names.count(name) > 1:
                raise repeated_column(name, names, source)
        return cls(
            len(names),
            names.index(own) if own in names else None,
            names.index(columns.system),
            [names.index(name) for name in columns.references],
        )

    @property
    def roles(self) -> bytes | None:
        """What each cell is, for the compiled reader; none if references are in another order."""
        if self.references != sorted(self.references):
            return None
        places = [([] if self.id is None else [self.id]), [self.system], self.references]
        known = {place: role for role, group in enumerate(places, 1) for place in group}
        return bytes(known.get(place, 0) for place in range(self.width))


@dataclass(frozen=True)
class Unread:
    """Where the compiled reader stopped: bytes it gave back, and what came before them."""

    given: bytes
    heading: Heading | None = None
    records: int = 0
    lines: int = 0


def _usual_rows(
    reader: RecordReader, file: BinaryIO
) -> Generator[ReadRecords, None, Unread | None]:
    """Blocks of records as long as all rows are usual, and what is then left, if anything is."""
    first = file.readline(LONGEST_LINE + 1).removeprefix(BOM)
    heading = _read_heading(reader, first)
    roles = heading.roles if heading and is_bulk_compiled() else None
    if roles is None:
        return Unread(first)
    given, records, lines = b"", 0, 1
    while True:
        chunk = file.read(record_files.BLOCK_BYTES)
        given += chunk
        closed = given if chunk or given.endswith(b"\n") else given + b"\n"
        found = compiled_bulk.read_table(closed, roles)
        if found is None or len(given) - found[4] > LONGEST_LINE:
            return Unread(given, heading, records, lines)
        columns = TextColumns.of(*found[:4])
        yield reader.take_columns(columns, partial(_name_record, reader, records + 1))
        records += len(columns.ids)
        lines += _count_line_ends(given[: found[4]])
        given = given[found[4] :]
        if not chunk:
            return Unread(given, heading, records, lines) if given else None


def _count_line_ends(raw: bytes) -> int:
    """How many lines end in some bytes, as Python's reader counts them."""
    return raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")


def _read_heading(reader: RecordReader, line: bytes) -> Heading | None:
    """The heading, if it is on one line and can be read."""
    try:
        (cells,) = csv.reader([line.decode()], strict=True)
    except (csv.Error, UnicodeDecodeError, ValueError):
        return None
    if not any(map(str.strip, cells)):
        return None
    return Heading.of(reader.source, cells, reader.columns)


def _name_record(reader: RecordReader, first: int, place: int) -> str:
    """A record of a file, as errors name it."""
    return f"{reader.source}: record {first + place}"


def _other_rows(reader: RecordReader, rows: Any, unread: Unread) -> Iterator[Rows]:
    """Blocks of records as Python reads them."""
    heading = unread.heading
    if heading is None:
        cells = next((cells for cells in rows if any(map(str.strip, cells))), None)
        if cells is None:
            return
        heading = Heading.of(reader.source, cells, reader.columns)
    found: list[tuple[int, RecordFields | None]] = []
    size, number = 0, unread.records
    place = partial(_name_record, reader, 0)
    for cells in rows:
        if not cells:
            continue
        number += 1
        if len(cells) != heading.width:
            error = UnreadableError(
                f"{place(number)} (line {unread.lines + rows.line_num}): has {len(cells)} cells "
                f"where the heading has {heading.width}; fix the row"
            )
            found.append((number, reader.refuse(error)))
            continue
        fields = RecordFields(
            id=None if heading.id is None else cells[heading.id],
            system=cells[heading.system],
            references=[cells[at] for at in heading.references],
        )
        found.append((number, fields))
        size += sum(map(len, cells))
        if size >= record_files.BLOCK_BYTES:
            yield Rows(found, place)
            found, size = [], 0
    yield Rows(found, place)


class _Rejoined(io.RawIOBase):
    """Bytes that were read from a file and given back, and the rest of the file."""

    def __init__(self, given: bytes, file: BinaryIO) -> None:
        self.given = memoryview(given)
        self.file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece: memoryview | bytes = self.given[: len(buffer)]
        self.given = self.given[len(piece) :]
        if not piece:
            piece = self.file.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)
