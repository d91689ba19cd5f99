"""Clipped overlaps of all pairs of texts at once, as one sparse product.

The k-th occurrence of a gram in a text is made a feature of its own. Two texts that hold a
gram three and five times then share three features of it: what was a minimum of counts is
a plain intersection of sets, and all intersections are one product of 0/1 matrices.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chronoscore.text.batch import Batch
from chronoscore.text.ranges import Numbers

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def count_all(
    batch: Batch, rows: NDArray[np.integer], columns: NDArray[np.integer], n: int = 1
) -> "csr_array":
    """Count what each text of `rows` shares with each text of `columns`, in grams of n words.

    Only pairs that share something are kept.

    >>> from chronoscore.text.batch import prepare_texts
    >>> from chronoscore.text.preparation import Preparation
    >>> batch = prepare_texts([["a a b"], ["a a a c"], ["b a"]], Preparation())
    >>> count_all(batch, np.array([0]), np.array([1, 2])).toarray()
    array([[2, 2]], dtype=int32)
    """
    # scipy is slow to import; only this function pays for it.
    from scipy.sparse import csr_array

    texts, places = np.unique(np.concatenate([rows, columns]), return_inverse=True)
    owner, feature = _features(batch, texts, n)
    bounds = np.searchsorted(owner, np.arange(len(texts) + 1))
    kinds = int(feature.max(initial=-1)) + 1
    ones = np.ones(len(feature), dtype=np.int32)
    held = csr_array((ones, feature, bounds), shape=(len(texts), kinds))
    ours, theirs = held[places[: len(rows)]], held[places[len(rows) :]]
    return csr_array(ours @ theirs.T.tocsr())


def _features(batch: Batch, texts: Numbers, n: int) -> tuple[Numbers, Numbers]:
    """The features of some texts: the text's place among them, and the feature's number."""
    owner, gram, _ = number_grams(batch, texts, n)
    order = np.lexsort((gram, owner))
    owner, gram = owner[order], gram[order]
    fresh = np.ones(len(gram), dtype=bool)
    fresh[1:] = (gram[1:] != gram[:-1]) | (owner[1:] != owner[:-1])
    starts = np.flatnonzero(fresh)
    occurrence = np.arange(len(gram)) - np.repeat(starts, np.diff(np.r_[starts, len(gram)]))
    most = int(occurrence.max(initial=0)) + 1
    _, number = np.unique(gram * most + occurrence, return_inverse=True)
    return owner, number.astype(np.int64)


def number_grams(batch: Batch, texts: Numbers, n: int) -> tuple[Numbers, Numbers, Numbers]:
    """The grams of some texts, numbered so that equal ones have equal numbers.

    Gives for each gram the place of its text, its number, and where it begins in the batch.
    """
    layout = batch.whole
    begins, ends = layout.bounds[texts], layout.bounds[texts + 1]
    lengths = np.maximum(ends - begins - n + 1, 0)
    owner = np.repeat(np.arange(len(texts)), lengths)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    start = np.repeat(begins, lengths) + within
    number = layout.words[start].astype(np.int64)
    for place in range(1, n):
        following = layout.words[start + place]
        # Numbers are made small again after each word, so that none overflows.
        _, number = np.unique(number * len(batch.vocabulary) + following, return_inverse=True)
    return owner, number.astype(np.int64), start
