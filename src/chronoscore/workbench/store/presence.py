"""Whether the SQLite file is still the one that was opened, with what was written to it.

SQLite goes on writing to a file that has no name any more, or over one that somebody copied
onto it, and all of it would be lost. So each write asks first, and once more when it is done.
"""

import os
import sqlite3
import time
from pathlib import Path

from sqlalchemy import Connection

from chronoscore.errors import ChronoscoreError

RETRIES, PAUSE = 5, 0.02
"""Another process may be moving its entries into the file while we look."""


class ReplacedError(ChronoscoreError):
    """The database file is no longer the one that was opened."""

    exit_code = 3


class FilePresence:
    """What is known of an SQLite file and its WAL since they were opened.

    A file with another number is another file. One that was copied onto ours keeps the number: it
    is known by the server's number in its header, which no other file has, and by the count of
    writes there, which only grows. The header is read when the file has changed, without the WAL,
    and nothing else is: while someone reads, SQLite moves only a part of the WAL into the file,
    and then the tables there are those of no moment. The first page is never moved too early,
    because each write changes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.server: int | None = None
        """The number that the server left in this very file."""
        self._files: dict[Path, tuple[int, int]] = {}
        self._change: tuple[int, ...] = ()
        self._writes = 0

    def check(self) -> None:
        """Refuse to go on when the file, or its WAL, was deleted or replaced."""
        main = self._find(self.path)
        self._find(self.path.with_name(f"{self.path.name}-wal"))
        change = (main.st_mtime_ns, main.st_ctime_ns, main.st_size)
        if change != self._change:
            self._check_header()
            self._change = change

    def _find(self, file: Path) -> os.stat_result:
        try:
            found = file.stat()
        except FileNotFoundError:
            raise _replaced() from None
        number = (found.st_dev, found.st_ino)
        if number != self._files.setdefault(file, number):
            raise _replaced()
        return found

    def _check_header(self) -> None:
        for left in reversed(range(RETRIES)):
            try:
                server, writes = self._read()
            except sqlite3.DatabaseError:
                server, writes = -1, -1
            if writes >= self._writes and self.server in (None, server):
                self._writes = writes
                return
            if left:
                time.sleep(PAUSE)
        raise _replaced()

    def _read(self) -> tuple[int, int]:
        """The server's number and the count of writes in the file itself.

        Not by `open`: closing a file takes off all locks that this process has on it.
        """
        raw = sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)
        try:
            ((server,),) = raw.execute("PRAGMA application_id")
            ((writes,),) = raw.execute("PRAGMA user_version")
            return server, writes
        finally:
            raw.close()


def count_write(connection: Connection) -> None:
    """Count a write in the header of the file, by which an older copy is known."""
    raw = connection.connection.cursor()
    ((writes,),) = raw.execute("PRAGMA user_version")
    raw.execute(f"PRAGMA user_version = {writes + 1}")


def _replaced() -> ReplacedError:
    return ReplacedError(
        "the database file was deleted or replaced while the workbench was running; "
        "nothing is saved: the operator must stop it and restore a backup"
    )
