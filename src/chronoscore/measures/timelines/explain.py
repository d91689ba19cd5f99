"""Why a timeline scores as it does: which day was compared with which."""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, Topic, When
from chronoscore.measures.similarity.similarities import WORDS
from chronoscore.measures.timelines.align_measures import AlignmentMeasure
from chronoscore.measures.timelines.cost_functions import CONTENT, SAME, Day
from chronoscore.measures.timelines.credit import SimilarityCredit
from chronoscore.measures.timelines.frame import (
    Counting,
    Frame,
    align_timelines,
    cost_table,
    day_similarities,
    similarity_costs,
)
from chronoscore.measures.timelines.texts import TimelinePair
from chronoscore.measures.timelines.weights import pair_weights

Side: TypeAlias = Literal["precision", "recall"]


class DayPair(NamedTuple):
    """Two days that were compared, for precision or for recall."""

    side: Side
    system: Day
    reference: Day
    cost: float
    weight: float
    similarity: float = 0.0
    """How alike the two are, where the measure compares days by more than their words."""


class AlignedDays(NamedTuple):
    """The days of both sides in order of time, and the pairs that were compared."""

    system: list[Day]
    reference: list[Day]
    pairs: list[DayPair]

    def matches(self, side: Side) -> dict[When, DayPair]:
        """Pairs by the system's date for precision, by the reference's for recall."""
        pairs = [pair for pair in self.pairs if pair.side == side]
        return {(p.system if side == "precision" else p.reference).when: p for p in pairs}


def aligned_days(measure: AlignmentMeasure, topic: Topic, output: Timeline) -> AlignedDays:
    """The days behind a score and which is aligned with which; an unaligned day is in no pair."""
    counting = Counting([(topic, output)], measure.reading)
    frame, both, texts = measure.frame, counting.pairs[0], counting.texts
    days = AlignedDays(both.system.days(texts), both.reference.days(texts), [])
    alignment = align_timelines([frame], counting)[frame]
    here = np.flatnonzero(alignment.system != FREE)
    there = np.flatnonzero(alignment.reference != FREE)
    costs = _pair_costs(frame, both, counting)
    sides: tuple[tuple[Side, Places, Places], ...] = (
        ("precision", here, alignment.system[here]),
        ("recall", alignment.reference[there], there),
    )
    alike = np.zeros(costs.shape)
    if frame.similarity != WORDS or isinstance(measure.pair_credit, SimilarityCredit):
        alike = day_similarities(both, counting.tables(frame.similarity)[0])
    for side, ours, theirs in sides:
        weights = pair_weights(frame.weight, both, ours, theirs, texts)
        figures = (costs[ours, theirs].tolist(), weights.tolist(), alike[ours, theirs].tolist())
        days.pairs.extend(
            DayPair(side, days.system[i], days.reference[j], cost, weight, similarity)
            for i, j, cost, weight, similarity in zip(ours, theirs, *figures, strict=True)
        )
    return days


def _pair_costs(frame: Frame, pair: TimelinePair, counting: Counting) -> Floats:
    """The cost of every pair of days."""
    if frame.cost.function is not None:
        return cost_table(frame.cost.function, pair, counting.texts)
    distances = pair.system.dates.distances(pair.reference.dates)
    if frame.cost == SAME:
        return np.where(distances == 0, 0.0, np.inf)
    costs: Floats = distances / (distances + 1.0)
    if frame.cost == CONTENT and frame.similarity != WORDS:
        return similarity_costs(pair, counting.tables(frame.similarity)[0])
    if frame.cost == CONTENT:
        for _, alike in counting.similarities(frame.content):
            words = alike.offered[:, None] + alike.wanted
            shared = 2.0 * alike.overlap.toarray()
            costs *= 1.0 - np.divide(shared, words, out=np.zeros_like(costs), where=words > 0)
    return costs
