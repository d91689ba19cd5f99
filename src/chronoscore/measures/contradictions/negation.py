"""Negation: the same said of the same, once denied and once not."""

from dataclasses import dataclass
from typing import Self

from chronoscore.measures.contradictions.claims import share
from chronoscore.measures.contradictions.clause_claims import ClauseClaim
from chronoscore.text.clauses import Clause

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
        """Whether the other says the same with the same polarity."""
        one, two = self.clause, other.clause
        if not self.same_verb(other) or one.negated != two.negated:
            return 0.0
        return float(len(one.context & two.context) >= _CONFIRMING)

    def denies(self, other: Self) -> float:
        """How much of their words two clauses of opposite polarity share."""
        one, two = self.clause, other.clause
        if not self.same_verb(other) or one.negated == two.negated:
            return 0.0
        if one.hedged or two.hedged:
            return 0.0
        shared = len(one.context & two.context)
        return share(one.context, two.context) if shared >= _LEAST else 0.0
