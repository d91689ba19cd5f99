"""Dividing pairs into chunks, so that memory stays small and arrays stay in the cache."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine.kinds import Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.numbering import Numbers
from chronoscore.engine.packing import WIDTH
from chronoscore.engine.shared import Pairs
from chronoscore.text.batch import Batch

# What one chunk may hold: items of references, words of system texts, and cells of the
# tables that pair a system's words.
ITEMS = 1 << 18
WORDS = 1 << 15
CELLS = 1 << 22


def split_pairs_into_chunks(
    kinds: Sequence[Kind], batch: Batch, systems: Numbers, references: Numbers
) -> Iterator[tuple[Numbers, Pairs]]:
    """Divide pairs into chunks, those about the same system text together.

    Gives the numbers of each chunk's pairs, and the pairs.
    """
    order = np.argsort(systems, kind="stable")
    ours, theirs = systems[order], references[order]
    lengths = np.maximum(np.diff(batch.whole.bounds), np.diff(batch.lines.bounds))
    # A system text that several pairs share is held once.
    words = np.where(np.diff(ours, prepend=-1) != 0, lengths[ours], 0)
    # Skip-bigrams want a table for each pair.
    paired = lengths[ours] if any(isinstance(kind, SkipGrams) for kind in kinds) else words
    items = _items(kinds, lengths[ours], lengths[theirs])
    uses = [np.cumsum(items / ITEMS), np.cumsum(words / WORDS), np.cumsum(paired**2 / CELLS)]
    start = 0
    while start < len(order):
        full = min(int(np.searchsorted(use, use[start] + 1)) for use in uses)
        end = max(full, start + 1)
        distinct, slots = np.unique(ours[start:end], return_inverse=True)
        yield order[start:end], Pairs(distinct, slots, theirs[start:end])
        start = end


def _items(kinds: Sequence[Kind], ours: Numbers, theirs: Numbers) -> NDArray[np.float64]:
    """Estimate the largest array that a pair of texts of these lengths asks for."""
    items = theirs.astype(np.float64) + 1
    for kind in kinds:
        match kind:
            case SkipGrams(gap):
                reach = theirs if gap < 0 else np.minimum(theirs, gap + 1)
                items = np.maximum(items, (theirs * reach).astype(np.float64))
            case Subsequence() | WeightedSubsequence():
                items = np.maximum(items, theirs * (ours / WIDTH + 1))
    return items
