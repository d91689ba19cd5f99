"""A zip archive of a folder, read as the folder.

It is unpacked to a temporary folder, which goes when the program ends. Whatever could do harm is
refused before anything is written: too many or too large files, links, encrypted files, archives
inside, and names that lead elsewhere.
"""

import atexit
import shutil
import stat
import tempfile
import zipfile
from collections import Counter
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NoReturn

from chronoscore.errors import DataError, show_place_as
from chronoscore.formats.io.signatures import ZIP, recognize

MOST_MEMBERS = 10_000
MOST_BYTES = 1 << 30
LONGEST_NAME = 255
"""Bytes of a name, in most systems of files."""
_NESTED = (".zip", ".gz", ".xz", ".zst", ".bz2", ".7z", ".rar", ".tar", ".tgz")


def as_folder(path: Path) -> Path:
    """The folder that a zip archive holds; any other path is itself."""
    if path.suffix.lower() != ".zip" or not path.is_file():
        return path
    with path.open("rb") as file:
        if not file.read(4).startswith(ZIP):
            return path
    status = path.stat()
    return _unpack(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=256)
def _unpack(path: Path, _changed: int, _size: int) -> Path:
    """Unpack an archive once, however often it is looked at."""
    known = recognize(path.read_bytes())
    if known and known.name != "a zip archive":
        raise DataError(f"is {known.name}; {known.advice}", place=path)
    home = Path(tempfile.mkdtemp(prefix="chronoscore-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    folder = home / path.stem
    folder.mkdir()
    show_place_as(folder, path)
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.infolist() if not _is_beside(one.filename)]
        _check(members, path)
        left = MOST_BYTES
        for member in members:
            if not member.is_dir():
                left -= _copy(archive, member, folder / member.filename, left, path)
    inside = list(folder.iterdir())
    if not inside:
        _refuse(path, "is empty; put files in it or leave it out")
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _is_beside(name: str) -> bool:
    """What systems add to archives without being asked."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name in (".DS_Store", "Thumbs.db")


def _check(members: list[zipfile.ZipInfo], path: Path) -> None:
    """Refuse an archive for what its list of files says."""
    if len(members) > MOST_MEMBERS:
        _refuse(
            path, f"holds {len(members):,} files, {MOST_MEMBERS:,} are allowed; unpack it first"
        )
    if sum(member.file_size for member in members) > MOST_BYTES:
        _refuse(path, "unpacks to more than 1 GB; unpack it first")
    files = [PurePosixPath(member.filename) for member in members if not member.is_dir()]
    folders = {above for file in files for above in file.parents}
    for file, count in Counter(files).items():
        if count > 1 or file in folders:
            _refuse(path, f"holds '{file}' twice; pack it again")
    for member in members:
        name = member.filename
        parts = PurePosixPath(name).parts
        if any(len(part.encode()) > LONGEST_NAME for part in parts):
            _refuse(path, f"holds '{name[:40]}…', a name that is too long; shorten it")
        if ".." in parts or name.startswith("/") or "\\" in name or ":" in name or "\0" in name:
            _refuse(path, f"holds '{name}', which leads elsewhere; pack it again")
        if stat.S_ISLNK(member.external_attr >> 16):
            _refuse(path, f"holds the link '{name}'; put the file itself into it")
        if member.flag_bits & 1:
            _refuse(path, f"'{name}' is encrypted; pack it without a password")
        if name.lower().endswith(_NESTED):
            _refuse(path, f"holds the archive '{name}'; unpack it first")


def _copy(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most: int, path: Path
) -> int:
    """Write one file; it may be larger than the archive says."""
    size = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as source, target.open("wb") as file:
            while block := source.read(1 << 16):
                size += len(block)
                if size > most:
                    _refuse(path, "unpacks to more than 1 GB; unpack it first")
                file.write(block)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError) as error:
        _refuse(path, f"broken archive ({error}); fetch or pack it again")
    return size


def _refuse(path: Path, text: str) -> NoReturn:
    raise DataError(text, place=path)
