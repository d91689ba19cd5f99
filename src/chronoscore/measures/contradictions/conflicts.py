"""Conflicts: where an entry says something else than what it is held against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chronoscore.core import Timeline, When
from chronoscore.core.texts import Entry
from chronoscore.measures.contradictions.claims import Statement, Suspicion, suspect
from chronoscore.measures.contradictions.kinds import INVENTED, KINDS, Kind
from chronoscore.measures.contradictions.pairing import Evidence, entry_statements


@dataclass(frozen=True)
class Conflict:
    """A span of an entry that contradicts a span of another text."""

    kind: str
    strength: float
    own: Statement
    start: int
    end: int
    other: Statement | None = None
    """What it contradicts; nothing for an invented entry."""
    other_start: int = 0
    other_end: int = 0

    @property
    def when(self) -> When:
        """The date of the entry."""
        return self.own.when

    @property
    def span(self) -> str:
        """The words of the entry."""
        return self.own.text[self.start : self.end]

    @property
    def other_span(self) -> str:
        """The words that they contradict."""
        return self.other.text[self.other_start : self.other_end] if self.other else ""


@dataclass(frozen=True)
class Search:
    """What conflicts are looked for, and how far away evidence may be."""

    within: int
    around: int
    """Days within which an entry without evidence would have some."""
    english: bool
    invented: bool

    def conflicts(self, timeline: Timeline, evidence: Evidence) -> Iterator[Conflict]:
        """The conflicts of a timeline, entry by entry."""
        for entry in timeline:
            yield from self.conflicts_of_entry(entry, evidence)

    def conflicts_of_entry(self, entry: Entry, evidence: Evidence) -> Iterator[Conflict]:
        """The conflicts of one entry, kind by kind."""
        statements = evidence.about(entry, self.within)
        for name, kind in KINDS.items():
            if self.english or kind.any_language:
                for conflict in suspicions(entry, statements, name, kind):
                    if conflict.other is not None and conflict.strength >= kind.threshold:
                        yield conflict
        lacking = self.invented and not statements and evidence.can_lack(entry)
        if lacking and not evidence.about(entry, self.around):
            first = next(entry_statements(entry), None)
            if first is not None:
                yield Conflict(INVENTED, 1.0, first, 0, len(first.text))


def suspicions(
    entry: Entry, statements: Sequence[Statement], name: str, kind: Kind
) -> Iterator[Conflict]:
    """All claims of one kind in an entry, each with how suspicious it is."""
    found = [(own, claim) for own in entry_statements(entry) for claim in kind.claims.find(own)]
    if not found:
        return
    others = [(one, claim) for one in statements for claim in kind.claims.find(one)]
    for own, claim in found:
        suspicion = suspect(claim, own.when, others)
        yield _conflict(name, own, (claim.start, claim.end), suspicion)


def _conflict(name: str, own: Statement, place: tuple[int, int], suspicion: Suspicion) -> Conflict:
    """A suspicion with its places in both texts."""
    if suspicion.claim is None:
        return Conflict(name, suspicion.strength, own, *place)
    there = suspicion.claim.start, suspicion.claim.end
    return Conflict(name, suspicion.strength, own, *place, suspicion.statement, *there)
