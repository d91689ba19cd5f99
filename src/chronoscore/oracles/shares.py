"""Scores as shares of what could be reached."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from chronoscore.core import Collection, Output, Run, Summary, Timeline, Topic
from chronoscore.errors import DataError
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.similarity.similarities import WORDS
from chronoscore.oracles.ceilings import find_ceilings as find_task_ceilings
from chronoscore.oracles.lengths import length_in_budget
from chronoscore.oracles.summaries import Task
from chronoscore.oracles.timelines import (
    KINDS,
    Shape,
    oracle_shape_from_references,
    oracle_shape_from_timeline,
    timeline_bound,
)
from chronoscore.progress import track
from chronoscore.scoring import Scores
from chronoscore.text.preparation import Limit

SECONDS = 60.0
"""For each topic: beyond this the bound that is known by then is the ceiling."""

CeilingLength: TypeAlias = Literal["reference", "own"]
"""How long the best text may be: as the references, or as the system's own."""

Bounds: TypeAlias = Mapping[str, float]
"""By kind of text: what none of them can exceed."""
Room: TypeAlias = Limit | Shape | None
"""How long a text may be; None where there is no text."""


@dataclass(frozen=True, eq=False)
class Ceiling:
    """What nothing of a kind can exceed, by system and topic, in one part of a measure."""

    measure: Measure
    part: str
    kind: str
    length: CeilingLength
    bounds: Array

    @property
    def label(self) -> str:
        """What the share of it is called in results."""
        return f"{self.part} of {self.kind}"

    def topic_shares(self, scores: Scores) -> Array:
        """Systems × topics: the score over the ceiling."""
        return divide_tallies(self.values(scores), self.bounds)

    def means(self, scores: Scores) -> Array:
        """By system: the mean ceiling of the topics on which it has a score."""
        there = ~np.isnan(self.values(scores))
        return divide_tallies(np.where(there, self.bounds, 0.0).sum(axis=1), there.sum(axis=1))

    def values(self, scores: Scores) -> Array:
        """Systems × topics: the scores."""
        return scores.values(self.measure)[..., self.measure.parts.index(self.part)]


def has_ceiling(measure: Measure) -> bool:
    """Whether a measure has an oracle: ROUGE-N, or aligned timelines."""
    if isinstance(measure, Rouge):
        return measure.part in (None, "r")
    return (
        isinstance(measure, KINDS)
        and measure.part != "p"
        and measure.pair_credit.gram_length is not None
        and measure.frame.similarity == WORDS
        and measure.limit is None
    )


def find_measure_ceilings(
    topics: Collection,
    runs: Sequence[Run],
    measure: Measure,
    documents: Collection | None,
    *,
    length: CeilingLength = "reference",
    executor: Executor | None = None,
) -> list[Ceiling]:
    """The ceilings of a measure: any text, and extractive where documents are known."""
    known = [_with_documents(topic, documents) for topic in topics]
    rooms = [
        [_room_for(topic, measure, run.outputs.get(topic.id), length) for topic in known]
        for run in runs
    ]
    # Systems of one length have one ceiling.
    asked = list(
        dict.fromkeys((t, row[t]) for t in range(len(known)) for row in rooms if row[t] is not None)
    )
    tasks = [partial(_find_bounds, known[topic], measure, room) for topic, room in asked]
    waiting: Sequence[Callable[[], Any]] = (
        [executor.submit(task).result for task in tasks] if executor else tasks
    )
    what = f"looking for ceilings of {measure.title}"
    results = [find() for find in track(what, waiting, len(waiting))]
    return list(_collect_ceilings(measure, length, rooms, dict(zip(asked, results, strict=True))))


def _with_documents(topic: Topic, documents: Collection | None) -> Topic:
    """The topic with its documents, and with the references of its last set only."""
    last = max((summary.set for summary in topic.summaries), default="")
    lone = replace(topic, summaries=tuple(s for s in topic.summaries if s.set == last))
    if documents is None:
        return lone
    # A collection names each set of references, as dam-update; an update may draw on all of dam.
    sets = [name for name in documents.topics if topic.id in (name, name.rpartition("-")[0])]
    if not sets:
        raise DataError("there are no documents for it; add them", place=f"topic '{topic.id}'")
    every = (document for name in sets for document in documents.topics[name].documents)
    return replace(lone, documents=tuple(dict.fromkeys(every)))


def _room_for(
    topic: Topic, measure: Measure, output: Output | None, ceiling: CeilingLength
) -> Room:
    """How long the best text may be: never longer than the measure reads."""
    if isinstance(measure, Rouge):
        limit = measure.limit
        unit = limit.unit if limit else "words"
        if ceiling == "own":
            texts = [output] if isinstance(output, Summary) else []
        else:
            texts = list(topic.summaries)
        sizes = [sum(length_in_budget(s, Limit(1, unit)) for s in text.sentences) for text in texts]
        if limit and ceiling == "reference":
            return limit
        size = min([max(sizes, default=0), *([limit.size] if limit else [])])
        return Limit(size, unit) if size else None
    if ceiling == "own":
        return (
            oracle_shape_from_timeline(output)
            if isinstance(output, Timeline) and len(output)
            else None
        )
    return oracle_shape_from_references(topic.timelines)


def _collect_ceilings(
    measure: Measure,
    length: CeilingLength,
    rooms: Sequence[Sequence[Room]],
    bounds: Mapping[tuple[int, Room], Bounds],
) -> Iterator[Ceiling]:
    """One ceiling for each kind; an empty text has 0."""
    part = measure.part or ("r" if isinstance(measure, Rouge) else "f")
    for kind in dict.fromkeys(kind for found in bounds.values() for kind in found):
        rows = [
            [bounds.get((t, room), {}).get(kind, 0.0) for t, room in enumerate(r)] for r in rooms
        ]
        yield Ceiling(measure, part, kind, length, np.array(rows))


def _find_bounds(topic: Topic, measure: Measure, room: Room) -> Bounds:
    """The ceilings of a topic by a measure.

    The limit may cut a system's last sentence, so the oracle's too.
    """
    if isinstance(measure, Rouge) and isinstance(room, Limit):
        task = Task(topic, replace(measure, part=None), room)
        found = find_task_ceilings(task, method="exact-chop", seconds=SECONDS)
        extractive = {"extractive": found.extractive_bound} if topic.documents else {}
        return {**extractive, "any text": found.any_text_bound}
    assert isinstance(room, Shape)
    if not topic.documents:
        raise DataError(
            "a timeline's ceiling needs articles; add them", place=f"topic '{topic.id}'"
        )
    return {"extractive": timeline_bound(topic, measure, room)}
