"""Clipped counts of n-grams and skip-bigrams, for many pairs at once."""

from collections.abc import Collection

import numpy as np

from chronoscore.engine.clipping import Hits, clip_hits
from chronoscore.engine.numbering import Numbering, Numbers, bounds_of_lengths
from chronoscore.engine.shared import Pairs, Shared, Words, bounds_of_types

# Skip-bigrams, or places in their tables, that are held at once.
MANY = 1 << 22


def _count_word_hits(pairs: Pairs, shared: Shared) -> Hits:
    """Count the shared words of each pair."""
    supply = np.bincount(shared.system.types)
    return clip_hits(pairs, shared.first, supply, shared.reference.types, shared.reference.owners)


def count_hits_without_last_word(pairs: Pairs, shared: Shared) -> Hits:
    """Count the shared words of each pair without the last word of either text."""
    ours, theirs = (
        np.flatnonzero(words.places < words.ends[words.owners] - 1)
        for words in (shared.system, shared.reference)
    )
    supply = np.bincount(shared.system.types[ours], minlength=int(shared.first[-1]))
    types, owners = shared.reference.types[theirs], shared.reference.owners[theirs]
    return clip_hits(pairs, shared.first, supply, types, owners)


def count_ngram_hits(
    pairs: Pairs, shared: Shared, lengths: Collection[int], numbering: Numbering
) -> dict[int, Hits]:
    """Count the shared n-grams of each pair, for each length n up to the largest.

    The n-grams of a system are numbered as its words are, each by the number of the
    gram without its last word, and that word.
    """
    hits = {1: _count_word_hits(pairs, shared)} if lengths else {}
    first, types, found = shared.first, shared.system.types, shared.reference.types
    ours, theirs = np.arange(len(types)), np.arange(len(found))
    for n in range(2, max(lengths, default=1) + 1):
        rows, start = _rows(first, shared.first)
        ours, keys = _grow(shared.system, ours, rows[types], n)
        theirs, sought = _grow(shared.reference, theirs, rows[found], n)
        kept = numbering.among(keys, sought, int(start[-1]))
        ours = ours[kept]
        types, found = numbering.number(keys[kept], sought, int(start[-1]))
        first = bounds_of_types(types, shared.system.owners[ours], len(pairs.systems))
        kept = np.flatnonzero(found >= 0)
        theirs, found = theirs[kept], found[kept]
        owners = shared.reference.owners[theirs]
        hits[n] = clip_hits(pairs, first, np.bincount(types), found, owners)
    return hits


def _grow(words: Words, starts: Numbers, rows: Numbers, n: int) -> tuple[Numbers, Numbers]:
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
    start = bounds_of_lengths(grams * words)
    offset = start[:-1] - first[:-1] * words - first_word[:-1]
    rows = np.arange(first[-1]) * np.repeat(words, grams) + np.repeat(offset, grams)
    return rows, start


def count_skip_bigram_hits(pairs: Pairs, shared: Shared, gap: int) -> Hits:
    """Count the shared skip-bigrams: two words in order, at most `gap` others between.

    A negative gap sets no limit. Each slot has a table of its words by its words.
    """
    rows, start = _rows(shared.first, shared.first)
    longest = int(np.diff(shared.system.ends, prepend=0).max(initial=0))
    longest = max(longest, int(np.diff(shared.reference.ends, prepend=0).max(initial=0)))
    reach = gap + 1 if 0 <= gap < longest else longest
    most = max(len(shared.system.types), len(shared.reference.types)) * reach
    if max(most, int(np.diff(start)[pairs.slots].sum())) > MANY:
        return _word_by_word(pairs, shared, reach)
    keys, _ = _skips(shared.system, rows, reach)
    supply = np.bincount(keys, minlength=int(start[-1]))
    keys, owners = _skips(shared.reference, rows, reach)
    found = np.flatnonzero(supply[keys] > 0)
    return clip_hits(pairs, start, supply, keys[found], owners[found])


def _skips(words: Words, rows: Numbers, reach: int) -> tuple[Numbers, Numbers]:
    """Give the key and the owner of every skip-bigram, by distance."""
    places, firsts = words.spaced(reach), rows[words.types]
    keys, owners = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for step in range(1, reach + 1):
        near = np.flatnonzero(places[step:] - places[:-step] <= reach)
        if not len(near):
            break
        keys.append(firsts[near] + words.types[near + step])
        owners.append(words.owners[near])
    return np.concatenate(keys), np.concatenate(owners)


def _word_by_word(pairs: Pairs, shared: Shared, reach: int) -> Hits:
    """Count the skip-bigrams of each pair by their first word, so that few are held at once."""
    hits = np.zeros(len(pairs))
    ours, theirs = shared.system, shared.reference
    of_slot = np.searchsorted(ours.owners, np.arange(len(pairs.systems) + 1)).tolist()
    of_pair = np.searchsorted(theirs.owners, np.arange(len(pairs) + 1)).tolist()
    for pair, slot in enumerate(pairs.slots.tolist()):
        size = int(shared.first[slot + 1] - shared.first[slot])
        system = ours.kept(np.arange(*of_slot[slot : slot + 2]))
        reference = theirs.kept(np.arange(*of_pair[pair : pair + 2]))
        for word in np.unique(reference.types):
            followers = [
                _followers(words, word, reach, int(shared.first[slot]), size)
                for words in (system, reference)
            ]
            hits[pair] += np.minimum(*followers).sum()
    return hits


def _followers(words: Words, word: int, reach: int, first: int, size: int) -> Numbers:
    """Count by type what follows a word within reach, wherever it stands."""
    starts = np.flatnonzero(words.types == word)
    ends = np.searchsorted(words.places, words.places[starts] + reach, side="right")
    found = np.zeros(size, dtype=np.int64)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        found += np.bincount(words.types[start + 1 : end] - first, minlength=size)
    return found
