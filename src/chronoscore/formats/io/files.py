"""Files read at once or line by line, and written whole or not at all."""

import gzip
import io
import lzma
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape as glob_escape
from itertools import chain
from pathlib import Path
from stat import S_IMODE
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from chronoscore.errors import DataError, UsageError
from chronoscore.extras import install_command
from chronoscore.formats.io import signatures
from chronoscore.formats.io.decoding import (
    decode_text,
    explain_nul,
    is_default_encoding,
    split_lines,
    wide_encoding,
)
from chronoscore.formats.io.opened import open_once
from chronoscore.formats.io.streams import is_stream, open_stream

JUDGEMENTS = "chronoscore-judgements"
"""What the first line of our own files of judgements says."""

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj, ZstdDecompressor

PACKED = (".gz", ".xz", ".zst")
"""Endings of packed files; they are unpacked while they are read."""
BOM = b"\xef\xbb\xbf"
PART = ".part"
"""The ending of a file that is being written."""
LONGEST_LINE = 16 * 1024 * 1024
"""Bytes; a sentence or record beyond this is a wrong file, not a long text."""


@contextmanager
def explain_read_errors(path: Path | str) -> Iterator[None]:
    """Say in one sentence why a file cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise DataError("no such file; check the path", place=path) from None
    except IsADirectoryError:
        raise DataError("is a directory; give a file here", place=path) from None
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise DataError(f"broken archive ({error}); fetch or pack it again", place=path) from None
    except OSError as error:
        raise DataError(
            f"cannot be read ({error.strerror}); check the file", place=path, reason="system"
        ) from None


def read_bytes(path: Path) -> bytes:
    """Read a whole file, unpacking it; missing, unreadable and empty files are refused."""
    with _open_bytes(path) as file, explain_read_errors(path):
        raw = file.read()
    if not raw.strip():
        raise DataError("is empty; fill it or leave it out", place=path, reason="empty")
    return raw


def read_start(path: Path, size: int) -> bytes:
    """The beginning of a file, unpacked, without a byte-order mark; nothing if it cannot be read.

    For a look at what a file is: its reader says what is wrong with it.
    """
    try:
        with _open_bytes(path, look=True) as file, explain_read_errors(path):
            return file.read(size).removeprefix(BOM)
    except (DataError, UsageError):
        return b""


def read_text(path: Path) -> str:
    """Read a text file; binary and undecodable files are refused with the byte at fault."""
    raw = read_bytes(path)
    if not wide_encoding(raw):
        signatures.refuse(raw, path)
    text = decode_text(raw, str(path))
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise DataError(explain_nul(raw), place=f"{path}:{line}")
    return text


def read_lines(path: Path) -> list[str]:
    """Read a text file's lines without their ends, empty ones too; monstrous lines are refused."""
    lines = split_lines(read_text(path))
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise DataError(
                f"line of {len(line):,} characters, {LONGEST_LINE:,} are allowed; "
                "put one sentence or record on a line",
                place=f"{path}:{number}",
            )
    return lines


def read_numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line with its number and its line end, unpacked; an empty file is refused."""
    number = 0
    with _open_bytes(path) as file, explain_read_errors(path):
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise DataError(
                    f"line of more than {LONGEST_LINE:,} bytes; put one record on a line",
                    place=f"{path}:{number}",
                )
            yield number, line
    if not number:
        raise DataError("is empty; fill it or leave it out", place=path)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Each line as text without its line end; what cannot be decoded is refused with its line."""
    if not is_default_encoding():
        yield from enumerate(read_lines(path), 1)
        return
    numbered = read_numbered_lines(path)
    _, first = next(numbered)
    if wide_encoding(first):
        yield from enumerate(read_lines(path), 1)
        return
    for number, line in chain([(1, first.removeprefix(BOM))], numbered):
        try:
            yield number, line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise DataError(
                f"byte 0x{line[error.start]:02x} at offset {error.start} "
                "is not UTF-8; save the file as UTF-8 or name its `encoding`",
                reason="encoding",
                place=f"{path}:{number}",
            ) from None


def _open_bytes(path: Path, *, look: bool = False) -> BinaryIO:
    """Open a file for reading bytes, unpacking it; a missing one is refused in one sentence."""
    with explain_read_errors(path):
        file = open_once(path, look=look)
    match path.suffix:
        case ".gz":
            return cast(BinaryIO, UnpackedFile(gzip.GzipFile(fileobj=file, mode="rb"), file))
        case ".xz":
            return cast(BinaryIO, UnpackedFile(lzma.LZMAFile(file), file))
        case ".zst":
            return cast(BinaryIO, unpack_zstandard(file, path))
    return file


class UnpackedFile(io.BufferedReader):
    """A packed file, unpacked while it is read, which is closed with it."""

    def __init__(self, unpacked: Any, packed: BinaryIO) -> None:
        super().__init__(unpacked, 1 << 16)
        self._packed = packed

    def close(self) -> None:
        """Close the file too."""
        super().close()
        self._packed.close()


def unpack_zstandard(file: BinaryIO, name: object) -> io.BufferedReader:
    """A `.zst` file unpacked while it is read, which needs a package of its own."""
    try:
        import zstandard
    except ImportError:
        file.close()
        raise UsageError(
            f".zst needs zstandard; {install_command('zstd')}, or unpack the file", place=name
        ) from None
    return io.BufferedReader(ZstandardFrames(file, zstandard.ZstdDecompressor()), 1 << 16)


class ZstandardFrames(io.RawIOBase):
    """One frame after the other; a file that breaks off is not taken for a shorter one."""

    def __init__(self, file: BinaryIO, decompressor: "ZstdDecompressor") -> None:
        self._file = file
        self._decompressor = decompressor
        self._frame: ZstdDecompressionObj | None = None
        self._packed = self._unpacked = b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with unpacked bytes."""
        while not self._unpacked:
            # Two kilobytes unpack to 64 megabytes at most.
            self._packed = self._packed or self._file.read(2048)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("the file ends before the archive does")
                return 0
            self._frame = self._frame or self._decompressor.decompressobj()
            try:
                self._unpacked = self._frame.decompress(self._packed)
            except Exception as error:  # ZstdError, of a package that may be absent
                raise EOFError(str(error)) from None
            self._packed = b""
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._unpacked))
        buffer[:size] = self._unpacked[:size]
        self._unpacked = self._unpacked[size:]
        return size


def check_target(path: Path) -> Path:
    """Refuse before any work a file that could not be written after it."""
    if path.is_dir():
        raise DataError("cannot be written (is a folder); name a file in it", place=path)
    if path.exists() and not os.access(path, os.W_OK):
        raise DataError("cannot be written (it may only be read); choose another", place=path)
    if is_stream(path):
        return path
    folder = _resolve(path).parent
    if not folder.is_dir():
        wanted = folder if path.is_symlink() else path.parent
        why = (
            f"'{wanted}' is {_describe(folder)}"
            if folder.exists()
            else f"there is no folder '{wanted}'"
        )
        advice = "choose another" if folder.exists() else "make it"
        raise DataError(f"cannot be written ({why}); {advice}", place=path)
    if not os.access(folder, os.W_OK):
        raise DataError(
            "cannot be written (no permission in its folder); choose another", place=path
        )
    return path


def _resolve(path: Path) -> Path:
    """Where a path leads to in the end."""
    home = Path(os.path.realpath(path))
    if home.is_symlink():
        raise DataError("cannot be written (a loop of links); choose another", place=path)
    return home


def _describe(place: Path) -> str:
    """What stands where a folder is wanted."""
    if not place.exists():
        return "a link that leads nowhere"
    if place.is_fifo():
        return "a pipe"
    return "a file" if place.is_file() else "a device or socket"


def check_folder(path: Path) -> Path:
    """Refuse before any work a folder that could not be made or written to after it."""
    place = path.absolute()
    while not place.exists() and not place.is_symlink():
        place = place.parent
    if not place.is_dir():
        what = _describe(place)
        raise DataError(f"cannot be written ('{place.name}' is {what}); name a folder", place=path)
    if not os.access(place, os.W_OK):
        raise DataError(
            f"cannot be written (no permission in '{place}'); choose another", place=path
        )
    return path


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    write_bytes(path, encode_text(text))


def encode_text(text: str) -> bytes:
    r"""Text as UTF-8; what is none, as in names of files that are not UTF-8, is an escape.

    >>> encode_text("caf\udce9.txt")
    b'caf\\udce9.txt'
    """
    return text.encode("utf-8", "backslashreplace")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: what stood there before stays if anything fails."""
    with open_whole(path) as file:
        file.write(content)


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; it takes its name only when all is written.

    A file that is replaced keeps its permissions, and its owner where that is allowed.
    """
    try:
        if is_stream(path):
            with open_stream(path) as file:
                yield file
            return
        home = _resolve(path)
        home.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(home)
        handle, name = tempfile.mkstemp(dir=home.parent, prefix=f".{home.name}.", suffix=PART)
        fresh = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                _lock(file.fileno())
                yield file
            _take_permissions(fresh, home)
            fresh.replace(home)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise DataError(
            f"cannot be written ({error.strerror}); choose another", place=path
        ) from None


def _take_permissions(fresh: Path, home: Path) -> None:
    """Give a file the permissions of the one that it replaces, or those of a new file."""
    try:
        before = home.stat()
    except FileNotFoundError:
        fresh.chmod(0o666 & ~_current_umask())
        return
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(fresh, before.st_uid, before.st_gid)
    fresh.chmod(S_IMODE(before.st_mode))


def _remove_leftovers(home: Path) -> None:
    """Remove what processes that were killed had begun to write; one that lives holds a lock."""
    for left in home.parent.glob(f".{glob_escape(home.name)}.*{PART}"):
        with suppress(OSError), left.open("rb") as file:
            if _lock(file.fileno()):
                left.unlink()


def _lock(number: int) -> bool:
    """Lock a file until it is closed, unless another process has."""
    try:
        import fcntl
    except ImportError:
        # Windows removes no file that is open.
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _current_umask() -> int:
    """The permissions that new files are not given."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
