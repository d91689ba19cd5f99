"""Sentences as vectors: sparse tf-idf, truncated SVD and clusters, all without downloads."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from chronoscore.measures.measure import Array

Sparse: TypeAlias = Any
"""A scipy.sparse.csr_array of floats, a row for each text."""
BLOCK = 512
"""Rows of a dense block, where one must be made."""


def word_count_vectors(texts: Sequence[Sequence[str]]) -> tuple[Sparse, list[str]]:
    """How often each text has each word, and the words in the order of their columns."""
    numbers: dict[str, int] = {}
    columns = [[numbers.setdefault(word, len(numbers)) for word in text] for text in texts]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
    flat = np.array([number for row in columns for number in row], dtype=np.int64)
    shape = (len(texts), max(1, len(numbers)))
    matrix = csr_array((np.ones(len(flat)), flat, starts), shape=shape)
    matrix.sum_duplicates()
    return matrix, list(numbers)


def document_frequencies(matrix: Sparse) -> Array:
    """In how many rows each column is not zero."""
    return np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.float64)


def tfidf(texts: Sequence[Sequence[str]]) -> Sparse:
    """Rows of length 1, words weighted by count and by ln((1+n)/(1+df)) + 1."""
    matrix, _ = word_count_vectors(texts)
    return normalize_vectors(
        weight_columns(matrix, np.log((1 + len(texts)) / (1 + document_frequencies(matrix))) + 1)
    )


def weight_columns(matrix: Sparse, weights: Array) -> Sparse:
    """Multiply each column by its weight."""
    found = matrix.copy()
    found.data = found.data * weights[found.indices]
    return found


def normalize_vectors(matrix: Sparse) -> Sparse:
    """Scale every row to length 1; rows of zeros stay."""
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    found = matrix.copy()
    found.data = found.data * np.repeat(scale, np.diff(found.indptr))
    return found


def dense(matrix: Sparse) -> Array:
    """A small sparse matrix written out."""
    return np.asarray(matrix.toarray(), dtype=np.float64)


def sum_vectors(matrix: Sparse) -> Array:
    """The sum of all rows."""
    return np.asarray(matrix.sum(axis=0), dtype=np.float64).ravel()


def sum_vectors_by_cluster(matrix: Sparse, groups: NDArray[np.int64], count: int) -> Sparse:
    """Add up the rows of each group."""
    rows = len(groups)
    member = csr_array((np.ones(rows), (groups, np.arange(rows))), shape=(count, rows))
    return (member @ matrix).tocsr()


def reduce_dimensions(matrix: Sparse, dimensions: int, seed: int) -> Array:
    """Rows in the space of the leading singular vectors, scaled to length 1.

    Found from seeded random directions, turned towards the leading ones a few times
    (Halko, Martinsson & Tropp): many times faster than an exact decomposition.
    """
    size = min(dimensions, *matrix.shape)
    extra = min(size + 10, *matrix.shape)
    sketch = np.random.default_rng(seed).standard_normal((matrix.shape[1], extra))
    for _ in range(4):
        sketch = _orthonormal_columns(matrix.T @ _orthonormal_columns(matrix @ sketch))
    products = matrix @ sketch
    values, turns = np.linalg.eigh(products.T @ products)
    kept = np.flatnonzero(values > 1e-12 * max(values[-1], 1e-300))[-size:]
    points = products @ turns[:, kept]
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    scaled: Array = np.divide(points, lengths, out=np.zeros_like(points), where=lengths > 1e-12)
    return scaled


def _orthonormal_columns(matrix: Array) -> Array:
    """Orthonormal columns with the same span, by way of the small matrix of inner products."""
    values, turns = np.linalg.eigh(matrix.T @ matrix)
    kept = values > 1e-12 * max(values[-1], 1e-300)
    return np.asarray(matrix @ (turns[:, kept] / np.sqrt(values[kept])), dtype=np.float64)


def kmeans_clusters(points: Array, count: int, *, seed: int, rounds: int = 10) -> NDArray[np.int64]:
    """Number the cluster of each point: k-means from seeded points, in blocks of memory."""
    count = max(1, min(count, len(points)))
    rng = np.random.default_rng(seed)
    rows = points.astype(np.float32)
    centers = rows[np.sort(rng.choice(len(rows), count, replace=False))]
    found = np.full(len(rows), -1, dtype=np.int64)
    for _ in range(rounds):
        lengths = (centers * centers).sum(axis=1) / 2
        nearest = np.concatenate(
            [
                np.argmax(rows[start : start + BLOCK] @ centers.T - lengths, axis=1)
                for start in range(0, len(rows), BLOCK)
            ]
        )
        if np.array_equal(nearest, found):
            break
        found = nearest
        sizes = np.bincount(found, minlength=count)
        sums = np.zeros_like(centers)
        np.add.at(sums, found, rows)
        # A cluster that lost all its points stays where it was.
        held = sizes > 0
        centers[held] = sums[held] / sizes[held, np.newaxis]
    return found
