"""Uploaded archives: nothing is unpacked before its size is known to be bearable."""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import PurePosixPath

from chronoscore.errors import DataError
from chronoscore.workbench.exchange.imports import File, label

MOST_FILES = 5_000
_LISTED = b"PK\x01\x02"
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError,
)  # fmt: skip
"""What reading a broken, encrypted or malicious archive raises."""


def unpacked(files: Iterable[File], largest: int) -> Iterator[File]:
    """The files, and those inside archives, as long as they stay within bounds."""
    left, count = largest, 0
    for file in files:
        inside = _members(file, largest) if file.raw[:4] == b"PK\x03\x04" else [file]
        for one in inside:
            count += 1
            left -= len(one.raw)
            if count > MOST_FILES:
                raise DataError(f"more than {MOST_FILES:,} files; make several topics")
            if left < 0:
                raise DataError("the unpacked files are larger than an upload may be")
            yield one


def _members(file: File, largest: int) -> Iterator[File]:
    # Opening an archive reads its whole list, and a list of a million nothings fills the memory.
    if file.raw.count(_LISTED) > 2 * MOST_FILES:
        raise DataError(f"{label(file.name)}: lists too many files; make several topics")
    try:
        archive = zipfile.ZipFile(BytesIO(file.raw))
    except _BROKEN:
        raise DataError(f"{label(file.name)}: broken archive; pack it again") from None
    left = largest
    with archive:
        for info in archive.infolist():
            path = PurePosixPath(info.filename.replace("\\", "/"))
            if path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1]):
                raise DataError(
                    f"{label(file.name)}: '{label(info.filename)}' points outside; pack it again"
                )
            if info.is_dir() or path.name[:1] in ("", ".") or "__MACOSX" in path.parts:
                continue
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise DataError(
                    f"{label(file.name)}: is packed in an unusual way; pack it as a plain ZIP"
                )
            # The size that an archive states may be a lie, so that reading is what is limited.
            try:
                with archive.open(info) as member:
                    raw = member.read(left + 1)
            except _BROKEN:
                raise DataError(
                    f"{label(file.name)}: '{label(info.filename)}' cannot be unpacked"
                ) from None
            left -= len(raw)
            if left < 0:
                raise DataError(
                    f"{label(file.name)}: unpacks to more than an upload may hold; split it"
                )
            if raw[:4] == b"PK\x03\x04":
                raise DataError(f"{label(file.name)}: an archive inside the archive; unpack it")
            yield File(path.name, raw)
