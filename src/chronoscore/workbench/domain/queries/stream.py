"""Reading a judged stream: candidates, events, marks, the union and its verdicts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import tables
from chronoscore.workbench.web.visit import not_here

Links = tuple[tuple[str, str], ...]
"""Events with the group by which they are expressed, or an empty one."""


@dataclass(frozen=True)
class Candidate:
    """An event that one judge saw."""

    id: str
    person: int
    name: str
    text: str
    sentence: str
    omitted: str
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class EventRow:
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
class Verdict:
    """What the verifier said of an item of an event."""

    kept: bool | None
    added: bool
    version: int


def events(connection: Connection, topic: int, *, omitted: bool = False) -> list[EventRow]:
    """The joint list of events, shared by all once it was merged."""
    table = tables.event
    query = select(table).where(table.c.topic == topic, table.c.gone.is_(False))
    if not omitted:
        query = query.where(table.c.omitted == "")
    rows = connection.execute(query.order_by(table.c.n))
    return [EventRow(row.id, row.n, row.text, row.omitted) for row in rows]


def own_candidates(connection: Connection, place: Place) -> list[Candidate]:
    """The visitor's own candidate events."""
    return _candidates(connection, place.id, place.person)


def all_candidates(connection: Connection, place: Place) -> list[Candidate]:
    """Every judge's candidates: only for those who merge, and only once all have handed in."""
    if not (place.works_in("merge") or place.unblinded) or not place.over("identify"):
        raise not_here()
    return _candidates(connection, place.id, None)


def read_stories(connection: Connection, place: Place) -> set[str]:
    """The stories that the visitor has read."""
    table = tables.reading
    query = select(table.c.story).where(table.c.topic == place.id, table.c.person == place.person)
    return set(connection.execute(query).scalars())


def own_marks(
    connection: Connection,
    place: Place,
    sentences: Sequence[str] | None = None,
    alive: set[str] | None = None,
) -> dict[str, Mark]:
    """The visitor's own marks, of all or of some sentences; `alive` are the events, if known."""
    return _marks(connection, place.id, place.person, sentences, alive)


def marks_by_judge(connection: Connection, place: Place) -> dict[int, dict[str, Mark]]:
    """All judges' marks with their names: never for anybody who must stay blind."""
    if not place.unblinded:
        raise not_here()
    return judged_marks(connection, place.id)


def judged_marks(connection: Connection, topic: int) -> dict[int, dict[str, Mark]]:
    """The marks of a topic's judges; for the workbench's own use."""
    judges = [one.person for one in people.assigned_to(connection, topic) if one.role == "judge"]
    return {judge: _marks(connection, topic, judge, None) for judge in sorted(judges)}


def verdicts(connection: Connection, topic: int) -> dict[tuple[str, str], Verdict]:
    """What the verifier said, by event and item."""
    table = tables.verdict
    rows = connection.execute(select(table).where(table.c.topic == topic))
    return {(row.event, row.sentence): Verdict(row.kept, row.added, row.version) for row in rows}


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


def _candidates(connection: Connection, topic: int, person: int | None) -> list[Candidate]:
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
        Candidate(
            row.id, row.person, names[row.person], row.text, row.sentence, row.omitted,
            tuple(joined.get(row.id, ())),
        )
        for row in rows
    ]  # fmt: skip
