"""Proof that the log is the truth: replay it from nothing and compare."""

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, Table, create_engine, insert, select

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.log import entries
from chronoscore.workbench.store.projections import apply


@dataclass(frozen=True)
class ReplayResult:
    """How many entries were replayed, and which tables differ by how many rows."""

    entries: int
    differing: dict[str, int]

    @property
    def equal(self) -> bool:
        """Whether the tables say what the log says."""
        return not self.differing


def verify(database: Database) -> ReplayResult:
    """Replay the log into an empty database in memory and compare every table."""
    memory = create_engine("sqlite://")
    tables.metadata.create_all(memory)
    count = 0
    with database.reading() as kept, memory.connect() as fresh:
        for entry in entries(kept):
            apply(fresh, entry)
            count += 1
        differing = {}
        for table in tables.PROJECTIONS:
            apart = _rows(kept, table) - _rows(fresh, table)
            apart += _rows(fresh, table) - _rows(kept, table)
            if apart:
                differing[table.name] = apart.total()
    return ReplayResult(count, differing)


def rebuild(database: Database) -> int:
    """Delete the projections and rebuild them from the log."""
    count = 0
    with database.writing() as connection:
        for table in tables.PROJECTIONS:
            connection.execute(table.delete())
        for entry in list(entries(connection)):
            apply(connection, entry)
            count += 1
    return count


def _rows(connection: Connection, table: Table) -> Counter[tuple[object, ...]]:
    return Counter(tuple(row) for row in connection.execute(select(table)))


def copy(source: Database, target: Database) -> int:
    """Copy every table of one database into another that is empty; says how many rows."""
    count = 0
    with source.reading() as reading, target.writing() as writing:
        if not source.is_sqlite:
            reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for table in tables.metadata.sorted_tables:
            rows = [dict(row._mapping) for row in reading.execute(select(table))]
            if rows:
                writing.execute(insert(table), rows)
            count += len(rows)
    return count
