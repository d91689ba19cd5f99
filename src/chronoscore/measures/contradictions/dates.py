"""Dates inside texts: the same told of another day."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from chronoscore.dates.finder import dates_in
from chronoscore.dates.when import When
from chronoscore.lazy import pattern
from chronoscore.measures.contradictions.claims import Claim, Statement
from chronoscore.text.tokens import sentences_of_tokens

_NEAR = 8
"""Words before and after a date that say what happened then."""
_WORD, _LEAST = 0.2, 3
"""What a shared word is worth, and how many there must be."""
_WRITTEN_OUT = pattern(r"\d")


@dataclass(frozen=True)
class DateClaim(Claim):
    """A date that a text writes out, with the words around it."""

    when: When
    context: frozenset[str]

    @classmethod
    def find(cls, statement: Statement) -> Sequence[Claim]:
        """Every date of the statement with a figure in it: "Friday" and "in May" say too little."""
        return _find(statement.text, statement.when)

    def confirms(self, other: Self) -> float:
        """Whether the other names the same day, or a stretch that has it."""
        return float(self.when.overlaps(other.when))

    def denies(self, other: Self) -> float:
        """How many words around two dates of the same grain are the same."""
        shared = len(self.context & other.context)
        if self.when.grain != other.when.grain or shared < _LEAST:
            return 0.0
        return min(1.0, _WORD * shared)


@lru_cache(maxsize=50_000)
def _find(text: str, on: When) -> Sequence[DateClaim]:
    if not _WRITTEN_OUT.search(text):
        return ()
    return [
        DateClaim(one.start, one.end, one.when, _context(text, one.start, one.end))
        for one in dates_in(text, on=on)
        if one.when is not None
        and one.type == "DATE"
        and one.when.grain in ("day", "month", "year")
        and _WRITTEN_OUT.search(text, one.start, one.end)
    ]


def _context(text: str, start: int, end: int) -> frozenset[str]:
    """The content words around a date, in its sentence."""
    for sentence in sentences_of_tokens(text):
        inside = [n for n, one in enumerate(sentence.tokens) if start <= one.start < end]
        if inside:
            return frozenset(sentence.stems_around(inside[0], inside[-1] + 1, _NEAR))
    return frozenset()
