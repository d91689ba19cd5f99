"""System sentences packed into 64-bit machine words, a guard bit after each sentence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine.numbering import Numbers, bounds_of_lengths, concatenate_ranges
from chronoscore.engine.shared import Shared
from chronoscore.text.batch import Layout

Bits = NDArray[np.uint64]

WIDTH = 64
LONGEST = WIDTH - 1
"""Words in a sentence that fits into a machine word with its guard bit."""

ONE = np.uint64(1)


@dataclass(frozen=True, slots=True)
class Packed:
    """The sentences of the system texts of a chunk, as bits.

    Slot s has the machine words from `first[s]` to `first[s + 1]`, and each of them its
    bits of sentence words (`inside`), its `guards`, and for shifts down by 1, 2, 4 … the
    bits to be filled from their own sentence. `matches[rows[t] + w]` are the bits of word
    type t in the w-th machine word of its slot. Sentences that are too long for a machine
    word are left out.
    """

    first: Numbers
    inside: Bits
    guards: Bits
    fillable: tuple[Bits, ...]
    matches: Bits
    rows: Numbers


def pack_sentences(layout: Layout, systems: Numbers, shared: Shared) -> Packed:
    """Pack the sentences of these texts in order, as many to a machine word as fit."""
    per_text = layout.texts[systems + 1] - layout.texts[systems]
    sentences = concatenate_ranges(layout.texts[systems], per_text)
    lengths = layout.sentences[sentences + 1] - layout.sentences[sentences]
    fits = lengths <= LONGEST
    words, offsets, per_slot = _place(np.where(fits, lengths, 0), per_text)
    first = bounds_of_lengths(per_slot)

    held = np.flatnonzero(fits & (lengths > 0))
    sizes, low = lengths[held], offsets[held].astype(np.uint64)
    homes = (np.repeat(first[:-1], per_text) + words)[held]

    def unite(bits: Bits) -> Bits:
        """Put the sentences' bits together in their machine words."""
        found = np.zeros(int(first[-1]), dtype=np.uint64)
        np.add.at(found, homes, bits << low)
        return found

    shifts = [1 << k for k in range(int(sizes.max(initial=0)).bit_length())]
    matches, rows = _matches(lengths, fits, words, offsets, per_slot, shared)
    return Packed(
        first,
        inside=unite(_ones(sizes)),
        guards=unite(ONE << sizes.astype(np.uint64)),
        fillable=tuple(unite(_ones(np.maximum(sizes + 1 - shift, 0))) for shift in shifts),
        matches=matches,
        rows=rows,
    )


def _ones(counts: Numbers) -> Bits:
    """So many ones at the low end."""
    return (ONE << counts.astype(np.uint64)) - ONE


def _place(lengths: Numbers, per_text: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Choose for each sentence a machine word within its text, and its lowest bit there.

    Gives also how many machine words each text takes. An empty sentence takes no room.
    """
    starts = bounds_of_lengths(per_text)
    words, offsets = np.zeros_like(lengths), np.zeros_like(lengths)
    word, used = np.zeros_like(per_text), np.zeros_like(per_text)
    for k in range(int(per_text.max(initial=0))):
        texts = np.flatnonzero(per_text > k)
        here = starts[texts] + k
        room = np.where(lengths[here] > 0, lengths[here] + 1, 0)
        full = used[texts] + room > WIDTH
        word[texts] += full
        used[texts[full]] = 0
        words[here], offsets[here] = word[texts], used[texts]
        used[texts] += room
    return words, offsets, word + (used > 0)


def _matches(
    lengths: Numbers,
    fits: NDArray[np.bool_],
    words: Numbers,
    offsets: Numbers,
    per_slot: Numbers,
    shared: Shared,
) -> tuple[Bits, Numbers]:
    """Give the bits of each word type in each machine word of its slot, and where they are."""
    types_per_slot = np.diff(shared.first)
    start = bounds_of_lengths(types_per_slot * per_slot)
    within = np.arange(shared.first[-1]) - np.repeat(shared.first[:-1], types_per_slot)
    rows = np.repeat(start[:-1], types_per_slot) + within * np.repeat(per_slot, types_per_slot)

    sentences = np.repeat(np.arange(len(lengths)), lengths)[shared.system.places]
    held = np.flatnonzero(fits[sentences])
    sentences = sentences[held]
    begins = np.cumsum(lengths) - lengths
    bits = offsets[sentences] + shared.system.places[held] - begins[sentences]
    matches = np.zeros(int(start[-1]), dtype=np.uint64)
    places = rows[shared.system.types[held]] + words[sentences]
    np.add.at(matches, places, ONE << bits.astype(np.uint64))
    return matches, rows
