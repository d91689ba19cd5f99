"""The choice of sentences as a whole-number program.

A column for each sentence, and for each beginning of one that may end the text; a column for
each step of each gram's worth; a column for each gram that can arise between two sentences.
Only the first two kinds need to be whole: once they are, the rest is a flow with whole
capacities, whose best value a whole solution reaches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from chronoscore.oracles.problem import Excerpt, Problem, Tokens
from chronoscore.oracles.solvers import Program


@dataclass
class ConstraintRows:
    """Rows of a program as they are written down: entries, and what each row may be at most."""

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    most: list[float] = field(default_factory=list)

    def add(self, entries: Sequence[tuple[int, float]], most: float = 0.0) -> None:
        """Write a row."""
        number = len(self.most)
        self.most.append(most)
        for column, value in entries:
            self.row.append(number)
            self.column.append(column)
            self.value.append(value)


@dataclass(frozen=True, eq=False)
class SelectionProgram:
    """A program, and what its first columns stand for."""

    program: Program
    whole: tuple[Excerpt, ...]
    cut: tuple[Excerpt, ...]

    def selected(self, values: np.ndarray) -> tuple[list[Excerpt], Excerpt | None]:
        """The sentences of a solution, and the beginning that ends the text."""
        taken = values[: len(self.whole) + len(self.cut)] > 0.5
        kept = [piece for piece, one in zip(self.whole, taken, strict=False) if one]
        ends = [p for p, one in zip(self.cut, taken[len(self.whole) :], strict=True) if one]
        return kept, ends[0] if ends else None


def extract_program(
    instance: Problem,
    cut: Sequence[Excerpt] = (),
    *,
    barred: Sequence[frozenset[int]] = (),
    price: float = 0.0,
) -> SelectionProgram:
    """Write the program down.

    `cut` are the beginnings that may end the text; `barred` are sets of columns that must
    not be taken again as they are; `price` is what each token costs.
    """
    whole = instance.fitting(cut)
    pieces = [*whole, *cut]
    builder = ProgramBuilder(instance, pieces, len(whole))
    builder.gains = [-price * len(piece.tokens) for piece in pieces]
    builder.budget()
    builder.endings()
    builder.joins()
    builder.coverage()
    if price and pieces:
        # No text costs nothing; what is asked for is the best text that there is.
        builder.rows.add([(c, -1.0) for c in range(len(pieces))], -1.0)
    for columns in barred:
        signs = [(c, 1.0 if c in columns else -1.0) for c in range(len(pieces))]
        builder.rows.add(signs, len(columns) - 1)
    return SelectionProgram(builder.program(), whole, tuple(cut))


class ProgramBuilder:
    """A program that is being written."""

    def __init__(self, instance: Problem, pieces: Sequence[Excerpt], whole: int) -> None:
        self.instance = instance
        self.pieces = pieces
        self.whole = whole
        self.rows = ConstraintRows()
        self.gains = [0.0] * len(pieces)
        self.upper = [1.0] * len(pieces)
        self.arising: dict[int, list[int]] = {}

    def column(self, gain: float, upper: float) -> int:
        """A further column, which need not be whole."""
        self.gains.append(gain)
        self.upper.append(upper)
        return len(self.gains) - 1

    def budget(self) -> None:
        """All that is taken fits; a cut within a word falls exactly on the budget."""
        size = self.instance.budget.size
        self.rows.add([(c, p.length) for c, p in enumerate(self.pieces)], size)
        exact = [
            (c, float(size - self.pieces[c].length))
            for c in range(self.whole, len(self.pieces))
            if not self.pieces[c].stable
        ]
        if exact:
            self.rows.add([*((c, -self.pieces[c].length) for c in range(self.whole)), *exact])

    def endings(self) -> None:
        """One beginning at most ends the text, of a sentence that is not there as a whole."""
        if self.whole == len(self.pieces):
            return
        self.rows.add([(c, 1.0) for c in range(self.whole, len(self.pieces))], 1.0)
        columns: dict[int, list[int]] = {}
        for column, piece in enumerate(self.pieces):
            columns.setdefault(piece.sentence, []).append(column)
        for same in columns.values():
            if len(same) > 1 and same[0] < self.whole:
                self.rows.add([(c, 1.0) for c in same], 1.0)

    def joins(self) -> None:
        """Grams that arise where one sentence's end meets another's beginning.

        Every end, every beginning and every sentence between is used once at most for each
        place in a gram. Which sentence follows which is left open, so that this may promise
        a little more than an order can keep.
        """
        whole, cut = self.pieces[: self.whole], self.pieces[self.whole :]
        # What is cut off ends the text, so nothing follows it.
        places: dict[tuple[int, Tokens], list[int]] = {}
        sizes: dict[int, list[int]] = {}
        for crossing in self.instance.crossings(whole, cut):
            column = self.column(0.0, float(len(self.instance.wanted.worths[crossing.gram])))
            self.arising.setdefault(crossing.gram, []).append(column)
            sizes.setdefault(len(crossing.parts[0]), []).append(column)
            before = 0
            for part in crossing.parts:
                places.setdefault((before, part), []).append(column)
                before += len(part)
        able = self.pieces_by_part({part for _, part in places})
        for (before, part), columns in places.items():
            last = before + len(part) == self.instance.n
            role = "start" if last else "whole" if before else "end"
            having = able.get((role, part), [])
            self.rows.add([*((c, 1.0) for c in columns), *((c, -1.0) for c in having)])
        for columns in sizes.values():
            taken = [(c, -1.0) for c in range(len(self.pieces))]
            self.rows.add([*((c, 1.0) for c in columns), *taken], -1.0)

    def pieces_by_part(self, parts: set[Tokens]) -> dict[tuple[str, Tokens], list[int]]:
        """The columns of the pieces that end with a part, are it as a whole, or start with it."""
        having: dict[tuple[str, Tokens], list[int]] = {}
        for column, piece in enumerate(self.pieces):
            tokens = piece.tokens
            for size in range(1, min(self.instance.n, len(tokens) + 1)):
                if tokens[:size] in parts:
                    having.setdefault(("start", tokens[:size]), []).append(column)
                if column < self.whole and tokens[-size:] in parts:
                    having.setdefault(("end", tokens[-size:]), []).append(column)
            if column < self.whole and tokens in parts:
                having.setdefault(("whole", tokens), []).append(column)
        return having

    def coverage(self) -> None:
        """No more copies of a gram count than the text has."""
        having: dict[int, list[tuple[int, float]]] = {}
        for column, piece in enumerate(self.pieces):
            for gram, count in piece.matches.items():
                having.setdefault(gram, []).append((column, -float(count)))
        for gram, columns in self.arising.items():
            having.setdefault(gram, []).extend((c, -1.0) for c in columns)
        for gram, entries in having.items():
            there = -sum(count * self.upper[column] for column, count in entries)
            steps = []
            for worth, copies in self.instance.wanted.steps(gram):
                if there > 0 and worth > 0:
                    steps.append((self.column(worth, min(copies, there)), 1.0))
                    there -= copies
            if steps:
                self.rows.add([*steps, *entries])

    def program(self) -> Program:
        """The program as written so far."""
        # scipy is slow to import; only this function pays for it.
        from scipy.sparse import csr_array

        rows = self.rows
        shape = (len(rows.most), len(self.gains))
        return Program(
            gains=np.array(self.gains),
            rows=csr_array((rows.value, (rows.row, rows.column)), shape=shape),
            most=np.array(rows.most),
            upper=np.array(self.upper),
            whole=np.arange(len(self.gains)) < len(self.pieces),
        )
