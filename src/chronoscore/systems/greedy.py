"""Lazy greedy choice under a budget, for gains that only shrink as more is chosen."""

import heapq
from collections.abc import Callable, Iterable


def lazily(
    candidates: Iterable[int],
    gain: Callable[[int], float],
    take: Callable[[int], None],
    allowed: Callable[[int], bool],
    cost: Callable[[int], float] = lambda _: 1.0,
) -> list[int]:
    """Take the candidate of greatest gain for its cost, again and again (Minoux).

    `gain` is asked anew only for the candidate on top: where gains only shrink, an old one
    is a bound. A candidate that is not allowed, or gains nothing, is dropped for good.
    Equal gains go to the lower number.
    """
    heap = [(-gain(one) / cost(one), one) for one in candidates]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap:
        _, one = heapq.heappop(heap)
        if not allowed(one):
            continue
        fresh = -gain(one) / cost(one)
        if heap and (fresh, one) > heap[0]:
            heapq.heappush(heap, (fresh, one))
            continue
        if fresh < 0:
            take(one)
            chosen.append(one)
    return chosen
