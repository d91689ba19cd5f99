"""Where bytes come from: a local file or an address that fsspec knows, packed or not."""

import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from chronoscore.errors import DataError, UsageError
from chronoscore.formats.io.files import (
    PACKED,
    explain_read_errors,
    unpack_zstandard,
)
from chronoscore.formats.io.layout import bare_name
from chronoscore.formats.io.opened import open_once

URL_MARK = "://"


def is_url(value: object) -> bool:
    """Whether a value is an address as s3://bucket/records.parquet."""
    return isinstance(value, str | PathLike) and URL_MARK in str(value)


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file by the name that the user gave; its endings say how to read it."""

    name: str

    @classmethod
    def of(cls, value: "str | PathLike[str]") -> "FileSource":
        """A source from a path or an address."""
        return cls(fspath(value))

    def __str__(self) -> str:
        return self.name

    @property
    def endings(self) -> list[str]:
        """The endings of the name in lower case, `.gz` and the like left out."""
        found = Path(self.name.rpartition("/")[2]).suffixes
        return [ending.lower() for ending in found if ending.lower() not in PACKED]

    @property
    def packed(self) -> str:
        """The ending of a packed file, or nothing."""
        ending = Path(self.name).suffix.lower()
        return ending if ending in PACKED else ""

    @property
    def bare_name(self) -> str:
        """The name without folders and endings, which names a system."""
        return bare_name(PurePosixPath(self.name))

    @property
    def size(self) -> int:
        """The bytes of a local file, as it lies there; 0 where that is unknown."""
        try:
            return 0 if is_url(self.name) else Path(self.name).stat().st_size
        except OSError:
            return 0

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, unpacked while they are read; errors are one sentence."""
        with (
            explain_read_errors(self.name),
            self._open_packed() as file,
            _unpack(file, self) as unpacked,
        ):
            yield unpacked

    def _open_packed(self) -> BinaryIO:
        if not is_url(self.name):
            return open_once(Path(self.name))
        try:
            import fsspec
        except ImportError:
            raise UsageError(
                "addresses need fsspec; pip install fsspec, or name a local file", place=self.name
            ) from None
        try:
            return cast(BinaryIO, fsspec.open(self.name, "rb").open())
        except OSError:
            raise
        except (ImportError, ValueError) as error:
            raise UsageError(
                f"cannot be opened ({error}); check the address", place=self.name
            ) from None
        except Exception as error:  # each file system has errors of its own
            raise DataError(
                f"cannot be read ({error}); check the address", place=self.name
            ) from None


def _unpack(file: BinaryIO, source: FileSource) -> BinaryIO:
    """The same bytes unpacked as the name's ending says."""
    match source.packed:
        case ".gz":
            return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="rb"))
        case ".xz":
            return cast(BinaryIO, lzma.open(file, "rb"))
        case ".zst":
            return cast(BinaryIO, unpack_zstandard(file, source.name))
    return file
