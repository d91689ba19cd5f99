"""Hits of the measures that match sentence with sentence, for many pairs at once."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from chronoscore.engine.batch_lcs import mark_lcs_words
from chronoscore.engine.batch_weighted import Weights, weighted_marks
from chronoscore.engine.batch_wide import mark_lcs_of_long_sentences
from chronoscore.engine.clipping import Flags, Hits, clip_hits, mark_unclipped_hits, sum_by_owner
from chronoscore.engine.numbering import Numbering
from chronoscore.engine.shared import Pairs, Shared, Words, find_shared_words, sentence_lengths
from chronoscore.text.batch import Batch


@dataclass(frozen=True, slots=True)
class Lines:
    """A chunk of pairs as the sentence reader sees it, and as the other reader does.

    Words are matched among `lines`, but count only as often as both `whole` texts have
    them. `counted` are the references' lines with their words called as in `whole`.
    """

    pairs: Pairs
    lines: Shared
    whole: Shared
    counted: Words


def find_shared_sentence_words(
    batch: Batch, pairs: Pairs, whole: Shared, numbering: Numbering
) -> Lines:
    """Find the words that the sentences of each pair share."""
    if batch.lines is batch.whole:
        return Lines(pairs, whole, whole, whole.reference)
    met = partial(
        find_shared_words, pairs=pairs, vocabulary=len(batch.vocabulary), numbering=numbering
    )
    # Numbers of the system's words must be the same for both readings of the reference.
    all_whole = met(batch.whole, batch.whole, everything=True)
    across = met(batch.whole, batch.lines, everything=True)
    return Lines(pairs, met(batch.lines, batch.lines), all_whole, across.reference)


def subsequence_hits(batch: Batch, met: Lines, *, wide: bool) -> Hits:
    """Count the words on common subsequences: ROUGE-L.

    Without `wide`, sentences of several machine words are left out.
    """
    marked = mark_lcs_words(batch.lines, met.pairs, met.lines)
    if wide:
        mark_lcs_of_long_sentences(batch.lines, met.pairs, met.lines, marked)
    if met.lines is met.whole:
        words = met.lines.reference
        supply = np.bincount(met.whole.system.types)
        return clip_hits(
            met.pairs, met.whole.first, supply, words.types[marked], words.owners[marked]
        )
    everywhere = np.zeros(int(met.lines.reference.ends.max(initial=0)), dtype=np.bool_)
    everywhere[met.lines.reference.places[marked]] = True
    words = _counting(met, everywhere)
    return np.bincount(words.owners, minlength=len(met.pairs)).astype(np.float64)


def count_weighted_lcs_hits(batch: Batch, met: Lines, powers: Weights) -> Hits:
    """Add up the weights of the runs of words on common subsequences: ROUGE-W.

    A run ends at a counted word whose next word is not marked. One that is marked but no longer
    counts neither ends a run nor breaks it; a run still open where the sentence ends is lost.
    """
    marked = weighted_marks(batch.lines, met.pairs, met.lines, powers)
    words = _counting(met, marked)
    _, lengths = sentence_lengths(batch.lines, met.pairs.references)
    last = np.zeros(len(marked), dtype=np.bool_)
    last[np.cumsum(lengths)[lengths > 0] - 1] = True
    followed = np.append(marked[1:], False) & ~last
    closing = ~followed[words.places]

    turns = np.arange(len(words.places))
    sentences = np.repeat(np.arange(len(lengths)), lengths)[words.places]
    # A run starts after the last one closed, or with the sentence's first counted word.
    closed = np.maximum.accumulate(np.where(closing, turns + 1, 0))
    opened = np.maximum.accumulate(np.where(np.diff(sentences, prepend=-1) > 0, turns, 0))
    starts = np.maximum(np.append(0, closed[:-1]), opened) if len(turns) else turns
    runs = (turns + 1 - starts)[closing]
    return sum_by_owner(words.owners[closing], powers[runs], len(met.pairs))


def _counting(met: Lines, marked: Flags) -> Words:
    """Keep the marked words of the references' lines that count."""
    words = met.counted.kept(np.flatnonzero(marked[met.counted.places]))
    whole = met.whole
    supply = np.bincount(whole.system.types, minlength=int(whole.first[-1]))
    counts = mark_unclipped_hits(met.pairs, whole.first, supply, words, whole.reference)
    return words.kept(np.flatnonzero(counts))
