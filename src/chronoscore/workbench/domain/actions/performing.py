"""From a function to an action: its rule is checked, and what it returns becomes an entry."""

from collections.abc import Callable
from functools import wraps
from secrets import token_hex
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, Table, func, select

from chronoscore.errors import ChronoscoreError
from chronoscore.workbench.domain import permissions
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.catalog import Action
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry

P = ParamSpec("P")
A = TypeVar("A", TopicAccess, ProjectAccess)
Data: TypeAlias = dict[str, Any]


def performs(
    action: Action, *, then: Callable[[Connection, Any, str], None] | None = None
) -> Callable[
    [Callable[Concatenate[Connection, A, P], Data | list[Data]]],
    Callable[Concatenate[Connection, A, str, P], LogEntry],
]:
    """Turn a function into an action that is done at most once for each key.

    The function refuses what makes no sense and returns what the entry says; several entries,
    each about the thing in its `id`, for a list. `then` is what the workbench does after it.
    """

    def decorate(
        function: Callable[Concatenate[Connection, A, P], Data | list[Data]],
    ) -> Callable[Concatenate[Connection, A, str, P], LogEntry]:
        @wraps(function)
        def perform(
            connection: Connection, access: A, key: str, /, *args: P.args, **options: P.kwargs
        ) -> LogEntry:
            try:
                permissions.check(access, action)
                data = function(connection, access, *args, **options)
                if isinstance(data, list):
                    keys = [f"{key}:{one['id']}" for one in data]
                    rows = zip(data, keys, strict=True)
                    entry = [record(connection, access, action, *row) for row in rows][-1]
                else:
                    entry = record(connection, access, action, data, key)
                if then is not None:
                    then(connection, access, key)
                return entry
            except ChronoscoreError:
                # What was done already is not refused when it is sent again.
                known = log.find(connection, access.person, key)
                if known is None:
                    raise
                return known

        perform.action = action  # type: ignore[attr-defined]
        return perform

    return decorate


def record(
    connection: Connection, access: TopicAccess | ProjectAccess, action: Action, data: Data,
    key: str,
) -> LogEntry:  # fmt: skip
    """Log what the visitor did in a topic or project, if they may."""
    permissions.check(access, action)
    place: dict[str, Any] = {"project": access.id}
    if isinstance(access, TopicAccess):
        place = {"project": access.project.id, "topic": access.id, "step": access.step}
    entry = LogEntry(action=action.name, data=data, person=access.person, key=key, **place)
    return log.append(connection, entry)


def next_own_id(connection: Connection, topic: TopicAccess, letter: str) -> tuple[str, int]:
    """A fresh id that says nothing about anybody, and a number that counts own entries only.

    Ids leave the workbench in files without names, so they are drawn by chance.
    """
    table = tables.log
    query = (
        select(func.count())
        .select_from(table)
        .where(table.c.topic == topic.id, table.c.person == topic.person)
    )
    number = (connection.execute(query).scalar() or 0) + 1
    return f"{letter}{token_hex(6)}", number


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
