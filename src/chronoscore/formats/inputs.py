"""From the paths of a command to a collection and its runs.

One rule for every kind of output: a directory given as a system is named by itself and
its files are topics; a directory of references holds a file for each topic, or a folder
for each topic with a file for each reference; single files are compared with each other
as one topic; JSON and JSON Lines hold many topics in one file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from chronoscore.core import (
    Collection,
    DataError,
    Output,
    Run,
    Summary,
    Timeline,
    Topic,
)
from chronoscore.formats import plain, records

Read: TypeAlias = Callable[[Path], Output]


@dataclass
class Inputs:
    """What has been read so far: references by topic, outputs by system and topic."""

    references: dict[str, list[Output]] = field(default_factory=dict)
    outputs: dict[str, dict[str, Output]] = field(default_factory=dict)

    def add_output(self, system: str, topic: str, output: Output, path: Path) -> None:
        """Keep an output; two for the same system and topic are refused."""
        mine = self.outputs.setdefault(system, {})
        if topic in mine:
            raise DataError(
                f"{path}: system '{system}' has an output for topic '{topic}' already; "
                "give systems different names"
            )
        mine[topic] = output


READERS: Mapping[type[Output], Read] = {Summary: plain.load}
"""How a single file of each kind of output is read."""


def load(
    systems: Sequence[Path], references: Sequence[Path], needs: type[Output] = Summary
) -> tuple[Collection, list[Run]]:
    """Read systems and references, files or directories, and pair them up by topic."""
    inputs = Inputs()
    read = READERS[needs]
    for path in [*systems, *references]:
        if not path.exists():
            raise DataError(f"{path}: no such file or directory; check the path")
    lone = lone_topic(systems, references)
    for path in references:
        for topic, reference in reference_files(path, lone, read):
            inputs.references.setdefault(topic, []).append(reference)
    for path in systems:
        add_system(inputs, path, lone, read)
    if not inputs.references:
        raise DataError("there is no reference; give --reference a file or a directory")
    regroup(inputs)
    topics = {topic: topic_of(topic, found) for topic, found in inputs.references.items()}
    runs = [Run(system, outputs) for system, outputs in inputs.outputs.items()]
    return Collection(topics), runs


def lone_topic(systems: Sequence[Path], references: Sequence[Path]) -> str | None:
    """The topic's name where only single texts are compared, otherwise nothing."""
    single = [p for p in [*systems, *references] if p.is_file() and not records.is_json(p)]
    if references and len(single) == len(systems) + len(references):
        return bare(references[0])
    return None


def reference_files(path: Path, lone: str | None, read: Read) -> Iterator[tuple[str, Output]]:
    """Each reference below a path, with its topic."""
    if path.is_dir():
        for child in children(path):
            below = children(child) if child.is_dir() else [child]
            for file in below:
                yield bare(child), read(file)
    elif records.is_json(path):
        for record in records.load(path):
            if not record.references:
                raise DataError(f"{path}: topic '{record.topic}' has no references; add them")
            for reference in record.references:
                yield record.topic, reference
    else:
        yield lone or bare(path), read(path)


def add_system(inputs: Inputs, path: Path, lone: str | None, read: Read) -> None:
    """Read one system: a directory of topics, a file of records, or a single text."""
    if path.is_dir():
        for file in children(path):
            if file.is_dir():
                raise DataError(f"{file}: a folder inside a system's; put its files in {path}")
            inputs.add_output(path.resolve().name, bare(file), read(file), file)
    elif records.is_json(path):
        for record in records.load(path):
            if record.system is None:
                raise DataError(f"{path}: topic '{record.topic}' has no 'system'; add its text")
            inputs.add_output(bare(path), record.topic, record.system, path)
            known = inputs.references.setdefault(record.topic, [])
            known.extend(r for r in record.references if r not in known)
            if not known:
                raise DataError(
                    f"{path}: topic '{record.topic}' has no references; add them or --reference"
                )
    elif lone is not None:
        inputs.add_output(bare(path), lone, read(path), path)
    else:
        inputs.add_output(path.resolve().parent.name, bare(path), read(path), path)


def regroup(inputs: Inputs) -> None:
    """Let `bp.a.txt` and `bp.b.txt` be two references of `bp`, where systems speak of `bp`."""
    asked = {topic for outputs in inputs.outputs.values() for topic in outputs}
    for name in list(inputs.references):
        topic = name.rpartition(".")[0]
        if name not in asked and topic in asked:
            inputs.references.setdefault(topic, []).extend(inputs.references.pop(name))


def topic_of(name: str, found: Sequence[Output]) -> Topic:
    """A topic with its references in the field of their kind."""
    return Topic(
        id=name,
        summaries=tuple(output for output in found if isinstance(output, Summary)),
        timelines=tuple(output for output in found if isinstance(output, Timeline)),
    )


def children(folder: Path) -> list[Path]:
    """What a folder holds, in order of name, hidden files aside."""
    found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    if not found:
        raise DataError(f"{folder}: the folder is empty; put files in it or leave it out")
    return found


def bare(path: Path) -> str:
    """A file's name without its ending, which names its system or topic."""
    return (path.with_suffix("") if path.suffix == ".gz" else path).stem
