"""The last criterion: date by date, the earliest date that is still to be had."""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from chronoscore.align.dates import Places
from chronoscore.align.ties import FREE, Choices

POOL = -2
"""The node of being free; see `ties`."""


class Turning:
    """Chooses edge by edge; every choice that is confirmed leaves an optimal assignment."""

    def __init__(self, choices: Choices) -> None:
        self.match: list[int] = choices.match.tolist()
        self.owner: dict[int, int] = {column: row for row, column in enumerate(self.match)}
        self.spare = choices.spare
        self.columns_of: dict[int, list[int]] = {}
        self.rows_of: dict[int, list[int]] = {}
        for row, column in sorted(
            zip(choices.rows.tolist(), choices.columns.tolist(), strict=True)
        ):
            self.columns_of.setdefault(row, []).append(column)
            self.rows_of.setdefault(column, []).append(row)
        self.leavable: list[int] = np.flatnonzero(choices.spare).tolist()
        self.fixed: set[int] = set()

    def after(self, node: int) -> Iterable[int]:
        """The nodes that an arc leads to: where the owner of a column may go instead."""
        if node == POOL:
            return (column for column in self.leavable if column in self.owner)
        if node not in self.owner:
            return (POOL,)
        return self.columns_of[self.owner[node]]

    def path(self, start: int, end: int) -> list[int] | None:
        """A way from one node to another past what is fixed."""
        came: dict[int, int] = {start: start}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            if node == end:
                steps = [node]
                while steps[-1] != start:
                    steps.append(came[steps[-1]])
                return steps[::-1]
            for following in self.after(node):
                if following not in came and following not in self.fixed:
                    came[following] = node
                    waiting.append(following)
        return None

    def turn(self, steps: list[int]) -> None:
        """Let every owner along the way move to the next column."""
        moves = [
            (self.owner[here], there)
            for here, there in pairwise(steps)
            if here in self.owner and there != POOL
        ]
        for row, _ in moves:
            self.owner.pop(self.match[row], None)
        for row, column in moves:
            self.match[row] = column
            self.owner[column] = row

    def take(self, row: int, column: int) -> bool:
        """Give a column to a row for good, if an optimal assignment does so."""
        if column in self.fixed:
            return False
        if self.match[row] != column:
            # The row's own column is where the cycle closes.
            way = self.path(column, self.match[row])
            if way is None:
                return False
            self.turn([self.match[row], *way])
        self.fixed.add(column)
        return True

    def leave(self, column: int) -> bool:
        """Leave a column free for good, if an optimal assignment does so."""
        if column in self.owner:
            way = self.path(column, POOL) if self.spare[column] else None
            if way is None:
                return False
            self.turn(way)
        self.fixed.add(column)
        return True


def assign_by_rows(choices: Choices) -> Places:
    """Let each row in turn take the earliest column it can; gives the column of each row."""
    if choices.settled:
        return choices.match
    turning = Turning(choices)
    for row in range(len(choices.match)):
        for column in turning.columns_of[row]:
            if turning.take(row, column):
                break
    return np.array(turning.match, dtype=np.intp)


def assign_by_columns(choices: Choices) -> Places:
    """Let each column in turn take the earliest row it can, rather than none."""
    if choices.settled:
        return choices.match
    turning = Turning(choices)
    for column in range(len(choices.spare)):
        for row in turning.rows_of.get(column, []):
            if turning.take(row, column):
                break
        else:
            turning.leave(column)
    return np.array(turning.match, dtype=np.intp)


def columns_to_rows(match: Places, size: int) -> Places:
    """Turn the column of each row into the row of each column, −1 where it is free."""
    found = np.full(size, FREE, dtype=np.intp)
    found[match] = np.arange(len(match))
    return found
