"""Reading a judged stream: candidates, events, marks, the union and its verdicts."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import tables

Links = tuple[tuple[str, str], ...]
"""Events with the group by which they are expressed, or an empty one."""


@dataclass(frozen=True)
class CandidateEvent:
    """An event that one judge saw."""

    id: str
    person: int
    name: str
    text: str
    sentence: str
    omitted: str
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class TopicEvent:
    """An event of the joint list."""

    id: str
    n: int
    text: str
    omitted: str


@dataclass(frozen=True)
class Mark:
    """What a judge decided about a sentence; neither off nor linked is undecided."""

    off: bool = False
    links: Links = ()
    joined: bool = False
    version: int = 0

    @property
    def decided(self) -> bool:
        """Undecided is not off."""
        return self.off or bool(self.links)


@dataclass(frozen=True)
class LinkVerdict:
    """What the verifier said of an item of an event."""

    kept: bool | None
    added: bool
    version: int


def events(connection: Connection, topic: int, *, omitted: bool = False) -> list[TopicEvent]:
    """The joint list of events, shared by all once it was merged."""
    table = tables.event
    query = select(table).where(table.c.topic == topic, table.c.gone.is_(False))
    if not omitted:
        query = query.where(table.c.omitted == "")
    rows = connection.execute(query.order_by(table.c.n))
    return [TopicEvent(row.id, row.n, row.text, row.omitted) for row in rows]


def own_candidates(connection: Connection, topic: TopicAccess) -> list[CandidateEvent]:
    """The visitor's own candidate events."""
    return _candidates(connection, topic.id, topic.person)


def all_candidates(connection: Connection, topic: TopicAccess) -> list[CandidateEvent]:
    """Every judge's candidates: only for those who merge, and only once all have handed in."""
    if not (topic.works_in("merge") or topic.unblinded) or not topic.over("identify"):
        raise NotFoundError
    return _candidates(connection, topic.id, None)


def read_stories(connection: Connection, topic: TopicAccess) -> set[str]:
    """The stories that the visitor has read."""
    table = tables.reading
    query = select(table.c.story).where(table.c.topic == topic.id, table.c.person == topic.person)
    return set(connection.execute(query).scalars())


def own_marks(
    connection: Connection,
    topic: TopicAccess,
    sentences: Sequence[str] | None = None,
    alive: set[str] | None = None,
) -> dict[str, Mark]:
    """The visitor's own marks, of all or of some sentences; `alive` are the events, if known."""
    return _marks(connection, topic.id, topic.person, sentences, alive)


def marks_by_judge(connection: Connection, topic: TopicAccess) -> dict[int, dict[str, Mark]]:
    """All judges' marks with their names: never for anybody who must stay blind."""
    return all_marks(connection, topic.sighted().id)


def all_marks(connection: Connection, topic: int) -> dict[int, dict[str, Mark]]:
    """The marks of a topic's judges; for the workbench's own use."""
    judges = people.with_role(connection, topic, "judge")
    return {judge: _marks(connection, topic, judge, None) for judge in sorted(judges)}


def verdicts(
    connection: Connection, topic: int, items: Collection[str] | None = None
) -> dict[tuple[str, str], LinkVerdict]:
    """What the verifier said, by event and item, of all items or of some."""
    table = tables.verdict
    query = select(table).where(table.c.topic == topic)
    if items is not None:
        query = query.where(table.c.sentence.in_(items))
    rows = connection.execute(query)
    return {
        (row.event, row.sentence): LinkVerdict(row.kept, row.added, row.version) for row in rows
    }


def _marks(
    connection: Connection,
    topic: int,
    person: int,
    sentences: Sequence[str] | None,
    alive: set[str] | None = None,
) -> dict[str, Mark]:
    table = tables.mark
    query = select(table).where(table.c.topic == topic, table.c.person == person)
    if sentences is not None:
        query = query.where(table.c.sentence.in_(sentences))
    if alive is None:
        alive = {event.id for event in events(connection, topic)}
    return {row.sentence: _mark(row._mapping, alive) for row in connection.execute(query)}


def _mark(row: Mapping[Any, Any], alive: set[str]) -> Mark:
    # An event that was omitted after a reopening takes its links with it.
    links = tuple((event, group) for event, group in json.loads(row["links"]) if event in alive)
    return Mark(row["off"], links, row["joined"], row["version"])


def _candidates(connection: Connection, topic: int, person: int | None) -> list[CandidateEvent]:
    table, merged = tables.candidate, tables.merged
    query = select(table).where(table.c.topic == topic, table.c.withdrawn.is_(False))
    if person is not None:
        query = query.where(table.c.person == person)
    rows = connection.execute(query.order_by(table.c.person, table.c.n)).all()
    joined: dict[str, list[str]] = {}
    for row in connection.execute(
        select(merged).where(merged.c.topic == topic).order_by(merged.c.event)
    ):
        joined.setdefault(row.candidate, []).append(row.event)
    names = accounts.names(connection, {row.person for row in rows})
    return [
        CandidateEvent(
            row.id, row.person, names[row.person], row.text, row.sentence, row.omitted,
            tuple(joined.get(row.id, ())),
        )
        for row in rows
    ]  # fmt: skip
