"""Scores as shares of what could be reached."""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from chronoscore.core import Collection, Topic
from chronoscore.errors import DataError
from chronoscore.measures import Measure
from chronoscore.measures.measure import Array, divide
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.oracles.ceilings import ceilings
from chronoscore.oracles.timelines import KINDS, timeline_oracles
from chronoscore.scoring import Scores

SECONDS = 60.0
"""For each topic: beyond this the bound that is known by then is the ceiling."""


@dataclass(frozen=True, eq=False)
class Ceiling:
    """What nothing of a kind can exceed on each topic, in one part of a measure."""

    measure: Measure
    part: str
    kind: str
    bounds: Array

    @property
    def label(self) -> str:
        """What the share of it is called in results."""
        return f"{self.part} of {self.kind}"

    def topic_shares(self, scores: Scores) -> Array:
        """Systems × topics: the score over the ceiling."""
        return divide(self.values(scores), np.broadcast_to(self.bounds, self.values(scores).shape))

    def shares(self, scores: Scores) -> Array:
        """By system: the mean score over the mean ceiling."""
        means = np.nanmean(self.values(scores), axis=1)
        return divide(means, np.full_like(means, self.bounds.mean()))

    def values(self, scores: Scores) -> Array:
        """Systems × topics: the scores."""
        return scores.values(self.measure)[..., self.measure.parts.index(self.part)]


def has_ceiling(measure: Measure) -> bool:
    """Whether a measure has an oracle: ROUGE-N within a limit, or aligned timelines."""
    if isinstance(measure, Rouge):
        return measure.limit is not None and measure.part in (None, "r")
    return isinstance(measure, KINDS) and measure.part != "p"


def find_ceilings(
    topics: Collection,
    measure: Measure,
    documents: Collection | None,
    executor: Executor | None = None,
) -> list[Ceiling]:
    """The ceilings of a measure: any text, and extractive where documents are known."""
    known = [with_documents(topic, documents) for topic in topics]
    work = summary_bounds if isinstance(measure, Rouge) else timeline_bounds
    if executor is None:
        found = [work(topic, measure) for topic in known]
    else:
        futures = [executor.submit(work, topic, measure) for topic in known]
        found = [future.result() for future in futures]
    return list(collect_ceilings(measure, found))


def with_documents(topic: Topic, documents: Collection | None) -> Topic:
    """The topic with its documents, and with the references of its last set only."""
    last = max((summary.set for summary in topic.summaries), default="")
    lone = replace(topic, summaries=tuple(s for s in topic.summaries if s.set == last))
    if documents is None:
        return lone
    # A collection names each set of references, as dam-update, and all have the documents of dam.
    sets = [name for name in documents.topics if topic.id in (name, name.rpartition("-")[0])]
    if not sets:
        raise DataError(f"topic '{topic.id}': there are no documents for it; add them")
    return replace(lone, documents=documents.topics[sets[0]].documents)


def collect_ceilings(measure: Measure, found: list[dict[str, float]]) -> Iterator[Ceiling]:
    """One ceiling for each kind that every topic has."""
    part = measure.part or ("r" if isinstance(measure, Rouge) else "f")
    for kind in found[0]:
        yield Ceiling(measure, part, kind, np.array([bounds[kind] for bounds in found]))


def summary_bounds(topic: Topic, measure: Measure) -> dict[str, float]:
    """A summary's ceilings; the limit may cut a system's last sentence, so the oracle's too."""
    found = ceilings(topic, measure.whole, method="exact-chop", seconds=SECONDS)
    extractive = {"extractive": found.extractive_bound} if topic.documents else {}
    return {**extractive, "any text": found.any_text_bound}


def timeline_bounds(topic: Topic, measure: Measure) -> dict[str, float]:
    """A timeline's ceiling, as long as there is one reference."""
    if not topic.documents:
        raise DataError(f"topic '{topic.id}': a timeline's ceiling needs articles; add them")
    if len(topic.timelines) > 1:
        raise DataError(
            f"topic '{topic.id}' has {len(topic.timelines)} reference timelines and the ceiling "
            "is known for one; make each a topic of its own"
        )
    (found,) = timeline_oracles(topic, measure)
    return {"extractive": found.bound}
