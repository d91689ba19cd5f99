"""Records of columnar data: Parquet files and Arrow columns, without a string for each text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chronoscore.errors import DataError, UsageError, describe_error
from chronoscore.extras import install_command
from chronoscore.formats.io.sources import FileSource
from chronoscore.formats.summaries import record_files
from chronoscore.formats.summaries.record_blocks import Numbers, bounds_of
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

if TYPE_CHECKING:
    import pyarrow as pa


def parquet_blocks(reader: RecordReader) -> Iterator[Rows | ReadRecords]:
    """The records of a Parquet file, a part of a row group at a time."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            f"Parquet needs pyarrow; {install_command('bulk')}", place=reader.source
        ) from None
    source = reader.source
    with source.open() as file:
        try:
            parquet = pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
            own = _parquet_columns(source, parquet.schema_arrow, reader.columns)
            names = [name for name in own if name is not None]
            before = 0
            for batch in parquet.iter_batches(
                batch_size=_count_rows_of_block(parquet, names), columns=names, use_threads=False
            ):
                yield _read_batch(reader, batch, own, before)
                before += len(batch)
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise
            message = f"cannot be read as Parquet ({describe_error(error)}); write it again"
            raise DataError(message, place=source) from None


def _count_rows_of_block(parquet: Any, names: Sequence[str]) -> int:
    """How many rows have about the bytes of a block."""
    rows, size = 0, 0
    about = parquet.metadata
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        rows += group.num_rows
        for place in range(group.num_columns):
            column = group.column(place)
            if column.path_in_schema.split(".")[0] in names:
                size += column.total_uncompressed_size
    return max(1, min(20_000, rows * record_files.BLOCK_BYTES // max(1, size)))


def _parquet_columns(
    source: FileSource, schema: "pa.Schema", columns: Columns
) -> tuple[str | None, ...]:
    """The columns of id (or none), output and references, checked by name and by type."""
    own = columns.id or ("id" if "id" in schema.names else None)
    wanted = (own, columns.system, *columns.references)
    deepest = {name: 1 if len(columns.references) > 1 else 2 for name in columns.references}
    for name in filter(None, wanted):
        if name not in schema.names:
            raise missing_column(name, schema.names, source)
        if schema.names.count(name) > 1:
            raise repeated_column(name, schema.names, source)
        kind = schema.field(name).type
        if name == own:
            if not (is_text(kind) or _is_whole_number(kind)):
                raise DataError(
                    f"column '{name}' holds {kind}; ids must be text or whole numbers", place=source
                )
        elif not (is_text(kind) or is_list_of_text(kind, deepest.get(name, 1))):
            raise DataError(
                f"column '{name}' holds {kind}; text or lists of text are needed", place=source
            )
    return wanted


def is_text(kind: "pa.DataType") -> bool:
    """Whether a type is text, dictionaries of texts included."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    view = getattr(types, "is_string_view", lambda _: False)
    return bool(types.is_string(kind) or types.is_large_string(kind) or view(kind))


def is_list_of_text(kind: "pa.DataType", deepest: int = 2) -> bool:
    """Whether a type is a list of texts, or of lists of sentences if these are allowed."""
    import pyarrow.types as types

    if not (types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)):
        return False
    inner = kind.value_type
    return is_text(inner) or (deepest > 1 and is_list_of_text(inner, deepest - 1))


def _is_whole_number(kind: "pa.DataType") -> bool:
    """Whether a type is of integers."""
    import pyarrow.types as types

    return bool(types.is_integer(kind))


def _read_batch(
    reader: RecordReader, batch: "pa.RecordBatch", names: Sequence[str | None], before: int
) -> Rows | ReadRecords:
    """A batch as a block, or row by row where a text is missing, broken or a list of sentences."""
    own = None if names[0] is None else batch.column(names[0])
    system, *references = (batch.column(name) for name in names[1:])

    def place(number: int) -> str:
        return f"{reader.source}: record {number}"

    flat = flat_columns(system, references)
    given = _list_ids(own, len(batch))
    if flat is None or given is None or (own is not None and own.null_count):
        ids = [None] * len(batch) if own is None else own
        cells = zip(ids, system, *references, strict=True)
        return Rows([*_readable_rows(reader, enumerate(cells, before + 1), place)], place)
    data, bounds, sizes = flat
    return reader.take_columns(
        TextColumns(given, data, bounds, sizes), lambda at: place(before + 1 + at)
    )


def _list_ids(own: "pa.Array | None", count: int) -> list[str | int | None] | None:
    """The ids of a batch, None where there is none; nothing if one of them is not UTF-8."""
    if own is None:
        return [None] * count
    try:
        ids: list[str | int | None] = own.to_pylist()
    except UnicodeDecodeError:
        return None
    return ids


def _has_gap(value: Any) -> bool:
    """Whether a text, or one of a list of texts or sentences, is missing."""
    return value is None or (isinstance(value, list) and any(map(_has_gap, value)))


def _readable_rows(
    reader: RecordReader, rows: Iterable[tuple[int, Sequence[Any]]], place: Callable[[int], str]
) -> Iterator[tuple[int, RecordFields | None]]:
    """Rows of an id, an output and references as records, None where something is missing.

    The reader is told of texts that are not UTF-8.
    """
    for number, (own, output, *group) in rows:
        fields = None
        try:
            name = None if own is None else own.as_py()
            texts = [cell.as_py() for cell in group]
            given = texts[0] if len(texts) == 1 else texts
            references = None if _has_gap(given) else given
            fields = RecordFields(id=name, system="", references=references)
            text = output.as_py()
            fields.system = None if _has_gap(text) else text
            yield number, fields
        except UnicodeDecodeError as error:
            wrong = f"byte 0x{error.object[error.start]:02x} at offset {error.start} of a text"
            message = f"{place(number)}: {wrong} is not UTF-8; write the texts as UTF-8"
            yield number, reader.refuse(UnreadableError(message, fields))


def flat_columns(
    system: "pa.Array", references: Sequence["pa.Array"]
) -> tuple[bytes, Numbers, Numbers] | None:
    """The bytes, bounds and numbers of references of text columns; none if any text is missing."""
    columns = [_text_buffers(system)]
    if len(references) == 1 and not is_text(references[0].type):
        lists = references[0]
        if lists.null_count or not is_text(lists.type.value_type):
            return None
        sizes = np.asarray(lists.value_lengths()).astype(np.int64)
        if not sizes.all():
            return None
        columns.append(_text_buffers(lists.flatten()))
    else:
        sizes = np.full(len(system), len(references), dtype=np.int64)
        columns.append(_text_buffers(_interleave(references)))
    if any(column is None for column in columns):
        return None
    (ours, our_lengths), (theirs, their_lengths) = (column for column in columns if column)
    return ours + theirs, bounds_of(np.concatenate([our_lengths, their_lengths])), sizes


def _interleave(columns: Sequence["pa.Array"]) -> "pa.Array":
    """Several columns as one: all references of the first record, then of the second …"""
    import pyarrow as pa

    if len(columns) == 1:
        return columns[0]
    if not all(is_text(column.type) for column in columns):
        return pa.nulls(len(columns[0]) * len(columns), pa.large_string())
    rows, count = len(columns[0]), len(columns)
    joined = pa.concat_arrays([column.cast(pa.large_string()) for column in columns])
    order = np.arange(rows * count).reshape(count, rows).T.ravel()
    return joined.take(pa.array(order))


def _text_buffers(column: "pa.Array") -> tuple[bytes, Numbers] | None:
    """The bytes of a column's texts and their lengths; none if one is missing, broken or a list."""
    import pyarrow as pa

    if not is_text(column.type) or column.null_count:
        return None
    column = column.cast(pa.large_string())
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:  # not UTF-8
        return None
    if not len(column):
        return b"", np.zeros(0, dtype=np.int64)
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[column.offset : column.offset + len(column) + 1]
    held = b"" if data is None else memoryview(data)[int(bounds[0]) : int(bounds[-1])].tobytes()
    return held, np.diff(bounds)
