"""Moving everything from one database to another: SQLite, PostgreSQL, in any direction."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.exc import DatabaseError

from chronoscore.errors import DataError, UsageError, number_with_noun
from chronoscore.workbench.store import database, replay, serving, tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.serving import MARK, TORN, is_served, is_torn

BATCH = 1_000
Report = Callable[[str], None]


def copy(source: str, target: str, report: Report) -> tuple[int, int]:
    """Copy the database at one path or URL to another; a file that was begun does not stay."""
    path, goal = database.sqlite_file(source), database.sqlite_file(target)
    if is_torn(source):
        raise DataError(TORN, place=source)
    if is_served(target):
        raise UsageError("a workbench serves this file; stop it first", place=target)
    if path is not None and goal is not None and path.absolute() == goal.absolute():
        raise UsageError("is the source itself; choose another target", place=target)
    if goal is not None and goal.is_symlink() and not goal.exists():
        raise UsageError("is a link that leads to no file; choose another name", place=target)
    begun = goal is not None and not goal.exists()
    try:
        with serving.open_source(source) as one, serving.open_for_command(target) as two:
            return copy_tables(one, two, report)
    except BaseException:
        if goal is not None and begun:
            for end in ("", "-wal", "-shm"):
                goal.with_name(goal.name + end).unlink(missing_ok=True)
        raise


def copy_tables(
    source: Database, target: Database, report: Report = lambda _: None
) -> tuple[int, int]:
    """Copy every table into a database without people and entries, and prove the copy.

    All of it is kept, or nothing. The copy has the same rows as the source had, and its log
    replays to its tables. Returns how many rows were copied and how many entries replayed.
    """
    with source.read() as reading, target.write() as writing:
        if not source.is_sqlite:
            reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _clear(writing)
        try:
            count = sum(_copy(reading, writing, table, report) for table in _sorted_tables())
        except DatabaseError as error:
            raise DataError(
                f"the source cannot be read ({database.explain_refusal(error)})"
            ) from None
        if not target.is_sqlite:
            _continue_numbers(writing)
        for table in _sorted_tables():
            if _digest(reading, table) != _digest(writing, table):
                raise DataError(f"table '{table.name}' was not copied faithfully; nothing is kept")
    report("replaying the log")
    verdict = replay.verify(target)
    if not verdict.equal:
        names = ", ".join(verdict.differing)
        raise DataError(
            f"the copy does not follow from its log (tables {names}); "
            "run 'workbench verify' on the source"
        )
    return count, verdict.entries


def _sorted_tables() -> list[Table]:
    return list(tables.metadata.sorted_tables)


def _clear(target: Connection) -> None:
    """Empty a database in which nobody has an account; a start leaves a link and a secret there."""
    for table in (tables.person, tables.log):
        if target.execute(select(func.count()).select_from(table)).scalar():
            raise UsageError("the target holds a workbench already; choose an empty database")
    for table in reversed(_sorted_tables()):
        target.execute(table.delete())


def _copy(reading: Connection, writing: Connection, table: Table, report: Report) -> int:
    count = 0
    for rows in _batches(reading, table):
        writing.execute(insert(table), rows)
        count += len(rows)
    if count:
        report(f"{table.name}: {number_with_noun(count, 'row')}")
    return count


def _batches(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """A table's rows in order, without the mark of a running server."""
    query = select(table).order_by(*table.primary_key).execution_options(yield_per=BATCH)
    for part in connection.execute(query).partitions():
        rows = [
            dict(row._mapping) for row in part if table is not tables.secret or row.name != MARK
        ]
        if rows:
            yield rows


def _digest(connection: Connection, table: Table) -> str:
    """The same for the same rows, whichever database holds them and however it sorts text."""
    total = 0
    for rows in _batches(connection, table):
        for row in rows:
            raw = hashlib.sha256(repr(sorted(row.items())).encode()).digest()
            total = (total + int.from_bytes(raw)) % 2**256
    return f"{total:x}"


def _continue_numbers(connection: Connection) -> None:
    """Let PostgreSQL, which numbers rows by itself, continue after the copied ones."""
    for table in _sorted_tables():
        for column in table.primary_key:
            if column is table.autoincrement_column:
                query = "SELECT setval(pg_get_serial_sequence(:t, :c), :n)"
                last = connection.execute(select(func.max(column))).scalar()
                if last:
                    values = {"t": table.name, "c": column.name, "n": last}
                    connection.execute(text(query), values)
