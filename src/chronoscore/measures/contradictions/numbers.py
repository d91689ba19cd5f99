"""Numbers: the same thing counted or measured, with another result."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from chronoscore.measures.contradictions.claims import Claim, Statement
from chronoscore.text.quantities import Quantity, quantities_in

_TELLING = 3
"""Digits from which a number is telling by itself, whatever it counts."""
_ALIKE, _SAME = 0.1, 0.2
"""How alike what is counted must be for an equal number, and for one that may be equal."""
_AGREEING = 0.8
"""How sure a number is that agrees without being equal."""
_SAME_HEAD, _SAME_UNIT, _OTHER_HEAD, _NO_HEAD = 0.3, 0.25, 0.15, 0.1
_WORD, _MOST_WORDS = 0.1, 4
"""What a shared word in the context adds, and how many add."""


@dataclass(frozen=True)
class NumberClaim(Claim):
    """A quantity."""

    quantity: Quantity

    @classmethod
    def find(cls, statement: Statement) -> Sequence[Claim]:
        """Every quantity of the statement."""
        return _find(statement.text)

    def confirms(self, other: Self) -> float:
        """Whether the other has the number, or one that may be it, of what may be the same."""
        one, two = self.quantity, other.quantity
        if one.unit != two.unit or not one.agrees(two):
            return 0.0
        alike = likeness(one, two)
        if one.low == two.low and (alike >= _ALIKE or _is_telling(one.low)):
            return 1.0
        return _AGREEING if alike >= _SAME else 0.0

    def denies(self, other: Self) -> float:
        """How alike two quantities are that differ."""
        one, two = self.quantity, other.quantity
        if one.unit != two.unit or one.agrees(two):
            return 0.0
        return likeness(one, two)


@lru_cache(maxsize=50_000)
def _find(text: str) -> Sequence[NumberClaim]:
    return [NumberClaim(one.start, one.end, one) for one in quantities_in(text)]


def _is_telling(number: float) -> bool:
    """Whether a number has so many digits that no other thing is likely to have it."""
    return len(f"{number:.0f}".rstrip("0")) >= _TELLING


def likeness(one: Quantity, two: Quantity) -> float:
    """How surely two quantities count the same thing: by head noun or unit, and by the context."""
    words = min(_MOST_WORDS, len((one.context & two.context) - set(one.counted)))
    same = _same_thing(one, two)
    if not same:
        return _NO_HEAD if words > 1 else 0.0
    return same + _WORD * words


def _same_thing(one: Quantity, two: Quantity) -> float:
    """How alike units and head nouns are, without the context."""
    if one.unit or two.unit:
        return _SAME_UNIT if one.unit == two.unit else 0.0
    if not (one.head and two.head):
        return _NO_HEAD
    ours, theirs = set(one.counted), set(two.counted)
    if one.head == two.head:
        return _SAME_HEAD if ours <= theirs or theirs <= ours else _OTHER_HEAD
    return _OTHER_HEAD if ours & theirs else 0.0
