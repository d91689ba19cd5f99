"""Roles: subject and object exchanged for the same verb."""

from dataclasses import dataclass
from typing import Self

from chronoscore.measures.contradictions.claims import share
from chronoscore.measures.contradictions.clause_claims import ClauseClaim
from chronoscore.text.clauses import Clause
from chronoscore.text.tokens import word_set

MUTUAL = word_set("meet marri join accompani replac equal resembl")
"""Stems of verbs that say the same either way, or nearly so."""


@dataclass(frozen=True)
class RoleClaim(ClauseClaim):
    """A clause with both a subject and an object."""

    @classmethod
    def span(cls, clause: Clause) -> tuple[int, int] | None:
        """From the first of subject, verb and object to the last, where there are all three."""
        phrases = (clause.agent, clause.patient)
        if not all(one.head for one in phrases) or clause.predicate in MUTUAL:
            return None
        start = min(clause.start, *(one.start for one in phrases))
        return start, max(clause.end, *(one.end for one in phrases))

    def confirms(self, other: Self) -> float:
        """Whether the same does it to the same."""
        one, two = self.clause, other.clause
        same = one.agent.stems & two.agent.stems and one.patient.stems & two.patient.stems
        return float(self.same_verb(other) and bool(same))

    def denies(self, other: Self) -> float:
        """How much of its words each has in the other's place."""
        one, two = self.clause, other.clause
        if not self.same_verb(other):
            return 0.0
        if one.agent.head in two.agent.stems or one.patient.head in two.patient.stems:
            return 0.0
        return min(share(one.agent.stems, two.patient.stems),
                   share(one.patient.stems, two.agent.stems))  # fmt: skip
