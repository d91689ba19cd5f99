"""Reading a judged stream: candidates, events, marks, the union and its verdicts."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, bindparam, select

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


def joint_events(connection: Connection, topic: int, *, omitted: bool = False) -> list[TopicEvent]:
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
    if not topic.over("identify"):
        raise NotFoundError
    if not topic.works_in("merge"):
        topic.require_sight()
    return _candidates(connection, topic.id, None)


def texts_of_candidates(
    connection: Connection, topic: TopicAccess, names: Sequence[str]
) -> dict[str, str]:
    """The words of those of some candidates that there are, for those who merge."""
    if not topic.over("identify") or not topic.works_in("merge"):
        raise NotFoundError
    table = tables.candidate
    here = (table.c.topic == topic.id, table.c.id.in_(names), table.c.withdrawn.is_(False))
    return {row.id: row.text for row in connection.execute(select(table).where(*here))}


def own_read_stories(connection: Connection, topic: TopicAccess) -> set[str]:
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


def own_repeats(connection: Connection, topic: TopicAccess) -> dict[str, set[str]]:
    """The visitor's own second decisions: the events of each sentence."""
    return _all_repeats(connection, topic.id).get(topic.person, {})


def repeats_by_judge(connection: Connection, topic: TopicAccess) -> dict[int, dict[str, set[str]]]:
    """Everybody's second decisions: never for visitors who must stay blind."""
    return _all_repeats(connection, topic.require_sight().id)


def _all_repeats(connection: Connection, topic: int) -> dict[int, dict[str, set[str]]]:
    """The second decisions of a topic's judges; for the workbench's own use."""
    table = tables.repeat
    found: dict[int, dict[str, set[str]]] = {}
    for row in connection.execute(select(table).where(table.c.topic == topic)):
        found.setdefault(row.person, {})[row.sentence] = set(json.loads(row.links))
    return found


MachineLinks: TypeAlias = dict[str, set[str] | None]
"""The events that a machine linked each sentence to; None where it abstained."""


def machine_judges(connection: Connection, topic: TopicAccess) -> dict[str, MachineLinks]:
    """What machines linked: the events of each sentence, for managers and the verifier only."""
    verifies = "verifier" in topic.roles and topic.started("verify")
    if not (topic.unblinded or verifies) or "judge" in topic.roles:
        return {}
    table = tables.machine
    rows = connection.execute(select(table).where(table.c.topic == topic.id))
    return {
        row.judge: {
            name: None if links is None else set(links)
            for name, links in json.loads(row.links).items()
        }
        for row in rows
    }


def machine_says(links: MachineLinks, event: str, sentences: Iterable[str]) -> str:
    """What a machine says of an item: yes, no, or that it abstained."""
    own = [links.get(name, set()) for name in sentences]
    if any(event in events for events in own if events is not None):
        return "yes"
    return "abstained" if None in own else "no"


def practice_answers(connection: Connection, topic: TopicAccess) -> dict[str, set[str]]:
    """The answers of a topic for practice: for managers, and for judges who have handed in."""
    if not topic.practice or not (topic.unblinded or "link" in topic.submitted):
        raise NotFoundError
    text = connection.execute(
        select(tables.topic.c.answers).where(tables.topic.c.id == topic.id)
    ).scalar_one()
    return {name: set(links) for name, links in json.loads(text)["links"].items()}


def queue(connection: Connection, topic: int) -> frozenset[str]:
    """The sentences that are to be judged; none means all of them."""
    text = connection.execute(select(tables.topic.c.queue).where(tables.topic.c.id == topic))
    return frozenset(json.loads(text.scalar_one() or "[]"))


def marks_by_judge(connection: Connection, topic: TopicAccess) -> dict[int, dict[str, Mark]]:
    """All judges' marks with their names: never for visitors who must stay blind."""
    return all_marks(connection, topic.require_sight().id)


def all_marks(connection: Connection, topic: int) -> dict[int, dict[str, Mark]]:
    """The marks of a topic's judges; for the workbench's own use."""
    judges = people.people_with_role(connection, topic, "judge")
    return {judge: _marks(connection, topic, judge, None) for judge in sorted(judges)}


def verifier_verdicts(
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
    whose: dict[str, Any] = {"topic": topic, "person": person}
    if sentences is not None:
        whose["sentences"] = sentences
    if alive is None:
        alive = {event.id for event in joint_events(connection, topic)}
    rows = connection.execute(_marks_query(some=sentences is not None), whose)
    return {row.sentence: _mark(row._mapping, alive) for row in rows}


@cache
def _marks_query(*, some: bool) -> Select[Any]:
    table = tables.mark
    query = select(table).where(
        table.c.topic == bindparam("topic"), table.c.person == bindparam("person")
    )
    if not some:
        return query
    return query.where(table.c.sentence.in_(bindparam("sentences", expanding=True)))


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
