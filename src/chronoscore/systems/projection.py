"""What projection does to update summaries: less of what was known, as much of what is new."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from chronoscore.core import Run, Summary, Topic, When
from chronoscore.errors import DataError
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.measure import ANY_NUMBER, Array, Pair
from chronoscore.options import Resampling
from chronoscore.stats.intervals import estimate
from chronoscore.systems.classy import Classy, ProjectedClassy


@dataclass(frozen=True)
class Effect:
    """R(AB) and R(BB) of CLASSY and of its projected variant, by topic, and their means.

    `low` and `high` bound what projection changes, over topics.
    """

    topics: tuple[str, ...]
    values: Array
    """Systems (plain, projected) × topics × (AB, BB)."""
    low: Array
    high: Array

    @property
    def means(self) -> Array:
        """Systems × (AB, BB)."""
        return np.asarray(self.values.mean(axis=1), dtype=np.float64)

    @property
    def change(self) -> Array:
        """Projected minus plain, for AB and BB."""
        return np.asarray(self.means[1] - self.means[0], dtype=np.float64)


def projection_effect(
    topics: Sequence[Topic],
    *,
    words: int = 100,
    at: Sequence[str] = (),
    base: str = "rouge(n=2)",
) -> Effect:
    """Summarize each topic's update with and without projection, and score both.

    Topics have documents and references of set A and B; `at` says for each where its update
    begins. Each topic is the others' background.
    """
    measure = parse_measure_text(f"novelty(base={base})")
    days = list(at) or [""] * len(topics)
    runs: list[Run] = []
    for kind in (Classy, ProjectedClassy):
        outputs = {}
        for topic, day in zip(topics, days, strict=True):
            # A topic may be there several times, split at several days.
            others = dict.fromkeys(
                one
                for other in topics
                if _common_topic_key(other) != _common_topic_key(topic)
                for one in other.documents
            )
            system = kind(words=words, part="update", at=day)
            outputs[topic.id] = system(topic, background=tuple(others))
        runs.append(Run(kind.name, dict(outputs)))
    values = np.stack([_update_scores(measure, topics, run) for run in runs])
    changes = (values[1] - values[0]) / len(topics)
    bounds = [ANY_NUMBER] * changes.shape[-1]
    found = estimate(changes, lambda means: means, Resampling(), counts=len(topics), bounds=bounds)
    return Effect(tuple(topic.id for topic in topics), values, found.low, found.high)


def _common_topic_key(topic: Topic) -> str:
    """What a topic's several splits have in common."""
    return topic.id.partition("@")[0]


def _update_scores(measure: Measure, topics: Sequence[Topic], run: Run) -> Array:
    """AB and BB by topic."""
    pairs: list[Pair] = [(topic, run.outputs[topic.id]) for topic in topics]
    found = measure.values(measure.tally(pairs))
    return found[:, [measure.parts.index("ab"), measure.parts.index("bb")]]


def split_topic_for_classy(topic: Topic, days: Sequence[str]) -> list[Topic]:
    """A topic once for each day: its reference timelines before it are set A, from it on B."""
    found = []
    for day in days:
        first = When.parse(day).first
        summaries: list[Summary] = []
        for number, timeline in enumerate(topic.timelines):
            for letter in "AB":
                sentences = tuple(
                    text
                    for entry in timeline
                    if (entry.when.first >= first) == (letter == "B")
                    for text in entry.sentences
                )
                summaries.append(Summary(sentences, timeline.author or str(number), letter))
        if any(not summary.sentences for summary in summaries):
            raise DataError(
                f"a reference has nothing on one side of {day}; give one that has entries on both",
                place=f"topic '{topic.id}'",
            )
        found.append(replace(topic, id=f"{topic.id}@{day}", summaries=tuple(summaries)))
    return found
