"""Dates as arrays, so that the distances of thousands of them are one expression."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import When

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Dates:
    """Dates in order of time, by the numbers of their first and last days."""

    first: Ints
    last: Ints

    @classmethod
    def of(cls, dates: Iterable[When]) -> Self:
        """Take dates that are in order already, as those of a timeline are."""
        whens = tuple(dates)
        first = np.array([when.first for when in whens], dtype=np.int64)
        return cls(first, np.array([when.last for when in whens], dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence["Dates"]) -> Self:
        """Lay the dates of many timelines end to end."""
        empty = np.empty(0, dtype=np.int64)
        firsts, lasts = [one.first for one in parts], [one.last for one in parts]
        return cls(np.concatenate([empty, *firsts]), np.concatenate([empty, *lasts]))

    def __len__(self) -> int:
        return len(self.first)

    @property
    def single(self) -> bool:
        """Whether all are days, none a month or a year."""
        return bool((self.first == self.last).all())

    def distances(self, other: "Dates") -> Ints:
        """Count the days between every date here and every date there, as `When.distance`."""
        here, there = np.arange(len(self))[:, None], np.arange(len(other))
        return self.distance(other, here, there)

    def distance(self, other: "Dates", here: Places, there: Places) -> Ints:
        """Count the days between chosen pairs."""
        after: Ints = other.first[there] - self.last[here]
        gap: Ints = np.maximum(after, self.first[here] - other.last[there])
        return np.maximum(gap, 0, out=gap)

    def mismatch(self, other: "Dates", here: Places, there: Places) -> Ints:
        """How far the ends of chosen pairs are apart: 0 only where both are the same date.

        A month is at no distance from each of its days; this tells them apart.
        """
        begin: Ints = np.abs(other.first[there] - self.first[here])
        end: Ints = np.abs(other.last[there] - self.last[here])
        return begin + end

    def rows(self, start: int, stop: int) -> Self:
        """A stretch of the dates."""
        return type(self)(self.first[start:stop], self.last[start:stop])
