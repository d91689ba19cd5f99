"""Sentences of a stream scored as they come in: useful and new (after Allan et al. 2001).

A story's sentences are scored before the next story is seen, and a score is never revised.
The formulas follow the published outline; every constant is a parameter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from chronoscore.core import Document, Ranking, Selection, Topic
from chronoscore.errors import UsageError
from chronoscore.systems.material import Line, material, words_in
from chronoscore.systems.models import Novelty, Seen
from chronoscore.systems.system import System, generator
from chronoscore.systems.vectors import Array

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
        if not 0 < self.smoothing < 1:
            raise UsageError(f"{self.name}(smoothing={self.smoothing}): write one between 0 and 1")

    def run(self, topic: Topic, background: Sequence[Document]) -> Ranking:
        """Go through the stream story by story."""
        stream = Stream(self, topic.id, background)
        chosen: list[Selection] = []
        for document, lines in material(topic).stories():
            when = document.when
            time = float((when.first - _EPOCH) * 86_400) if when else None
            scores = stream.score(lines)
            stream.update(lines)
            chosen += [
                Selection(line.id, float(score), time)
                for line, score in zip(lines, scores, strict=True)
            ]
        return Ranking(tuple(chosen))


class Stream:
    """What is known so far; `score` a story first, then `update` with it."""

    def __init__(
        self, system: UsefulNovel, topic: str, background: Sequence[Document] = ()
    ) -> None:
        self.system = system
        self.rng = generator(system.seed, topic)
        self.seen = Seen(system.smoothing)
        for document in background:
            self.seen.learn(words_in(document))
        self.useful = Scale()
        self.novel = Scale()

    def score(self, lines: Sequence[Line]) -> Array:
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

    def update(self, lines: Sequence[Line]) -> None:
        """Take the story in."""
        if self.system.by in ("both", "useful", "novel"):
            self.seen.take([line.words for line in lines])
            self.useful.take(self._emitted[0])
            self.novel.take(self._emitted[1])


class Scale:
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
