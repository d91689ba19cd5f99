"""The common subsequences that ROUGE-1.5.5 finds, for many pairs of sentences at once.

A row of Perl's table is a machine word with a bit for each word of a system sentence,
several short sentences side by side. One step takes a word of every reference sentence
of a chunk at once.

Walking back from the table's last cell, Perl's rule (diagonal on a match, else up where
that cell is no smaller, else left) comes to this. Say the walk has come to system word j
and looks at reference word i. If i matches j, or the row of i is larger at j than the row
before it, then i is marked, and the walk goes on below the last match of i that is not
above j. Otherwise i is passed over. A reference word that matches nothing is always
passed over, so it need not be looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chronoscore.engine.clipping import Flags
from chronoscore.engine.numbering import Numbers
from chronoscore.engine.packing import ONE, Bits, Packed, pack_sentences
from chronoscore.engine.shared import Pairs, Shared, sentence_lengths
from chronoscore.engine.steps import order_rows_by_step
from chronoscore.text.batch import Layout


def mark_lcs_words(layout: Layout, pairs: Pairs, shared: Shared) -> Flags:
    """Mark the shared reference words that lie on a common subsequence with any sentence.

    Sentences of a system that are too long for a machine word are left out.
    """
    _, lengths = sentence_lengths(layout, pairs.references)
    sentences = np.repeat(np.arange(len(lengths)), lengths)[shared.reference.places]
    packed = pack_sentences(layout, pairs.systems, shared)
    marked = np.zeros(len(shared.reference.types), dtype=np.bool_)
    rows = _matching_rows(pairs, shared, packed, sentences)
    if len(rows.words):
        marked[rows.words[_walked_back(rows, packed)]] = True
    return marked


@dataclass(frozen=True, slots=True)
class BitRows:
    """Rows to be filled in, one for each reference word and machine word it matches in.

    Rows of one table are next to each other, in the order of the reference.
    """

    words: Numbers
    matches: Bits
    machine_words: Numbers
    tables: Numbers

    @classmethod
    def join(cls, parts: Sequence["BitRows"]) -> "BitRows":
        """Put rows after each other; no parts make no rows."""
        none = np.empty(0, dtype=np.int64)
        return cls(
            np.concatenate([none, *(rows.words for rows in parts)]),
            np.concatenate([none.astype(np.uint64), *(rows.matches for rows in parts)]),
            np.concatenate([none, *(rows.machine_words for rows in parts)]),
            np.concatenate([none, *(rows.tables for rows in parts)]),
        )


def _matching_rows(pairs: Pairs, shared: Shared, packed: Packed, sentences: Numbers) -> BitRows:
    """Take the machine words of each system in turn, and the reference words that match there."""
    slots = pairs.slots[shared.reference.owners]
    machine_words, counts = packed.first[slots], np.diff(packed.first)[slots]
    places = packed.rows[shared.reference.types]
    several = int(sentences.max(initial=0)) + 1
    found = []
    for turn in range(int(counts.max(initial=0))):
        words = np.flatnonzero(counts > turn)
        matches = packed.matches[places[words] + turn]
        some = np.flatnonzero(matches != 0)
        words = words[some]
        tables = sentences[words] + turn * several
        found.append(BitRows(words, matches[some], machine_words[words] + turn, tables))
    return BitRows.join(found)


def _walked_back(rows: BitRows, packed: Packed) -> Flags:
    """Fill all tables, walk back through them, and tell which rows are marked."""
    steps = order_rows_by_step(rows.tables)
    machine_words = rows.machine_words[steps.firsts]
    matches = np.empty_like(rows.matches)
    matches[steps.places] = rows.matches
    inside, guards = packed.inside[machine_words], packed.guards[machine_words]
    fillable = [bits[machine_words] for bits in packed.fillable]
    stops = _fill(matches, steps.slices, inside, guards)

    marked = np.empty(len(matches), dtype=np.bool_)
    # The fence is the bit above the last word that may still be matched; below it lie
    # the words that may.
    fences, belows = guards.copy(), inside.copy()
    for step in reversed(steps.slices):
        active = step.stop - step.start
        fence, below = fences[:active], belows[:active]
        hit = stops[step] & fence
        np.not_equal(hit, 0, out=marked[step])
        # Where there is a hit the fence moves down to the last match below it.
        fence ^= hit
        reached = matches[step] & below
        reached |= fence
        for k, fill in enumerate(fillable):
            np.right_shift(reached, np.uint64(1 << k), out=hit)
            hit &= fill[:active]
            reached |= hit
        np.right_shift(reached, ONE, out=below)
        below &= fillable[0][:active]
        np.bitwise_xor(reached, below, out=fence)
    return marked[steps.places]


def _fill(matches: Bits, steps: Sequence[slice], inside: Bits, guards: Bits) -> Bits:
    """Fill the tables row by row; give where each row matches or gains, one bit up.

    A row is kept as the places where it does not rise from one word to the next
    (Hyyrö's recurrence). Taking the row before from the row gives ones wherever the
    row is larger, the guard bit lending where the sentence's last places are.
    """
    stops = np.empty_like(matches)
    flats = inside.copy()
    for step in steps:
        active = step.stop - step.start
        flat, match, stop = flats[:active], matches[step], stops[step]
        moved = flat & match
        row = flat + moved
        moved ^= flat
        row |= moved
        row |= guards[:active]
        np.subtract(row, flat, out=stop)
        stop &= inside[:active]
        stop |= match
        stop <<= ONE
        np.bitwise_and(row, inside[:active], out=flat)
    return stops
