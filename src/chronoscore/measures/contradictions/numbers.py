"""Numbers: the same thing counted or measured, with another result."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from chronoscore.measures.contradictions.claims import Claim, Statement
from chronoscore.text.ordinals import ORDINAL, ordinals_in
from chronoscore.text.quantities import CURRENCY_SIGNS, Quantity, quantities_in
from chronoscore.text.stems import stem

_TELLING = 3
"""Digits from which a number is telling by itself, whatever it counts."""
_ALIKE, _SAME = 0.1, 0.2
"""How alike what is counted must be for an equal number, and for one that may be equal."""
_SAME_HEAD, _SAME_UNIT, _OTHER_HEAD, _NO_HEAD = 0.3, 0.25, 0.15, 0.1
_WORD, _MOST_WORDS = 0.1, 4
_MEASURES = {
    stem(word): row
    for row, words in enumerate(
        (
            "km kilometer kilometre", "mile", "meter metre", "foot feet ft", "inch", "yard", "mph",
            "kg kilo kilogram", "ton tonne", "barrel bpd", "gallon", "liter litre", "acre",
            "hectare", "second", "minute", "hour", "day", "week", "month", "year", "decade",
        )
    )
    for word in words.split()
}  # fmt: skip
"""By the stem of a measure: its number."""
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
        if one.unit != two.unit or not _agree(one, two) or _measured_otherwise(one, two):
            return 0.0
        alike = likeness(one, two)
        if one.low == two.low and (alike >= _ALIKE or _is_telling(one.low)):
            return 1.0
        return alike if alike >= _SAME else 0.0

    def denies(self, other: Self) -> float:
        """How alike two quantities are that differ."""
        one, two = self.quantity, other.quantity
        if _measured_otherwise(one, two):
            return _SAME_UNIT + _WORD * _shared_words(one, two)
        if one.unit != two.unit or _agree(one, two):
            return 0.0
        return likeness(one, two)


@lru_cache(maxsize=50_000)
def _find(text: str) -> Sequence[NumberClaim]:
    found = (*quantities_in(text), *ordinals_in(text))
    return [NumberClaim(one.start, one.end, one) for one in found]


def _is_telling(number: float) -> bool:
    """Whether a number has so many digits that no other thing is likely to have it."""
    return len(f"{number:.0f}".rstrip("0")) >= _TELLING


def _agree(one: Quantity, two: Quantity) -> bool:
    """Whether both can be true; an ordinal is no round number."""
    return one.low == two.low if one.unit == ORDINAL else one.agrees(two)


def _measured_otherwise(one: Quantity, two: Quantity) -> bool:
    """Whether the same number is of another currency or another measure."""
    if one.low != two.low or one.low <= 1:
        return False
    if one.unit in CURRENCY_SIGNS and two.unit in CURRENCY_SIGNS:
        return one.unit != two.unit
    ours, theirs = (_MEASURES.get(q.counted[0]) if q.counted else None for q in (one, two))
    return None not in (ours, theirs) and ours != theirs


def _shared_words(one: Quantity, two: Quantity) -> int:
    return min(_MOST_WORDS, len((one.context & two.context) - set(one.counted)))


def likeness(one: Quantity, two: Quantity) -> float:
    """How surely two quantities count the same thing: by head noun or unit, and by the context."""
    words = _shared_words(one, two)
    same = _same_thing(one, two)
    if not same:
        return _NO_HEAD if words > 1 else 0.0
    return same + _WORD * words


def _same_thing(one: Quantity, two: Quantity) -> float:
    """How alike units and head nouns are, without the context."""
    if one.unit == ORDINAL:
        return _SAME_HEAD if set(one.counted) & set(two.counted) else 0.0
    if one.unit or two.unit:
        return _SAME_UNIT if one.unit == two.unit else 0.0
    if not (one.head and two.head):
        return _NO_HEAD
    ours, theirs = set(one.counted), set(two.counted)
    if one.head == two.head:
        return _SAME_HEAD if ours <= theirs or theirs <= ours else _OTHER_HEAD
    return _OTHER_HEAD if ours & theirs else 0.0
