"""Score the sentences of a stream as they come in: useful and new (after Allan et al. 2001).

A story's sentences are scored before the next story is seen, and a score is never revised.
Both scores come from language models of the stories so far. The formulas follow the
published outline; every constant is a parameter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from chronoscore.core import Document, Ranking, Selection, Topic
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array
from chronoscore.systems.material import SourceLine, count_background_words, prepare_material
from chronoscore.systems.system import System, system_random_generator
from chronoscore.systems.vectors import (
    Sparse,
    document_frequencies,
    normalize_vectors,
    weight_columns,
)

Novelty: TypeAlias = Literal["all", "nearest", "cosine"]
Words: TypeAlias = Sequence[Sequence[str]]


class Seen:
    """Counts of the words of a stream up to now, sentence by sentence.

    The general model counts other topics' words as well, if some were learned, and half an
    occurrence more of every word.
    """

    def __init__(self, smoothing: float) -> None:
        self.smoothing = smoothing
        self.numbers: dict[str, int] = {}
        self.learned: dict[int, float] = {}
        self.counts_so_far = _count_matrix([], 1)

    def learn(self, words: Mapping[str, int]) -> None:
        """Count words of other topics for the general model."""
        for word, count in words.items():
            number = self.numbers.setdefault(word, len(self.numbers))
            self.learned[number] = self.learned.get(number, 0.0) + count

    def take(self, sentences: Words) -> None:
        """Count the sentences of a story."""
        self.counts_so_far = _stack_rows(
            self.counts_so_far, self._count_words(sentences), len(self.numbers)
        )

    def with_story(self, sentences: Words) -> "StoryModel":
        """A story seen against everything before it."""
        return StoryModel(self, self._count_words(sentences))

    def _count_words(self, sentences: Words) -> list[dict[int, float]]:
        rows: list[dict[int, float]] = []
        for words in sentences:
            row: dict[int, float] = {}
            for word in words:
                number = self.numbers.setdefault(word, len(self.numbers))
                row[number] = row.get(number, 0.0) + 1.0
            rows.append(row)
        return rows


class StoryModel:
    """The sentences of one story after all earlier ones, as counts."""

    def __init__(self, seen: Seen, rows: list[dict[int, float]]) -> None:
        self.earlier = seen.counts_so_far.shape[0]
        self.size = len(rows)
        self.smoothing = seen.smoothing
        self.counts = _stack_rows(seen.counts_so_far, rows, len(seen.numbers))
        word_counts = np.asarray(self.counts.sum(axis=0)).ravel()
        general = word_counts + 0.5
        for word, count in seen.learned.items():
            general[word] += count
        self.general = general / general.sum()
        self.topic = self.mix(word_counts)

    def mix(self, word_counts: Array) -> Array:
        """A model of some text, smoothed by the general one."""
        total = word_counts.sum()
        share = self.smoothing * word_counts / total if total else 0.0
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
        word_counts = np.asarray(self.counts[: self.earlier].sum(axis=0)).ravel()
        floor = (1 - self.smoothing) * self.general
        base = float(floor @ np.log(floor))
        found = np.full(self.size, np.inf)
        for number in range(self.size):
            words, counts, own = self.mixture(number, floor)
            if word_counts.sum():
                logs = np.log(self.mix(word_counts))
                entropy = base + float(own @ np.log(own) - floor[words] @ np.log(floor[words]))
                cross = float(floor @ logs + (own - floor[words]) @ logs[words])
                found[number] = entropy - cross
            word_counts[words] += counts
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
        idf = np.log((1 + sentences) / (1 + document_frequencies(self.counts))) + 1
        rows = normalize_vectors(weight_columns(self.counts, idf))
        likeness = np.asarray((rows @ rows[self.earlier :].T).toarray())
        found = np.full(self.size, np.inf)
        for number in range(self.size):
            place = self.earlier + number
            if place:
                found[number] = 1 - float(likeness[:place, number].max())
        return found


def _count_matrix(rows: Sequence[dict[int, float]], width: int) -> Sparse:
    """Rows of counts as a sparse matrix."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.array([word for row in rows for word in row], dtype=np.int64)
    values = np.array([count for row in rows for count in row.values()], dtype=np.float64)
    return csr_array((values, columns, starts), shape=(len(rows), width))


def _stack_rows(above: Sparse, rows: Sequence[dict[int, float]], width: int) -> Sparse:
    """More rows below a matrix, and columns for new words."""
    below = _count_matrix(rows, max(1, width))
    return csr_array(
        (
            np.concatenate([above.data, below.data]),
            np.concatenate([above.indices, below.indices]),
            np.concatenate([above.indptr, above.indptr[-1] + below.indptr[1:]]),
        ),
        shape=(above.shape[0] + below.shape[0], max(1, width)),
    )


By: TypeAlias = Literal["both", "useful", "novel", "random", "position", "length"]
_EPOCH = 719_163
"""The day number of 1 January 1970."""


@dataclass(frozen=True, kw_only=True)
class UsefulNovel(System):
    """Score each sentence by usefulness times novelty, on line.

    Useful is what is likely under a model of the stories so far and unlikely in general;
    new is what differs from `all` that was said, from the `nearest` sentence by its model,
    or by its `cosine`. Both are put on one scale by what was emitted before. `by` takes one
    of the two alone, or a simple baseline: random, position in the story, length.
    """

    name: ClassVar[str] = "useful-novel"
    makes = Ranking
    line: ClassVar[str] = "on-line ranking by usefulness and novelty"
    paper: ClassVar[str] = "after Allan, Gupta & Khandelwal, SIGIR 2001"
    by: By = "both"
    novelty: Novelty = "all"
    smoothing: float = 0.7
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.smoothing < 1:
            raise UsageError(f"{self.name}(smoothing={self.smoothing}): write one between 0 and 1")

    def run(self, topic: Topic, background: Sequence[Document]) -> Ranking:
        """Go through the stream story by story."""
        stream = StreamScorer(self, topic.id, background)
        chosen: list[Selection] = []
        for document, lines in prepare_material(topic).stories():
            when = document.when
            time = float((when.first - _EPOCH) * 86_400) if when else None
            scores = stream.score(lines)
            stream.update(lines)
            chosen += [
                Selection(line.id, float(score), time)
                for line, score in zip(lines, scores, strict=True)
            ]
        return Ranking(tuple(chosen))


class StreamScorer:
    """What is known so far; `score` a story first, then `update` with it."""

    def __init__(
        self, system: UsefulNovel, topic: str, background: Sequence[Document] = ()
    ) -> None:
        self.system = system
        self.rng = system_random_generator(system.seed, topic)
        self.seen = Seen(system.smoothing)
        for document in background:
            self.seen.learn(count_background_words(document))
        self.useful = RunningScale()
        self.novel = RunningScale()

    def score(self, lines: Sequence[SourceLine]) -> Array:
        """One score for each sentence, from this story and those before it alone."""
        by = self.system.by
        if by == "random":
            return self.rng.random(len(lines))
        if by == "position":
            return 1 / (1 + np.arange(len(lines), dtype=np.float64))
        if by == "length":
            return np.array([float(line.length) for line in lines])
        story = self.seen.with_story([line.words for line in lines])
        useful = story.usefulness()
        novel = story.novelty(self.system.novelty)
        empty = np.array([not line.words for line in lines])
        sides = {"both": (True, True), "useful": (True, False), "novel": (False, True)}[by]
        found = np.ones(len(lines))
        if sides[0]:
            found *= self.useful.place(useful)
        if sides[1]:
            found *= self.novel.place(novel)
        self._emitted = (useful[~empty], novel[~empty])
        return np.where(empty, 0.0, found)

    def update(self, lines: Sequence[SourceLine]) -> None:
        """Take the story in."""
        if self.system.by in ("both", "useful", "novel"):
            self.seen.take([line.words for line in lines])
            self.useful.take(self._emitted[0])
            self.novel.take(self._emitted[1])


class RunningScale:
    """Puts values between 0 and 1 by the mean and spread of those before."""

    def __init__(self) -> None:
        self.count = 0
        self.sum = 0.0
        self.squares = 0.0

    def place(self, values: Array) -> Array:
        """The logistic function of how far each value is from the mean, in deviations."""
        mean = self.sum / self.count if self.count else 0.0
        spread = np.sqrt(max(0.0, self.squares / self.count - mean**2)) if self.count > 1 else 1.0
        away = np.clip((values - mean) / (spread or 1.0), -500, 500)
        return np.asarray(1 / (1 + np.exp(-away)), dtype=np.float64)

    def take(self, values: Array) -> None:
        """Remember values; the boundless novelty of a first sentence is none."""
        kept = values[np.isfinite(values)]
        self.count += len(kept)
        self.sum += float(kept.sum())
        self.squares += float((kept**2).sum())
