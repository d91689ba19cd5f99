"""Putting rows into projections, the same way on SQLite and PostgreSQL."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, and_, delete, insert, update
from sqlalchemy.sql.elements import ColumnElement

Key = Mapping[str, Any]


def where(table: Table, key: Key) -> ColumnElement[bool]:
    """The rows of a table that have these values."""
    return and_(*(table.c[name] == value for name, value in key.items()))


def put(connection: Connection, table: Table, key: Key, values: Mapping[str, Any]) -> None:
    """Change the row with this key, or add it; writers take turns, so nobody comes between."""
    if not change(connection, table, key, values):
        connection.execute(insert(table).values(**key, **values))


def change(connection: Connection, table: Table, key: Key, values: Mapping[str, Any]) -> int:
    """Change the rows with this key and say how many there were."""
    result = connection.execute(update(table).where(where(table, key)).values(**values))
    return result.rowcount


def take(connection: Connection, table: Table, key: Key) -> None:
    """Take rows out of a projection; the log still has what made them."""
    connection.execute(delete(table).where(where(table, key)))
