"""Where the files of a collection and of a run lie, and which topic each of them is for.

A collection is a folder with a file for each topic, or with a folder for each topic that
holds a file for each reference. Timelines may also lie in a topic's `timelines.jsonl`, beside
its articles as news-tls has them, or in its folder `timelines`. A run is a folder with a file
for each topic.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePath

from chronoscore import lazy
from chronoscore.errors import DataError, warn
from chronoscore.formats.io.files import PACKED

_BESIDE = lazy.pattern(
    r"articles\b.*\.jsonl(?:\.gz)?|(?:keywords|topic)\.json|(?:judgements|units)\.jsonl"
    r"|(?:readme|licen[cs]e)\b.*",
    re.IGNORECASE,
)
_ABOUT = lazy.pattern(r"(?:readme|licen[cs]e|notice|copying)(?:\..*)?", re.IGNORECASE)
"""Files about a folder, which are neither answers nor references."""
_ARTICLES = ("articles.preprocessed", "articles.tokenized", "articles")


def reference_files(path: Path, store: str = "") -> Iterator[tuple[str, Path]]:
    """Each file of references below a path with its topic, which its folder or name tells.

    `store` is what this kind of output is kept under in a topic's folder, if anything.
    """
    if not path.is_dir():
        stem = bare_name(path)
        yield path.resolve().parent.name if store and stem == store else stem, path
        return
    if own := _stored_files(path, store):
        yield from ((folder_name(path), file) for file in own)
        return
    seen: dict[str, Path] = {}
    kept = bool(store) and any(path.glob(f"*/{store}/"))
    for child in list_folder(path):
        if _ABOUT.fullmatch(child.name) or (store and _BESIDE.fullmatch(child.name)):
            continue
        topic = child.name if child.is_dir() else bare_name(child)
        if topic in seen:
            raise DataError(
                f"topic '{topic}' is there already, as {seen[topic].name}; "
                "put the references of one topic into a folder",
                place=child,
            )
        seen[topic] = child
        below = (_stored_files(child, store) or list_folder(child)) if child.is_dir() else [child]
        if sets := [file.name for file in below if file.is_dir()]:
            if kept and below[0].parent == child:
                # Other topics keep references of this kind, and this one keeps only others.
                continue
            raise DataError(
                f"holds folders ({', '.join(sets)}), not references; name one "
                "of them, or for update summaries give `originals` too",
                place=below[0].parent,
            )
        for file in below:
            if not (store and _BESIDE.fullmatch(file.name)):
                yield topic, file


def system_files(path: Path, store: str = "") -> Iterator[tuple[str, Path]]:
    """Each file of a run's folder with its topic."""
    for child in run_children(path, store):
        if not child.is_dir():
            yield bare_name(child), child
        elif own := _stored_files(child, store):
            yield from ((child.name, file) for file in own)
        else:
            raise DataError(
                f"holds folders ('{child.name}'); to score each as a system, give {child.parent}/*,"
                ' or if they are runs of one system, `folders="runs"`',
                place=child.parent,
            )


def run_children(path: Path, store: str = "") -> list[Path]:
    """What the folder of a system or of a run holds, files about it aside."""
    if store and (path / store).is_dir():
        path = path / store
    return [child for child in list_folder(path) if not _ABOUT.fullmatch(child.name)]


def article_file(path: Path, topic: str) -> Path | None:
    """The file with the articles of a topic, if its folder has one, best prepared first."""
    for folder in (path / topic, path):
        for name in _ARTICLES:
            for ending in (".jsonl", ".jsonl.gz"):
                if (file := folder / f"{name}{ending}").is_file():
                    return file
    return None


def _stored_files(folder: Path, store: str) -> list[Path]:
    """The files that a topic's folder keeps under this name; none if it has no such place."""
    for ending in (".jsonl", ".jsonl.gz", ".json") if store else ():
        if (file := folder / f"{store}{ending}").is_file():
            return [file]
    return list_folder(folder / store) if store and (folder / store).is_dir() else []


def is_about(path: Path) -> bool:
    """Whether a file is about its folder, as a README is."""
    return _ABOUT.fullmatch(path.name) is not None


def list_folder(folder: Path) -> list[Path]:
    """What a folder holds, in order of name, hidden files aside."""
    listed = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    kept = without_backups([path.name for path in listed])
    found = [path for path in listed if path.name in kept]
    for path in listed:
        if path.name not in kept:
            warn(f"{path}: is a backup that an editor left; it is not read", kind="backup")
    if not found:
        raise DataError("the folder is empty; put files in it or leave it out", place=folder)
    return found


def without_backups(names: Collection[str]) -> set[str]:
    """Names without those of backups that editors leave beside a file of ours.

    >>> sorted(without_backups(["dam.md", "dam.md~", "#dam.md#", "dam.md.bak", "dam.md.gz"]))
    ['dam.md', 'dam.md.gz']
    """
    known = {*names}
    return {name for name in known if not any(one in known for one in _backed_up(name))}


def _backed_up(name: str) -> Iterator[str]:
    """What a name would be a backup of."""
    path = PurePath(name)
    if path.suffix.lower() not in PACKED and PurePath(path.stem).suffix.lower() in FORMAT_ENDINGS:
        yield path.stem
    yield name.rstrip("~") if name.endswith("~") else ""
    yield name.strip("#") if name.startswith("#") and name.endswith("#") else ""


def folder_name(folder: Path, store: str = "") -> str:
    """A folder's name, or that of the folder around it where it is only the store."""
    full = folder.resolve()
    return full.parent.name if store and full.name == store else full.name


FORMAT_ENDINGS = frozenset(
    (
        *(".json", ".jsonl", ".ndjson", ".newstls", ".csv", ".tsv", ".parquet", ".yaml", ".yml"),
        *(".xml", ".txt", ".text", ".tilse", ".md", ".markdown", ".html", ".htm", ".tml"),
        *(".pan", ".pyr"),
    )
)
"""What may stand before `.gz`; anything else there is part of a name, as in `gpt3.5.gz`."""


def bare_name(path: PurePath) -> str:
    """A file's name without its ending, which names its system, topic or author.

    >>> [bare_name(Path(name)) for name in ("base.run1.jsonl", "base.json.gz", "gpt3.5.gz")]
    ['base.run1', 'base', 'gpt3.5']
    """
    if path.suffix.lower() not in PACKED:
        return path.stem
    inside = PurePath(path.stem)
    return inside.stem if inside.suffix.lower() in FORMAT_ENDINGS else inside.name


def is_json_lines_file(path: Path) -> bool:
    """Tell JSON Lines from JSON by the name, `.gz` aside."""
    return ".jsonl" in path.suffixes or ".ndjson" in path.suffixes


def is_json(path: Path) -> bool:
    """Whether the name says JSON or JSON Lines."""
    return is_json_lines_file(path) or ".json" in path.suffixes


def distinct_names(files: Sequence[Path]) -> dict[Path, str]:
    """Each file's bare name, or where files share it, that of the nearest folder that differs.

    >>> [*distinct_names([Path("a/x/1.txt"), Path("b/x/1.txt"), Path("2.txt")]).values()]
    ['a', 'b', '2']
    """
    names = {file: bare_name(file) for file in files}
    for name in {*names.values()}:
        same = [file for file in names if names[file] == name]
        folders = [file.resolve().parents for file in same]
        for level in range(min(map(len, folders)) if len(same) > 1 else 0):
            found = [one[level].name for one in folders]
            if len({*found}) == len(same):
                names |= dict(zip(same, found, strict=True))
                break
    return names
