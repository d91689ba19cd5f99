"""Columns of texts, in Arrow's memory or in lists, as blocks that have no object for each text."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from chronoscore.formats.summaries.record_blocks import Numbers, RecordBlock, bounds_of
from chronoscore.measures.measure import Measure
from chronoscore.measures.rouge.columns import is_rouge_of_bytes

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 20_000
"""Texts in a block."""
FEW = 100
"""Up to this many texts a block is not worth its making."""


@dataclass(frozen=True, slots=True)
class SharedTexts(RecordBlock):
    """A block in which a text that comes again lies once; `places` has the texts of the records.

    >>> block = SharedTexts.of(range(2), ["a dam", "a dam"], [["the dam"], ["a dam"]])
    >>> block.data, block.systems.tolist(), block.references.tolist()
    (b'a damthe dam', [0, 0], [1, 0])
    """

    places: Numbers

    @classmethod
    def of(
        cls, ids: Sequence[object], systems: Sequence[str], references: Sequence[Sequence[str]]
    ) -> Self:
        """Lay every text out once."""
        texts = [*systems, *chain.from_iterable(references)]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        data = [text.encode("utf-8", "surrogatepass") for text in numbers]
        return cls(
            ids,
            b"".join(data),
            bounds_of(np.fromiter(map(len, data), dtype=np.int64, count=len(data))),
            np.fromiter(map(len, references), dtype=np.int64, count=len(references)),
            np.fromiter(map(numbers.__getitem__, texts), dtype=np.int64, count=len(texts)),
        )

    @property
    def outputs(self) -> Numbers:
        """The text of the output of each record."""
        return self.places[: len(self.sizes)]

    @property
    def references(self) -> Numbers:
        """The text of the reference in each comparison."""
        return self.places[len(self.sizes) :]


def blocks_of(
    predictions: Any, references: Any, measures: Sequence[Measure]
) -> list[RecordBlock] | None:
    """Predictions with the references of the same place as blocks.

    None where a measure reads strings, or where the columns are not plain texts.
    """
    if not all(map(is_rouge_of_bytes, measures)):
        return None
    ours, theirs = _arrow_column(predictions), _arrow_column(references)
    if ours is not None and theirs is not None:
        return _arrow_blocks(ours, theirs)
    listed = [one.tolist() if _is_series(one) else one for one in (predictions, references)]
    return _list_blocks(*listed) if all(type(one) is list for one in listed) else None


def _is_series(column: Any) -> bool:
    """Whether a column is one of pandas."""
    return type(column).__module__.startswith("pandas.") and type(column).__name__ == "Series"


def _arrow_column(column: Any) -> "pa.Array | None":
    """A column of pyarrow or polars as one array; none for anything else."""
    if "pyarrow" not in sys.modules and not hasattr(type(column), "to_arrow"):
        return None
    try:
        import pyarrow as pa
    except ImportError:
        return None
    if hasattr(type(column), "to_arrow"):
        column = column.to_arrow()
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column if isinstance(column, pa.Array) else None


def _arrow_blocks(ours: "pa.Array", theirs: "pa.Array") -> list[RecordBlock] | None:
    """Blocks of two Arrow columns; none if a text is missing or is a list of sentences."""
    from chronoscore.formats.summaries.record_columns import flat_columns, is_list_of_text, is_text

    if len(ours) != len(theirs) or len(ours) <= FEW:
        return None
    if not is_text(ours.type) or not (is_text(theirs.type) or is_list_of_text(theirs.type)):
        return None
    blocks = []
    for start in range(0, len(ours), AT_ONCE):
        flat = flat_columns(ours.slice(start, AT_ONCE), [theirs.slice(start, AT_ONCE)])
        if flat is None:
            return None
        data, bounds, sizes = flat
        blocks.append(RecordBlock(range(start, start + len(sizes)), data, bounds, sizes))
    return blocks


def _list_blocks(ours: list[Any], theirs: list[Any]) -> list[RecordBlock] | None:
    """Blocks of two lists of strings, or of strings and lists of strings."""
    if len(ours) != len(theirs) or len(ours) <= FEW or set(map(type, ours)) != {str}:
        return None
    kinds = set(map(type, theirs))
    if kinds == {str}:
        theirs = [[text] for text in theirs]
    elif kinds != {list} or not all(theirs):
        return None
    if set(map(type, chain.from_iterable(theirs))) != {str}:
        return None
    return [
        SharedTexts.of(
            range(start, min(start + AT_ONCE, len(ours))),
            ours[start : start + AT_ONCE],
            theirs[start : start + AT_ONCE],
        )
        for start in range(0, len(ours), AT_ONCE)
    ]


def non_ascii_outputs(blocks: Sequence[RecordBlock]) -> Iterator[str]:
    """The outputs of all blocks, if any of them is not ASCII."""
    if all(block.data.isascii() for block in blocks):
        return
    for block in blocks:
        yield from map(block.text, block.outputs.tolist())
