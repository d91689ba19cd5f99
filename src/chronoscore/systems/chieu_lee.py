"""Chieu & Lee 2004: sentences that much else near in time resembles."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Topic
from chronoscore.measures.measure import Array
from chronoscore.systems.material import SourceLine, TopicArticles
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.timelines import TimelineShape, TimelineSystem
from chronoscore.systems.vectors import (
    Sparse,
    document_frequencies,
    normalize_vectors,
    sum_vectors_by_cluster,
    weight_columns,
    word_count_vectors,
)


@dataclass(frozen=True, kw_only=True)
class ChieuLee(TimelineSystem):
    """Rank sentences by interest: how much they resemble what is dated up to `window` days off.

    A sentence's extent is the smallest window that holds `share` of its interest. Going down
    the ranks, a date gets one sentence, and no other date within a chosen one's extent does:
    `sentences` is not used. Where many articles appear day after day, extents come near to
    `share` × `window` days, so that only a few dates are left. As in tilse, a timeline that
    should be as long as a reference has at most as many dates as that has sentences.
    """

    name: ClassVar[str] = "chieu-lee"
    line: ClassVar[str] = "sentences that most resemble what is dated near them"
    paper: ClassVar[str] = "Chieu & Lee, SIGIR 2004"
    window: int = 10
    share: float = 0.8

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, window=1, share=0)

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Rank by interest and go down the ranks."""
        lines = [line for line in material.relevant if line.day is not None]
        if not lines:
            return {}
        days = np.array([line.day for line in lines], dtype=np.int64)
        interest = sentence_interests(_rows_by_date(lines, days), days, self.window)
        wanted = self.share * interest[:, -1]
        extents = 1 + np.argmax(interest >= wanted[:, np.newaxis] - 1e-12, axis=1)
        most = shape.dates if shape.total is None else shape.total
        found: dict[int, list[SourceLine]] = {}
        taken: set[str] = set()
        forbidden: list[tuple[int, int]] = []
        for number in np.argsort(-interest[:, -1], kind="stable").tolist():
            if len(found) == most:
                break
            day, extent = int(days[number]), int(extents[number])
            if not shape.holds(day) or any(first <= day <= last for first, last in forbidden):
                continue
            if lines[number].wording in taken:
                continue
            found[day] = [lines[number]]
            taken.add(lines[number].wording)
            forbidden.append((day - extent, day + extent))
        return found


def _rows_by_date(lines: list[SourceLine], days: NDArray[np.int64]) -> Sparse:
    """Words weighted by ln(dates / dates with the word, three at least), rows of length 1."""
    matrix, _ = word_count_vectors([line.words for line in lines])
    known, places = np.unique(days, return_inverse=True)
    dated = document_frequencies(sum_vectors_by_cluster(matrix, places, len(known)))
    weights = np.log(len(known) / np.maximum(3, dated))
    # With three dates or fewer no word tells one from another; all count alike.
    return normalize_vectors(
        weight_columns(matrix, np.maximum(weights, 0) if len(known) > 3 else dated**0)
    )


def sentence_interests(rows: Sparse, days: NDArray[np.int64], window: int) -> Array:
    """Similarity of each sentence to all at most T days off, for T from 1 to `window`.

    Sums of cosines are cosines with sums, so days are added up and no pair is looked at.
    """
    known, places = np.unique(days, return_inverse=True)
    sums = sum_vectors_by_cluster(rows, places, len(known))
    exact = np.zeros((len(days), window + 1))
    for gap in range(window + 1):
        for shift in {gap, -gap}:
            other = np.searchsorted(known, days + shift)
            there = (other < len(known)) & (
                known[np.minimum(other, len(known) - 1)] == days + shift
            )
            met = np.flatnonzero(there)
            if len(met):
                likeness = rows[met].multiply(sums[other[met]]).sum(axis=1)
                exact[met, gap] += np.asarray(likeness).ravel()
    return np.cumsum(exact, axis=1)[:, 1:]
