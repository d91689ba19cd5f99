"""The timeline measures once more, word for word after the paper: slow, plain, by trying all."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from align.brute import best_pairing
from chronoscore.core import Timeline, When

Gram = tuple[str, ...]
Days = dict[When, list[str]]


def days(timeline: Timeline) -> Days:
    return {entry.when: " ".join(entry.sentences).split() for entry in timeline}


def grams(words: Sequence[str], n: int) -> Counter[Gram]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def overlap(ours: Sequence[str], theirs: Sequence[str], n: int) -> int:
    return sum((grams(ours, n) & grams(theirs, n)).values())


def size(words: Sequence[str], n: int) -> int:
    return max(0, len(words) - n + 1)


class Slow:
    """One system against several references."""

    def __init__(self, system: Timeline, references: Sequence[Timeline], n: int) -> None:
        self.system = days(system)
        self.references = [days(reference) for reference in references]
        self.ours = sorted(self.system)
        self.theirs = sorted({when for reference in self.references for when in reference})
        self.n = n

    def hits(self, ours: When, theirs: When, n: int) -> int:
        return sum(overlap(self.system[ours], r.get(theirs, []), n) for r in self.references)

    def similarity(self, ours: When, theirs: When) -> float:
        shared = self.hits(ours, theirs, 1)
        offered = len(self.references) * len(self.system[ours])
        wanted = sum(len(r.get(theirs, [])) for r in self.references)
        precision = shared / offered if offered else 0.0
        recall = shared / wanted if wanted else 0.0
        return 2 * precision * recall / (precision + recall) if shared else 0.0

    def costs(self, *, content: bool) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        table = np.zeros((len(self.ours), len(self.theirs)))
        for i, ours in enumerate(self.ours):
            for j, theirs in enumerate(self.theirs):
                cost = 1 - 1 / (ours.distance(theirs) + 1)
                table[i, j] = cost * (1 - self.similarity(ours, theirs)) if content else cost
        return table

    def answers(self, *, content: bool, many: bool, first: bool) -> tuple[list[int], list[int]]:
        table = self.costs(content=content)
        gaps = np.array([[a.distance(b) for b in self.theirs] for a in self.ours]).reshape(
            table.shape
        )
        if not many:
            return best_pairing(table, gaps)
        chosen = []
        for costs, distances in ((table, gaps), (table.T, gaps.T)):
            side = []
            for row, far in zip(costs.round(12), distances, strict=True):
                pairs = enumerate(zip(row, far, strict=True))
                order = [(c, 0 if first else d, j) for j, (c, d) in pairs]
                side.append(min(order)[2])
            chosen.append(side)
        return chosen[0], chosen[1]

    def score(
        self, *, content: bool = False, many: bool = False, first: bool = False, reading: str
    ) -> tuple[float, float]:
        forward, backward = self.answers(content=content, many=many, first=first)
        kept = offered = found = 0.0
        for i, j in enumerate(forward):
            ours = self.ours[i]
            holders = 0
            if j != -1:
                holders = sum(self.theirs[j] in r for r in self.references)
                weight = 1 / (ours.distance(self.theirs[j]) + 1)
                kept += weight * self.hits(ours, self.theirs[j], self.n)
            divisor = {"peer": len(self.references), "literal": holders, "floor": max(1, holders)}
            offered += divisor[reading] * size(self.system[ours], self.n)
        for j, i in enumerate(backward):
            if i != -1:
                weight = 1 / (self.ours[i].distance(self.theirs[j]) + 1)
                found += weight * self.hits(self.ours[i], self.theirs[j], self.n)
        wanted = sum(size(words, self.n) for r in self.references for words in r.values())
        return kept / offered if offered else 0.0, found / wanted if wanted else 0.0

    def concat(self, window: int | None) -> tuple[float, float]:
        ours = [(w, d) for d in self.ours for w in self.system[d]]
        hits = wanted = 0
        for reference in self.references:
            theirs = [(w, d) for d in sorted(reference) for w in reference[d]]
            hits += self.near_hits(ours, theirs, window)
            wanted += size(theirs, self.n)  # type: ignore[arg-type]
        offered = len(self.references) * size(ours, self.n)  # type: ignore[arg-type]
        return hits / offered if offered else 0.0, hits / wanted if wanted else 0.0

    def near_hits(
        self, ours: list[tuple[str, When]], theirs: list[tuple[str, When]], window: int | None
    ) -> int:
        """Pair equal runs by augmenting paths, as in any textbook."""

        def runs(words: list[tuple[str, When]]) -> list[tuple[Gram, When]]:
            found = []
            for i in range(len(words) - self.n + 1):
                found.append((tuple(w for w, _ in words[i : i + self.n]), words[i][1]))
            return found

        left, right = runs(ours), runs(theirs)
        owner: dict[int, int] = {}

        def place(i: int, seen: set[int]) -> bool:
            for j, (gram, when) in enumerate(right):
                near = window is None or left[i][1].distance(when) <= window
                if left[i][0] == gram and near and j not in seen:
                    seen.add(j)
                    if j not in owner or place(owner[j], seen):
                        owner[j] = i
                        return True
            return False

        return sum(place(i, set()) for i in range(len(left)))
