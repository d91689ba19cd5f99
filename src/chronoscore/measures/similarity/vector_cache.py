"""Vectors that were computed before, by model and text, in a SQLite file.

The file is `vectors.sqlite` in the user's cache folder, or the one that `use_cache`
or the environment variable CHRONOSCORE_VECTORS names. It changes times, never figures.
"""

import hashlib
import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from chronoscore.errors import DataError, warn
from chronoscore.measures.similarity.models import Vectors

VARIABLE = "CHRONOSCORE_VECTORS"
AT_ONCE = 500
"""Keys in one query."""
PATIENCE = 60.0
"""Seconds to wait while another process writes."""
TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"


def _user_cache_folder() -> Path:
    """Where programs keep what they can compute again, by the custom of the platform."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@contextmanager
def use_cache(path: str | os.PathLike[str] | None) -> Iterator[None]:
    """Keep sentence vectors in this file within a `with` block, also in processes started there."""
    if path is None:
        yield
        return
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = os.fspath(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


@contextmanager
def open_cache() -> Iterator["VectorCache"]:
    """The cache that was asked for, or the user's; without a place to write, one in memory."""
    asked = os.environ.get(VARIABLE)
    path = Path(asked) if asked else _user_cache_folder() / "chronoscore" / "vectors.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path)
    except (OSError, sqlite3.OperationalError) as error:
        if asked:
            raise DataError(
                f"cannot hold vectors ({error}); name another file", place=path
            ) from None
        warn(
            f"{path}: vectors are not kept there ({error}); name another file with `cache`",
            kind="vector-cache",
        )
        connection = _connect(Path(":memory:"))
    except sqlite3.DatabaseError:
        raise DataError(
            "is not a cache of vectors; remove it or name another", place=path
        ) from None
    with closing(connection):
        yield VectorCache(connection, path)


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file with the table of vectors."""
    connection = sqlite3.connect(path, timeout=PATIENCE)
    try:
        connection.execute(TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


class VectorCache:
    """An open file of vectors."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path = connection, path

    def find(self, model: str, texts: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that are known, by text."""
        keys = {_key_of(model, text): text for text in texts}
        wanted = list(keys)
        found: dict[str, Vectors] = {}
        try:
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
                for key, vector in self.connection.execute(query, some):
                    found[keys[key]] = np.frombuffer(vector, dtype="<f4")
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise DataError(f"cannot be read ({error}); remove it", place=self.path) from None
        if len({len(vector) for vector in found.values()}) > 1:
            raise DataError(
                f"vectors of {model} differ in length; remove the file", place=self.path
            )
        return found

    def add(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors for the next time."""
        rows = [(_key_of(model, t), v.astype("<f4").tobytes()) for t, v in vectors.items()]
        try:
            with self.connection:
                self.connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            warn(f"{self.path}: vectors could not be kept ({error})", kind="lost-vectors")


def _key_of(model: str, text: str) -> bytes:
    """The key of a vector: which model, and which text."""
    return hashlib.sha256(f"{model}\0{text}".encode("utf-8", "surrogatepass")).digest()
