"""Recall and precision over a whole ranking, and their average over topics.

Each length of a ranking has a recall and a precision. To average over topics, precision is
read off at eleven levels of recall: at each, the best that is reached there or beyond.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chronoscore.core import Collection, Ranking, Run
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array
from chronoscore.measures.streams.events import Nu, share_or_nan, warn_of_events
from chronoscore.measures.streams.mentions import Mentions, Numbered

LEVELS: Array = np.linspace(0.0, 1.0, 11)
"""Recall 0, .1 … 1."""


@dataclass(frozen=True)
class Curve:
    """Recall and precision after each sentence of a ranking."""

    recall: Array
    precision: Array

    def at(self, levels: Array = LEVELS) -> Array:
        """The best precision at each level of recall or beyond; 0 where none is reached."""
        if not len(self.recall):
            return np.zeros(len(levels))
        best = np.maximum.accumulate(self.precision[::-1])[::-1]
        # A recall of .3 may be a sum that falls a rounding error short of it.
        places = np.searchsorted(self.recall, levels - 1e-9)
        reached = places < len(best)
        return np.where(reached, best[np.minimum(places, len(best) - 1)], 0.0)


def _ranking_curve(mentions: Mentions, *, strict: bool = False) -> Curve:
    """The curve of one ranking, from where it first mentions each event."""
    told = mentions.new(strict=False).cumsum()
    first = mentions.new(strict=True).cumsum() if strict else told
    sizes = np.arange(1.0, mentions.size + 1)
    return Curve(share_or_nan(told, np.full(1, mentions.weights.sum())), first / sizes)


@dataclass(frozen=True)
class Curves:
    """Precision at the eleven levels by system and topic; nan where a topic has no events."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    measure: Nu
    precision: Array
    """systems × topics × levels"""

    @property
    def defined(self) -> Array:
        """The same without topics that have no events."""
        kept = ~np.isnan(self.precision).any(axis=(0, 2))
        return self.precision[:, kept]

    def average(self) -> Array:
        """Topic average: systems × levels."""
        means: Array = self.defined.mean(axis=1)
        return means


def precision_recall_curves(
    collection: Collection, runs: Sequence[Run], measure: Nu | None = None
) -> Curves:
    """The curves of every run on every topic.

    A topic that a run leaves out, or an empty ranking, has precision 0 throughout.
    """
    measure = measure or Nu()
    if measure.cutoff is not None:
        raise UsageError(f"'{measure}' has no curve; a curve walks the whole ranking, drop @k")
    numbered = [Numbered.of(topic) for topic in collection]
    warn_of_events(numbered, linked=measure.match == "id")
    found = np.full((len(runs), len(numbered), len(LEVELS)), np.nan)
    for t, own in enumerate(numbered):
        if not own.judged.events:
            continue
        for r, run in enumerate(runs):
            output = run.outputs.get(own.topic, Ranking.empty())
            assert isinstance(output, Ranking)
            mentions = measure.mentions(own, output)
            found[r, t] = _ranking_curve(mentions, strict=measure.strict).at()
    systems = tuple(run.system for run in runs)
    return Curves(systems, tuple(collection.topics), measure, found)
