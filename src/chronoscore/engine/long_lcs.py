"""Common subsequences with system sentences too long for one machine word.

Many of them of one size are worked on together; few are taken one by one, with Python's
integers of any length as rows of the table.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from chronoscore.engine.clipping import Flags
from chronoscore.engine.numbering import Numbers
from chronoscore.engine.packing import LONGEST
from chronoscore.engine.shared import Pairs, Shared, sentence_lengths
from chronoscore.engine.wide_lcs import Long, mark_wide
from chronoscore.text.batch import Layout

# Pairs of texts for each machine word of a row, from which on working together pays.
MANY = 20


def mark_long(
    layout: Layout, pairs: Pairs, shared: Shared, sentences: Numbers, marked: Flags
) -> None:
    """Mark the shared reference words on a common subsequence with a long sentence.

    `sentences` numbers the reference sentence of each shared word.
    """
    counts, lengths = sentence_lengths(layout, pairs.systems)
    which = np.flatnonzero(lengths > LONGEST)
    slots = np.repeat(np.arange(len(counts)), counts)
    long = Long(slots[which], (np.cumsum(lengths) - lengths)[which], lengths[which])
    used = np.bincount(pairs.slots, minlength=len(pairs.systems))
    for width in np.unique(long.widths):
        chosen = long.only(np.flatnonzero(long.widths == width))
        if used[chosen.slots].sum() < MANY * width:
            _mark_singly(chosen, pairs, shared, sentences, marked)
        else:
            mark_wide(chosen, pairs, shared, sentences, marked)


def _mark_singly(
    long: Long, pairs: Pairs, shared: Shared, sentences: Numbers, marked: Flags
) -> None:
    """Take one pair of sentences after the other."""
    of_slot = _places(long, shared)
    of_pair = np.searchsorted(shared.reference.owners, np.arange(len(pairs) + 1)).tolist()
    for pair, slot in enumerate(pairs.slots.tolist()):
        if slot not in of_slot:
            continue
        start, end = of_pair[pair], of_pair[pair + 1]
        types = shared.reference.types[start:end].tolist()
        numbers = sentences[start:end].tolist()
        for _, group in groupby(range(len(types)), key=numbers.__getitem__):
            words = list(group)
            for places, length in of_slot[slot]:
                matches = [places.get(types[word], 0) for word in words]
                for word in walked_back(matches, length):
                    marked[start + words[word]] = True


def _places(long: Long, shared: Shared) -> dict[int, list[tuple[dict[int, int], int]]]:
    """Give, by slot, where each type stands in each sentence, and how long that is."""
    found: dict[int, list[tuple[dict[int, int], int]]] = {}
    types = shared.system.everywhere(-1)
    rows = zip(long.slots.tolist(), long.starts.tolist(), long.lengths.tolist(), strict=True)
    for slot, start, length in rows:
        places: dict[int, int] = {}
        for place, word in enumerate(types[start : start + length].tolist()):
            places[word] = places.get(word, 0) | 1 << place
        found.setdefault(slot, []).append((places, length))
    return found


def walked_back(matches: Sequence[int], length: int) -> list[int]:
    """Fill the table of one pair of sentences, and give the rows that the walk back marks."""
    inside = (1 << length) - 1
    flat = inside
    stops = []
    for match in matches:
        moved = flat & match
        row = ((flat + moved) | (flat ^ moved)) & inside
        stops.append((((row | 1 << length) - flat) & inside) | match)
        flat = row
    marked = []
    fence = length
    for word in range(len(matches) - 1, -1, -1):
        if stops[word] >> (fence - 1) & 1:
            marked.append(word)
            fence = (matches[word] & (1 << fence) - 1).bit_length() - 1
            if fence == 0:
                break
    return marked
