"""What lies in a folder: each file as our own readers see it."""

import json
import os
import re
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Literal, TypeAlias

from chronoscore.errors import ChronoscoreError, DataError
from chronoscore.formats.corpora.unreadable import LOOKED_AT, is_judged
from chronoscore.formats.io import layout
from chronoscore.formats.io.archives import as_folder
from chronoscore.formats.io.decoding import decode_as
from chronoscore.formats.io.files import PACKED, read_start, read_text
from chronoscore.formats.io.signatures import recognize
from chronoscore.formats.timelines import registry, timeline_files
from chronoscore.progress import track
from chronoscore.projects.columns import TableSides, find_sides
from chronoscore.projects.names import is_source, speaks_for
from chronoscore.projects.places import refuse_outside
from chronoscore.projects.schema import NAME

FileKind: TypeAlias = Literal[
    "timeline", "text", "table", "judgements", "units", "ranking", "unreadable"
]
ENDINGS = layout.FORMAT_ENDINGS | {".zip"}
ARCHIVES = (".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".7z", ".rar")
"""Archives that are not read."""
PROGRAMS = frozenset(
    {".py", ".ipynb", ".sh", ".js", ".ts", ".toml", ".cfg", ".ini", ".lock", ".log"}
)
"""Endings of what people write beside data."""
MOST = 2_000
"""Files that are looked at; of a larger folder the first ones of each of its folders."""
LARGE = 8 << 20
"""Bytes of a file beyond which only its beginning is looked at."""
SKIPPED = frozenset(
    {"__pycache__", "node_modules", "venv", "env", "build", "dist", "site-packages"}
)


@dataclass(frozen=True)
class SurveyedFile:
    """A file: where it lies, and what a reader found in it."""

    path: Path
    parts: tuple[str, ...]
    """Its folders below the project's, and its name without its ending."""
    kind: FileKind
    topics: tuple[str, ...] = ()
    """The topics that it names itself."""
    authors: tuple[str, ...] = ()
    sides: TableSides | None = None
    fault: str = ""
    words: frozenset[str] = frozenset()
    """Its dates and long words: two files of one topic share more of them than others."""
    repeats: bool = False
    """Whether it has several timelines of one topic that nobody signed."""
    encoding: str = ""
    """What it seems to be written in, if that is neither UTF-8 nor marked."""


@dataclass(frozen=True)
class Survey:
    """The files of a folder, and what was left out and why."""

    root: Path
    files: tuple[SurveyedFile, ...]
    notes: tuple[str, ...] = field(default=())

    def of_kind(self, *kinds: FileKind) -> list[SurveyedFile]:
        """The files of some kinds."""
        return [one for one in self.files if one.kind in kinds]


def survey(root: Path) -> Survey:
    """Look at the files of a folder."""
    notes: list[str] = []
    paths = [*_walk(root, notes, ENDINGS)]
    if not paths:
        # Endings of their own may say what files are.
        paths = [one for one in _walk(root, [], None) if _holds_text(one)]
    paths, twice = _without_copies(root, paths)
    notes += twice
    if len(paths) > MOST:
        notes.append(f"looked at {MOST:,} of {len(paths):,} files")
        paths = _spread(paths, MOST)
    files = [_look(root, path) for path in track("looking", paths, len(paths))]
    if not any(one.kind != "unreadable" for one in files):
        # Names alone say nothing where there are no other files.
        files = [_look(root, path, by_name=False) for path in paths]
    return Survey(root, tuple(files), tuple(notes))


def _holds_text(path: Path) -> bool:
    """Whether a file of an unknown ending is a text of people, and no program."""
    start = read_start(path, LOOKED_AT)
    return b"\0" not in start and recognize(start) is None and path.suffix not in PROGRAMS


def _walk(root: Path, notes: list[str], endings: Set[str] | None) -> Iterator[Path]:
    """The files that may be data, in order; hidden ones and those about the folder aside."""
    home = Path(os.path.realpath(root))
    for folder, folders, files in os.walk(root):
        kept = [one for one in folders if not one.startswith(".") and one not in SKIPPED]
        for name in [*kept, *files]:
            try:
                refuse_outside(Path(folder, name), home)
            except DataError as error:
                notes.append(f"{error.place}: {error.message.partition(';')[0]}; it is left out")
                kept = [one for one in kept if one != name]
                files = [one for one in files if one != name]
        folders[:] = sorted(one for one in kept if not Path(folder, one).is_symlink())
        for name in sorted(layout.without_backups(files)):
            path = Path(folder, name)
            ending = PurePath(name.removesuffix(".gz")).suffix.lower()
            if name.startswith(".") or name == NAME or layout.is_about(path):
                continue
            if name.lower().endswith(ARCHIVES):
                inner = path.relative_to(root)
                notes.append(f"{inner} is left out; unpack it, or pack it as .zip")
            known = endings is None or ending in endings
            if known and path.is_file() and path.stat().st_size:
                yield path


def _without_copies(root: Path, paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The files without folders that hold the same as another one, as a backup does."""
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        for above in path.relative_to(root).parents:
            if above != Path():
                folders.setdefault(root / above, []).append(path)
    seen: dict[tuple[tuple[str, int], ...], list[Path]] = {}
    for folder, files in folders.items():
        key = tuple((str(one.relative_to(folder)), one.stat().st_size) for one in sorted(files))
        seen.setdefault(key, []).append(folder)
    dropped: dict[Path, Path] = {}
    for same in seen.values():
        first, *others = sorted(same, key=lambda one: (len(one.name), one.name))
        for other in others if len(same) > 1 else ():
            if _is_gold(root, first) != _is_gold(root, other):
                continue  # Answers may be as good as the references.
            if first not in other.parents and _digest(folders[first]) == _digest(folders[other]):
                dropped[other] = first
    kept = [one for one in paths if not any(above in dropped for above in one.parents)]
    notes = [
        f"{other.relative_to(root)}/ holds the same as {first.relative_to(root)}/; it is left out"
        for other, first in dropped.items()
        if not any(above in dropped for above in other.parents)
    ]
    return kept, notes


def _is_gold(root: Path, folder: Path) -> bool:
    """Whether the name of a folder, or of one around it, is that of references."""
    return any(speaks_for(part) > 0 for part in folder.relative_to(root).parts)


def _digest(files: Sequence[Path]) -> str:
    found = sha256()
    for file in sorted(files):
        found.update(sha256(file.read_bytes()).digest())
    return found.hexdigest()


def _spread(paths: Sequence[Path], most: int) -> list[Path]:
    """Some of many files, the same number of each folder."""
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(path.parent, []).append(path)
    each = max(1, most // len(folders))
    return [path for own in folders.values() for path in own[:each]][:most]


def _look(root: Path, path: Path, *, by_name: bool = True) -> SurveyedFile:
    """What a file is; without `by_name` documents are not known by what they are called."""
    inner = path.relative_to(root)
    known = path.suffix.lower() in (*ENDINGS, *PACKED)
    parts = (*inner.parts[:-1], layout.bare_name(path) if known else path.name)
    try:
        return _classify(path, parts, by_name=by_name)
    except (ChronoscoreError, OSError, ValueError) as error:
        if isinstance(error, DataError) and error.reason == "encoding":
            with suppress(ChronoscoreError, ValueError), decode_as("cp1252", "strict", quiet=True):
                return replace(_classify(path, parts, by_name=by_name), encoding="cp1252")
        said = error.message if isinstance(error, ChronoscoreError) else str(error)
        return SurveyedFile(path, parts, "unreadable", fault=said)


def _classify(path: Path, parts: tuple[str, ...], *, by_name: bool) -> SurveyedFile:
    if path.suffix.lower() == ".zip":
        return _look_into(path, parts)
    if path.suffix in (".pyr", ".pan"):
        return SurveyedFile(path, parts, "units" if path.suffix == ".pyr" else "ranking")
    if is_judged(path):
        start = read_start(path, LOOKED_AT)
        return SurveyedFile(path, parts, "units" if b'"units"' in start else "judgements")
    if _holds_ranking(path):
        return SurveyedFile(path, parts, "ranking")
    if by_name and is_source(parts[-1]) and not any(map(_tells, parts[:-1])):
        raise DataError("holds documents by its name")
    sides = find_sides(path) if path.stat().st_size <= LARGE else None
    if sides is not None:
        return SurveyedFile(path, parts, "table", sides.topics, (), sides)
    form = registry.of_path(path)
    if form is None or form.name == "markdown":
        text = read_text(path)
        if not timeline_files.is_timeline_text(text, form):
            return SurveyedFile(path, parts, "text", words=_words_of(text))
    reading = timeline_files.read(path)
    if not any(len(one.timeline) for one in reading.timelines):
        return SurveyedFile(path, parts, "text")
    topics = dict.fromkeys(one.topic for one in reading.timelines if one.topic is not None)
    authors = dict.fromkeys(one.timeline.author for one in reading.timelines)
    told = tuple(topics), tuple(filter(None, authors))
    if len(reading.timelines) != 1:
        repeats = not told[1] and len(topics) < len(reading.timelines)
        return SurveyedFile(path, parts, "timeline", *told, repeats=repeats)
    held = reading.timelines[0].timeline
    texts = " ".join(f"{one.when} {' '.join(one.sentences)}" for one in held)
    return SurveyedFile(path, parts, "timeline", *told, words=_words_of(texts))


def _tells(folder: str) -> bool:
    """Whether the name of a folder says what its files are."""
    return is_source(folder) or speaks_for(folder) != 0


def _look_into(path: Path, parts: tuple[str, ...]) -> SurveyedFile:
    """An archive of a folder with a file for each topic, as `score` reads it."""
    folder = as_folder(path)
    inside = [one for one in layout.list_folder(folder) if not layout.is_about(one)]
    if any(one.is_dir() for one in inside):
        raise DataError("holds folders; unpack it")
    files = [_look(folder, one) for one in inside]
    kinds = {one.kind for one in files}
    if len(kinds) != 1 or not kinds <= {"timeline", "text"}:
        raise DataError("holds files of several kinds; unpack it")
    topics = tuple(layout.bare_name(one) for one in inside)
    return SurveyedFile(path, parts, kinds.pop(), topics)


def _words_of(text: str) -> frozenset[str]:
    """Dates and words of some length, and signs of scripts without blanks."""
    found = re.findall(r"\d{4}-\d\d-\d\d|[^\W\d_]{4,}", text.casefold()[:20_000])
    return frozenset(found) | {one for one in text[:20_000] if ord(one) > 0x2E80}


def _holds_ranking(path: Path) -> bool:
    """Whether JSON Lines hold what a system chose: sentences by their ids."""
    if not layout.is_json_lines_file(path):
        return False
    first = read_start(path, LOOKED_AT).partition(b"\n")[0]
    with suppress(ValueError):
        row = json.loads(first)
        chosen = row.get("sentence") or row.get("event") if isinstance(row, dict) else None
        return isinstance(chosen, str) and "topic" in row and len(chosen.split()) == 1
    return False
