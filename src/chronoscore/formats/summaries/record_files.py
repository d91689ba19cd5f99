"""Files of records read block by block: JSON Lines, CSV and Parquet, packed or not.

Memory is bounded by a block, whatever the size of the file; only the ids of all records are kept.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Self, TypeAlias, TypeGuard

import numpy as np

from chronoscore.errors import DataError, did_you_mean
from chronoscore.formats.io.sources import FileSource
from chronoscore.formats.summaries.record_blocks import (
    Numbers,
    RecordBlock,
    describe_block,
    describe_reference,
    describe_references,
)
from chronoscore.formats.summaries.record_layout import (
    Columns,
    RecordForm,
    record_file_format,
)
from chronoscore.formats.summaries.records import RecordFields, SummaryText, repeated_id

OnError: TypeAlias = Literal["stop", "empty", "skip"]
BLOCK_BYTES = 4 << 20
"""Bytes of a file in a block: enough to fill a batch, few enough to bound memory."""


@dataclass(frozen=True, slots=True)
class ReadRecords:
    """A block as it was read, and perhaps its references as a digest reads them."""

    block: RecordBlock
    described: bytes | None = None

    def describe(self) -> bytes:
        """The block's topics and references as a digest reads them."""
        return describe_block(self.block) if self.described is None else self.described


class UnreadableError(DataError):
    """A record that cannot be read; where its references are known, they are here."""

    def __init__(
        self, message: str, fields: RecordFields | None = None, *, place: object = None
    ) -> None:
        super().__init__(message, place=place)
        self.fields = fields


def missing_column(name: str, names: Sequence[str], source: FileSource) -> DataError:
    """What to say of a column that a file does not have."""
    return DataError(
        f"no column '{name}' ({did_you_mean(name, names)}); name the columns with "
        '`columns={"system": "NAME", "references": "NAME"}`',
        place=source,
    )


def repeated_column(name: str, names: Sequence[str], source: FileSource) -> DataError:
    """What to say of several columns of one name."""
    return DataError(
        f"{names.count(name)} columns are called '{name}'; rename them, and name several "
        'references with `columns={"references": ["NAME", "OTHER"]}`',
        place=source,
    )


@dataclass
class RecordReader:
    """Reads one file of records, and remembers what it met on the way."""

    source: FileSource
    columns: Columns = field(default_factory=Columns)
    on_error: OnError | None = None
    topics: list[str] = field(default_factory=list)
    left_out: int = 0
    """Records that were skipped because they could not be read."""
    emptied: int = 0
    """Records whose output could not be read and counts as empty."""
    first_error: DataError | None = None
    fewest: int = 0
    most: int = 0
    _seen: set[str] = field(default_factory=set)
    _numbered: int = 0
    _named: bool = False

    @property
    def form(self) -> RecordForm:
        """The format that the name says."""
        return record_file_format(self.source)

    def __iter__(self) -> Iterator[ReadRecords]:
        """Each block of the file, in order; a file without a record is refused."""
        for rows in self._row_blocks():
            records = rows if isinstance(rows, ReadRecords) else self._lay_out(rows)
            if len(records.block):
                yield records
        if not self.topics:
            if self.first_error:
                raise self.first_error
            raise DataError("is empty; fill it or leave it out", place=self.source)

    def _row_blocks(self) -> "Iterator[Rows | ReadRecords]":
        match self.form:
            case "jsonl":
                from chronoscore.formats.summaries.record_lines import json_blocks

                yield from json_blocks(self)
            case "csv":
                from chronoscore.formats.summaries.record_tables import csv_blocks

                yield from csv_blocks(self)
            case "parquet":
                from chronoscore.formats.summaries.record_columns import parquet_blocks

                yield from parquet_blocks(self)

    def refuse(self, error: UnreadableError) -> RecordFields | None:
        """Raise an error about a record, or give what counts in its place, or nothing."""
        if self.on_error in (None, "stop"):
            raise error from None
        self.first_error = self.first_error or error
        if self.on_error == "skip":
            self.left_out += 1
            return None
        if error.fields is None:
            raise DataError(
                f'{error.message} (its references cannot be read either: use `on_error="skip"`)',
                place=error.place,
            ) from None
        self.emptied += 1
        return error.fields

    def describe_lost(self) -> str:
        """How many records could not be read, as a signature says it."""
        return (f"|unreadable:{self.emptied} empty" if self.emptied else "") + (
            f"|unreadable:{self.left_out} skipped" if self.left_out else ""
        )

    def name_records(
        self,
        given: Sequence[str | int | None],
        place: Callable[[int], str],
        numbers: Sequence[int],
        total: int,
    ) -> list[str]:
        """The topics of some records, by id or by number; no two records may have the same.

        `numbers` are their places among the `total` records of a block, skipped ones included.
        """
        first = self._numbered + 1
        self._numbered += total
        numbered = given.count(None)
        self._named = named = self._named or numbered < len(given)
        if numbered:
            ids = [
                str(first + n) if one is None else str(one)
                for n, one in zip(numbers, given, strict=True)
            ]
        else:
            ids = [*map(str, given)]
        before = len(self._seen)
        if named and before < len(self.topics):
            # Some records are named and some are numbered, which may name two the same.
            self._seen.update(self.topics)
            before = len(self.topics)
        if named:
            self._seen.update(ids)
        if named and len(self._seen) < before + len(ids):
            known = set(self.topics)
            for number, topic in enumerate(ids):
                if topic in known:
                    at = [*self.topics, *ids].index(topic) + 1
                    raise repeated_id(topic, f"record {at}", place(number))
                known.add(topic)
        self.topics += ids
        return ids

    def count_references(self, fewest: int, most: int) -> None:
        """Remember how many references records have."""
        self.fewest = min(self.fewest or fewest, fewest)
        self.most = max(self.most, most)

    def take_columns(self, columns: "TextColumns", place: Callable[[int], str]) -> ReadRecords:
        """Turn columns without a gap into a block."""
        total = len(columns.ids)
        ids = self.name_records(columns.ids, place, range(total), total)
        block = RecordBlock(ids, columns.data, columns.bounds, columns.sizes)
        if len(block):
            self.count_references(int(block.sizes.min()), int(block.sizes.max()))
        return ReadRecords(block)

    def _lay_out(self, rows: "Rows") -> ReadRecords:
        """Turn records into a block."""
        given: list[str | int | None] = []
        numbers: list[int] = []
        places: list[int] = []
        systems: list[str] = []
        references: list[Sequence[str]] = []
        described: list[str] = []
        for at, (number, fields) in enumerate(rows.fields):
            if fields is None:
                continue
            own, texts = fields.system, fields.references
            if type(own) is str and type(texts) is list and len(texts) == 1 and _is_string(texts):
                # By far the most common record.
                given.append(fields.id)
                numbers.append(at)
                places.append(number)
                systems.append(own)
                references.append(texts)
                described.append(describe_reference(tuple(texts[0].split("\n"))))
                continue
            found = self._texts_of(rows.place(number), fields)
            if found is not None:
                given.append(fields.id)
                numbers.append(at)
                places.append(number)
                systems.append(found[0])
                references.append([_lines_of(text) for text in found[1]])
                described.append(describe_references([_sentences_of(text) for text in found[1]]))
        ids = self.name_records(given, lambda at: rows.place(places[at]), numbers, len(rows.fields))
        counts = [len(group) for group in references]
        if counts:
            self.count_references(min(counts), max(counts))
        topics = "".join(
            [f"({topic!r}, {one}, ())\n" for topic, one in zip(ids, described, strict=True)]
        )
        return ReadRecords(
            RecordBlock.of(ids, systems, references), topics.encode("utf-8", "replace")
        )

    def _texts_of(
        self, where: str, fields: RecordFields
    ) -> tuple[str, Sequence[SummaryText]] | None:
        """A record's output and its references; nothing where the record is skipped."""
        given = fields.references
        try:
            if given is None or given == []:
                raise UnreadableError("the record has no references; add at least one", place=where)
            texts = [given] if isinstance(given, str) else given
            if fields.system is None:
                empty = RecordFields(id=fields.id, system="", references=given)
                raise UnreadableError(
                    "the record has no 'system'; add its text", empty, place=where
                )
        except UnreadableError as error:
            replaced = self.refuse(error)
            return None if replaced is None else ("", texts)
        return _lines_of(fields.system), texts


class TextColumns(NamedTuple):
    """The ids of records, None where not given, and their texts as in a `RecordBlock`."""

    ids: Sequence[str | int | None]
    data: bytes
    bounds: Numbers
    sizes: Numbers

    @classmethod
    def of(cls, ids: Sequence[str | None], data: bytes, bounds: bytes, sizes: bytes) -> Self:
        """Columns as the compiled readers give them."""
        return cls(ids, data, np.frombuffer(bounds, np.int64), np.frombuffer(sizes, np.int64))


@dataclass(frozen=True)
class Rows:
    """Records of a part of a file with their numbers, and how to name the place of one.

    A record that was skipped is None: the others keep their numbers.
    """

    fields: Sequence[tuple[int, RecordFields | None]]
    place: Callable[[int], str]


def _is_string(texts: Sequence[SummaryText]) -> TypeGuard[list[str]]:
    """Whether the only text is a string, not a list of sentences."""
    return type(texts[0]) is str


def _lines_of(text: SummaryText) -> str:
    """A text with a sentence on each line."""
    if isinstance(text, str):
        return text
    return "\n".join([sentence.replace("\n", " ") for sentence in text])


def _sentences_of(text: SummaryText) -> tuple[str, ...]:
    """The sentences of a text."""
    return tuple(text.split("\n")) if isinstance(text, str) else tuple(text)
