"""Negation: the same said of the same, once denied and once not."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Self

from chronoscore.measures.contradictions.claims import share
from chronoscore.measures.contradictions.clause_claims import ClauseClaim
from chronoscore.text import listings
from chronoscore.text.clauses import Clause, NounPhrase
from chronoscore.text.stems import stem

_CONFIRMING = 1
"""Shared words with which a clause of the same verb and polarity confirms another."""
_LEAST = 3
"""Shared words below which two clauses may speak of different things."""


@dataclass(frozen=True)
class NegationClaim(ClauseClaim):
    """A clause that is denied, or not."""

    @classmethod
    def span(cls, clause: Clause) -> tuple[int, int]:
        """Every clause is one or the other."""
        return clause.start, clause.end

    def confirms(self, other: Self) -> float:
        """Whether the other says the same with the same polarity, or the opposite with another."""
        one, two = self.clause, other.clause
        if self.opposition(other) is not False:
            return 0.0
        return float(len(one.context & two.context) >= _CONFIRMING)

    def opposition(self, other: Self) -> bool | None:
        """Whether the clauses say the contrary of each other, if they speak of the same at all.

        "Rejected" is the contrary of "accepted" and of "did not reject".
        """
        one, two = self.clause, other.clause
        if self.same_verb(other):
            return one.negated != two.negated
        if one.copular or two.copular or two.predicate not in opposites().get(one.predicate, ()):
            return None
        if not (_may_be_same(one.agent, two.agent) and _may_be_same(one.patient, two.patient)):
            return None
        return one.negated == two.negated

    def denies(self, other: Self) -> float:
        """How much of their words two clauses share of which one says the contrary."""
        one, two = self.clause, other.clause
        if not self.opposition(other) or one.hedged or two.hedged:
            return 0.0
        shared = len(one.context & two.context)
        return share(one.context, two.context) if shared >= _LEAST else 0.0


def _may_be_same(one: NounPhrase, two: NounPhrase) -> bool:
    """Whether two phrases share a head, unless one of them is not known."""
    return not (one.head and two.head) or one.head in two.stems or two.head in one.stems


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """By the stem of a verb: the stems of those that say the opposite."""
    found: dict[str, set[str]] = {}
    lines = listings.read("opposites.txt").splitlines()
    for pair in " ".join(line for line in lines if not line.startswith("#")).split(";"):
        one, two = map(stem, pair.split())
        found.setdefault(one, set()).add(two)
        found.setdefault(two, set()).add(one)
    return {verb: frozenset(others) for verb, others in found.items()}
