"""One database, on SQLite or PostgreSQL: reading freely, writing one at a time.

Writers queue: `BEGIN IMMEDIATE` on SQLite, an advisory lock on PostgreSQL. So the log's
order is the order in which its entries took effect, and a replay is exact. A write
transaction holds a few statements and never waits for a person or the network.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Table, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from chronoscore.errors import DataError, UsageError
from chronoscore.workbench.store import tables

MIGRATIONS = Path(__file__).parent / "migrations"
_WRITERS = 0x63687273  # Any number will do, as long as every writer uses it.


class Database:
    """A connection pool that knows how to read, and how to write alone."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writing = threading.Lock()

    @classmethod
    def open(cls, where: str | Path) -> "Database":
        """Open (and create, and bring up to date) the database at a path or URL."""
        url = _url(where)
        if url.get_backend_name() == "sqlite":
            database = cls(_sqlite(url))
        else:
            # READ COMMITTED: after waiting for the lock a writer sees what the one before wrote.
            database = cls(create_engine(url, pool_size=20, max_overflow=20, pool_pre_ping=True))
        shown = url.render_as_string(hide_password=True)
        try:
            _migrate(database)
        except DatabaseError as error:
            database.close()
            reason = explain_refusal(error)
            raise DataError(
                f"cannot be opened ({reason}); check the address", place=shown
            ) from None
        except CommandError:
            database.close()
            raise DataError(
                "its tables are those of another version of chronoscore; use that one", place=shown
            ) from None
        return database

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
        with (
            self._writing,
            self.engine.connect() as connection,
            connection.execution_options(chronoscore_writes=True).begin(),
        ):
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _WRITERS})
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def upsert(dialect: str, table: Table) -> Any:
    """An INSERT that may say what happens to rows that are there already."""
    return (sqlite if dialect == "sqlite" else postgresql).insert(table)


def is_disk_full(error: DatabaseError) -> bool:
    """Whether a database could not write because there is no room on its disk."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == "53100"


def sqlite_file(where: str | Path) -> Path | None:
    """The SQLite file at a path or URL; nothing for other databases and for memory."""
    if isinstance(where, Path) or "://" not in where:
        return Path(where).expanduser()
    url = _url(where)
    in_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if in_file else None


def _migrate(database: Database) -> None:
    """Create the tables of a new database, or bring those of an older one up to date.

    New tables are those of `tables`, without the scripts' history. Both happen in one write
    transaction, so that several processes that start at once take turns.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.write() as connection:
        config.attributes["connection"] = connection
        if inspect(connection).has_table(tables.log.name):
            command.upgrade(config, "head")
        else:
            tables.metadata.create_all(connection)
            command.stamp(config, "head")


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
        path = Path(where).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        return URL.create("sqlite", database=str(path))
    try:
        url = make_url(where)
    except ArgumentError:
        raise UsageError(
            f"database '{where}' is not an address; write a path or postgresql+psycopg://…"
        ) from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        return url
    raise UsageError(
        f"database '{url.get_backend_name()}' is not known; use SQLite or postgresql+psycopg://…"
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url, pool_size=20, max_overflow=20, connect_args={"check_same_thread": False}
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # The driver's own BEGIN comes too late to keep a reader from becoming a writer.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("chronoscore_glances"):
            writes = options.get("chronoscore_writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
