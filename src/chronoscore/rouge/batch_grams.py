"""Clipped counts of n-grams and skip-bigrams, for many pairs at once."""

from collections.abc import Collection

import numpy as np

from chronoscore.rouge.clipping import Hits, clipped
from chronoscore.rouge.numbering import Numbering, Numbers, bounds, ranges
from chronoscore.rouge.shared import Pairs, Shared, Words, first_types

# Skip-bigrams, or places in their tables, that are held at once.
MANY = 1 << 22
# Up to this reach it is sooner to look at each distance than to search.
NEAR = 16


def word_hits(pairs: Pairs, shared: Shared) -> Hits:
    """Count the shared words of each pair."""
    supply = np.bincount(shared.system.types)
    return clipped(pairs, shared.first, supply, shared.reference.types, shared.reference.owners)


def but_last_hits(pairs: Pairs, shared: Shared) -> Hits:
    """Count the shared words of each pair without the last word of either text."""
    ours, theirs = (
        np.flatnonzero(words.places < words.ends[words.owners] - 1)
        for words in (shared.system, shared.reference)
    )
    supply = np.bincount(shared.system.types[ours], minlength=int(shared.first[-1]))
    types, owners = shared.reference.types[theirs], shared.reference.owners[theirs]
    return clipped(pairs, shared.first, supply, types, owners)


def gram_hits(
    pairs: Pairs, shared: Shared, lengths: Collection[int], numbering: Numbering
) -> dict[int, Hits]:
    """Count the shared n-grams of each pair, for each length n up to the largest.

    The n-grams of a system are numbered as its words are, each by the number of the
    gram without its last word, and that word.
    """
    hits = {1: word_hits(pairs, shared)} if lengths else {}
    first, types, found = shared.first, shared.system.types, shared.reference.types
    ours, theirs = np.arange(len(types)), np.arange(len(found))
    for n in range(2, max(lengths, default=1) + 1):
        rows, start = _rows(first, shared.first)
        ours, keys = _grown(shared.system, ours, rows[types], n)
        theirs, sought = _grown(shared.reference, theirs, rows[found], n)
        types, found = numbering.number(keys, sought, int(start[-1]))
        first = first_types(types, shared.system.owners[ours], len(pairs.systems))
        kept = np.flatnonzero(found >= 0)
        theirs, found = theirs[kept], found[kept]
        owners = shared.reference.owners[theirs]
        hits[n] = clipped(pairs, first, np.bincount(types), found, owners)
    return hits


def _grown(words: Words, starts: Numbers, rows: Numbers, n: int) -> tuple[Numbers, Numbers]:
    """Add an n-th word to grams that start at these words: which can have one, and their keys."""
    ends = starts + (n - 1)
    inside = int(np.searchsorted(ends, len(words.types)))
    starts, ends = starts[:inside], ends[:inside]
    places = words.spaced(n)
    whole = np.flatnonzero(places[ends] - places[starts] == n - 1)
    return starts[whole], rows[whole] + words.types[ends[whole]]


def _rows(first: Numbers, first_word: Numbers) -> tuple[Numbers, Numbers]:
    """Lay out a table of grams by words for each slot.

    Gives for each gram what to add to a word for their place in the table, and where
    each slot's table starts.
    """
    grams, words = np.diff(first), np.diff(first_word)
    start = bounds(grams * words)
    offset = start[:-1] - first[:-1] * words - first_word[:-1]
    rows = np.arange(first[-1]) * np.repeat(words, grams) + np.repeat(offset, grams)
    return rows, start


def pair_hits(pairs: Pairs, shared: Shared, gap: int) -> Hits:
    """Count the shared skip-bigrams: two words in order, at most `gap` others between.

    A negative gap sets no limit. Each slot has a table of its words by its words.
    """
    ours, theirs = (_seconds(words, gap) for words in (shared.system, shared.reference))
    rows, start = _rows(shared.first, shared.first)
    if _too_many(pairs, start, ours, theirs):
        return _word_by_word(pairs, shared, ours, theirs)
    supply = np.bincount(_skips(shared.system, rows, ours), minlength=int(start[-1]))
    keys = _skips(shared.reference, rows, theirs)
    owners = np.repeat(shared.reference.owners, theirs)
    found = np.flatnonzero(supply[keys] > 0)
    return clipped(pairs, start, supply, keys[found], owners[found])


def _too_many(pairs: Pairs, start: Numbers, *seconds: Numbers) -> bool:
    """Tell whether tables for all pairs, or all skip-bigrams, are too much to hold at once."""
    tables = int(np.diff(start)[pairs.slots].sum())
    return max(tables, *(int(counts.sum()) for counts in seconds)) > MANY


def _seconds(words: Words, gap: int) -> Numbers:
    """Count the words that can follow each word in a skip-bigram."""
    texts = np.diff(words.ends, prepend=0)
    reach = gap + 1 if gap >= 0 else int(texts.max(initial=0))
    places = words.spaced(reach)
    if reach > NEAR:
        last = np.searchsorted(places, places + reach, side="right")
        return last - np.arange(1, len(last) + 1)
    seconds = np.zeros(len(places), dtype=np.int64)
    for step in range(1, reach + 1):
        seconds[:-step] += places[step:] - places[:-step] <= reach
    return seconds


def _skips(words: Words, rows: Numbers, seconds: Numbers) -> Numbers:
    """Give the key of every skip-bigram, text by text."""
    follow = words.types[ranges(np.arange(1, len(seconds) + 1), seconds)]
    return np.repeat(rows[words.types], seconds) + follow


def _word_by_word(pairs: Pairs, shared: Shared, ours: Numbers, theirs: Numbers) -> Hits:
    """Count the skip-bigrams of each pair by their first word, so that few are held at once."""
    hits = np.zeros(len(pairs))
    system_bounds = np.searchsorted(shared.system.owners, np.arange(len(pairs.systems) + 1))
    reference_bounds = np.searchsorted(shared.reference.owners, np.arange(len(pairs) + 1))
    for pair, slot in enumerate(pairs.slots.tolist()):
        first, size = shared.first[slot], int(shared.first[slot + 1] - shared.first[slot])
        here = slice(*system_bounds[slot : slot + 2])
        there = slice(*reference_bounds[pair : pair + 2])
        our_types = shared.system.types[here] - first
        their_types = shared.reference.types[there] - first
        for word in np.unique(their_types):
            our_pairs = _followers(our_types, ours[here], word, size)
            their_pairs = _followers(their_types, theirs[there], word, size)
            hits[pair] += np.minimum(our_pairs, their_pairs).sum()
    return hits


def _followers(types: Numbers, seconds: Numbers, word: int, size: int) -> Numbers:
    """Count by type what follows a word, wherever it stands."""
    starts = np.flatnonzero(types == word)
    found = np.zeros(size, dtype=np.int64)
    for start, count in zip(starts.tolist(), seconds[starts].tolist(), strict=True):
        found += np.bincount(types[start + 1 : start + 1 + count], minlength=size)
    return found
