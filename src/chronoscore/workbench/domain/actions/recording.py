"""Writing an entry about a topic, fresh ids, and reading what a browser sent."""

from typing import Any

from sqlalchemy import Connection, Table, func, select

from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.permissions import check_permission
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry


def record_action(
    connection: Connection,
    access: TopicAccess | ProjectAccess,
    action: str,
    data: dict[str, Any],
    key: str,
) -> LogEntry:
    """Log what the visitor did in a topic or project, if they may."""
    check_permission(access, action)
    place: dict[str, Any] = {"project": access.id}
    if isinstance(access, TopicAccess):
        place = {"project": access.project.id, "topic": access.id, "step": access.step}
    entry = LogEntry(action=action, data=data, person=access.person, key=key, **place)
    return log.append_log_entry(connection, entry)


def next_own_id(connection: Connection, topic: TopicAccess, letter: str) -> tuple[str, int]:
    """A fresh id that says nothing about what others did: own entries are counted."""
    table = tables.log
    query = (
        select(func.count())
        .select_from(table)
        .where(table.c.topic == topic.id, table.c.person == topic.person)
    )
    number = (connection.execute(query).scalar() or 0) + 1
    return f"{letter}{topic.person}-{number}", number


def next_shared_id(
    connection: Connection, topic: TopicAccess, table: Table, letter: str
) -> tuple[str, int]:
    """The next free id of a list that all share, such as E3; imported ids may look alike."""
    names = select(table.c.id).where(table.c.topic == topic.id)
    taken = set(connection.execute(names).scalars())
    number = len(taken) + 1
    while f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}", number


def expect_field_type(value: object, kind: type, what: str) -> Any:
    """A value of this type from a browser's message, or a refusal."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InvalidError(f"'{what}' is missing or of the wrong kind")
    return value


def undone_key(body: dict[str, Any]) -> dict[str, str]:
    """Which entry a script undoes by this one, as the log keeps it."""
    key = body.get("undoes")
    return {"undoes": key[:100]} if isinstance(key, str) and key else {}
