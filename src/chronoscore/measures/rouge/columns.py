"""ROUGE of blocks of records: flat buffers in, tallies out.

This is the function that threads, processes and clusters run. Measures and blocks are plain values,
and the result depends on nothing else.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from chronoscore.engine import batch
from chronoscore.engine.kinds import Kind
from chronoscore.formats.summaries.record_blocks import RecordBlock
from chronoscore.measures.measure import Array, Measure, tally_family
from chronoscore.measures.rouge.measures import RougeMeasure
from chronoscore.text import columns
from chronoscore.text.batch import Batch
from chronoscore.text.languages import AUTO
from chronoscore.text.preparation import Preparation

Families: TypeAlias = Sequence[Sequence[Measure]]


def tally_rouge_of_block(families: Families, block: RecordBlock) -> list[list[Array]]:
    """The tallies of a block by family and measure: a row for each record."""
    return [_tally_records(family, block) for family in families]


def _tally_records(family: Sequence[Measure], block: RecordBlock) -> list[Array]:
    """The tallies of one family, from the bytes where that is possible."""
    chosen = [measure for measure in family if isinstance(measure, RougeMeasure)]
    if len(chosen) < len(family) or not is_rouge_of_bytes(chosen[0], block.data):
        return tally_family(family, block.pairs())
    kinds = list(dict.fromkeys(measure.kind for measure in chosen))
    counts = dict(zip(kinds, _count_block(kinds, block, chosen[0].preparation), strict=True))
    nobody = np.zeros(len(block), dtype=np.bool_)
    return [measure.pool(counts[measure.kind], block.sizes, nobody) for measure in chosen]


def is_rouge_of_bytes(measure: Measure, data: bytes = b"") -> bool:
    """Whether a measure is counted from bytes, without a string for each text."""
    return (
        isinstance(measure, RougeMeasure)
        and measure.language != AUTO
        and columns.is_readable(data, measure.preparation)
    )


def _count_block(
    kinds: Sequence[Kind], block: RecordBlock, preparation: Preparation
) -> list[Array]:
    """One row of hits, reference size and system size for each comparison, by kind."""
    layout = columns.read(block.data, block.bounds, preparation)
    return batch.count(kinds, Batch(layout, layout), block.systems, block.references)
