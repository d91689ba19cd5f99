"""Targets that are written to and never replaced: devices, pipes and open files, as /dev/stdout."""

import os
from errno import ENXIO, EPIPE
from pathlib import Path
from stat import S_ISFIFO, S_ISSOCK
from time import sleep
from typing import BinaryIO

from chronoscore.formats.io.opened import PATIENCE

OPEN = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
"""Names of files that the process has open, with their numbers."""


def is_stream(path: Path) -> bool:
    """Whether something is written to as it is, rather than replaced by a new file."""
    return _number(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def open_stream(path: Path) -> BinaryIO:
    """Open a device, an open file, or a pipe that some program reads within a while."""
    number = _number(path)
    if number is not None:
        # Opened by its name, a file would be written from its beginning, over what `>>` keeps.
        return os.fdopen(os.dup(number), "wb")
    mode = path.stat().st_mode
    if S_ISSOCK(mode):
        raise OSError(ENXIO, "it is a socket")
    if not S_ISFIFO(mode):
        return path.open("wb")
    for _ in range(round(10 * PATIENCE)):
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != ENXIO:
                raise
            sleep(0.1)
            continue
        os.set_blocking(pipe, True)
        return os.fdopen(pipe, "wb")
    raise OSError(EPIPE, "it is a pipe that no program reads")


def _number(path: Path) -> int | None:
    """The number of an open file that a path such as /dev/fd/3 names."""
    name = str(path)
    if name in OPEN:
        return OPEN[name] if os.path.lexists(path) else None
    folder, _, last = name.rpartition("/")
    if folder in ("/dev/fd", "/proc/self/fd") and last.isdecimal() and path.exists():
        return int(last)
    return None
