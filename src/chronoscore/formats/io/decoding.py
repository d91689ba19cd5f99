"""Bytes to text: UTF-8, UTF-16 or UTF-32 with a byte order mark, or the encoding that was named."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from chronoscore.errors import DataError, UsageError, warn

EncodingErrors: TypeAlias = Literal["strict", "replace"]

WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks of the encodings that are recognized by them."""


@dataclass
class Decoding:
    """How bytes become text, and how many characters were replaced, by file."""

    encoding: str | None = None
    errors: EncodingErrors = "strict"
    replaced: dict[str, int] = field(default_factory=dict)


_DECODING: ContextVar[Decoding | None] = ContextVar("decoding", default=None)


@contextmanager
def decode_as(
    encoding: str | None, errors: EncodingErrors = "strict", *, quiet: bool = False
) -> Iterator[None]:
    """Read files in another encoding, or with what is wrong in them replaced and counted.

    The count is a warning, unless `quiet`: then the files are read again later.
    """
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except (LookupError, ValueError):
            raise UsageError(
                f"unknown encoding '{encoding}'; write one such as utf-8, utf-16, cp1252 or gb18030"
            ) from None
    decoding = Decoding(encoding, errors)
    before = _DECODING.set(decoding if encoding or errors != "strict" else None)
    try:
        yield
    finally:
        _DECODING.reset(before)
    counts = decoding.replaced
    if counts and not quiet:
        total, first = sum(counts.values()), next(iter(counts))
        what = "character was" if total == 1 else "characters were"
        more = f" in {len(counts)} files" if len(counts) > 1 else ""
        warn(f"{first}: {total} undecodable {what} replaced{more}", kind="replaced-characters")


def is_default_encoding() -> bool:
    """Whether files are read as they usually are."""
    return _DECODING.get() is None


def wide_encoding(start: bytes) -> str | None:
    """The encoding that a byte order mark at the start stands for, UTF-8 aside."""
    return next((name for mark, name in WIDE_MARKS if start.startswith(mark)), None)


def explain_nul(raw: bytes) -> str:
    """What to say of a text with a NUL byte: UTF-16 without its mark has one beside each letter.

    >>> explain_nul("The dam broke".encode("utf-16-le"))
    'looks like UTF-16 without its mark; save it as UTF-8 or name its `encoding`, utf-16-le'
    """
    if raw[257:262] == b"ustar":
        return "is a tar archive; unpack it, or pack the folder as .zip"
    start = raw[:4096]
    halves = {"utf-16-le": (start[::2], start[1::2]), "utf-16-be": (start[1::2], start[::2])}
    for name, (letters, empty) in halves.items():
        if 2 * empty.count(0) > len(empty) and not letters.count(0):
            advice = f"save it as UTF-8 or name its `encoding`, {name}"
            return f"looks like UTF-16 without its mark; {advice}"
    return "holds a NUL byte and looks binary; give a text file"


def decode_text(
    raw: bytes, place: str, advice: str = "save the file as UTF-8 or name its `encoding`"
) -> str:
    """Decode as UTF-8 or as `decode_as` says; what cannot be decoded is refused with its line."""
    decoding = _DECODING.get() or Decoding()
    encoding = decoding.encoding or wide_encoding(raw) or "utf-8"
    if codecs.lookup(encoding).name == "utf-8":
        encoding = "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeError as error:
        if decoding.errors == "replace":
            text = raw.decode(encoding, "replace")
            decoding.replaced[place] = text.count("\ufffd")
            return text
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = raw.count(b"\n", 0, start) + 1
        name = encoding.upper().removesuffix("-SIG")
        raise DataError(
            f"byte 0x{raw[start]:02x} at offset {start} is not {name}; {advice}",
            reason="encoding",
            place=f"{place}:{line}",
        ) from None


def split_lines(text: str) -> list[str]:
    """Lines without their ends, which are those of Unix, Windows or, alone, of old Macs."""
    text = text.replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return text.removesuffix("\n").split("\n")
