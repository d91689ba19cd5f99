"""Common subsequences with system sentences too long for a machine word.

The same rows and the same walk as in `batch_lcs`, one pair of sentences at a time, with
Python's integers of any length as rows.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from chronoscore.rouge.clipping import Flags
from chronoscore.rouge.numbering import Numbers
from chronoscore.rouge.packing import LONGEST
from chronoscore.rouge.shared import Pairs, Shared, sentence_lengths
from chronoscore.text.batch import Layout


def mark_long(
    layout: Layout, pairs: Pairs, shared: Shared, sentences: Numbers, marked: Flags
) -> None:
    """Mark the shared reference words on a common subsequence with a long sentence.

    `sentences` numbers the reference sentence of each shared word.
    """
    long = _long_sentences(layout, pairs, shared)
    if not long:
        return
    of_pair = np.searchsorted(shared.reference.owners, np.arange(len(pairs) + 1)).tolist()
    for pair, slot in enumerate(pairs.slots.tolist()):
        if slot not in long:
            continue
        start, end = of_pair[pair], of_pair[pair + 1]
        types = shared.reference.types[start:end].tolist()
        numbers = sentences[start:end].tolist()
        for _, group in groupby(range(len(types)), key=numbers.__getitem__):
            words = list(group)
            for places, length in long[slot]:
                matches = [places.get(types[word], 0) for word in words]
                for word in walked_back(matches, length):
                    marked[start + words[word]] = True


def _long_sentences(
    layout: Layout, pairs: Pairs, shared: Shared
) -> dict[int, list[tuple[dict[int, int], int]]]:
    """Give, by slot, where each type stands in each long sentence, and how long that is."""
    counts, lengths = sentence_lengths(layout, pairs.systems)
    slots = np.repeat(np.arange(len(counts)), counts)
    ends = np.cumsum(lengths)
    found: dict[int, list[tuple[dict[int, int], int]]] = {}
    for sentence in np.flatnonzero(lengths > LONGEST).tolist():
        length, end = int(lengths[sentence]), int(ends[sentence])
        places: dict[int, int] = {}
        for place, word in enumerate(shared.system.types[end - length : end].tolist()):
            places[word] = places.get(word, 0) | 1 << place
        found.setdefault(int(slots[sentence]), []).append((places, length))
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
