"""Whether the SQLite file is still the one that was opened, with what was written to it.

SQLite goes on writing to a file that has no name any more, or over one that somebody copied
onto it, and all of it would be lost. So each write asks first, and once more when it is done.
"""

import os
import sqlite3
import time
from pathlib import Path

from chronoscore.errors import ChronoscoreError

RETRIES, PAUSE = 5, 0.02
"""Another process may be moving its entries into the file while we look."""


class ReplacedError(ChronoscoreError):
    """The database file is no longer the one that was opened."""

    exit_code = 3


class FilePresence:
    """What is known of an SQLite file and its WAL since they were opened.

    A file with another number is another file. One that was copied onto ours keeps the number:
    it is known by the mark of the server, which no other file has, and by the newest entry that
    was seen in it. Both are read only when the file has changed, without its WAL.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mark: tuple[str, str] | None = None
        """Name and value of the row in `secret` that the server left in this very file."""
        self._files: dict[Path, tuple[int, int]] = {}
        self._change: tuple[int, ...] = ()
        self._newest: tuple[int, str] | None = None

    def check(self) -> None:
        """Refuse to go on when the file, or its WAL, was deleted or replaced."""
        main = self._find(self.path)
        self._find(self.path.with_name(f"{self.path.name}-wal"))
        change = (main.st_mtime_ns, main.st_ctime_ns, main.st_size)
        if change != self._change:
            self._check_content()
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

    def _check_content(self) -> None:
        for left in reversed(range(RETRIES)):
            try:
                newest, same = self._read()
            except sqlite3.DatabaseError:
                same = False
            if same:
                self._newest = newest
                return
            if left:
                time.sleep(PAUSE)
        raise _replaced()

    def _read(self) -> tuple[tuple[int, str] | None, bool]:
        """The newest entry in the file itself, and whether it has what it had before.

        Not by `open`: closing a file takes off all locks that this process has on it.
        """
        raw = sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)
        try:
            if not raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'log'").fetchone():
                return None, self.mark is None and self._newest is None
            newest = raw.execute("SELECT seq, key FROM log ORDER BY seq DESC LIMIT 1").fetchone()
            same = True
            if self._newest is not None:
                known = raw.execute("SELECT seq, key FROM log WHERE seq = ?", self._newest[:1])
                same = known.fetchone() == self._newest
            if self.mark is not None:
                known = raw.execute("SELECT name, value FROM secret WHERE name = ?", self.mark[:1])
                same = same and known.fetchone() == self.mark
            return newest, same
        finally:
            raw.close()


def _replaced() -> ReplacedError:
    return ReplacedError(
        "the database file was deleted or replaced while the workbench was running; "
        "nothing is saved: the operator must stop it and restore a backup"
    )
