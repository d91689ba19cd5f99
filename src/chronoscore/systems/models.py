"""Language models of a stream: what has been said so far, and how a new story differs."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from chronoscore.systems.vectors import Array, Sparse, spread, unit_rows, weighted

Novelty: TypeAlias = Literal["all", "nearest", "cosine"]
Words: TypeAlias = Sequence[Sequence[str]]


class Seen:
    """Counts of the words of a stream up to now, sentence by sentence.

    The general model counts other topics' words as well, if some were learnt, and half an
    occurrence more of every word.
    """

    def __init__(self, smoothing: float) -> None:
        self.smoothing = smoothing
        self.numbers: dict[str, int] = {}
        self.learnt: dict[int, float] = {}
        self.told = matrix([], 1)

    def learn(self, words: Mapping[str, int]) -> None:
        """Count words of other topics for the general model."""
        for word, count in words.items():
            number = self.numbers.setdefault(word, len(self.numbers))
            self.learnt[number] = self.learnt.get(number, 0.0) + count

    def take(self, sentences: Words) -> None:
        """Count the sentences of a story."""
        self.told = stacked(self.told, self._numbered(sentences), len(self.numbers))

    def with_story(self, sentences: Words) -> "Story":
        """A story seen against everything before it."""
        return Story(self, self._numbered(sentences))

    def _numbered(self, sentences: Words) -> list[dict[int, float]]:
        rows: list[dict[int, float]] = []
        for words in sentences:
            row: dict[int, float] = {}
            for word in words:
                number = self.numbers.setdefault(word, len(self.numbers))
                row[number] = row.get(number, 0.0) + 1.0
            rows.append(row)
        return rows


class Story:
    """The sentences of one story after all earlier ones, as counts."""

    def __init__(self, seen: Seen, rows: list[dict[int, float]]) -> None:
        self.earlier = seen.told.shape[0]
        self.size = len(rows)
        self.smoothing = seen.smoothing
        self.counts = stacked(seen.told, rows, len(seen.numbers))
        told = np.asarray(self.counts.sum(axis=0)).ravel()
        general = told + 0.5
        for word, count in seen.learnt.items():
            general[word] += count
        self.general = general / general.sum()
        self.topic = self.mixed(told)

    def mixed(self, told: Array) -> Array:
        """A model of some text, smoothed by the general one."""
        total = told.sum()
        share = self.smoothing * told / total if total else 0.0
        return np.asarray(share + (1 - self.smoothing) * self.general, dtype=np.float64)

    @property
    def own(self) -> Sparse:
        """The counts of this story's sentences."""
        return self.counts[self.earlier :]

    def usefulness(self) -> Array:
        """The mean log of how much likelier each word is in the topic than in general."""
        lengths = np.maximum(1.0, np.asarray(self.own.sum(axis=1)).ravel())
        return np.asarray(self.own @ np.log(self.topic / self.general) / lengths)

    def novelty(self, form: Novelty) -> Array:
        """How far each sentence is from what was said before it, in this story too."""
        if form == "cosine":
            return self.cosine_distance()
        return self.from_all() if form == "all" else self.from_nearest()

    def from_all(self) -> Array:
        """Divergence from one model of all earlier sentences; without bound for the first."""
        told = np.asarray(self.counts[: self.earlier].sum(axis=0)).ravel()
        floor = (1 - self.smoothing) * self.general
        base = float(floor @ np.log(floor))
        found = np.full(self.size, np.inf)
        for number in range(self.size):
            words, counts, own = self.mixture(number, floor)
            if told.sum():
                logs = np.log(self.mixed(told))
                entropy = base + float(own @ np.log(own) - floor[words] @ np.log(floor[words]))
                cross = float(floor @ logs + (own - floor[words]) @ logs[words])
                found[number] = entropy - cross
            told[words] += counts
        return found

    def mixture(self, number: int, floor: Array) -> tuple[NDArray[np.int64], Array, Array]:
        """The words of a sentence, how often it has them, and its model of them.

        Of all other words the model is only the floor.
        """
        row = self.own[[number]]
        words, counts = row.indices, row.data
        share = self.smoothing * counts / counts.sum() if len(counts) else counts
        return words, counts, floor[words] + share

    def from_nearest(self) -> Array:
        """The least divergence from the model of any one earlier sentence.

        Sentence models differ from the general one only in the words they have, so the
        divergence from all of them is one product of sparse matrices.
        """
        lengths = np.maximum(1.0, np.asarray(self.counts.sum(axis=1)).ravel())
        shares = self.counts.copy()
        shares.data = shares.data / np.repeat(lengths, np.diff(shares.indptr))
        gains = shares.copy()
        floor = (1 - self.smoothing) * self.general
        gains.data = np.log1p(self.smoothing * shares.data / floor[shares.indices])
        base = np.asarray(gains @ floor).ravel()
        mutual = np.asarray((gains @ shares[self.earlier :].T).toarray()) * self.smoothing
        found = np.full(self.size, np.inf)
        for number in range(self.size):
            place = self.earlier + number
            words, _, own = self.mixture(number, floor)
            alone = float(own @ np.log(own / floor[words]))
            if place:
                found[number] = alone - float((base[:place] + mutual[:place, number]).max())
        return found

    def cosine_distance(self) -> Array:
        """1 minus the greatest cosine with an earlier sentence, by the idf known so far."""
        sentences = self.counts.shape[0]
        idf = np.log((1 + sentences) / (1 + spread(self.counts))) + 1
        rows = unit_rows(weighted(self.counts, idf))
        likeness = np.asarray((rows @ rows[self.earlier :].T).toarray())
        found = np.full(self.size, np.inf)
        for number in range(self.size):
            place = self.earlier + number
            if place:
                found[number] = 1 - float(likeness[:place, number].max())
        return found


def matrix(rows: Sequence[dict[int, float]], width: int) -> Sparse:
    """Rows of counts as a sparse matrix."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.array([word for row in rows for word in row], dtype=np.int64)
    values = np.array([count for row in rows for count in row.values()], dtype=np.float64)
    return csr_array((values, columns, starts), shape=(len(rows), width))


def stacked(above: Sparse, rows: Sequence[dict[int, float]], width: int) -> Sparse:
    """More rows below a matrix, and columns for new words."""
    below = matrix(rows, max(1, width))
    return csr_array(
        (
            np.concatenate([above.data, below.data]),
            np.concatenate([above.indices, below.indices]),
            np.concatenate([above.indptr, above.indptr[-1] + below.indptr[1:]]),
        ),
        shape=(above.shape[0] + below.shape[0], max(1, width)),
    )
