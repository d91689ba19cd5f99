"""Names: one in the place of another, with the same words around it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Self

from chronoscore.dates.days import MONTHS, WEEKDAYS
from chronoscore.measures.contradictions.claims import Claim, Statement
from chronoscore.text.tokens import TokenSentence, content_stem, sentences_of_tokens
from chronoscore.text.verbs import DETERMINERS

_NEAR = 5
"""Words before and after a name that say its role."""
_WORD, _LEAST = 0.2, 3
"""What a shared word is worth, and how many there must be."""
_PREFIX, _SIMILAR = 4, 0.75
"""Letters at the beginning, or share of letters, that two spellings of a name have in common."""
_ACRONYM = 5
"""The most letters of an acronym."""


@dataclass(frozen=True)
class NameClaim(Claim):
    """A run of capitalized words inside a sentence."""

    name: frozenset[str]
    last: str
    """The last word of the name: the surname, or what kind of thing it is."""
    role: frozenset[str]
    beside: frozenset[str]
    """All words of the statement: a name next to another does not replace it."""

    @classmethod
    def find(cls, statement: Statement) -> Sequence[Claim]:
        """Every name of the statement."""
        return _find(statement.text)

    def confirms(self, other: Self) -> float:
        """Whether the other has the name, with some word of the same role."""
        named = self.last in other.beside or is_variant(frozenset({self.last}), other.beside)
        return float(named and len(self.role & other.beside) > 1)

    def denies(self, other: Self) -> float:
        """How many words of the role the other gives to another name."""
        shared = len(self.role & other.role)
        one, two = self.name, other.name
        if bool(one & _calendar()) != bool(two & _calendar()):
            return 0.0
        if same := one & two:
            # "Barack Bush" for "Barack Obama": what both share says that they stand for one.
            if shared < _LEAST - 1:
                return 0.0
            shared += len(same)
            one, two = one - two, two - one
            if self.last not in one or other.last not in two:
                return 0.0
        if shared < _LEAST or one & other.beside or two & self.beside:
            return 0.0
        if is_variant(one, other.beside) or is_variant(two, self.beside):
            return 0.0
        return min(1.0, _WORD * shared)


@cache
def _calendar() -> frozenset[str]:
    """The stems of months and weekdays, in whose place no other name stands."""
    return frozenset(content_stem(day.casefold()) for day in (*MONTHS, *WEEKDAYS)) - {""}


def is_variant(name: frozenset[str], words: frozenset[str]) -> bool:
    """Whether some words hold a name in another spelling, as an adjective or as an acronym.

    >>> is_variant(frozenset({"misurata"}), frozenset({"rebel", "misrata"}))
    True
    >>> is_variant(frozenset({"european", "union"}), frozenset({"eu"}))
    True
    """
    initials = {word[0] for word in name}
    return any(
        (len(word) <= _ACRONYM and set(word) == initials)
        or any(_is_same_name(part, word) for part in name)
        for word in words
    )


@lru_cache(maxsize=100_000)
def _is_same_name(one: str, two: str) -> bool:
    """Whether two words begin alike or differ in few letters."""
    if min(len(one), len(two)) < _PREFIX:
        return one[0] == two[0] and len(one) <= _ACRONYM and set(one) <= set(two)
    return one[:_PREFIX] == two[:_PREFIX] or SequenceMatcher(None, one, two).ratio() >= _SIMILAR


@lru_cache(maxsize=50_000)
def _find(text: str) -> Sequence[NameClaim]:
    sentences = sentences_of_tokens(text)
    beside = frozenset(filter(None, (stem for one in sentences for stem in one.stems)))
    found = []
    for sentence in sentences:
        for start, stop in _names_of(sentence):
            tokens = sentence.tokens[start:stop]
            name = frozenset(filter(None, (content_stem(token.small) for token in tokens)))
            if name:
                role = frozenset(sentence.stems_around(start, stop, _NEAR)) - name
                last = next(filter(None, (content_stem(one.small) for one in reversed(tokens))))
                found.append(NameClaim(tokens[0].start, tokens[-1].end, name, last, role, beside))
    return found


def _names_of(sentence: TokenSentence) -> Iterator[tuple[int, int]]:
    """Runs of capitalized words; one that opens the sentence only if it is longer than a word."""
    start = None
    for place in range(len(sentence) + 1):
        token = sentence.tokens[place] if place < len(sentence) else None
        if token and token.text[:1].isupper() and token.text[:1].isalpha():
            start = place if start is None else start
        elif start is not None:
            start += sentence.tokens[start].small in DETERMINERS
            if start < place and (start or place > 1):
                yield start, place
            start = None
