"""Columns of texts, in Arrow's memory or in lists, as blocks that have no object for each text."""

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from chronoscore.formats.summaries.record_blocks import RecordBlock
from chronoscore.measures.measure import Measure
from chronoscore.measures.rouge.columns import is_rouge_of_bytes

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 20_000
"""Texts in a block."""
FEW = 100
"""Up to this many texts a block is not worth its making."""


def blocks_of(
    predictions: Any, references: Any, measures: Sequence[Measure]
) -> list[RecordBlock] | None:
    """Predictions with the references of the same place as blocks.

    None where a measure reads strings, where the columns are not plain texts, or where the same
    text comes again and again and is better read once.
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
    flat = list(chain.from_iterable(theirs))
    if set(map(type, flat)) != {str}:
        return None
    if 2 * len(set(flat)) < len(flat) or 2 * len(set(ours)) < len(ours):
        return None
    return [
        RecordBlock.of(
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
        yield from (block.text(number) for number in range(len(block)))
