"""Files that are open already: while a call works, none is opened twice."""

import io
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import ENODEV, ENXIO, EPIPE
from pathlib import Path
from stat import S_ISCHR, S_ISFIFO, S_ISREG, S_ISSOCK
from typing import BinaryIO

KEPT_BYTES = 4 << 20
"""A larger file is not kept in memory; a look leaves it open for its reader."""
KEPT_IN_ALL = 64 << 20
"""Beyond this the files that were opened first are forgotten."""
LEFT_OPEN = 64
"""Large files that a look leaves open; there is a limit to those of a process."""


class OpenedFiles:
    """What was opened before: small files as bytes, large ones as open files for their readers."""

    def __init__(self) -> None:
        self._bytes: dict[Path, bytes] = {}
        self._size = 0
        self._left: dict[Path, int] = {}

    def __reduce__(self) -> tuple[type["OpenedFiles"], tuple[()]]:
        """Another process opens its own files."""
        return OpenedFiles, ()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Forget all files."""
        self._bytes.clear()
        self._size = 0
        while self._left:
            with suppress(OSError):
                os.close(self._left.popitem()[1])

    def open(self, path: Path, *, look: bool = False) -> BinaryIO:
        """The file from its beginning; a `look` closes it before anybody else asks for it."""
        if path in self._bytes:
            return io.BytesIO(self._bytes[path])
        file: BinaryIO
        if path in self._left:
            file = os.fdopen(self._left.pop(path), "rb")
            file.seek(0)
        else:
            file = open_file(path)
        if isinstance(file, io.BytesIO):
            return io.BytesIO(self._keep(path, file.getvalue()))
        status = os.fstat(file.fileno())
        if not S_ISREG(status.st_mode):
            return file
        if status.st_size > KEPT_BYTES:
            if look and len(self._left) < LEFT_OPEN:
                self._left[path] = os.dup(file.fileno())
            return file
        with file:
            return io.BytesIO(self._keep(path, file.read()))

    def _keep(self, path: Path, content: bytes) -> bytes:
        self._bytes[path] = content
        self._size += len(content)
        while self._size > KEPT_IN_ALL:
            self._size -= len(self._bytes.pop(next(iter(self._bytes))))
        return content


PATIENCE = 3
"""Seconds that a pipe gets until a program opens it for writing."""
_PIPED: dict[tuple[int, int], bytes | None] = {}
_OPENED: ContextVar[tuple[OpenedFiles, bool] | None] = ContextVar("opened", default=None)


@contextmanager
def keep_files(opened: OpenedFiles, *, look: bool = False) -> Iterator[None]:
    """Open no file that is open already; a `look` leaves large ones for their reader."""
    before = _OPENED.set((opened, look))
    try:
        yield
    finally:
        _OPENED.reset(before)


def open_once(path: Path, *, look: bool = False) -> BinaryIO:
    """The bytes of a file as they lie there, from memory if it was opened before."""
    kept = _OPENED.get()
    return open_file(path) if kept is None else kept[0].open(path, look=look or kept[1])


def open_file(path: Path) -> BinaryIO:
    """A file, or all that a pipe gives, which is kept, as it can be read once; no device."""
    status = path.stat()
    if S_ISCHR(status.st_mode) and os.path.realpath(path) != os.devnull:
        with path.open("rb") as device:
            if not device.isatty():
                raise OSError(ENODEV, "it is a device")
    if S_ISSOCK(status.st_mode):
        raise OSError(ENXIO, "it is a socket")
    if S_ISREG(status.st_mode) and not status.st_size:
        # An empty file, or one that the system makes while it is read, as below /proc.
        try:
            return io.BytesIO(path.read_bytes())
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(path)) from None
    if not S_ISFIFO(status.st_mode):
        return path.open("rb")
    pipe = (status.st_dev, status.st_ino)
    if pipe not in _PIPED:
        _PIPED[pipe] = _read_pipe(path)
    content = _PIPED[pipe]
    if content is None:
        raise OSError(EPIPE, "it is a pipe to which no program writes")
    return io.BytesIO(content)


def _read_pipe(path: Path) -> bytes | None:
    """All that a pipe gives, or nothing if no program opens it for writing in a while."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(number, "rb") as pipe:
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        start = b""
        # Nothing to read means that nobody writes yet; a writer without words yet is an error.
        with suppress(BlockingIOError):
            for _ in range(round(10 * PATIENCE)):
                if (start := os.read(number, 1)) or waiting.poll(100):
                    break
            else:
                return None
        os.set_blocking(number, True)
        return start + pipe.read()
