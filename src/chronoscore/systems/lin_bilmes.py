"""Lin & Bilmes 2011: coverage and variety as a submodular function, chosen lazily."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Document, Topic
from chronoscore.measures.measure import Array
from chronoscore.systems.material import SourceLine
from chronoscore.systems.picking import lazy_greedy
from chronoscore.systems.summaries import Summarizer
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.vectors import (
    BLOCK,
    Sparse,
    dense,
    kmeans_clusters,
    reduce_dimensions,
    sum_vectors,
    tfidf,
)
from chronoscore.text.unicode import count_words


@dataclass(frozen=True, kw_only=True)
class LinBilmes(Summarizer):
    """Cover every sentence up to a point, and prefer what comes from many clusters.

    A sentence counts as covered once the chosen resemble it `saturation`/n times as much as
    all do. `variety` weighs the second term, `scaling` the cost of long sentences: it was chosen
    on CrisisFACTS 2022. With scaling 1 the result is at least 1 − 1/√e of the best there is, but
    short sentences are preferred.
    """

    name: ClassVar[str] = "lin-bilmes"
    line: ClassVar[str] = "coverage and variety, submodular, lazy greedy"
    paper: ClassVar[str] = "Lin & Bilmes, ACL 2011"
    variety: float = 6.0
    saturation: float = 5.0
    scaling: float = 0.1
    share: float = 0.2
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, variety=0, saturation=0, scaling=0, share=0)

    def choose(
        self, topic: Topic, lines: Sequence[SourceLine], background: Sequence[Document]
    ) -> list[SourceLine]:
        """Greedy by gain for cost, or the best single sentence if that is better."""
        rows = tfidf([line.words for line in lines])
        groups = kmeans_clusters(
            reduce_dimensions(rows, 100, self.seed),
            max(1, int(self.share * len(lines))),
            seed=self.seed,
        )
        objective = Coverage(rows, groups, variety=self.variety, saturation=self.saturation)
        sizes = [count_words(line.text) for line in lines]
        chosen = select_within_budget(objective, sizes, self.words, scaling=self.scaling)
        return [lines[number] for number in chosen]


class Coverage:
    """The function, and what has been chosen; similarities are made column by column."""

    def __init__(
        self, rows: Sparse, groups: NDArray[np.int64], *, variety: float, saturation: float
    ) -> None:
        self.rows = rows
        self.size = rows.shape[0]
        worth = np.asarray(rows @ sum_vectors(rows)).ravel()
        self.most = saturation / self.size * worth
        self.worth = worth / self.size
        self.groups = groups
        self.variety = variety
        self.covered = np.zeros(self.size)
        self.held = np.zeros(int(groups.max()) + 1)

    def singly(self) -> Array:
        """What each sentence is worth alone, in blocks of columns."""
        found = np.empty(self.size)
        for start in range(0, self.size, BLOCK):
            block = dense(self.rows @ self.rows[start : start + BLOCK].T)
            found[start : start + BLOCK] = np.minimum(block, self.most[:, np.newaxis]).sum(axis=0)
        return np.asarray(found + self.variety * np.sqrt(self.worth), dtype=np.float64)

    def gain(self, one: int) -> float:
        """What a sentence would add."""
        column = self.rows @ dense(self.rows[[one]])[0]
        before = np.minimum(self.covered, self.most)
        added = float((np.minimum(self.covered + column, self.most) - before).sum())
        held = self.held[self.groups[one]]
        return added + self.variety * float(np.sqrt(held + self.worth[one]) - np.sqrt(held))

    def take(self, one: int) -> None:
        """Add a sentence."""
        self.covered += self.rows @ dense(self.rows[[one]])[0]
        self.held[self.groups[one]] += self.worth[one]

    @property
    def value(self) -> float:
        """The function of what has been chosen."""
        covered = float(np.minimum(self.covered, self.most).sum())
        return covered + self.variety * float(np.sqrt(self.held).sum())


def select_within_budget(
    objective: Coverage, sizes: Sequence[int], budget: int, *, scaling: float = 1.0
) -> list[int]:
    """Lazy greedy by gain for cost, checked against the best single sentence that fits."""
    alone = objective.singly()
    left = budget
    fresh = True

    def gain(one: int) -> float:
        # Before anything is chosen, all gains are known from one pass.
        return float(alone[one]) if fresh else objective.gain(one)

    def take(one: int) -> None:
        nonlocal left, fresh
        objective.take(one)
        left -= sizes[one]
        fresh = False

    chosen = lazy_greedy(
        range(len(sizes)),
        gain,
        take,
        lambda one: sizes[one] <= left,
        lambda one: float(sizes[one]) ** scaling,
    )
    single = [n for n, size in enumerate(sizes) if size <= budget]
    best = max(single, key=lambda n: float(alone[n]), default=None)
    if best is not None and float(alone[best]) > objective.value:
        return [best]
    return chosen
