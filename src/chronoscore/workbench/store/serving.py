"""One server for one SQLite file, and a mark by which a torn copy is known.

SQLite keeps what was written last in a second file, NAME-wal. A copy of the main file alone
looks whole and lacks the latest entries. So a server leaves a mark in the main file while it
runs: a file with the mark, without a WAL and without a server was copied while it was in use.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow
from typing import IO

from sqlalchemy import delete, insert

from chronoscore.errors import DataError, UsageError
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.database import Database, make_folder, sqlite_file

MARK = "in use"
TORN = (
    "was copied while the workbench was running, without its -wal file, so the latest entries "
    "may be missing; copy it with 'chronoscore workbench backup'"
)


@contextmanager
def open_for_server(where: str | Path) -> Iterator[Database]:
    """Open a database for a server; an SQLite file only if no other server has it."""
    path = sqlite_file(where)
    if path is None:
        database = Database.open(where)
        try:
            yield database
        finally:
            database.close()
        return
    make_folder(path)
    with _lock(path):
        database = Database.open(where)
        try:
            _mark(database, in_use=True)
            yield database
            _mark(database, in_use=False)
        finally:
            database.close()


def is_served(where: str | Path) -> bool:
    """Whether a server has this file open now."""
    path = sqlite_file(where)
    if path is None or not _lock_file(path).exists():
        return False
    with _lock_file(path).open() as lock:
        return not _try_lock(lock)


def is_torn(where: str | Path) -> bool:
    """Whether a file is a copy of a main file that was in use, without its WAL.

    Ask before the file is opened: opening takes a WAL in.
    """
    path = sqlite_file(where)
    if path is None or not path.is_file() or _wal(path).exists() or is_served(path):
        return False
    try:
        with sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True) as raw:
            query = "SELECT count(*) FROM secret WHERE name = ?"
            found = raw.execute(query, (MARK,)).fetchone()[0]
    except sqlite3.DatabaseError:
        return False
    raw.close()
    return bool(found)


@contextmanager
def open_source(where: str | Path) -> Iterator[Database]:
    """Open a workbench's database only to read it, whether or not a server has it."""
    database = Database.open_source(where)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def open_for_command(where: str | Path) -> Iterator[Database]:
    """Open a database for a command; a server that was killed leaves a mark that is taken off."""
    path = sqlite_file(where)
    left = path is not None and _wal(path).exists() and not is_served(path)
    database = Database.open(where)
    try:
        if left:
            _mark(database, in_use=False)
        yield database
    finally:
        database.close()


def _mark(database: Database, *, in_use: bool) -> None:
    table, server = tables.secret, 1 + randbelow(2**31 - 1)
    if database.presence is not None:
        database.presence.server = None
    with database.write() as connection:
        connection.execute(delete(table).where(table.c.name == MARK))
        if in_use:
            connection.execute(insert(table).values(name=MARK, value=str(server)))
            connection.exec_driver_sql(f"PRAGMA application_id = {server}")
    # The mark must be in the main file, or a copy of it would not carry it.
    with database.engine.connect() as connection:
        busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()
    if in_use and database.presence is not None and not busy:
        database.presence.server = server


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    try:
        file = _lock_file(path).open("a+")
    except OSError as error:
        raise DataError(
            f"cannot be written ({error.strerror}); name another file",
            place=_lock_file(path),
        ) from None
    with file as lock:
        # A command may be looking at this very moment whether a server is there.
        for _ in range(20):
            if _try_lock(lock):
                break
            time.sleep(0.05)
        else:
            raise UsageError(
                "another workbench serves this file; stop it first, or use PostgreSQL", place=path
            )
        yield


def _try_lock(lock: IO[str]) -> bool:
    """Lock a file until it is closed, unless another process has; only Unix can say that."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")
