"""Columns of texts, in Arrow's memory or in lists, as blocks that have no object for each text."""

import sys
from collections.abc import Collection, Iterator, Sequence
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

    >>> block = SharedTexts.lay_out(range(2), ["a dam", "a dam"], ["the dam", "a dam"], [1, 1])
    >>> block.data, block.systems.tolist(), block.references.tolist()
    (b'a damthe dam', [0, 0], [1, 0])
    """

    places: Numbers

    @classmethod
    def lay_out(
        cls,
        ids: Sequence[object],
        systems: Sequence[str],
        references: Sequence[str],
        sizes: Sequence[int],
    ) -> Self:
        """Lay every text out once; each record has the next of the references, as its size says."""
        texts = [*systems, *references]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        data, bounds = _encode(numbers)
        places = np.fromiter(map(numbers.__getitem__, texts), dtype=np.int64, count=len(texts))
        return cls(ids, data, bounds, np.array(sizes, dtype=np.int64), places)

    @property
    def outputs(self) -> Numbers:
        """The text of the output of each record."""
        return self.places[: len(self.sizes)]

    @property
    def references(self) -> Numbers:
        """The text of the reference in each comparison."""
        return self.places[len(self.sizes) :]


def _encode(texts: Collection[str]) -> tuple[bytes, Numbers]:
    """The bytes of texts, and where each begins."""
    joined = "".join(texts)
    data = [joined.encode()] if joined.isascii() else [_as_bytes(text) for text in texts]
    lengths = map(len, texts if joined.isascii() else data)
    return b"".join(data), bounds_of(np.fromiter(lengths, dtype=np.int64, count=len(texts)))


def _as_bytes(text: str) -> bytes:
    """A text in UTF-8; half a surrogate pair has its own bytes."""
    return text.encode("utf-8", "surrogatepass")


def blocks_of(
    predictions: Any, references: Any, measures: Sequence[Measure]
) -> Sequence[RecordBlock] | None:
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


def _list_blocks(ours: list[Any], theirs: list[Any]) -> list[SharedTexts] | None:
    """Blocks of two lists of strings, or of strings and lists of strings."""
    if len(ours) != len(theirs) or len(ours) <= FEW or set(map(type, ours)) != {str}:
        return None
    kinds = set(map(type, theirs))
    if kinds == {str}:
        flat, sizes = theirs, [1] * len(theirs)
    elif kinds == {list} and all(theirs):
        flat, sizes = list(chain.from_iterable(theirs)), [*map(len, theirs)]
        if set(map(type, flat)) != {str}:
            return None
    else:
        return None
    blocks, begin = [], 0
    for start in range(0, len(ours), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        end = begin + sum(sizes[some])
        ids = range(start, start + len(ours[some]))
        blocks.append(SharedTexts.lay_out(ids, ours[some], flat[begin:end], sizes[some]))
        begin = end
    return blocks


def non_ascii_outputs(blocks: Sequence[RecordBlock]) -> Iterator[str]:
    """The outputs of all blocks, if any of them is not ASCII."""
    if all(block.data.isascii() for block in blocks):
        return
    for block in blocks:
        yield from map(block.text, block.outputs.tolist())
