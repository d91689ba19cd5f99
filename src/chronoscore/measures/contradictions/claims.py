"""What a text claims, and how a claim is held against those of other texts."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from chronoscore.dates.when import When

UNCONFIRMED = 0.3
"""The suspicion of a claim that nothing confirms and nothing denies."""

BY_DAYS = (1.0, 0.8, 0.6)
"""What a denial weighs that is of the same day, of the next, or of another."""


class Statement(NamedTuple):
    """A sentence, the day it is of, and where it stands."""

    text: str
    when: When
    source: str
    """The document or the reference that it is from; for a system's own, nothing."""
    sentence: str
    """Its id in a document; in a timeline its number within its entry, from 1."""


@dataclass(frozen=True)
class Claim:
    """Something that a text says in a certain place, which another text may confirm or deny."""

    start: int
    end: int

    @classmethod
    @abstractmethod
    def find(cls, statement: Statement) -> "Sequence[Claim]":
        """The claims of one kind in a statement."""

    @abstractmethod
    def confirms(self, other: Self) -> float:
        """How surely the other text says the same, from 0 to 1, where no other can deny it."""

    @abstractmethod
    def denies(self, other: Self) -> float:
        """How surely both speak of the same thing and cannot both be true, from 0 to 1."""


class Suspicion(NamedTuple):
    """How suspicious a claim is, and which other claim denies it most surely."""

    strength: float
    statement: Statement | None = None
    claim: Claim | None = None


def suspect(claim: Claim, on: When, others: Sequence[tuple[Statement, Claim]]) -> Suspicion:
    """Hold the claim of a day against others: much suspicion if one denies it.

    None is left if another confirms it at least as surely. What other days say against it weighs
    less, because things change.
    """
    confirmed = max((claim.confirms(other) for _, other in others), default=0.0)
    worst = Suspicion(UNCONFIRMED * (1 - confirmed))
    if confirmed == 1:
        return worst
    denied = 0.0
    for statement, other in others:
        weight = BY_DAYS[min(statement.when.distance(on), len(BY_DAYS) - 1)]
        if (weighted := weight * claim.denies(other)) > max(denied, confirmed):
            denied = weighted
            worst = Suspicion(UNCONFIRMED + (1 - UNCONFIRMED) * denied, statement, other)
    return worst


def share(one: frozenset[str], two: frozenset[str]) -> float:
    """What two sets of words share of the smaller one.

    >>> share(frozenset("abc"), frozenset("bcde"))
    0.6666666666666666
    """
    return len(one & two) / max(1, min(len(one), len(two)))
