"""Writing an entry about a topic, and what the browser is told when it was written."""

from typing import Any

from sqlalchemy import Connection, Table, select

from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.web.visit import RefusedError


def record(
    connection: Connection, place: Place, action: str, data: dict[str, Any], key: str
) -> Entry:
    """Log what the visitor did in a topic."""
    return log.append(
        connection,
        Entry(
            action=action,
            data=data,
            person=place.person,
            project=place.project.id,
            topic=place.id,
            step=place.step,
            key=key,
        ),
    )


def acknowledged(connection: Connection, place: Place, entry: Entry) -> dict[str, Any]:
    """Proof that an entry is kept.

    The entry is numbered among the visitor's own: the log's numbers would tell how busy
    the others are.
    """
    number, seconds = people.own_work(connection, place, place.step)
    return {"key": entry.key, "entry": number, "seconds": seconds, "data": entry.data}


def own_name(connection: Connection, place: Place, letter: str) -> tuple[str, int]:
    """A fresh id that tells nothing about what others did: own entries are counted."""
    done = sum(
        work.entries for work in people.work(connection, place) if work.person == place.person
    )
    number = done + 1
    return f"{letter}{place.person}-{number}", number


def next_name(connection: Connection, place: Place, table: Table, letter: str) -> tuple[str, int]:
    """The next free id of a list that all share, such as E3; imported ids may look alike."""
    names = select(table.c.id).where(table.c.topic == place.id)
    taken = set(connection.execute(names).scalars())
    number = len(taken) + 1
    while f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}", number


def wanted(value: object, kind: type, what: str) -> Any:
    """A value of this type from a browser's message, or a refusal."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RefusedError(400, f"'{what}' is missing or of the wrong kind")
    return value
