"""One database, on SQLite or PostgreSQL: reading freely, writing one at a time.

Writers queue: `BEGIN IMMEDIATE` on SQLite, an advisory lock on PostgreSQL. So the log's
order is the order in which its entries took effect, and a replay is exact. A write
transaction holds a few statements and never waits for a person or the network.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Table, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError

from chronoscore.errors import ChronoscoreError, DataError, UsageError
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.presence import FilePresence, count_write

MIGRATIONS = Path(__file__).parent / "migrations"
_WRITERS = 0x63687273  # Any number will do, as long as every writer uses it.


class Database:
    """A connection pool that knows how to read, and how to write alone."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writing = threading.Lock()
        self.presence = self._fresh_presence()

    @classmethod
    def open(cls, where: str | Path) -> "Database":
        """Open (and create, and bring up to date) the database at a path or URL."""
        url, file = _url(where), sqlite_file(where)
        if file is not None:
            _make_file(file)
        database = cls(_engine(url))
        with database._explained(where):
            _migrate(database)
        return database

    @classmethod
    def open_source(cls, where: str | Path) -> "Database":
        """Open a workbench's database only to read it; whatever else is there stays as it is."""
        url, file = _url(where), sqlite_file(where)
        database = cls(_engine(url, read_only=True))
        with database._explained(where):
            if file is not None and not file.exists():
                raise UsageError(
                    "no such database; start the workbench once, or name another", place=where
                )
            _check_tables(database)
        return database

    @contextmanager
    def _explained(self, where: str | Path) -> Iterator[None]:
        """Say in one sentence why a database cannot be opened, and close it."""
        shown = printable_url(where)
        try:
            yield
        except DatabaseError as error:
            self.close()
            reason = explain_refusal(error)
            raise DataError(
                f"cannot be opened ({reason}); check the address", place=shown
            ) from None
        except CommandError:
            self.close()
            raise DataError(
                "its tables are those of another version of chronoscore; use that one", place=shown
            ) from None
        except ChronoscoreError as error:
            self.close()
            raise error.at(shown) from None

    @property
    def is_sqlite(self) -> bool:
        """Whether this is the embedded file."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent view of the database; nothing is kept."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """For a single statement, which needs no transaction to be consistent."""
        with self.engine.connect() as connection:
            yield connection.execution_options(chronoscore_glances=True)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """The only write transaction of the moment: all of it is kept, or nothing."""
        with self._writing:
            with (
                self.engine.connect() as connection,
                connection.execution_options(chronoscore_writes=True).begin(),
            ):
                if not self.is_sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _WRITERS})
                self.check_in_place()
                if self.is_sqlite:
                    count_write(connection)
                yield connection
            # What was committed to a file that is gone must not be called saved.
            self.check_in_place()

    def check_in_place(self) -> None:
        """Refuse to go on when the SQLite file, or its WAL, was deleted or replaced."""
        if self.presence is not None:
            self.presence.check()

    def _fresh_presence(self) -> FilePresence | None:
        return FilePresence(Path(str(self.engine.url.database))) if self.is_sqlite else None

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self.presence = self._fresh_presence()


def upsert(dialect: str, table: Table) -> Any:
    """An INSERT that may say what happens to rows that are there already."""
    return (sqlite if dialect == "sqlite" else postgresql).insert(table)


def is_disk_full(error: DatabaseError) -> bool:
    """Whether a database could not write because there is no room on its disk."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == "53100"


def is_out_of_reach(error: DatabaseError) -> bool:
    """Whether the database answers nothing at all: its server is down, or its file is locked."""
    if isinstance(error.orig, sqlite3.Error):
        codes = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
        # The lower byte is the kind of error, the others say more about it.
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in codes
    # Classes 08 and 57: no connection, or the operator ended it; without one, none was made.
    state = getattr(error.orig, "sqlstate", None)
    return isinstance(error, OperationalError) and (state or "08")[:2] in ("08", "57")


def sqlite_file(where: str | Path) -> Path | None:
    """The SQLite file at a path or URL; nothing for other databases."""
    url = _url(where)
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def _migrate(database: Database) -> None:
    """Create the tables of a new database, or bring those of an older one up to date.

    New tables are those of `tables`, without the scripts' history. Both happen in one write
    transaction, so that several processes that start at once take turns.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.write() as connection:
        config.attributes["connection"] = connection
        there = inspect(connection).get_table_names()
        if tables.log.name in there:
            command.upgrade(config, "head")
        elif there and database.is_sqlite:
            raise DataError(f"holds other tables ('{there[0]}'); name a file of its own")
        else:
            tables.metadata.create_all(connection)
            command.stamp(config, "head")


def _check_tables(database: Database) -> None:
    """Refuse what is no workbench's database, or that of another version."""
    with database.read() as connection:
        there = set(inspect(connection).get_table_names())
        if tables.log.name not in there:
            raise DataError("holds no workbench; name the database of one, or a backup")
        found = MigrationContext.configure(connection).get_current_revision()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    missing = sorted({table.name for table in tables.metadata.sorted_tables} - there)
    if found != ScriptDirectory.from_config(config).get_current_head():
        raise CommandError("another version")
    if missing:
        raise DataError(f"the table '{missing[0]}' is missing; restore a backup")


def printable_url(where: str | Path) -> str:
    """A path or URL as it may be printed: without its password."""
    if isinstance(where, Path) or "://" not in where:
        return str(where)
    return _url(where).render_as_string(hide_password=True)


def explain_refusal(error: DatabaseError) -> str:
    """Why a database refused something, in its own words."""
    return str(error.orig).strip().splitlines()[0]


def _url(where: str | Path) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return _file_url(where)
    try:
        url = make_url(where)
    except ArgumentError:
        raise UsageError(
            f"database '{where}' is not an address; write a path or postgresql+psycopg://…"
        ) from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        raise UsageError(
            f"database '{url.get_backend_name()}' is not known; use SQLite or postgresql+psycopg://…"
        )
    if url.database in (None, "", ":memory:"):
        raise UsageError(f"database '{where}' would be lost at the end; name a file")
    return _file_url(url.database)


def _file_url(where: str | Path) -> URL:
    """The address of an SQLite file."""
    try:
        path = Path(where).expanduser()
    except RuntimeError:
        raise UsageError("there is no such home folder; check the path", place=where) from None
    # Path.is_dir would raise for a name that is too long.
    if os.path.isdir(path):  # noqa: PTH112
        raise DataError("is a folder; name a file in it", place=where)
    return URL.create("sqlite", database=str(path))


def make_folder(path: Path) -> None:
    """Make the folders that lead to a database file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"its folder cannot be made ({error.strerror}); name another file",
            place=path,
        ) from None


def _make_file(path: Path) -> None:
    """Make an empty file that only its owner may read, unless it is there."""
    make_folder(path)
    try:
        if not path.exists():
            path.touch(mode=0o600)
        elif not os.access(path, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
    except OSError as error:
        raise DataError(
            f"cannot be written ({error.strerror}); name another file", place=path
        ) from None


def _engine(url: URL, *, read_only: bool = False) -> Engine:
    if url.get_backend_name() != "sqlite":
        # READ COMMITTED: after waiting for the lock a writer sees what the one before wrote.
        chosen = {"options": "-c default_transaction_read_only=on"} if read_only else {}
        return create_engine(
            url, pool_size=20, max_overflow=20, pool_pre_ping=True, connect_args=chosen
        )
    address = _reading_address(Path(str(url.database))) if read_only else str(url.database)
    engine = create_engine(
        url,
        pool_size=20,
        max_overflow=20,
        creator=lambda: sqlite3.connect(address, uri=read_only, check_same_thread=False),
    )
    pragmas = ("journal_mode=WAL", "synchronous=FULL")

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # The driver's own BEGIN comes too late to keep a reader from becoming a writer.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("busy_timeout=30000", *(("query_only=ON",) if read_only else pragmas)):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("chronoscore_glances"):
            writes = options.get("chronoscore_writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _reading_address(path: Path) -> str:
    """How SQLite opens a file without changing it, and without files left beside it.

    A read-only connection leaves the WAL that a server uses or left; where there is none it
    would make one and not remove it, so the file is opened for writing and never written to.
    """
    wal = path.with_name(f"{path.name}-wal")
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    mode = "mode=ro" if wal.exists() else "mode=rw" if writable else "immutable=1"
    return f"{path.absolute().as_uri()}?{mode}"
