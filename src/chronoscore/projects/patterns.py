"""Patterns that name the files of a layout: as `score` reads folders where it can."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, takewhile
from pathlib import Path

from chronoscore.errors import DataError
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.io import layout
from chronoscore.projects.layouts import SideLayout
from chronoscore.projects.places import find_places


def name_systems(root: Path, side: SideLayout, references: Sequence[Path]) -> list[str]:
    """The patterns of systems."""
    varying, last = side.varying, len(side.pieces[0]) - 1
    roots = None if side.separator else _system_roots(side)
    if roots and not (_hold_any(roots, references) or _hold_others(roots, side)):
        return _shorten(root, roots, references)
    labels: dict[int, str] = {}
    if side.topic is not None:
        labels[side.topic] = "{topic}"
    names = ["{system}"] + ["{run}" if side.has_runs else "{system}"] * last
    for place, label in zip(varying, names, strict=False):
        labels[place] = label
    return [_template(root, side, labels)]


def _system_roots(side: SideLayout) -> list[Path] | None:
    """The files or folders that are systems, if `score` reads them as such."""
    last = len(side.pieces[0]) - 1
    if side.topic is None:
        names = {layout.bare_name(one.path) for one in side.files}
        return [one.path for one in side.files] if len(names) == len(side.files) else None
    levels = 1 + side.has_runs
    if side.has_runs and side.varying[-1] != last - 1:
        return None
    if not side.has_runs and side.pieces[0][last - 1] == STORE:
        levels = 2
    if side.topic != last or levels > last or side.bound:
        return None
    return [*dict.fromkeys(_ancestor(one.path, levels) for one in side.files)]


def _hold_any(roots: Sequence[Path], files: Sequence[Path]) -> bool:
    """Whether any of some files lies in one of some folders."""
    return any(one in path.parents for one in roots for path in files)


def _hold_others(roots: Sequence[Path], side: SideLayout) -> bool:
    """Whether folders of systems hold files of other endings, such as logs or settings."""
    known = {one.path.suffix for one in side.files}
    for folder in (one for one in roots if one.is_dir()):
        for path in folder.rglob("*"):
            about = layout.is_about(path) or path.name.startswith(".")
            if not about and path.suffix not in known and path.is_file():
                return True
    return False


def _ancestor(path: Path, levels: int) -> Path:
    for _ in range(levels):
        path = path.parent
    return path


def name_references(root: Path, side: SideLayout, systems: Sequence[Path] = ()) -> list[str]:
    """The patterns of references, which name no file of a system."""
    patterns = _reference_patterns(root, side)
    if _name_any(root, patterns, systems):
        patterns = [_labeled(root, side, lambda _: f"{escape(_shared_start(side))}{{author}}")]
    if _name_any(root, patterns, systems):
        patterns = [*dict.fromkeys(_labeled(root, one, escape) for one in _by_name(side))]
    return patterns


def _shared_start(side: SideLayout) -> str:
    """What the names of all authors begin with."""
    letters = zip(*(name[-1] for name in side.names if name), strict=False)
    return "".join(one[0] for one in takewhile(lambda one: len({*one}) == 1, letters))


def _name_any(root: Path, patterns: Sequence[str], files: Sequence[Path]) -> bool:
    """Whether patterns name any of some files, or a folder that holds one."""
    named = {one.path for pattern in patterns for one in find_places(root, pattern)}
    return any(not named.isdisjoint((file, *file.parents)) for file in files)


def _labeled(root: Path, side: SideLayout, label: Callable[[str], str]) -> str:
    """The pattern of references whose author's part is labeled from its name."""
    labels = {place: label(side.pieces[0][place]) for place in side.varying}
    if side.topic is not None:
        labels[side.topic] = "{topic}"
    return _template(root, side, labels)


def _by_name(side: SideLayout) -> Iterator[SideLayout]:
    """The files of a side, those of each author by themselves."""
    for name in dict.fromkeys(side.names):
        own = [one == name for one in side.names]
        files, pieces = tuple(compress(side.files, own)), tuple(compress(side.pieces, own))
        yield replace(side, files=files, pieces=pieces)


def _reference_patterns(root: Path, side: SideLayout) -> list[str]:
    """The patterns of references, as short as they may be."""
    varying, last = side.varying, len(side.pieces[0]) - 1
    native = not side.separator
    if native and side.topic is None and len(varying) <= 1:
        return _shorten(root, [one.path for one in side.files], ())
    levels = None
    if native and side.topic == last and not varying and last > 0:
        levels = 1
    if native and side.topic is not None and varying in ([last], []) and side.topic < last:
        between = last - side.topic - 1
        stored = between == 1 and side.pieces[0][last - 1] == STORE
        if (between == 0 or stored) and side.topic > 0:
            levels = last - side.topic + 1
    if levels is not None:
        return _shorten(root, [*{_ancestor(one.path, levels) for one in side.files}], ())
    # Several parts say whose it is; one of them is the name, the rest are any.
    labels = dict.fromkeys(varying, "*")
    if varying:
        labels[max(varying, key=lambda place: len({one[place] for one in side.pieces}))] = (
            "{author}"
        )
    if side.topic is not None:
        labels[side.topic] = "{topic}"
    return [_template(root, side, labels)]


def _template(root: Path, side: SideLayout, labels: dict[int, str]) -> str:
    """A pattern with what the parts of names say."""
    first = side.pieces[0]
    stars = dict.fromkeys(side.bound, "*")
    parts = [(labels | stars).get(place, escape(part)) for place, part in enumerate(first)]
    endings = {one.path.name.removeprefix(one.parts[-1]) for one in side.files}
    ending = endings.pop() if len(endings) == 1 else ".*"
    if side.separator:
        parts[-side.split :] = [side.separator.join(parts[-side.split :])]
    return "/".join(parts) + ending


def escape(part: str) -> str:
    """A part of a name in which * and braces are no signs."""
    return "".join("?" if letter in "*?{}" else letter for letter in part)


def _shorten(root: Path, paths: Sequence[Path], taken: Sequence[Path]) -> list[str]:
    """Paths as one pattern with a star, if that names nothing else; otherwise each by itself."""
    inner = sorted(path.relative_to(root).parts for path in paths)
    exact = ["/".join(map(escape, parts)) or "." for parts in inner]
    if len(inner) == 1 or len({*map(len, inner)}) > 1:
        return exact
    columns = [*zip(*inner, strict=True)]
    varying = [place for place, values in enumerate(columns) if len({*values}) > 1]
    starred = [
        "*" if place in varying else escape(values[0]) for place, values in enumerate(columns)
    ]
    if varying[-1] == len(columns) - 1:
        starred[-1] = _common(columns[-1])
    pattern = "/".join(starred)
    try:
        found = {one.path for one in find_places(root, pattern)} - {*taken}
    except DataError:
        return exact
    found = {one for one in found if one.name != "chronoscore.toml"}
    return [pattern] if found == {*paths} else exact


def _common(names: Sequence[str]) -> str:
    """What names begin and end with, and a star between."""
    endings = {Path(name).suffix for name in names}
    if len(endings) == 1 and (ending := endings.pop()):
        return f"*{ending}"
    return "*"
