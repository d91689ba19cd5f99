"""Negation: the same said of the same, once denied and once not."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from chronoscore.measures.contradictions.claims import Claim, Statement, share
from chronoscore.text.clauses import Clause, clauses_in

_CONFIRMING = 1
"""Shared words with which a clause of the same verb and polarity confirms another."""
_LEAST = 3
"""Shared words below which two clauses may speak of different things."""


@dataclass(frozen=True)
class NegationClaim(Claim):
    """A clause that is denied, or not."""

    clause: Clause

    @classmethod
    def find(cls, statement: Statement) -> Sequence[Claim]:
        """Every clause of the statement."""
        return _find(statement.text)

    def confirms(self, other: Self) -> float:
        """Whether the other says the same with the same polarity."""
        one, two = self.clause, other.clause
        if one.predicate != two.predicate or one.negated != two.negated:
            return 0.0
        return float(len(one.context & two.context) >= _CONFIRMING)

    def denies(self, other: Self) -> float:
        """How much of their words two clauses of opposite polarity share."""
        one, two = self.clause, other.clause
        if one.predicate != two.predicate or one.negated == two.negated:
            return 0.0
        if one.hedged or two.hedged:
            return 0.0
        shared = len(one.context & two.context)
        return share(one.context, two.context) if shared >= _LEAST else 0.0


@lru_cache(maxsize=50_000)
def _find(text: str) -> Sequence[NegationClaim]:
    return [NegationClaim(one.start, one.end, one) for one in clauses_in(text)]
