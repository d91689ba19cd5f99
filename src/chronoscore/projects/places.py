"""Which files a pattern of a project names: in its folder only, whoever wrote it."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chronoscore.errors import DataError

LABELS = ("system", "run", "topic", "author")
MOST = 100_000
"""Files that a project may name."""
_TOKEN = re.compile(r"\*+|\?|\{[^{}]*\}|[^*?{}]+|[{}]")
_IMPORT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


@dataclass(frozen=True)
class NamedPlace:
    """A file or folder in a project, and what the parts of its name say."""

    path: Path
    labels: dict[str, str] = field(default_factory=dict)


def check_pattern(pattern: str) -> None:
    """Refuse a pattern that could name anything outside of the folder."""
    shown = repr(pattern[:80])
    if not pattern.strip() or any(ord(letter) < 32 or ord(letter) == 127 for letter in pattern):
        raise DataError(f"{shown} is not the name of a file; write one")
    if "://" in pattern:
        raise DataError(f"{shown} is an address; name addresses on the command line")
    if _IMPORT.fullmatch(pattern):
        raise DataError(f"{shown} names a function; a project imports no code, name a file")
    if "\\" in pattern:
        raise DataError(f"{shown} has a backslash; write / between folders")
    if pattern.startswith("/") or re.match(r"[A-Za-z]:", pattern):
        raise DataError(f"{shown} is absolute; name what lies in the folder of the project")
    if pattern.startswith("~"):
        raise DataError(f"{shown} is in a home folder; name what lies in the folder of the project")
    if "$" in pattern or re.search(r"%\w+%", pattern):
        raise DataError(f"{shown} holds a variable, and none is read here; write the name itself")
    if ".." in pattern.split("/"):
        raise DataError(f"{shown} leaves the folder of the project; name what lies in it")
    if "**" in pattern:
        raise DataError(f"{shown} has '**'; write */ for each level of folders")


def find_places(root: Path, pattern: str) -> list[NamedPlace]:
    """What a pattern names in a folder, in order of name."""
    check_pattern(pattern)
    home = Path(os.path.realpath(root))
    found = [NamedPlace(root)]
    for part in pattern.split("/"):
        if part not in ("", "."):
            found = [new for one in found for new in _step(one, part, home)]
            if len(found) > MOST:
                raise DataError(f"{pattern!r} names more than {MOST:,} files; name fewer")
    for one in found:
        _check_inside(one.path, home)
    return found


def _step(place: NamedPlace, part: str, home: Path) -> Iterator[NamedPlace]:
    """What a part of a pattern names in a folder."""
    if not any(sign in part for sign in "*?{"):
        if os.path.lexists(path := place.path / part):
            refuse_outside(path, home)
            yield NamedPlace(path, place.labels)
        return
    if not place.path.is_dir():
        return
    expression = _expression(part)
    for name in sorted(one.name for one in place.path.iterdir()):
        match = expression.fullmatch(name)
        if match is None or (name.startswith(".") and not part.startswith(".")):
            continue
        labels = match.groupdict()
        if any(place.labels.get(key, value) != value for key, value in labels.items()):
            continue
        refuse_outside(place.path / name, home)
        yield NamedPlace(place.path / name, {**place.labels, **labels})


def _expression(part: str) -> re.Pattern[str]:
    """The regular expression of a part of a pattern."""
    pieces = []
    used: set[str] = set()
    for token in _TOKEN.findall(part):
        if token == "*":
            pieces.append(".*")
        elif token == "?":
            pieces.append(".")
        elif token[0] in "{}":
            label = token[1:-1]
            if token[0] != "{" or token[-1] != "}" or label not in LABELS:
                known = ", ".join(f"{{{one}}}" for one in LABELS)
                raise DataError(f"{token!r} says nothing of a name; known are {known}")
            # Of two labels in a name the first one ends as soon as it can.
            some = ".+?" if "{" in part.partition(token)[2] else ".+"
            pieces.append(f"(?P={label})" if label in used else f"(?P<{label}>{some})")
            used.add(label)
        else:
            pieces.append(re.escape(token))
    return re.compile("".join(pieces), re.DOTALL)


def refuse_outside(path: Path, home: Path) -> None:
    """Refuse a link that leads out of the folder, or nowhere."""
    if not path.is_symlink():
        return
    end = os.path.realpath(path)
    if not Path(end).is_relative_to(home):
        raise DataError(
            "is a link that leaves the folder of the project; copy what it leads to", place=path
        )
    if not Path(end).exists():
        raise DataError("is a link that leads nowhere; remove it", place=path)


def _check_inside(path: Path, home: Path) -> None:
    """Refuse links out of the folder in what is named, and what is neither file nor folder."""
    if path.is_dir():
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                refuse_outside(Path(folder, name), home)
                if name in files:
                    _check_file(Path(folder, name))
    else:
        _check_file(path)


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise DataError("is neither a file nor a folder; remove it from the project", place=path)
