"""Choose a few sentences of many: by centroid, by rank on a graph, without repeats, greedily."""

import heapq
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from chronoscore.measures.measure import Array
from chronoscore.systems.vectors import (
    Sparse,
    dense,
    document_frequencies,
    sum_vectors,
    weight_columns,
    word_count_vectors,
)

SAME = 0.9999
"""Cosine beyond which two sentences are one."""


def nearest_to_centroid(
    rows: Sparse,
    size: int,
    *,
    center: Array | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> list[int]:
    """Add, one by one, the sentence that brings the sum nearest to the centroid.

    What is the same as a chosen sentence, or not `allowed`, is passed over.
    """
    aim = sum_vectors(rows) if center is None else center
    # Sums of products are kept up to date: dense vectors are as wide as the vocabulary.
    pulls = rows @ (aim / (np.sqrt((aim * aim).sum()) or 1.0))
    squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    open_ = squares > 0 if allowed is None else (squares > 0) & allowed
    chosen: list[int] = []
    shared = np.zeros(len(squares))
    length = pull = 0.0
    while len(chosen) < size and open_.any():
        lengths = np.sqrt(np.maximum(length + 2 * shared + squares, 1e-30))
        scores = np.where(open_, (pull + pulls) / lengths, -np.inf)
        # Of sentences equally near the first is taken, whatever the rounding.
        best = int(np.argmax(np.round(scores, 12)))
        chosen.append(best)
        length += float(2 * shared[best] + squares[best])
        pull += float(pulls[best])
        likeness = rows @ dense(rows[[best]])[0]
        shared += likeness
        open_ &= ~(likeness > SAME)
        open_[best] = False
    return chosen


def find_knee_of_curve(values: Array) -> float:
    """The value at which a falling curve bends most: farthest below the line through its ends.

    >>> find_knee_of_curve(np.array([10.0, 9.0, 1.0, 0.5, 0.0]))
    1.0
    """
    curve = np.sort(values)[::-1]
    if len(curve) < 3 or curve[0] == curve[-1]:
        return float(curve[-1]) if len(curve) else 0.0
    line = np.linspace(curve[0], curve[-1], len(curve))
    return float(curve[int(np.argmax(line - curve))])


def bm25_rank(
    texts: Sequence[Sequence[str]], *, damping: float = 0.85, k1: float = 1.5, b: float = 0.75
) -> Array:
    """Rank sentences by TextRank on BM25 similarity; the n × n matrix is never made.

    An edge from one sentence to another weighs as BM25 scores the first as a query against
    the second as a document.
    """
    matrix, _ = word_count_vectors(texts)
    size = len(texts)
    held = document_frequencies(matrix)
    idf = np.log1p((size - held + 0.5) / (held + 0.5))
    lengths = np.asarray(matrix.sum(axis=1)).ravel()
    usual = lengths.mean() or 1.0
    documents = matrix.copy()
    norm = np.repeat(k1 * (1 - b + b * lengths / usual), np.diff(matrix.indptr))
    documents.data = matrix.data * (k1 + 1) / (matrix.data + norm)
    documents = weight_columns(documents, idf)
    own = np.asarray(matrix.multiply(documents).sum(axis=1)).ravel()
    sent = matrix @ sum_vectors(documents) - own
    share = np.divide(1.0, sent, out=np.zeros(size), where=sent > 1e-12)
    ranks = np.full(size, 1 / size)
    for _ in range(100):
        given = ranks * share
        moved = documents @ (matrix.T @ given) - own * given
        lost = ranks[share == 0].sum() / size
        fresh = (1 - damping) / size + damping * (moved + lost)
        done = np.abs(fresh - ranks).sum() < 1e-10
        ranks = fresh
        if done:
            break
    return ranks


def select_without_repeats(
    rows: Sparse, order: NDArray[np.int64], size: int, *, most: float, earlier: Sequence[int] = ()
) -> list[int]:
    """Take sentences in order, but none whose cosine with a chosen one is above `most`."""
    chosen: list[int] = []
    for number in order.tolist():
        if len(chosen) == size:
            break
        against = [*earlier, *chosen]
        if against and (rows[against] @ dense(rows[[number]])[0]).max() > most:
            continue
        chosen.append(number)
    return chosen


def lazy_greedy(
    candidates: Iterable[int],
    gain: Callable[[int], float],
    take: Callable[[int], None],
    allowed: Callable[[int], bool],
    cost: Callable[[int], float] = lambda _: 1.0,
) -> list[int]:
    """Take the candidate of greatest gain for its cost, again and again (Minoux).

    `gain` is computed again only for the candidate on top: where gains only shrink, an old one
    is a bound. A candidate that is not allowed, or gains nothing, is dropped for good.
    Equal gains go to the lower number.
    """
    heap = [(-gain(one) / cost(one), one) for one in candidates]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap:
        _, one = heapq.heappop(heap)
        if not allowed(one):
            continue
        fresh = -gain(one) / cost(one)
        if heap and (fresh, one) > heap[0]:
            heapq.heappush(heap, (fresh, one))
            continue
        if fresh < 0:
            take(one)
            chosen.append(one)
    return chosen
