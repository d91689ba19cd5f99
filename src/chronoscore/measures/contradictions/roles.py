"""Roles: subject and object exchanged for the same verb."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from chronoscore.measures.contradictions.claims import Claim, Statement, share
from chronoscore.text.clauses import Clause, clauses_in
from chronoscore.text.tokens import word_set

_MUTUAL = word_set("meet marri join accompani replac equal resembl")
"""Stems of verbs that say the same either way, or nearly so."""


@dataclass(frozen=True)
class RoleClaim(Claim):
    """A clause with both a subject and an object."""

    clause: Clause

    @classmethod
    def find(cls, statement: Statement) -> Sequence[Claim]:
        """Every clause of the statement that has both."""
        return _find(statement.text)

    def confirms(self, other: Self) -> float:
        """Whether the same does it to the same."""
        one, two = self.clause, other.clause
        same = one.agent.stems & two.agent.stems and one.patient.stems & two.patient.stems
        return float(one.predicate == two.predicate and bool(same))

    def denies(self, other: Self) -> float:
        """How much of its words each has in the other's place."""
        one, two = self.clause, other.clause
        if one.predicate != two.predicate:
            return 0.0
        if one.agent.head in two.agent.stems or one.patient.head in two.patient.stems:
            return 0.0
        return min(share(one.agent.stems, two.patient.stems),
                   share(one.patient.stems, two.agent.stems))  # fmt: skip


@lru_cache(maxsize=50_000)
def _find(text: str) -> Sequence[RoleClaim]:
    return [
        RoleClaim(*_span(one), one)
        for one in clauses_in(text)
        if one.agent.head and one.patient.head and one.predicate not in _MUTUAL
    ]


def _span(clause: Clause) -> tuple[int, int]:
    """From the first of subject, verb and object to the last."""
    phrases = (clause.agent, clause.patient)
    start = min(clause.start, *(one.start for one in phrases))
    return start, max(clause.end, *(one.end for one in phrases))
