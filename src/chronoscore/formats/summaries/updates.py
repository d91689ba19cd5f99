"""Update summaries: outputs, their references, and the references of what was known before.

Set A is the original, B its update, and so on: earlier sets come in the order in which they
were named, the update last. A folder of references holds a file or a folder for each topic,
or is itself the folder of a topic, as `corpus/dam/summaries/update` is of `dam`. A whole
corpus may be given, too, whose topics keep `original` and `update` folders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase

from chronoscore.core import Collection, Run, Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.io.layout import bare_name, is_json, list_folder
from chronoscore.formats.io.partial import leave_out, only_in_folders
from chronoscore.formats.summaries import plain, records

UPDATE, ORIGINAL = "update", "original"


def load(
    systems: Sequence[Path], references: Sequence[Path], originals: Sequence[Path]
) -> tuple[Collection, list[Run]]:
    """Read update summaries with both kinds of references."""
    if not references:
        raise DataError("there is no reference; give `references`, a file or a directory")
    for path in [*systems, *references, *originals]:
        if not path.exists():
            raise DataError("no such file or directory; check the path", place=path)
    lone = _lone_topic([*systems, *references, *originals], references[0])
    sets = list(dict.fromkeys(_earlier_set(path) for path in originals))
    if len(sets) >= len(ascii_uppercase):
        raise UsageError(f"{len(sets)} earlier sets were given; give 25 or fewer")
    letter = {name: ascii_uppercase[number] for number, name in enumerate(sets)}
    last = ascii_uppercase[len(sets)]
    outputs = {
        name: {topic: replace(text, set=last) for topic, text in _system_texts(path, lone)}
        for path, name in zip(systems, _system_names(systems), strict=True)
    }
    asked = {topic for found in outputs.values() for topic in found}
    told = [(path, letter[_earlier_set(path)], ORIGINAL) for path in originals]
    told += [(path, last, UPDATE) for path in references]
    summaries: dict[str, list[Summary]] = {}
    for path, label, role in told:
        for topic, text in _reference_texts(path, role, asked, lone):
            summaries.setdefault(topic, []).append(replace(text, set=label))
    # A topic that nobody was asked to update is no topic here.
    topics = {
        name: Topic(id=name, summaries=tuple(found))
        for name, found in summaries.items()
        if any(text.set == last for text in found)
    }
    runs = []
    for path, (name, found) in zip(systems, outputs.items(), strict=True):
        run = Run(name, found)
        bare = only_in_folders(run, references, topics)
        runs.append(leave_out(run, bare, "topics have no reference of the update", path))
    return Collection(topics), runs


def reference_files(path: Path) -> Iterator[Path]:
    """The files of references of an update below a path."""
    if path.is_dir():
        yield from (file for _, file in _reference_files(path, UPDATE, set()))
    elif path.is_file():
        yield path


def join(
    updates: Collection, originals: Collection, runs: Sequence[Run]
) -> tuple[Collection, list[Run]]:
    """Updates and their references as set B, with the references of what was known as set A."""
    topics = {}
    for topic in updates:
        known = originals.topics.get(topic.id)
        if known is None:
            raise DataError(f"topic '{topic.id}' has no original; add it to `originals`")
        told = [replace(text, set="A") for text in known.summaries]
        told += [replace(text, set="B") for text in topic.summaries]
        topics[topic.id] = replace(topic, summaries=tuple(told))
    marked = [
        replace(
            run,
            outputs={
                topic: replace(output, set="B") if isinstance(output, Summary) else output
                for topic, output in run.outputs.items()
            },
        )
        for run in runs
    ]
    return Collection(topics), marked


def _lone_topic(paths: Sequence[Path], first: Path) -> str | None:
    """The topic's name where only single texts are compared, otherwise nothing."""
    single = all(path.is_file() and not is_json(path) for path in paths)
    return bare_name(first) if single else None


def _earlier_set(path: Path) -> str:
    """Which earlier set a path belongs to: folders of one name are one, single texts are too."""
    return "" if path.is_file() and not is_json(path) else path.resolve().name


def _system_names(paths: Sequence[Path]) -> list[str]:
    """Name systems by their folders, and folders of one name by what tells their paths apart."""
    plain_names = [bare_name(path) if path.is_file() else path.resolve().name for path in paths]
    if len(set(plain_names)) == len(paths) and UPDATE not in plain_names:
        return plain_names
    parts = [path.resolve().with_suffix("").parts[::-1] for path in paths]
    depth = next(
        (n for n, level in enumerate(zip(*parts, strict=False)) if len(set(level)) == len(paths)),
        None,
    )
    if len(paths) == 1:
        depth = 1
    if depth is None:
        raise DataError(
            "has the same name as another system; name systems differently", place=paths[0]
        )
    return [part[depth] for part in parts]


def _system_texts(path: Path, lone: str | None) -> Iterator[tuple[str, Summary]]:
    """A system's updates by topic."""
    if path.is_file() and not is_json(path):
        yield lone or bare_name(path), plain.load(path)
    elif path.is_file():
        for record in records.load(path):
            if record.system is None:
                raise DataError(f"topic '{record.topic}' has no 'system'; add its text", place=path)
            yield record.topic, record.system
    else:
        folder = path / UPDATE if (path / UPDATE).is_dir() else path
        for file in list_folder(folder):
            if file.is_dir():
                raise DataError(
                    f"holds folders ('{file.name}'), and updates are read without several runs; to "
                    f"score each as a system, give {folder}/*",
                    place=folder,
                )
            yield bare_name(file), plain.load(file)


def _reference_texts(
    path: Path, role: str, asked: set[str], lone: str | None
) -> Iterator[tuple[str, Summary]]:
    """The references below a path with their topics, signed by their files."""
    if path.is_file() and not is_json(path):
        yield lone or bare_name(path), _load_signed(path)
    elif path.is_file():
        for record in records.load(path):
            for reference in record.references:
                yield record.topic, reference
    else:
        for topic, file in _reference_files(path, role, asked):
            yield topic, _load_signed(file)


def _reference_files(path: Path, role: str, asked: set[str]) -> Iterator[tuple[str, Path]]:
    """Each file below a folder and the topic that it is for."""
    found = list_folder(path)
    own = [part for part in path.resolve().parts if part in asked]
    if own and all(child.is_file() and bare_name(child) not in asked for child in found):
        yield from ((own[-1], child) for child in found)
        return
    stores = {child: _find_store(child, role) for child in found if child.is_dir()}
    # In a corpus whose topics keep such folders, a topic without one has no references.
    kept = any(stores.values())
    for child in found:
        if child.is_file():
            yield bare_name(child), child
        elif stores[child] or not kept:
            files = list_folder(stores[child] or child)
            yield from ((child.name, file) for file in files if file.is_file())


def _find_store(folder: Path, role: str) -> Path | None:
    """The folder of a topic's references of one set, if it keeps one."""
    return next((one for one in (folder / "summaries" / role, folder / role) if one.is_dir()), None)


def _load_signed(path: Path) -> Summary:
    """A reference with its file's name as its author's."""
    return plain.load(path, author=bare_name(path))
