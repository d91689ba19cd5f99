"""Reading guidelines, deadlines and comments."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import tables


@dataclass(frozen=True)
class Guideline:
    """A version of the guidelines for a step, or (without one) for the whole project."""

    step: str
    version: int
    text: str
    time: float


@dataclass(frozen=True)
class Comment:
    """A member's comment on a sentence."""

    id: str
    name: str
    sentence: str
    text: str
    time: float


def newest_guidelines(connection: Connection, project: int) -> dict[str, Guideline]:
    """The newest version for each step that has any."""
    table = tables.guideline
    rows = connection.execute(
        select(table).where(table.c.project == project).order_by(table.c.version)
    )
    return {row.step: Guideline(row.step, row.version, row.text, row.time) for row in rows}


def guideline_versions(
    connection: Connection, project: ProjectAccess, step: str
) -> list[Guideline]:
    """Every version for a step, newest first."""
    table = tables.guideline
    rows = connection.execute(
        select(table)
        .where(table.c.project == project.id, table.c.step == step)
        .order_by(table.c.version.desc())
    )
    return [Guideline(row.step, row.version, row.text, row.time) for row in rows]


def unread_guidelines(connection: Connection, project: ProjectAccess, step: str) -> list[Guideline]:
    """What the visitor has to read before a step: guidelines of the project and of the step."""
    current = newest_guidelines(connection, project.id)
    if not current:
        return []
    table = tables.guideline_read
    query = select(table.c.step, table.c.version).where(
        table.c.project == project.id, table.c.person == project.person
    )
    read = {row.step: row.version for row in connection.execute(query)}
    return [
        current[one]
        for one in ("", step)
        if one in current and current[one].text and read.get(one) != current[one].version
    ]


def guideline_readers(
    connection: Connection, project: ProjectAccess
) -> list[tuple[str, dict[str, int]]]:
    """Every member with the versions that they have read last, for managers."""
    table = tables.guideline_read
    read: dict[int, dict[str, int]] = {}
    rows = connection.execute(select(table).where(table.c.project == project.require_manager().id))
    for row in rows:
        read.setdefault(row.person, {})[row.step] = row.version
    return [(name, read.get(number, {})) for number, name, _ in people.members(connection, project)]


def deadlines(connection: Connection, topics: list[TopicAccess]) -> dict[tuple[int, str], str]:
    """The days by which steps should be handed in, by topic and step."""
    table = tables.deadline
    numbers = [topic.id for topic in topics]
    rows = connection.execute(select(table).where(table.c.topic.in_(numbers)))
    return {(row.topic, row.step): row.day for row in rows}


def comments(connection: Connection, topic: TopicAccess) -> list[Comment]:
    """All comments on a topic, oldest first, for those who may discuss it."""
    if not topic.discusses:
        raise NotFoundError
    if "judge" not in topic.roles and topic.unblinded:
        topic.require_sight()
    table = tables.comment
    rows = connection.execute(
        select(table).where(table.c.topic == topic.id).order_by(table.c.time, table.c.id)
    ).all()
    names = accounts.names(connection, {row.person for row in rows})
    return [
        Comment(row.id, names.get(row.person, "a member"), row.sentence, row.text, row.time)
        for row in rows
    ]
