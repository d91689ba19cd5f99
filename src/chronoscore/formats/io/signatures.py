"""Files that are no text, known by the bytes that they begin with, whatever they are called."""

import io
from typing import NamedTuple

from chronoscore.errors import DataError

ZIP = (b"PK\x03\x04", b"PK\x05\x06")


class Signature(NamedTuple):
    """What a file is, and what to do with it."""

    name: str
    advice: str = "save it as text"


_IMAGE = Signature("an image", "give its text")
_ARCHIVE = "unpack it first"
_STARTS: tuple[tuple[bytes, Signature], ...] = (
    (b"%PDF-", Signature("a PDF document")),
    (b"{\\rtf", Signature("an RTF document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Signature("an old Office document")),
    (b"\x89PNG\r\n", _IMAGE),
    (b"\xff\xd8\xff", _IMAGE),
    (b"GIF87a", _IMAGE),
    (b"GIF89a", _IMAGE),
    (b"II*\0", _IMAGE),
    (b"MM\0*", _IMAGE),
    (b"\x1f\x8b", Signature("a gzip archive", "let its name end in .gz, or unpack it")),
    (b"\xfd7zXZ\0", Signature("an xz archive", "let its name end in .xz, or unpack it")),
    (
        b"\x28\xb5\x2f\xfd",
        Signature("a Zstandard archive", "let its name end in .zst, or unpack it"),
    ),
    (b"BZh91AY", Signature("a bzip2 archive", _ARCHIVE)),
    (b"7z\xbc\xaf\x27\x1c", Signature("a 7z archive", _ARCHIVE)),
    (b"Rar!\x1a\x07", Signature("a RAR archive", _ARCHIVE)),
    (
        b"PAR1\x15",
        Signature("a Parquet file", "let its name end in .parquet, or save it as JSON Lines"),
    ),
    (b"SQLite format 3\0", Signature("an SQLite database", "export a table as CSV")),
    (b"\x93NUMPY", Signature("a NumPy array", "save it as JSON")),
    (b"\x80\x04\x95", Signature("a Python pickle", "save it as JSON")),
    (b"\x80\x05\x95", Signature("a Python pickle", "save it as JSON")),
    (b"\x7fELF", Signature("a program", "give a text")),
)
_WEBP = b"WEBP"
_MOVIE = b"ftyp"
_PACKED: tuple[tuple[str, Signature], ...] = (
    ("word/", Signature("a Word document")),
    ("xl/", Signature("an Excel workbook", "save it as CSV")),
    ("ppt/", Signature("a PowerPoint presentation")),
    ("content.xml", Signature("an OpenDocument file", "save it as text or CSV")),
    ("META-INF/container.xml", Signature("an e-book")),
)
"""Kinds of zip archives, by a file or folder that they hold."""


def recognize(raw: bytes) -> Signature | None:
    """What a file with these bytes is, if it is no text."""
    if raw.startswith(ZIP):
        return _recognize_zip(raw)
    if raw[:4] == b"RIFF" and raw[8:12] == _WEBP:
        return _IMAGE
    if raw[:3] == b"\0\0\0" and raw[4:8] == _MOVIE:
        return Signature("a video", "give its text")
    return next((signature for start, signature in _STARTS if raw.startswith(start)), None)


def _recognize_zip(raw: bytes) -> Signature:
    import zipfile  # few files are archives

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            inside = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return Signature("a broken zip archive", "fetch or pack it again")
    for start, signature in _PACKED:
        if any(name.startswith(start) for name in inside):
            return signature
    return Signature("a zip archive", "give it where a folder may stand, or unpack it")


def refuse(raw: bytes, place: object) -> None:
    """Refuse a file that is no text, by its name."""
    if found := recognize(raw):
        raise DataError(f"is {found.name}; {found.advice}", place=place)
