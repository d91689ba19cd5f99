"""Take the sentence with the highest gain for its length, again and again.

A gain can only fall as the text grows, so an old gain is an upper bound of the new one: only
the sentence that seems best is looked at again, and taken if it still is.
"""

import heapq
from collections import Counter
from collections.abc import Sequence

from chronoscore.oracles.instance import Instance, Piece


def greedy(instance: Instance, *, chop: bool = False) -> list[Piece]:
    """The sentences in the order in which they are taken.

    Where the best sentence does not fit, it is left out and the next one tried; with `chop`
    it is taken, cut by the budget as ROUGE would cut it, and ends the text.
    """
    worths = instance.wanted.worths
    held: Counter[int] = Counter()
    left = instance.budget.size
    taken: list[Piece] = []

    def gain(piece: Piece) -> float:
        found = 0.0
        for gram, count in piece.matches.items():
            start = held[gram]
            found += sum(worths[gram][start : start + count])
        return found

    waiting = [
        (-gain(piece) / piece.length, number, 0)
        for number, piece in enumerate(instance.pieces)
        if piece.matches
    ]
    heapq.heapify(waiting)
    while waiting and left > 0:
        _, number, seen = heapq.heappop(waiting)
        piece = instance.pieces[number]
        if piece.length > left and not chop:
            continue
        if seen < len(taken):
            fresh = gain(piece)
            if fresh > 0:
                heapq.heappush(waiting, (-fresh / piece.length, number, len(taken)))
            continue
        taken.append(piece)
        left -= piece.length
        held.update(piece.matches)
    return taken


def greedy_bound(instance: Instance, taken: Sequence[Piece], *, chop: bool = False) -> float:
    """What no choice can exceed, told by what is left to gain after a greedy one.

    The best choice is worth at most the greedy one and what its sentences would still add,
    each by itself; and sentences within the budget add at most what the most rewarding words
    do. A cut sentence may have its matches at the beginning and counts in full.
    """
    worths = instance.wanted.worths
    held: Counter[int] = Counter()
    left = instance.budget.size
    for piece in taken:
        if piece.length <= left:
            held.update(piece.matches)
            left -= piece.length

    def gain(piece: Piece) -> float:
        return sum(sum(worths[g][held[g] : held[g] + c]) for g, c in piece.matches.items())

    fitting = [p for p in instance.pieces if p.matches and p.length <= instance.budget.size]
    gains = sorted(((gain(p) / p.length, p.length) for p in fitting), reverse=True)
    bound, room = instance.wanted.value(held), float(instance.budget.size)
    for rate, length in gains:
        bound += rate * min(length, room)
        room -= min(length, room)
    if chop:
        bound += max((gain(p) for p in instance.pieces if p.matches), default=0.0)
    if instance.n > 1:
        shortest = min((p.length for p in instance.pieces if p.length), default=1)
        joints = instance.budget.size // shortest + 1
        bound += (instance.n - 1) * joints * max(map(max, worths))
    return min(bound, sum(map(sum, worths)))
