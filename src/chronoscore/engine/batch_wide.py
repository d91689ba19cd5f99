"""Common subsequences with system sentences of several machine words, many at once.

The rows and the walk of `batch_lcs`, but a row is several machine words, and additions carry from
one to the next. The walk goes through one sentence only, so that its place is a number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chronoscore.engine.clipping import Flags
from chronoscore.engine.numbering import Numbers, bounds_of_lengths, concatenate_ranges
from chronoscore.engine.packing import LONGEST, ONE, WIDTH, Bits
from chronoscore.engine.shared import Pairs, Shared, sentence_lengths
from chronoscore.engine.steps import order_rows_by_step
from chronoscore.text.batch import Layout

_ALL = np.uint64(2**WIDTH - 1)


@dataclass(frozen=True, slots=True)
class Long:
    """Long system sentences, in order: the slot, the first word and the length of each."""

    slots: Numbers
    starts: Numbers
    lengths: Numbers

    def only(self, which: Flags) -> "Long":
        """Keep some of the sentences."""
        return Long(self.slots[which], self.starts[which], self.lengths[which])

    def turns(self, count: int) -> Iterator[Numbers]:
        """Give the first such sentence of each slot, then the second, -1 where there is none."""
        first = np.searchsorted(self.slots, np.arange(count + 1))
        several = np.diff(first)
        for turn in range(int(several.max(initial=0))):
            yield np.where(several > turn, first[:-1] + turn, -1)


def mark_lcs_of_long_sentences(layout: Layout, pairs: Pairs, shared: Shared, marked: Flags) -> None:
    """Mark the shared reference words on a common subsequence with a long sentence."""
    counts, lengths = sentence_lengths(layout, pairs.systems)
    slots = np.repeat(np.arange(len(counts)), counts)
    long = Long(slots, bounds_of_lengths(lengths)[:-1], lengths).only(lengths > LONGEST)
    _, their_lengths = sentence_lengths(layout, pairs.references)
    tables = np.repeat(np.arange(len(their_lengths)), their_lengths)[shared.reference.places]
    widths = long.lengths // WIDTH + 1  # machine words, with a guard bit at the end
    for width in np.unique(widths).tolist():
        _mark_wide(long.only(widths == width), width, pairs, shared, tables, marked)


def _mark_wide(
    long: Long, width: int, pairs: Pairs, shared: Shared, tables: Numbers, marked: Flags
) -> None:
    """Mark by sentences that take equally many machine words."""
    matches, rows = _matches(long, width, shared)
    slots = pairs.slots[shared.reference.owners]
    for chosen in long.turns(len(pairs.systems)):
        ours = chosen[slots]
        words = np.flatnonzero(ours >= 0)
        found = matches[rows[ours[words]] + shared.reference.types[words]]
        some = found.any(axis=1)
        words, found = words[some], found[some]
        if len(words):
            steps = order_rows_by_step(tables[words])
            laid = np.empty(found.shape[::-1], dtype=np.uint64)
            laid[:, steps.places] = found.T
            lengths = long.lengths[ours[words[steps.firsts]]]
            hits = _walk_back(laid, _fill(laid, steps.slices, lengths), steps.slices, lengths)
            marked[words[hits[steps.places]]] = True


def _matches(long: Long, width: int, shared: Shared) -> tuple[Bits, Numbers]:
    """Give the bits of every type of a sentence's slot, and what to add to the type."""
    start = bounds_of_lengths(np.diff(shared.first)[long.slots])
    rows = start[:-1] - shared.first[long.slots]
    matches = np.zeros((int(start[-1]), width), dtype=np.uint64)
    types = np.full(int(shared.system.ends.max(initial=0)), -1, dtype=np.int64)
    types[shared.system.places] = shared.system.types
    words = types[concatenate_ranges(long.starts, long.lengths)]
    places = concatenate_ranges(np.zeros_like(long.lengths), long.lengths)
    kept = words >= 0
    homes = (np.repeat(rows, long.lengths) + words)[kept]
    bits = ONE << (places[kept] % WIDTH).astype(np.uint64)
    np.add.at(matches, (homes, places[kept] // WIDTH), bits)
    return matches, rows


def _fill(matches: Bits, steps: Sequence[slice], lengths: Numbers) -> Bits:
    """Fill the tables row by row; give where each row matches or gains."""
    last = len(matches) - 1
    guards = ONE << (lengths % WIDTH).astype(np.uint64)
    inside = guards - ONE
    flats = np.full((len(matches), len(lengths)), _ALL)
    flats[last] = inside
    stops = np.empty_like(matches)
    for step in steps:
        active = step.stop - step.start
        carry = borrow = np.zeros(active, dtype=np.bool_)
        for word, (match, stop) in enumerate(zip(matches[:, step], stops[:, step], strict=True)):
            flat = flats[word, :active]
            moved = flat & match
            row = flat + moved
            over = row < flat
            row += carry
            carry = over | (row < carry)
            row |= flat ^ moved
            if word == last:
                row |= guards[:active]
            np.subtract(row, flat, out=stop)
            borrowed = (row < flat) | (stop < borrow)
            stop -= borrow
            borrow = borrowed
            if word == last:
                stop &= inside[:active]
                row &= inside[:active]
            stop |= match
            flat[...] = row
    return stops


def _walk_back(matches: Bits, stops: Bits, steps: Sequence[slice], lengths: Numbers) -> Flags:
    """Walk back through all tables, and tell which rows are marked."""
    marked = np.zeros(matches.shape[1], dtype=np.bool_)
    # The fence is the place above the last word that may still be matched.
    fences = lengths.copy()
    for step in reversed(steps):
        place = fences[: step.stop - step.start] - 1
        bits = stops[place // WIDTH, np.arange(step.start, step.stop)]
        hit = (bits >> (place % WIDTH).astype(np.uint64)) & ONE
        tables = np.flatnonzero((hit > 0) & (place >= 0))
        marked[step.start + tables] = True
        fences[tables] = _last_match(matches, step.start + tables, place[tables])
    return marked


def _last_match(matches: Bits, rows: Numbers, places: Numbers) -> Numbers:
    """Give the highest bit of each row that is set and not above a place; there is one."""
    words = places // WIDTH
    below = _ALL >> (WIDTH - 1 - places % WIDTH).astype(np.uint64)
    bits = matches[words, rows] & below
    while len(empty := np.flatnonzero(bits == 0)):
        words[empty] -= 1
        bits[empty] = matches[words[empty], rows[empty]]
    # Without a second bit below its first, a number is not rounded up to the next power.
    _, sizes = np.frexp((bits & ~(bits >> ONE)).astype(np.float64))
    found: Numbers = words * WIDTH + sizes - 1
    return found
