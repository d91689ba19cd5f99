"""Which tables a projection really writes, beside those that it names."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Delete, Engine, Insert, Update, event

from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections import BY_NAME
from chronoscore.workbench.store.projections.rows import Projection

Written = dict[str, set[str]]
_WRITING: ContextVar[set[str] | None] = ContextVar("_WRITING", default=None)


@contextmanager
def watch() -> Iterator[Written]:
    """Refuse a projection that writes a table without naming it; the tables written so far.

    Undo replays the actions that write a table: one that is not named would be forgotten.
    """
    written: Written = {}
    known = dict(BY_NAME)
    for name, projection in known.items():
        BY_NAME[name] = checked(name, projection, written)
    event.listen(Engine, "before_execute", _note)
    try:
        yield written
    finally:
        event.remove(Engine, "before_execute", _note)
        BY_NAME.update(known)


def checked(name: str, projection: Projection, written: Written) -> Projection:
    """The projection of an action, with a check of what it writes."""
    named = {table.name for table in projection.tables}

    def apply(connection: Connection, entry: LogEntry) -> None:
        token = _WRITING.set(set())
        try:
            projection.apply(connection, entry)
            now = _WRITING.get() or set()
        finally:
            _WRITING.reset(token)
        assert now <= named, f"the projection of {name} also writes {now - named}: name all tables"
        written.setdefault(name, set()).update(now)

    return replace(projection, apply=apply)


def _note(_connection: Connection, statement: Any, *_: Any) -> None:
    now = _WRITING.get()
    if now is not None and isinstance(statement, Insert | Update | Delete):
        now.add(statement.table.name)
