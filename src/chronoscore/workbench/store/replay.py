"""Proof that the log is the truth: replay it from nothing and compare."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, create_engine, select
from sqlalchemy.exc import DatabaseError

from chronoscore.errors import DataError
from chronoscore.workbench.store import log, projections, tables
from chronoscore.workbench.store.database import Database, explain_refusal


@dataclass(frozen=True)
class ReplayResult:
    """How many entries were replayed, and which tables differ by how many rows."""

    entries: int
    differing: dict[str, int]

    @property
    def equal(self) -> bool:
        """Whether the tables say what the log says."""
        return not self.differing


def check_file(database: Database) -> None:
    """Refuse an SQLite file with damaged pages, such as one copied while it was written."""
    if not database.is_sqlite:
        return
    try:
        with database.read() as connection:
            found = str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar())
    except DatabaseError as error:
        found = explain_refusal(error)
    if found != "ok":
        raise DataError(
            f"the file is damaged ({found.splitlines()[-1]}); restore a backup",
            place=database.engine.url.database,
        )


def verify(database: Database) -> ReplayResult:
    """Replay the log into an empty database in memory and compare every table."""
    memory = create_engine("sqlite://")
    tables.metadata.create_all(memory)
    count = 0
    with database.read() as kept, memory.connect() as fresh:
        for entry in log.read(kept):
            projections.apply(fresh, entry)
            count += 1
        differing = {}
        for table, names in tables.LOGGED.items():
            query = select(*(table.c[name] for name in names))
            if table is tables.invitation:
                # A start makes a link for the first account before there is anything in the log.
                query = query.where(table.c.project.is_not(None))
            apart = _rows(kept, query) - _rows(fresh, query)
            apart += _rows(fresh, query) - _rows(kept, query)
            if apart:
                differing[table.name] = apart.total()
    return ReplayResult(count, differing)


def rebuild(database: Database) -> int:
    """Delete the projections and rebuild them from the log."""
    count = 0
    with database.write() as connection:
        for table in tables.PROJECTIONS:
            connection.execute(table.delete())
        for entry in list(log.read(connection)):
            projections.apply(connection, entry)
            count += 1
    return count


def _rows(connection: Connection, query: Select[Any]) -> Counter[tuple[object, ...]]:
    return Counter(tuple(row) for row in connection.execute(query))
