"""Choose sentences within a budget: greedily, or provably best by a mixed-integer program.

A gain can only shrink as the text grows, so an old gain is an upper bound of the new one:
the greedy choice looks again only at the sentence that seems best.
"""

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from chronoscore.oracles.order import best_order
from chronoscore.oracles.problem import Excerpt, Problem
from chronoscore.oracles.program import SelectionProgram, extract_program
from chronoscore.oracles.solvers import Effort, solve_program


def greedy_extract(instance: Problem, *, chop: bool = False) -> list[Excerpt]:
    """The sentences in the order in which they are taken.

    Where the best sentence does not fit, it is left out and the next one tried; with `chop`
    it is taken, cut by the budget as ROUGE would cut it, and ends the text.
    """
    worths = instance.wanted.worths
    held: Counter[int] = Counter()
    left = instance.budget.size
    taken: list[Excerpt] = []

    def gain(piece: Excerpt) -> float:
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


def greedy_bound(instance: Problem, taken: Sequence[Excerpt], *, chop: bool = False) -> float:
    """What no choice can exceed, judged by what is left to gain after a greedy one.

    The best choice is worth at most the greedy one and what its sentences would still add,
    each by itself; and sentences within the budget add at most what the most rewarding words
    do. A cut sentence may have its matches at the beginning and counts in full; a cut within
    a word may make one further match, as of 'running' it makes 'run'.
    """
    worths = instance.wanted.worths
    held: Counter[int] = Counter()
    left = instance.budget.size
    for piece in taken:
        if piece.length <= left:
            held.update(piece.matches)
            left -= piece.length

    def gain(piece: Excerpt) -> float:
        return sum(sum(worths[g][held[g] : held[g] + c]) for g, c in piece.matches.items())

    fitting = [p for p in instance.pieces if p.matches and p.length <= instance.budget.size]
    gains = sorted(((gain(p) / p.length, p.length) for p in fitting), reverse=True)
    bound, room = instance.wanted.value(held), float(instance.budget.size)
    for rate, length in gains:
        bound += rate * min(length, room)
        room -= min(length, room)
    if chop:
        bound += max((gain(p) for p in instance.pieces if p.matches), default=0.0)
        bound += max(map(max, worths)) if instance.budget.unit == "bytes" else 0.0
    if instance.n > 1:
        shortest = min((p.length for p in instance.pieces if p.length), default=1)
        joints = instance.budget.size // shortest + 1
        bound += (instance.n - 1) * joints * max(map(max, worths))
    return min(bound, sum(map(sum, worths)))


ROUNDS = 50
"""How many choices that promise more than any order can keep are passed over."""
CLOSE = 2e-6
"""A difference that is a solver's rounding, in hits."""


@dataclass(frozen=True)
class Selected:
    """Pieces in order, what they are worth, and what no choice of sentences can exceed."""

    pieces: tuple[Excerpt, ...]
    value: float
    bound: float


def exact_extract(
    instance: Problem,
    start: Sequence[Excerpt],
    *,
    chop: bool = False,
    seconds: float | None = None,
) -> Selected:
    """Solve the choice of sentences as a mixed-integer program, from a greedy choice on.

    With `chop` the text may end with the beginning of a sentence. Without a time limit the
    bound is, but for the rarest of joints, the value itself.
    """
    ends = None if seconds is None else monotonic() + seconds
    cut = instance.endings if chop else ()
    best = best_order(instance, start, None)
    bound = min(_upper_bound(instance), greedy_bound(instance, start, chop=chop))
    barred: list[frozenset[int]] = []
    for _ in range(ROUNDS):
        left = None if ends is None else ends - monotonic()
        if left is not None and left <= 0:
            break
        candidates = extract_program(instance, cut, barred=barred)
        solution = solve_program(
            candidates.program, Effort(left, _bound_tolerance(instance, bound))
        )
        # What is barred is known, and may be the best.
        bound = min(bound, max(best.value, _round_bound(instance, solution.bound)))
        if solution.values is None:
            break
        whole, last = candidates.selected(solution.values)
        ordered = best_order(instance, whole, last, bound)
        best = max(best, ordered, key=lambda one: one.value)
        # What was not looked at to the end may be worth more than it seems, and is not barred.
        if best.value >= bound - CLOSE or instance.n == 1 or not ordered.proven:
            break
        barred.append(_chosen_columns(candidates, whole, last))
    bound = best.value if best.value >= bound - CLOSE else bound
    return Selected(tuple(best.pieces), best.value, bound)


def _chosen_columns(
    candidates: SelectionProgram, whole: Sequence[Excerpt], last: Excerpt | None
) -> frozenset[int]:
    """The columns that a choice has taken."""
    taken = {id(piece) for piece in (*whole, last)}
    both = (*candidates.whole, *candidates.cut)
    return frozenset(column for column, piece in enumerate(both) if id(piece) in taken)


def _bound_tolerance(instance: Problem, bound: float) -> float:
    """How near to the solver's bound is near enough: less than one hit, where hits are whole.

    It is a share of the value, which no choice raises above `bound`.
    """
    return 0.99 / max(bound, 1.0) if instance.wanted.whole else 0.0


def _upper_bound(instance: Problem) -> float:
    """What no choice can exceed: the worthiest copies, as many as it can have words.

    A word of the budget may be several to ROUGE, as 'well-known' is, and a sentence that is
    cut may have such words first.
    """
    rate = max((len(p.tokens) / p.length for p in instance.pieces if p.length), default=1.0)
    longest = max((len(piece.tokens) for piece in instance.pieces), default=0)
    tokens = math.ceil(instance.budget.size * max(rate, 1.0)) + longest
    units = sorted((worth for worths in instance.wanted.worths for worth in worths), reverse=True)
    return sum(units[:tokens])


def _round_bound(instance: Problem, bound: float) -> float:
    """A bound on whole hits is whole."""
    return math.floor(bound + 1e-6) if instance.wanted.whole and math.isfinite(bound) else bound
