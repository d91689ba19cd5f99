"""Submissions to a shared task, which are hostile until they are checked.

A submission is a folder, or a zip archive of one, with a file for each topic and `submission.json`.
Nothing of it is run, followed or unpacked before its names, kinds and sizes are known to be fine.
"""

import math
import stat
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from chronoscore.errors import DataError
from chronoscore.formats.bench.tasks import checksum_of
from chronoscore.formats.io.archives import as_folder

SUBMISSION = "submission.json"
BESIDE = frozenset({SUBMISSION, "README.md", "README.txt", "LICENSE", "LICENSE.txt"})
ENDINGS = (".txt", ".md", ".json", ".jsonl", ".csv", ".tsv")
"""Of files of topics; packed files and formats that can refer to other texts are not among them."""
LARGEST_FILE = 4 << 20
LARGEST = 256 << 20
"""Bytes of a file and of all of them."""
LONGEST_NAME = 60
LONGEST_BY = 200
ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Alphabets with letters that look like those of another."""
MOST_TOPICS = 10_000


class Submission(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a submission says about itself."""

    chronoscore_submission: int = 1
    task: str
    checksum: str
    """That of the task."""
    split: str
    system: str
    by: str = ""
    signature: str
    scores: dict[str, float | None]
    files: dict[str, str]


def open_folder(path: Path, topics: int) -> Path:
    """The folder of a submission; an archive is unpacked once its list of files is fine."""
    if path.is_dir():
        return path
    if not path.exists():
        raise DataError("no such file; check the path", place=path)
    if not zipfile.is_zipfile(path):
        raise DataError("is neither a folder nor a zip archive; pack the folder", place=path)
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    most = topics + len(BESIDE) + 5
    if sum(not one.is_dir() for one in members) > most:
        raise DataError(f"holds {len(members):,} files, {most:,} are allowed", place=path)
    if sum(one.file_size for one in members) > LARGEST:
        raise DataError(f"unpacks to more than {LARGEST >> 20} MB", place=path)
    return as_folder(path)


def find_faults(folder: Path, topics: Sequence[str]) -> tuple[dict[str, Path], list[str]]:
    """The file of each topic, and what is wrong with the names, kinds and sizes of files."""
    known, faults, total = set(topics), [], 0
    found: dict[str, Path] = {}
    for number, path in enumerate(sorted(folder.iterdir())):
        if number > len(known) + len(BESIDE) + 5:
            faults.append("there are many more files than topics; put each topic into one file")
            break
        status = path.lstat()
        total += status.st_size
        if fault := _find_fault(path, status.st_mode, status.st_size):
            faults.append(fault)
        elif path.name in BESIDE:
            continue
        elif path.stem not in known:
            faults.append(f"'{path.name}' is no topic of this split; remove it or rename it")
        elif path.stem in found:
            faults.append(f"topic '{path.stem}' has two files; keep one")
        else:
            found[path.stem] = path
    if total > LARGEST:
        faults.append(f"the files have more than {LARGEST >> 20} MB; shorten them")
    lacking = [topic for topic in topics if topic not in found]
    faults += [f"topic '{topic}' has no file; add {topic}.txt" for topic in lacking]
    return found, faults


def _find_fault(path: Path, mode: int, size: int) -> str:
    """What is wrong with one file, by what the folder says of it."""
    if stat.S_ISLNK(mode):
        return f"'{path.name}' is a link; put the file itself there"
    if not stat.S_ISREG(mode):
        return f"'{path.name}' is no file; put the files of topics beside {SUBMISSION}"
    if size > LARGEST_FILE:
        return f"'{path.name}' has more than {LARGEST_FILE >> 20} MB; shorten it"
    if path.name not in BESIDE and path.suffix.lower() not in ENDINGS:
        return f"'{path.name}' does not end in {', '.join(ENDINGS)}; rename or convert it"
    return ""


def find_changes(submission: Submission, files: dict[str, Path]) -> Iterator[str]:
    """What changed after the submission was signed."""
    now = {path.name: checksum_of(path) for path in files.values()}
    for name in sorted({*now, *submission.files}):
        if name not in now:
            yield f"'{PurePosixPath(name).name}' is missing and was signed; restore it"
        elif now[name] != submission.files.get(name):
            yield f"'{name}' is not the file that was signed; restore it or sign again"


def find_differences(
    submission: Submission, signature: str, scores: dict[str, float | None]
) -> Iterator[str]:
    """Where the figures that were signed are not those of the files."""
    if submission.signature != signature:
        which = _first_difference(submission, signature)
        yield f"the signature is not that of these files, {which}"
    for name in sorted({*scores, *submission.scores}):
        said, is_so = submission.scores.get(name), scores.get(name)
        if name not in scores:
            yield f"'{name}' is no figure of this task; sign again"
        elif not _equal(said, is_so):
            yield f"{name} is said to be {_show(said)} and is {_show(is_so)}; sign again"


def _first_difference(submission: Submission, signature: str) -> str:
    """The first part in which two signatures differ."""
    said, is_so = submission.signature.replace(" ", "|"), signature.replace(" ", "|")
    for one, other in zip(said.split("|"), is_so.split("|"), strict=False):
        if one != other:
            return f"which has {other} and not {one[:LONGEST_NAME]}; sign again"
    return "which is longer or shorter; sign again"


def _equal(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def _show(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.6g}"


def name_fault(name: str, by: str = "") -> str:
    """What is wrong with the name of a system or of who submits it, if anything."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        return f"a system has a name of 1 to {LONGEST_NAME} visible characters; change 'system'"
    if len(by) > LONGEST_BY or not (by.isprintable() or not by):
        return f"who submits has up to {LONGEST_BY} visible characters; change 'by'"
    for word in name.split():
        alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        if len(alphabets & ALIKE) > 1:
            return f"'{word}' mixes letters that look alike; change 'system'"
    return ""


def same_name(name: str) -> str:
    """What two names have in common that people take for one."""
    return unicodedata.normalize("NFKC", name).casefold()
