"""ROUGE of aligned days: agreement, align, align+, align+ m:1, and the frame they are cases of.

Each date is paired with one on the other side by a cost, and what a pair of days has in
common counts by a weight. Precision asks for every date of the system's which reference
date answers to it, recall the other way round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from chronoscore.align import (
    Alignment,
    Similarity,
    align_by_content,
    align_by_costs,
    align_by_date,
    align_same,
)
from chronoscore.align.dates import Floats, Places
from chronoscore.align.ties import FREE
from chronoscore.errors import UsageError
from chronoscore.measures.measure import Array
from chronoscore.measures.timelines.cost_functions import (
    CONTENT,
    DAYS,
    SAME,
    DayFunction,
    Frame,
    Plug,
)
from chronoscore.measures.timelines.counting import Counting
from chronoscore.measures.timelines.days import Documents, Meeting
from chronoscore.measures.timelines.timeline import TimelineMeasure


@dataclass(frozen=True, kw_only=True)
class AlignmentMeasure(TimelineMeasure):
    """What all measures of aligned days have in common.

    `precision` says by how many references a system's day is divided: by all there are
    (peer), by those that have the aligned date (literal), or by at least one (floor).
    """

    counted: ClassVar[str] = "alignment"
    precision: Literal["peer", "literal", "floor"] = "peer"

    @property
    def frame(self) -> Frame:
        """Which costs and weights, one to one or many to one."""
        raise NotImplementedError

    @classmethod
    def tally_together(
        cls, measures: Sequence[Self], counting: Counting
    ) -> Mapping[TimelineMeasure, Array]:
        """Align once for each frame, compare every two texts once, add up by pair."""
        frames = list(dict.fromkeys(measure.frame for measure in measures))
        kinds = list(dict.fromkeys(measure.kind for measure in measures))
        found = alignments(frames, counting)
        matches = {frame: Matches.of(frame, found[frame], counting) for frame in frames}
        ends = np.cumsum([0, *(len(m.weights) for m in matches.values())])
        empty = np.empty(0, dtype=np.intp)
        hits = counting.compare(
            kinds,
            np.concatenate([empty, *(m.systems for m in matches.values())]),
            np.concatenate([empty, *(m.references for m in matches.values())]),
        )
        parts = {f: slice(ends[i], ends[i + 1]) for i, f in enumerate(frames)}
        return {
            m: np.column_stack(
                [
                    *matches[m.frame].weighed(hits[m.kind][parts[m.frame]]),
                    *m.sizes(found[m.frame], counting),
                ]
            )[:, [0, 2, 1, 3]]
            for m in measures
        }

    def sizes(self, found: Sequence[Alignment], counting: Counting) -> tuple[Floats, Floats]:
        """What there was to find in the references, and what the system offered."""
        as_reference, as_system = counting.sizes(self.kind)
        wanted, offered = [], []
        for meeting, alignment in zip(counting.meetings, found, strict=True):
            wanted.append(as_reference[meeting.reference.texts].sum())
            divisors = self.divisors(meeting, alignment)
            offered.append((divisors * as_system[meeting.system.texts]).sum())
        return np.array(wanted), np.array(offered)

    def divisors(self, meeting: Meeting, alignment: Alignment) -> Places:
        """By how many references each of the system's days is divided."""
        if self.precision == "peer":
            return np.full(len(meeting.system.whens), meeting.references)
        counts = np.append(meeting.reference.counts, 0)[alignment.system]
        return counts if self.precision == "literal" else np.maximum(counts, 1)


@dataclass(frozen=True, eq=False)
class Matches:
    """Every comparison of two texts that an alignment asks for, over all pairs."""

    systems: Places
    references: Places
    weights: Floats
    slots: Places
    """Twice the pair's number, and 1 more where the comparison counts for precision."""
    pairs: int

    @classmethod
    def of(cls, frame: Frame, found: Sequence[Alignment], counting: Counting) -> Self:
        """List them, those for recall and those for precision."""
        systems, references, weights, slots = [], [], [], []
        for number, (meeting, alignment) in enumerate(zip(counting.meetings, found, strict=True)):
            there = np.flatnonzero(alignment.reference != FREE)
            here = np.flatnonzero(alignment.system != FREE)
            sides = (
                (2 * number, alignment.reference[there], there),
                (2 * number + 1, here, alignment.system[here]),
            )
            for slot, ours, theirs in sides:
                weight = pair_weights(frame.weight, meeting, ours, theirs, counting.documents)
                which, texts = meeting.reference.texts_of(theirs)
                systems.append(meeting.system.texts[ours[which]])
                references.append(texts)
                weights.append(weight[which])
                slots.append(np.full(len(which), slot))
        return cls(
            np.concatenate([*systems, np.empty(0, dtype=np.intp)]),
            np.concatenate([*references, np.empty(0, dtype=np.intp)]),
            np.concatenate([*weights, np.empty(0)]),
            np.concatenate([*slots, np.empty(0, dtype=np.intp)]),
            len(found),
        )

    def weighed(self, hits: Floats) -> tuple[Floats, Floats]:
        """Weigh the hits and add them up by pair: for recall, and for precision."""
        sums: Floats = np.bincount(
            self.slots, self.weights * hits, minlength=2 * self.pairs
        ).astype(float)
        return sums[0::2], sums[1::2]


def pair_weights(
    weight: Plug, meeting: Meeting, ours: Places, theirs: Places, documents: Documents
) -> Floats:
    """What each pair of days counts."""
    if weight.function is not None:
        system, reference = meeting.system.days(documents), meeting.reference.days(documents)
        pairs = zip(ours.tolist(), theirs.tolist(), strict=True)
        return np.array([weight.function(system[i], reference[j]) for i, j in pairs], dtype=float)
    distances = meeting.system.dates.distance(meeting.reference.dates, ours, theirs)
    if weight == SAME:
        return np.where(distances == 0, 1.0, 0.0)
    closeness: Floats = np.reciprocal(distances + 1.0)
    return closeness


def alignments(frames: Sequence[Frame], counting: Counting) -> dict[Frame, list[Alignment]]:
    """Align every meeting in every frame; the words of two days are compared once for all."""
    found: dict[Frame, list[Alignment]] = {frame: [] for frame in frames}
    by_content = [frame for frame in frames if frame.cost == CONTENT]
    for frame in frames:
        if frame.cost != CONTENT:
            found[frame] = [align(frame, meeting, counting) for meeting in counting.meetings]
    for content in dict.fromkeys(frame.content for frame in by_content):
        same = [frame for frame in by_content if frame.content == content]
        placed: dict[Frame, dict[int, Alignment]] = {frame: {} for frame in same}
        for number, similarity in counting.similarities(content):
            for frame in same:
                meeting = counting.meetings[number]
                placed[frame][number] = align_alike(frame, meeting, similarity)
        for frame in same:
            found[frame] = [placed[frame][n] for n in range(len(counting.meetings))]
    return found


def align_alike(frame: Frame, meeting: Meeting, similarity: Similarity) -> Alignment:
    """Align by distance and words."""
    return align_by_content(
        meeting.system.dates,
        meeting.reference.dates,
        similarity,
        many=frame.many,
        first=frame.first,
    )


def align(frame: Frame, meeting: Meeting, counting: Counting) -> Alignment:
    """Align by dates, or by a user's cost."""
    system, reference = meeting.system, meeting.reference
    if frame.cost.function is None:
        if frame.cost == SAME and not frame.many:
            return align_same(system.dates, reference.dates)
        if frame.cost == DAYS:
            return align_by_date(system.dates, reference.dates, many=frame.many)
        distances = system.dates.distances(reference.dates)
        costs = np.where(distances == 0, 0.0, np.inf)
    else:
        costs = cost_table(frame.cost.function, meeting, counting.documents)
    return align_by_costs(costs, system.dates, reference.dates, many=frame.many, first=frame.first)


def cost_table(function: DayFunction, meeting: Meeting, documents: Documents) -> Floats:
    """Ask a user's function for the cost of every pair of days."""
    system, reference = meeting.system.days(documents), meeting.reference.days(documents)
    costs = np.array([[function(ours, theirs) for theirs in reference] for ours in system])
    costs = costs.astype(np.float64).reshape(len(system), len(reference))
    if np.isnan(costs).any() or (costs == -np.inf).any():
        raise UsageError("a cost is nan or minus infinity; let the function return a number or inf")
    return costs
