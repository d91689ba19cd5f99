"""Who has seen what others decided in a topic: such a person does no blind work there any more.

`TopicAccess.require_sight` collects what a visitor was shown, and the workbench keeps it as an
entry before the answer is sent. A role is given only to those who have not seen too much.
"""

from collections.abc import Collection

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import catalog
from chronoscore.workbench.domain.catalog import BLIND_WORK, WORK
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import BLINDING, FORBIDDEN, WORKER

MANAGER = "manager"
"""As what a person sees a topic who does not work in it."""
SEEN = "they have seen what others decided in this topic, so they cannot work blind in it"

Seen = Collection[tuple[int, str]]
"""Topics, and the role in which a person saw them."""


def unknown(connection: Connection, person: int, seen: Seen) -> set[tuple[int, str]]:
    """What is not yet known about a person's sight; a topic without others' work shows nothing."""
    table, entry = tables.sight, tables.log
    fresh = set(seen)
    for row in connection.execute(select(table).where(table.c.person == person)):
        fresh.discard((row.topic, row.role))
    for topic in {topic for topic, _ in fresh}:
        others = select(entry.c.seq).where(
            entry.c.topic == topic, entry.c.person != person, entry.c.action.in_(BLIND_WORK)
        )
        if connection.execute(others.limit(1)).scalar() is None:
            fresh = {one for one in fresh if one[0] != topic}
    return fresh


def keep(connection: Connection, person: int, seen: Seen) -> None:
    """Keep for good what a person has seen."""
    table = tables.topic
    for topic, role in sorted(unknown(connection, person, seen)):
        row = connection.execute(select(table).where(table.c.id == topic)).one()
        entry = LogEntry(
            action=catalog.TOPIC_SEE.name, data={"role": role}, person=person,
            project=row.project, topic=topic, step=row.step,
        )  # fmt: skip
        log.append(connection, entry)


def find_sighted_workers(connection: Connection, topic: int) -> set[int]:
    """Who works blind in a topic and has seen what others decided: when it was final."""
    assignment, table = tables.assignment, tables.sight
    saw = select(table.c.person).where(table.c.topic == topic, table.c.role == MANAGER)
    query = select(assignment.c.person).where(
        assignment.c.topic == topic, assignment.c.role.in_(BLINDING), assignment.c.person.in_(saw)
    )
    return set(connection.execute(query).scalars())


def check_role(connection: Connection, topic: int, person: int, role: str) -> None:
    """Refuse a role to who has, had or saw something in the topic that excludes it."""
    assignment, entry, table = tables.assignment, tables.log, tables.sight
    held = select(assignment.c.role).where(
        assignment.c.topic == topic, assignment.c.person == person
    )
    worked = select(entry.c.step).where(
        entry.c.topic == topic, entry.c.person == person, entry.c.action.in_(WORK)
    )
    saw = select(table.c.role).where(table.c.topic == topic, table.c.person == person)
    seen = set(connection.execute(saw).scalars())
    had = {WORKER[step] for step in connection.execute(worked.distinct()).scalars()}
    has = set(connection.execute(held).scalars()) | had | seen
    for pair, reason in FORBIDDEN.items():
        if role in pair and pair - {role} <= has:
            raise ConflictError(reason)
    if role in BLINDING and MANAGER in seen:
        raise ConflictError(SEEN)
