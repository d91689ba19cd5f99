"""Uploaded files: archives are unpacked within limits, and readers get private copies."""

import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath

from chronoscore.errors import DataError
from chronoscore.formats.io import signatures
from chronoscore.formats.io.decoding import wide_encoding

MOST_FILES = 5_000
_LISTED = b"PK\x01\x02"
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError,
)  # fmt: skip
"""What reading a broken, encrypted or malicious archive raises."""


@dataclass(frozen=True)
class File:
    """An uploaded file: what it was called, which is only a label, and its bytes."""

    name: str
    raw: bytes


def decode(file: File) -> str:
    """The text of a file: UTF-8, or what its byte order mark says."""
    signatures.refuse(file.raw, shown_name(file.name))
    try:
        text = file.raw.decode(wide_encoding(file.raw) or "utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"byte {error.start} is not UTF-8; save the file as UTF-8", place=shown_name(file.name)
        ) from None
    if "\0" in text:
        raise DataError(
            "holds a NUL byte and looks binary; give a text file", place=shown_name(file.name)
        )
    return text.replace("\r\n", "\n")


def shown_name(name: str) -> str:
    """A file's name, shortened and made harmless, to be shown."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name)
    return shown if len(shown) <= 80 else f"{shown[:77]}…"


def unpack(files: Iterable[File], largest: int, bad: list[str] | None = None) -> Iterator[File]:
    """The files, and those inside archives, as long as they stay within bounds.

    With `bad`, archives that cannot be read are left out, and the reasons are added to it.
    """
    left, count = largest, 0
    for file in files:
        try:
            inside = list(_members(file, largest)) if _is_archive(file.raw) else [file]
        except DataError as error:
            if bad is None:
                raise
            bad.append(str(error))
            continue
        for one in inside:
            count += 1
            left -= len(one.raw)
            if count > MOST_FILES:
                raise DataError(f"more than {MOST_FILES:,} files; make several topics")
            if left < 0:
                raise DataError("the unpacked files are larger than an upload may be")
            yield one


def _is_archive(raw: bytes) -> bool:
    return raw[:4] == b"PK\x03\x04"


def _members(file: File, largest: int) -> Iterator[File]:
    """The files of an archive; one that is broken, hostile or too large is refused."""
    left = largest
    with _open(file) as archive:
        for info in archive.infolist():
            path = PurePosixPath(info.filename.replace("\\", "/"))
            if path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1]):
                raise _refusal(file, f"'{shown_name(info.filename)}' points outside; pack it again")
            if info.is_dir() or path.name[:1] in ("", ".") or "__MACOSX" in path.parts:
                continue
            raw = _unpack_member(archive, info, file, left)
            left -= len(raw)
            yield File(path.name, raw)


def _open(file: File) -> zipfile.ZipFile:
    # Opening an archive reads its whole list, and a list of a million nothings fills the memory.
    if file.raw.count(_LISTED) > 2 * MOST_FILES:
        raise _refusal(file, "lists too many files; make several topics")
    known = signatures.recognize(file.raw)
    if known is not None and not known.name.endswith("zip archive"):
        raise _refusal(file, f"is {known.name}; {known.advice}")
    try:
        return zipfile.ZipFile(BytesIO(file.raw))
    except _BROKEN:
        raise _refusal(file, "broken archive; pack it again") from None


def _unpack_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: File, left: int) -> bytes:
    """The bytes of a member, at most as many as are left."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refusal(file, "is packed in an unusual way; pack it as a plain ZIP")
    # The size that an archive states may be a lie, so reading is what is limited.
    try:
        with archive.open(info) as member:
            raw = member.read(left + 1)
    except _BROKEN:
        raise _refusal(file, f"'{shown_name(info.filename)}' cannot be unpacked") from None
    if len(raw) > left:
        raise _refusal(file, "unpacks to more than an upload may hold; split it")
    if _is_archive(raw):
        raise _refusal(file, "an archive inside the archive; unpack it")
    return raw


def _refusal(file: File, words: str) -> DataError:
    return DataError(words, place=shown_name(file.name))


@contextmanager
def write_to_folder(files: Sequence[File], name: str) -> Iterator[Path]:
    """A folder that only we know; errors speak of the upload's name, not of where it was.

    Of a single file an error says the name that it came with; of several, their own.
    """
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            (Path(folder) / file.name).write_bytes(file.raw)
        try:
            yield Path(folder)
        except DataError as error:
            place = error.place or folder
            if len(files) == 1:
                place = place.replace(f"{folder}/{files[0].name}", shown_name(name))
            place = place.replace(f"{folder}/", "").replace(folder, shown_name(name))
            raise DataError(error.message, reason=error.reason, place=place) from None
