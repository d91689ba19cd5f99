"""What claims about clauses have in common: who did what, denied or not."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from chronoscore.measures.contradictions.claims import Claim, Statement
from chronoscore.text.clauses import Clause, clauses_in


@dataclass(frozen=True)
class ClauseClaim(Claim):
    """A clause, which another clause of the same verb may confirm or deny."""

    clause: Clause

    @classmethod
    def find(cls, statement: Statement) -> Sequence[Claim]:
        """Every clause of the statement that makes such a claim."""
        make: Callable[[int, int, Clause], ClauseClaim] = cls
        return _find(make, cls.span, statement.text)

    @classmethod
    @abstractmethod
    def span(cls, clause: Clause) -> tuple[int, int] | None:
        """Where a clause makes such a claim, if it makes one."""

    def same_verb(self, other: Self) -> bool:
        """Whether both say the same verb, or the same with "be"."""
        return self.clause.predicate == other.clause.predicate


@lru_cache(maxsize=100_000)
def _find(
    make: Callable[[int, int, Clause], ClauseClaim],
    span: Callable[[Clause], tuple[int, int] | None],
    text: str,
) -> Sequence[ClauseClaim]:
    return [make(*at, one) for one in clauses_in(text) if (at := span(one)) is not None]
