"""Files read one line at a time, so that a stream need not fit into memory."""

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from chronoscore.errors import DataError
from chronoscore.formats.io.files import LONGEST_LINE, explain_read_errors

BOM = b"\xef\xbb\xbf"


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line with its number and its line end, unpacking `.gz`; an empty file is refused."""
    number = 0
    with open_bytes(path) as file, explain_read_errors(path):
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise DataError(
                    f"{path}:{number}: line of more than {LONGEST_LINE:,} bytes; "
                    "put one record on a line"
                )
            yield number, line
    if not number:
        raise DataError(f"{path}: is empty; fill it or leave it out")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Each line as text without its line end; anything but UTF-8 is refused with its line."""
    for number, line in lines(path):
        if number == 1:
            line = line.removeprefix(BOM)
        try:
            yield number, line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise DataError(
                f"{path}:{number}: byte 0x{line[error.start]:02x} at offset {error.start} "
                "is not UTF-8; save the file as UTF-8"
            ) from None


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading bytes; a missing one is said in one sentence."""
    with explain_read_errors(path):
        if path.suffix == ".gz":
            return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(path, "rb"), 1 << 16))
        return path.open("rb")
