"""Answers by the request that they answer, in one SQLite file that can be passed on.

Of a request only a hash is kept. An answer is kept as the model wrote it: its reasons, reasoning,
nuggets and timelines may repeat the texts that were judged; `redaction` leaves the verdicts.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

import msgspec

from chronoscore.errors import DataError

VERSION = 2
"""Since 2, the answer to a repair is found by the request that it repairs."""
TABLE = """
create table if not exists answers (
    request blob primary key,
    text text not null,
    finish text not null,
    prompt_tokens integer not null,
    answer_tokens integer not null
)
"""

OBJECTS = "select count(*) from sqlite_master"


@dataclass(frozen=True)
class Reply:
    """What an endpoint answered; `finish` says why it stopped, `length` if it was cut off."""

    text: str
    finish: str = "stop"
    prompt_tokens: int = 0
    answer_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.prompt_tokens + self.answer_tokens


def request_key(body: dict[str, Any]) -> bytes:
    """The hash of a whole request: messages, model, temperature, seed, form of the answer."""
    return sha256(msgspec.json.encode(body, order="sorted")).digest()


def repair_key(request: bytes) -> bytes:
    """The key of the answer to a repair, which depends on no answer's text."""
    return sha256(b"repair" + request).digest()


class AnswerCache:
    """The answers in a file, or in memory without one; several threads may use it."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self.lock = Lock()
        try:
            self.connection = self.open(path, read_only)
            if not read_only:
                self.connection.execute("pragma synchronous = normal")
                with self.connection:
                    fresh = not self.connection.execute(OBJECTS).fetchone()[0]
                    self.connection.execute(TABLE)
                    if fresh:
                        self.connection.execute(f"pragma user_version = {VERSION}")
            self.connection.execute("select text from answers limit 0")
        except (sqlite3.Error, OSError) as error:
            raise self.wrong(error) from None

    def open(self, path: Path | None, read_only: bool) -> sqlite3.Connection:
        """Connect; a cache that is only read must be there."""
        if path is None:
            return sqlite3.connect(":memory:", check_same_thread=False)
        if read_only:
            if not path.is_file():
                raise DataError("no such cache; name the recorded one with `cache`", place=path)
            name = f"{path.resolve().as_uri()}?mode=ro"
            return sqlite3.connect(name, uri=True, timeout=60, check_same_thread=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(path, timeout=60, check_same_thread=False)

    def wrong(self, error: Exception) -> DataError:
        """What to say about a file that cannot be used."""
        return DataError(
            f"cannot be used as a cache of answers ({error}); name another", place=self.path
        )

    def get(self, key: bytes) -> Reply | None:
        """The answer to a request, if it was given before."""
        query = "select text, finish, prompt_tokens, answer_tokens from answers where request = ?"
        try:
            with self.lock, closing(self.connection.execute(query, (key,))) as rows:
                row = rows.fetchone()
        except sqlite3.Error as error:
            raise self.wrong(error) from None
        return None if row is None else Reply(*row)

    def put(self, key: bytes, reply: Reply) -> None:
        """Keep an answer; it is on disk when this returns."""
        row = (key, reply.text, reply.finish, reply.prompt_tokens, reply.answer_tokens)
        try:
            with self.lock, self.connection:
                self.connection.execute(
                    "insert or replace into answers values (?, ?, ?, ?, ?)", row
                )
        except sqlite3.Error as error:
            raise self.wrong(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self.lock:
            self.connection.close()
