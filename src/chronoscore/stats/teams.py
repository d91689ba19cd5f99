"""Would other writers have made another gold standard? Every way to split them into two teams.

Each content unit was chosen by some writers of one team and some of the other. Units that
nobody chose cannot be counted, only estimated (z). The teams agree perfectly on them, so the
estimate and its method are given with every figure.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import ContentUnit, Pyramid, Topic
from chronoscore.errors import DataError
from chronoscore.stats.agreement import mean_of_defined
from chronoscore.stats.alpha import alpha_of_counts

TeamCounts: TypeAlias = NDArray[np.int64]
"""Cell (i, j): the units that i of the first team and j of the second chose."""


@dataclass(frozen=True, slots=True)
class Unchosen:
    """The number of units that nobody chose, and where the number is from."""

    count: int
    method: str


def estimate_unchosen(units: int, *, sentences_with: int, sentences_without: int) -> Unchosen:
    """Units per sentence that has any, times the sentences that have none.

    >>> estimate_unchosen(100, sentences_with=80, sentences_without=69).count
    86
    """
    if sentences_with < 1 or sentences_without < 0 or units < 0:
        raise DataError(
            f"{units} units in {sentences_with} sentences and none in {sentences_without}: "
            "no estimate of unchosen units; give a number instead"
        )
    count = math.floor(units / sentences_with * sentences_without + 0.5)
    return Unchosen(
        count,
        f"estimated: {units} units / {sentences_with} sentences with any "
        f"× {sentences_without} without",
    )


@dataclass(frozen=True, eq=False)
class TeamSplit:
    """One way to split the writers, and how far the two teams agree."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    cells: TeamCounts

    @property
    def grey(self) -> float:
        """The share of units on which the teams differ by one writer at most."""
        return near_diagonal_share(self.cells)

    @property
    def alpha(self) -> float:
        """Krippendorff's alpha for interval data over the two teams' counts."""
        return alpha_of_cells(self.cells)

    @property
    def alpha_of_chosen(self) -> float:
        """The same without the units that nobody chose."""
        chosen = self.cells.copy()
        chosen[0, 0] = 0
        return alpha_of_cells(chosen)


def team_splits(pyramid: Pyramid, *, unchosen: int = 0) -> list[TeamSplit]:
    """Every way to split the writers of a pyramid into two teams of the same size."""
    writers = sorted(set(pyramid.writers) | {w for unit in pyramid.units for w in unit.writers})
    if len(writers) < 2 or len(writers) % 2:
        raise DataError(
            f"{len(writers)} writers cannot be split into two equal teams; give an even number"
        )
    leader, *others = writers
    splits = []
    for mates in combinations(others, len(writers) // 2 - 1):
        first = (leader, *mates)
        second = tuple(writer for writer in writers if writer not in first)
        splits.append(TeamSplit(first, second, team_cells(pyramid, first, second, unchosen)))
    return splits


def team_cells(
    pyramid: Pyramid, first: Sequence[str], second: Sequence[str], unchosen: int = 0
) -> TeamCounts:
    """Count the units by how many of either team chose them."""
    cells = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int64)
    cells[0, 0] = unchosen
    for unit in pyramid.units:
        cells[len(unit.writers.intersection(first)), len(unit.writers.intersection(second))] += 1
    return cells


def near_diagonal_share(cells: TeamCounts) -> float:
    """The share in and beside the diagonal, the units that nobody chose among them."""
    rows, columns = np.indices(cells.shape)
    total = int(cells.sum())
    return float(cells[abs(rows - columns) <= 1].sum() / total) if total else float("nan")


def alpha_of_cells(cells: TeamCounts) -> float:
    """Alpha of two teams whose value for a unit is how many of them chose it."""
    values = range(max(cells.shape))
    places = np.argwhere(cells)
    counts = np.zeros((len(places), len(values)))
    for row, (i, j) in enumerate(places):
        counts[row, i] += 1
        counts[row, j] += 1
    return alpha_of_counts(counts, values, "interval", times=cells[cells > 0].astype(np.float64))


@dataclass(frozen=True, slots=True)
class WeightCounts:
    """How many units have weight 1, 2, 3 …, and whether that is a pyramid."""

    counts: tuple[int, ...]

    @property
    def pyramidal(self) -> bool:
        """Whether there are fewer units at each higher weight, up to the highest that occurs."""
        counts = list(self.counts)
        while counts and not counts[-1]:
            counts.pop()
        return bool(counts) and all(b < a for a, b in pairwise(counts))

    def best(self, size: int) -> int:
        """What the heaviest `size` units weigh: the score that nobody can beat."""
        weights = [w for w, count in enumerate(self.counts, 1) for _ in range(count)]
        return sum(sorted(weights, reverse=True)[:size])


def weight_counts(pyramid: Pyramid) -> WeightCounts:
    """The weights of a pyramid's units, counted."""
    return _count_weights(pyramid.weights, len(pyramid.writers))


def team_weight_counts(cells: TeamCounts) -> tuple[WeightCounts, WeightCounts]:
    """The pyramids that the first team and the second would have made alone."""
    first, second = cells.sum(axis=1), cells.sum(axis=0)
    return WeightCounts(tuple(map(int, first[1:]))), WeightCounts(tuple(map(int, second[1:])))


def _count_weights(weights: Sequence[int], highest: int) -> WeightCounts:
    top = max([highest, *weights])
    return WeightCounts(tuple(sum(weight == w for weight in weights) for w in range(1, top + 1)))


def _unchosen_of(pyramid: Pyramid, sentences: Sequence[str] = ()) -> Unchosen | None:
    """The number that the pyramid states, else an estimate from the source's sentences.

    None if there is neither: the sentences of the source are unknown, or no unit is
    anchored in it.
    """
    if pyramid.unchosen is not None:
        return Unchosen(pyramid.unchosen, "stated in the file")
    known = set(sentences) or set(pyramid.places)
    used = {sentence for unit in pyramid.units for sentence in _sentences_of(unit, pyramid, known)}
    if not known or not used:
        return None
    return estimate_unchosen(
        len(pyramid.units), sentences_with=len(used), sentences_without=len(known - used)
    )


def _sentences_of(unit: ContentUnit, pyramid: Pyramid, known: set[str]) -> Iterator[str]:
    """The sentences that hold an anchor of the unit."""
    for anchor in unit.group.anchors:
        if anchor.source in known:
            yield anchor.source
        for name, place in pyramid.places.items():
            if place.source == anchor.source and place.start <= anchor.start < place.end:
                yield name


@dataclass(frozen=True, slots=True)
class UnitStudy:
    """The content units of a topic: their weights and every split of their writers.

    `splits` are empty where the writers make no two teams. Without `unchosen` only figures
    of chosen units can be trusted.
    """

    topic: str
    writers: int
    units: int
    length: int | None
    weights: WeightCounts
    unchosen: Unchosen | None
    splits: tuple[TeamSplit, ...]

    @property
    def split_figures(self) -> list["SplitFigures"]:
        """The figures of each split; without `unchosen`, only that of chosen units."""
        known = self.unchosen is not None
        return [
            SplitFigures(
                split.grey if known else math.nan,
                split.alpha if known else math.nan,
                split.alpha_of_chosen,
            )
            for split in self.splits
        ]

    @property
    def mean_figures(self) -> "SplitFigures":
        """The means of these over all splits."""
        return SplitFigures(*map(mean_of_defined, zip(*self.split_figures, strict=True)))


class SplitFigures(NamedTuple):
    """How far two teams agree: near the diagonal, by alpha, and by alpha of chosen units."""

    grey: float
    alpha: float
    alpha_of_chosen: float


def study_units(topic: Topic, pyramid: Pyramid, *, unchosen: int | None = None) -> UnitStudy:
    """Weights, shape and team splits of a pyramid."""
    sentences = topic.judgements.sentences if topic.judgements else ()
    found = _unchosen_of(pyramid, sentences) if unchosen is None else Unchosen(unchosen, "given")
    try:
        splits = team_splits(pyramid, unchosen=found.count if found else 0)
    except DataError:
        splits = []
    writers = set(pyramid.writers).union(*(unit.writers for unit in pyramid.units))
    return UnitStudy(
        topic.id,
        len(writers),
        len(pyramid.units),
        pyramid.length,
        weight_counts(pyramid),
        found,
        tuple(splits),
    )
