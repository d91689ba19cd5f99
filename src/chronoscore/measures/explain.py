"""Why a timeline scores as it does: which day was compared with which."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, Topic, When
from chronoscore.measures.alignment import AlignmentMeasure, alignments, cost_table, pair_weights
from chronoscore.measures.counting import Counting
from chronoscore.measures.days import Meeting
from chronoscore.measures.plug import CONTENT, SAME, Frame

Side: TypeAlias = Literal["precision", "recall"]


class DayPair(NamedTuple):
    """Two days that were compared, for precision or for recall."""

    side: Side
    system: When
    reference: When
    cost: float
    weight: float


def aligned_days(measure: AlignmentMeasure, topic: Topic, output: Timeline) -> list[DayPair]:
    """The pairs of days behind a score, in order of time; dates without an answer are left out."""
    counting = Counting([(topic, output)], measure.preparation, measure.text)
    frame = measure.frame
    found = alignments([frame], counting)[frame][0]
    here = np.flatnonzero(found.system != FREE)
    there = np.flatnonzero(found.reference != FREE)
    return [
        *paired("precision", frame, counting, here, found.system[here]),
        *paired("recall", frame, counting, found.reference[there], there),
    ]


def paired(
    side: Side, frame: Frame, counting: Counting, ours: Places, theirs: Places
) -> Iterator[DayPair]:
    """The pairs of one side with their costs and weights."""
    meeting = counting.meetings[0]
    costs = pair_costs(frame, meeting, counting)[ours, theirs]
    weights = pair_weights(frame.weight, meeting, ours, theirs, counting.documents)
    rows = zip(ours.tolist(), theirs.tolist(), costs.tolist(), weights.tolist(), strict=True)
    for i, j, cost, weight in rows:
        yield DayPair(side, meeting.system.whens[i], meeting.reference.whens[j], cost, weight)


def pair_costs(frame: Frame, meeting: Meeting, counting: Counting) -> Floats:
    """The cost of every pair of days."""
    if frame.cost.function is not None:
        return cost_table(frame.cost.function, meeting, counting.documents)
    distances = meeting.system.dates.distances(meeting.reference.dates)
    if frame.cost == SAME:
        return np.where(distances == 0, 0.0, np.inf)
    costs: Floats = distances / (distances + 1.0)
    if frame.cost == CONTENT:
        for _, alike in counting.similarities(frame.content):
            words = alike.offered[:, None] + alike.wanted
            shared = 2.0 * alike.overlap.toarray()
            costs *= 1.0 - np.divide(shared, words, out=np.zeros_like(costs), where=words > 0)
    return costs
