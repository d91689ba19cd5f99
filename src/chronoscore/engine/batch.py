"""Counting many pairs of prepared texts at once: the fast path of bulk work.

Pairs are taken some hundreds at a time, those about one system text together, so that
the cost grows with the number of pairs and the memory does not.
"""

from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine import plain
from chronoscore.engine.batch_grams import (
    count_hits_without_last_word,
    count_ngram_hits,
    count_skip_bigram_hits,
)
from chronoscore.engine.batch_sentences import (
    count_weighted_lcs_hits,
    find_shared_sentence_words,
    subsequence_hits,
)
from chronoscore.engine.chunks import split_pairs_into_chunks
from chronoscore.engine.clipping import Hits
from chronoscore.engine.compiled import is_countable, kind_code
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.engine.numbering import Numbering, Numbers
from chronoscore.engine.packing import LONGEST, WIDTH
from chronoscore.engine.shared import Pairs, find_shared_words, sentence_lengths
from chronoscore.engine.totals import count_possible_hits, weights_of_runs
from chronoscore.kernel import compiled, is_compiled
from chronoscore.text.batch import Batch
from chronoscore.text.memory import keep_freed_memory
from chronoscore.text.plain import Prepared

Counts = NDArray[np.float64]

MANY = 20
"""Pairs for each machine word of a sentence, from which on counting them together pays."""


def count_overlap_of_pairs(
    kinds: Sequence[Kind],
    batch: Batch,
    systems: NDArray[np.integer],
    references: NDArray[np.integer],
) -> list[Counts]:
    """Count what text systems[i] of the batch shares with text references[i].

    Gives for each kind an array with a row for each pair, and in the row what
    `plain.Counts` holds: hits, and what there was to hit in the reference and in the system.
    """
    ours, theirs = np.asarray(systems, dtype=np.int64), np.asarray(references, dtype=np.int64)
    counts = [np.zeros((len(ours), 3)) for _ in kinds]
    for kind, columns in zip(kinds, counts, strict=True):
        columns[:, 1], columns[:, 2] = count_possible_hits(kind, batch, ours, theirs)
    _fill_hits(kinds, batch, ours, theirs, [columns[:, 0] for columns in counts])
    return counts


def count_hits(
    kinds: Sequence[Kind],
    batch: Batch,
    systems: NDArray[np.integer],
    references: NDArray[np.integer],
) -> list[Hits]:
    """Count the hits alone, for callers that size texts once and not with every pair."""
    ours, theirs = np.asarray(systems, dtype=np.int64), np.asarray(references, dtype=np.int64)
    hits = [np.zeros(len(ours)) for _ in kinds]
    _fill_hits(kinds, batch, ours, theirs, hits)
    return hits


def _fill_hits(
    kinds: Sequence[Kind], batch: Batch, systems: Numbers, references: Numbers, hits: Sequence[Hits]
) -> None:
    """Enter the hits of each kind: by the compiled kernel, or chunk by chunk."""
    if is_compiled():
        kinds, hits = _fill_compiled(kinds, batch, systems, references, hits)
        if not kinds:
            return
    keep_freed_memory()
    numbering = Numbering()
    for rows, pairs in split_pairs_into_chunks(kinds, batch, systems, references):
        for column, found in zip(hits, _hits(kinds, batch, pairs, numbering), strict=True):
            column[rows] = found


def _fill_compiled(
    kinds: Sequence[Kind], batch: Batch, systems: Numbers, references: Numbers, hits: Sequence[Hits]
) -> tuple[list[Kind], list[Hits]]:
    """Enter the hits that the kernel counts; give the kinds that it does not count exactly."""
    longest_text = int(np.diff(batch.whole.bounds).max(initial=0))
    longest = int(np.diff(batch.lines.sentences).max(initial=0))
    able = [is_countable(kind, longest_text, longest) for kind in kinds]
    counted = np.empty((sum(able), len(systems)))
    compiled.count(
        [kind_code(kind, longest) for kind, fits in zip(kinds, able, strict=True) if fits],
        np.ascontiguousarray(batch.whole.words),
        batch.whole.bounds,
        np.ascontiguousarray(batch.lines.words),
        batch.lines.sentences,
        batch.lines.texts,
        np.ascontiguousarray(systems),
        np.ascontiguousarray(references),
        counted,
    )
    rows = iter(counted)
    for column, fits in zip(hits, able, strict=True):
        if fits:
            column[:] = next(rows)
    left = [(k, h) for k, h, fits in zip(kinds, hits, able, strict=True) if not fits]
    return [kind for kind, _ in left], [column for _, column in left]


def _hits(kinds: Sequence[Kind], batch: Batch, pairs: Pairs, numbering: Numbering) -> list[Hits]:
    """Count the hits of each kind in one chunk of pairs."""
    size = len(batch.vocabulary)
    shared = find_shared_words(
        batch.whole, batch.whole, pairs, vocabulary=size, numbering=numbering
    )
    grams = count_ngram_hits(pairs, shared, [k.n for k in kinds if isinstance(k, Grams)], numbering)
    gaps = {kind.gap for kind in kinds if isinstance(kind, SkipGrams)}
    skips = {gap: count_skip_bigram_hits(pairs, shared, gap) for gap in gaps}
    met = find_shared_sentence_words(batch, pairs, shared, numbering)
    found = []
    for kind in kinds:
        match kind:
            case Grams(n):
                found.append(grams[n])
            case SkipGrams(gap, unigrams):
                more = count_hits_without_last_word(pairs, shared) if unigrams else 0
                found.append(skips[gap] + more)
            case Subsequence():
                wide = _too_wide(batch, pairs)
                column = subsequence_hits(batch, met, wide=len(wide) == 0)
                column[wide] = _plain_hits(kind, batch, pairs, wide)
                found.append(column)
            case WeightedSubsequence(weight):
                _, lengths = sentence_lengths(batch.lines, pairs.references)
                longest = int(lengths.max(initial=0))
                found.append(
                    count_weighted_lcs_hits(batch, met, weights_of_runs(weight, longest + 1))
                    if is_countable(kind, 0, longest)
                    else _plain_hits(kind, batch, pairs, np.arange(len(pairs)))
                )
    return found


def _too_wide(batch: Batch, pairs: Pairs) -> Numbers:
    """The pairs with a sentence of several machine words, where they are few for that."""
    counts, lengths = sentence_lengths(batch.lines, pairs.systems)
    long = lengths > LONGEST
    if len(pairs) >= MANY * (int(lengths.max(initial=0)) // WIDTH):
        return np.empty(0, dtype=np.int64)
    slots = np.repeat(np.arange(len(counts)), counts)[long]
    return np.flatnonzero(np.isin(pairs.slots, slots))


def _plain_hits(kind: Kind, batch: Batch, pairs: Pairs, which: Numbers) -> Hits:
    """Count some pairs one by one in plain Python."""
    read = cache(partial(_extract_text, batch))
    systems, references = pairs.systems[pairs.slots[which]], pairs.references[which]
    hits = [
        plain.count_overlap(kind, read(ours), read(theirs)).hits
        for ours, theirs in zip(systems.tolist(), references.tolist(), strict=True)
    ]
    return np.array(hits, dtype=np.float64)


def _extract_text(batch: Batch, text: int) -> Prepared:
    """Give one text of a batch as the plain count wants it: numbers will do for words."""
    whole, lines = batch.whole, batch.lines
    start, end = whole.sentences[whole.texts[text]], whole.sentences[whole.texts[text + 1]]
    bounds = lines.sentences[lines.texts[text] : lines.texts[text + 1] + 1].tolist()
    words: list[Any] = whole.words[start:end].tolist()
    in_lines: list[Any] = lines.words[bounds[0] : bounds[-1]].tolist()
    spans = pairwise(bound - bounds[0] for bound in bounds)
    return Prepared(tuple(tuple(in_lines[a:b]) for a, b in spans), tuple(words))
