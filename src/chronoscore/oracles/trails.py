"""A text that holds as many wanted pairs of words as any can, as trails through a graph.

Words are points, wanted pairs arrows from word to word, as many of them as are wanted. A
text is a walk; the arrows it uses fall into trails, and a text of B words that consists of
t trails uses B − t arrows. How many trails a set of arrows needs can be counted: at each
point as many begin as more arrows leave than enter, and each connected part has at least one.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from chronoscore.oracles.problem import Wanted
from chronoscore.oracles.program import ConstraintRows
from chronoscore.oracles.solvers import Effort, Program, solve_program

Arrows = Counter[tuple[str, str]]


def trail_ceiling(
    wanted: Wanted, size: int, seconds: float | None = None
) -> tuple[float, list[str]]:
    """A bound on what a text of `size` words is worth, and a text that comes near it.

    The program counts only the trails that points force, not one for each connected part:
    its value is a bound, reached wherever the arrows found need no further trail.
    """
    names = [(gram[0], gram[1]) for gram in wanted.numbers]
    program, steps = _build_program(wanted, names, size)
    found = solve_program(program, Effort(seconds))
    simple = sum(sorted((w for ws in wanted.worths for w in ws), reverse=True)[: size - 1])
    bound = min(found.bound, simple)
    if found.values is None:
        return bound, []
    arrows: Arrows = Counter()
    worth: dict[tuple[str, str], float] = {}
    for step, gram in enumerate(steps):
        many = round(float(found.values[step]))
        if many > 0:
            arrows[names[gram]] += many
            worth[names[gram]] = wanted.worths[gram][0]
    walks = find_trails(arrows)
    while walks and sum(map(len, walks)) > size:
        # A part that needs a trail of its own was not paid for: the least worthy arrow goes.
        arrows[min(+arrows, key=lambda arrow: worth[arrow])] -= 1
        walks = find_trails(+arrows)
    return bound, [word for walk in walks for word in walk]


def _build_program(
    wanted: Wanted, names: list[tuple[str, str]], size: int
) -> tuple[Program, list[int]]:
    """The program: a column for each step of each pair, one for what begins at each point."""
    from scipy.sparse import csr_array

    gains: list[float] = []
    upper: list[float] = []
    steps: list[int] = []
    for gram in range(len(names)):
        for worth, many in wanted.steps(gram):
            gains.append(worth)
            upper.append(float(many))
            steps.append(gram)
    balance: dict[str, list[tuple[int, float]]] = {}
    for column, gram in enumerate(steps):
        one, other = names[gram]
        if one != other:
            balance.setdefault(one, []).append((column, 1.0))
            balance.setdefault(other, []).append((column, -1.0))
    rows = ConstraintRows()
    begun = []
    for entries in balance.values():
        begun.append((len(gains), 1.0))
        gains.append(0.0)
        upper.append(float(size))
        rows.add([*entries, (len(gains) - 1, -1.0)])
    arrows = [(column, 1.0) for column in range(len(steps))]
    rows.add(arrows, size - 1)
    rows.add([*arrows, *begun], size)
    shape = (len(rows.most), len(gains))
    matrix = csr_array((rows.value, (rows.row, rows.column)), shape=shape)
    whole = np.arange(len(gains)) < len(steps)
    return Program(np.array(gains), matrix, np.array(rows.most), np.array(upper), whole), steps


def find_trails(arrows: Arrows) -> list[list[str]]:
    """Trails that use every arrow once, as few as can be."""
    left: dict[str, list[str]] = {}
    surplus: Counter[str] = Counter()
    for (one, other), many in sorted(arrows.items()):
        left.setdefault(one, []).extend([other] * many)
        left.setdefault(other, [])
        surplus[one] += many
        surplus[other] -= many
    # Missing arrows are added so that every connected part is one round tour, which is then
    # taken apart where they are.
    added: Counter[tuple[str, str]] = Counter()
    for part in _connected_parts(arrows):
        starts = [point for point in part for _ in range(max(0, surplus[point]))]
        ends = [point for point in part for _ in range(max(0, -surplus[point]))]
        for end, start in zip(ends, starts, strict=True):
            left[end].append(start)
            added[end, start] += 1
    found: list[list[str]] = []
    for part in _connected_parts(arrows):
        starts = [point for point in part if surplus[point] > 0]
        found += _split_tour(_round_tour(left, starts[0] if starts else part[0]), added)
    return found


def _connected_parts(arrows: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The points of each connected part, in order."""
    near: dict[str, set[str]] = {}
    for one, other in arrows:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    parts: list[list[str]] = []
    seen: set[str] = set()
    for point in sorted(near):
        if point not in seen:
            waiting, part = [point], {point}
            while waiting:
                fresh = near[waiting.pop()] - part
                part |= fresh
                waiting += fresh
            seen |= part
            parts.append(sorted(part))
    return parts


def _round_tour(left: dict[str, list[str]], start: str) -> list[str]:
    """A round tour over all arrows that can be reached; the arrows are used up."""
    path, walk = [start], []
    while path:
        if left[path[-1]]:
            path.append(left[path[-1]].pop())
        else:
            walk.append(path.pop())
    return walk[::-1]


def _split_tour(walk: list[str], added: Counter[tuple[str, str]]) -> list[list[str]]:
    """A tour cut at the arrows that were added."""
    pieces: list[list[str]] = [[walk[0]]]
    for one, other in pairwise(walk):
        if added[one, other] > 0:
            added[one, other] -= 1
            pieces.append([other])
        else:
            pieces[-1].append(other)
    if len(pieces) > 1 and pieces[0][0] == pieces[-1][-1]:
        # The tour is round: its end goes on into its beginning.
        pieces[0] = pieces.pop() + pieces[0][1:]
    return [piece for piece in pieces if len(piece) > 1]
