"""Every alignment there is, tried one by one: the second statement of the tie rule."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Pairs = list[tuple[int, int]]


def all_pairings(rows: int, columns: int) -> Iterator[Pairs]:
    """Every way to give the shorter side partners of its own."""
    if rows <= columns:
        for chosen in permutations(range(columns), rows):
            yield list(enumerate(chosen))
    else:
        for chosen in permutations(range(rows), columns):
            yield [(row, column) for column, row in enumerate(chosen)]


def best_pairing(
    costs: NDArray[np.float64], *ties: NDArray[np.int64]
) -> tuple[list[int], list[int]]:
    """The documented choice from either side, -1 where a date has no answer."""
    sizes = costs.shape
    scored = [
        (round(sum(costs[p] for p in pairs), 10), *(sum(t[p] for p in pairs) for t in ties), pairs)
        for pairs in all_pairings(*sizes)
    ]
    lowest = min(entry[:-1] for entry in scored)
    optimal = [entry[-1] for entry in scored if entry[:-1] == lowest]

    def from_side(side: int) -> list[int]:
        other = sizes[1 - side]
        answers = []
        for pairs in optimal:
            answer = [other] * sizes[side]
            for pair in pairs:
                answer[pair[side]] = pair[1 - side]
            answers.append(answer)
        return [-1 if number == other else number for number in min(answers)]

    return from_side(0), from_side(1)
