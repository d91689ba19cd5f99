"""The table of projections, and putting rows into tables the same way on both databases."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, and_, delete, insert, update
from sqlalchemy.sql.elements import ColumnElement

from chronoscore.workbench.store.database import upsert
from chronoscore.workbench.store.log import LogEntry

Key = Mapping[str, Any]
Apply = Callable[[Connection, LogEntry], None]


@dataclass(frozen=True)
class Projection:
    """What an entry changes: a function of the entry and the tables, and the tables it writes.

    An administrative action, which managers do to a topic, is not time at work in it.
    """

    apply: Apply
    tables: tuple[Table, ...]
    administrative: bool = False


BY_NAME: dict[str, Projection] = {}
"""The projection of every action that a log may hold."""


def applies(name: str, *tables: Table, administrative: bool = False) -> Callable[[Apply], Apply]:
    """Let a function apply the entries of an action; `tables` are all that it writes."""

    def decorate(function: Apply) -> Apply:
        BY_NAME[name] = Projection(function, tables, administrative)
        return function

    return decorate


def rows_with_key(table: Table, key: Key) -> ColumnElement[bool]:
    """The rows of a table that have these values."""
    return and_(*(table.c[name] == value for name, value in key.items()))


def open_invitations(entry: LogEntry) -> dict[str, Any]:
    """The invitations to the entry's project that nobody has used."""
    return {"project": entry.project, "used_by": None}


def row_key(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row is known by."""
    return {column.name: row[column.name] for column in table.primary_key}


def put_rows(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add rows, or replace those with the same key; the last row of a key counts."""
    latest = {tuple(row_key(table, row).values()): dict(row) for row in rows}
    if not latest:
        return
    connection.execute(_replacement(connection.dialect.name, table), list(latest.values()))


@cache
def _replacement(dialect: str, table: Table) -> Any:
    fresh = upsert(dialect, table)
    others = {c.name: fresh.excluded[c.name] for c in table.columns if not c.primary_key}
    if not others:
        return fresh.on_conflict_do_nothing()
    return fresh.on_conflict_do_update(index_elements=list(table.primary_key), set_=others)


def add_topic_row(
    connection: Connection, table: Table, entry: LogEntry, *fields: str, **values: object
) -> None:
    """Add a row of the entry's topic: fields of the entry as they are, and other values."""
    row = {"topic": entry.topic, **{name: entry.data[name] for name in fields}, **values}
    connection.execute(insert(table).values(row))


def topic_row_key(entry: LogEntry, name: str) -> dict[str, Any]:
    """The key of something in the entry's topic."""
    return {"topic": entry.topic, "id": name}


def change_rows(connection: Connection, table: Table, key: Key, values: Mapping[str, Any]) -> int:
    """Change the rows with this key and say how many there were."""
    result = connection.execute(update(table).where(rows_with_key(table, key)).values(**values))
    return result.rowcount


def take_rows(connection: Connection, table: Table, key: Key) -> None:
    """Take rows out of a projection; the log still has what made them."""
    connection.execute(delete(table).where(rows_with_key(table, key)))
