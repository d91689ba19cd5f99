"""Martschat & Markert 2018: timelines as submodular choice that knows of dates."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Topic
from chronoscore.measures.measure import Array
from chronoscore.systems.material import SourceLine, TopicArticles
from chronoscore.systems.picking import lazy_greedy
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.timelines import TimelineShape, TimelineSystem
from chronoscore.systems.vectors import kmeans_clusters, reduce_dimensions, sum_vectors, tfidf


@dataclass(frozen=True, kw_only=True)
class MartschatMarkert(TimelineSystem):
    """Weigh coverage, variety of content, variety of dates, and how often dates are named.

    `asmds` asks for dates × sentences in all, wherever they fall; `tls` for the number of dates
    with the number of sentences on each. The weights are those of the best published variant of
    asmds. Clusters of content come from tf-idf reduced by SVD, not from word vectors.
    """

    name: ClassVar[str] = "martschat-markert"
    line: ClassVar[str] = "coverage, variety and named dates, chosen greedily"
    paper: ClassVar[str] = "Martschat & Markert, CoNLL 2018"
    constraint: Literal["asmds", "tls"] = "asmds"
    coverage: float = 1.0
    content: float = 0.0
    time: float = 1.0
    named: float = 1.0
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, coverage=0, content=0, time=0, named=0)

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Build the objective and choose greedily under the constraint."""
        lines = [line for line in material.relevant if shape.holds(line.day)]
        if not lines:
            return {}
        days = [line.day for line in lines if line.day is not None]
        objective = Objective(self, material, lines, days)
        found: dict[int, list[int]] = {}
        most = shape.dates * shape.sentences

        taken: set[str] = set()

        def allowed(one: int) -> bool:
            if lines[one].wording in taken:
                return False
            if self.constraint == "asmds":
                return objective.size < most
            held = found.get(days[one], ())
            return len(held) < shape.sentences if held else len(found) < shape.dates

        def take(one: int) -> None:
            objective.take(one)
            taken.add(lines[one].wording)
            found.setdefault(days[one], []).append(one)

        lazy_greedy(range(len(lines)), objective.gain, take, allowed)
        return {day: [lines[n] for n in sorted(chosen)] for day, chosen in found.items()}


class Objective:
    """The four terms, and what each has come to so far."""

    def __init__(
        self,
        system: MartschatMarkert,
        material: TopicArticles,
        lines: list[SourceLine],
        days: list[int],
    ) -> None:
        rows = tfidf([line.words for line in lines])
        worth = np.asarray(rows @ sum_vectors(rows)).ravel()
        self.size = 0
        self.modular: list[float] = (system.coverage * worth / worth.sum()).tolist()
        self.varieties: list[Variety] = []
        if system.content:
            points = reduce_dimensions(rows, 100, system.seed)
            labels = kmeans_clusters(points, max(1, len(lines) // 5), seed=system.seed)
            self.varieties.append(Variety(system.content, labels, worth))
        if system.time:
            labels = np.unique(np.array(days), return_inverse=True)[1]
            self.varieties.append(Variety(system.time, labels, worth))
        named = Counter(day for line in material.lines for day in line.mentioned)
        everything = named.total() or 1
        self.named = [system.named * named[day] / everything for day in days]
        self.days = days
        self.seen: set[int] = set()

    def gain(self, one: int) -> float:
        """What a sentence would add."""
        found = self.modular[one] + sum(variety.gain(one) for variety in self.varieties)
        return found + (0.0 if self.days[one] in self.seen else self.named[one])

    def take(self, one: int) -> None:
        """Add a sentence."""
        self.size += 1
        self.seen.add(self.days[one])
        for variety in self.varieties:
            variety.take(one)


class Variety:
    """The square roots of what each group has, as a share of the most there could be."""

    def __init__(self, weight: float, labels: NDArray[np.int64], worth: Array) -> None:
        most = np.sqrt(np.bincount(labels, weights=worth)).sum()
        self.weight = weight / (most or 1.0)
        self.labels = labels.tolist()
        self.worth = worth.tolist()
        self.held = [0.0] * (int(labels.max()) + 1)

    def gain(self, one: int) -> float:
        """What a sentence would add to its group."""
        held = self.held[self.labels[one]]
        return float(self.weight * ((held + self.worth[one]) ** 0.5 - held**0.5))

    def take(self, one: int) -> None:
        """Add a sentence to its group."""
        self.held[self.labels[one]] += self.worth[one]
