"""What there is to hit in each text of a batch, by kind."""

import numpy as np
from numpy.typing import NDArray

from chronoscore.engine import weighted
from chronoscore.engine.kinds import Grams, Kind, SkipGrams, Subsequence, WeightedSubsequence
from chronoscore.text.batch import Batch, Layout
from chronoscore.text.ranges import Numbers

Sizes = NDArray[np.float64]


def count(kind: Kind, batch: Batch, systems: Numbers, references: Numbers) -> tuple[Sizes, Sizes]:
    """Give what there is to hit in each reference, and in each system."""
    lengths = np.diff(batch.whole.bounds)
    match kind:
        case Grams(n):
            sizes = np.maximum(lengths - n + 1, 0)
            return sizes[references].astype(np.float64), sizes[systems].astype(np.float64)
        case SkipGrams(gap, unigrams):
            sizes = _skip_sizes(lengths, gap, unigrams)
            return sizes[references].astype(np.float64), sizes[systems].astype(np.float64)
        case Subsequence():
            lines = np.diff(batch.lines.bounds)
            return lines[references].astype(np.float64), lengths[systems].astype(np.float64)
        case WeightedSubsequence(weight):
            ours = _run_weights(weight, int(lengths.max(initial=0)))[lengths[systems]]
            return _twice_weighted(batch.lines, references, weight), ours


def _run_weights(weight: float, longest: int) -> Sizes:
    """Give the weights of runs of 0 to `longest` words.

    They come from the same function as in the plain count: an array's own power may
    differ from it in the last bit.
    """
    return np.array(
        [weighted.power(length, weight) for length in range(longest + 1)], dtype=np.float64
    )


def _skip_sizes(lengths: Numbers, gap: int, unigrams: bool) -> Numbers:
    """Count the skip-bigrams of texts of these lengths, and their words but the last."""
    others = np.maximum(lengths - 1, 0)
    reach = others if gap < 0 else np.minimum(others, gap + 1)
    sizes: Numbers = reach * lengths - reach * (reach + 1) // 2
    return sizes + others if unigrams else sizes


def _twice_weighted(lines: Layout, texts: Numbers, weight: float) -> Sizes:
    """Weigh each text's sentences, add them up and weigh the sum again, as ROUGE-1.5.5 does."""
    distinct, which = np.unique(texts, return_inverse=True)
    lengths = np.diff(lines.sentences)
    weights = [weighted.power(length, weight) for length in range(int(lengths.max(initial=0)) + 1)]
    found = []
    for text in distinct.tolist():
        sentences = lengths[lines.texts[text] : lines.texts[text + 1]].tolist()
        found.append(float(weighted.power(sum(weights[length] for length in sentences), weight)))
    return np.array(found, dtype=np.float64)[which]
