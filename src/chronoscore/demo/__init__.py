"""The bundled demo corpus: three invented news topics, their references, and six systems."""

from collections.abc import Iterator
from pathlib import Path

from chronoscore.core import Collection, Run, Summary, Topic
from chronoscore.formats import plain

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
RUNS = HERE / "runs"
SETS = {"A": "original", "B": "update"}


def topics() -> list[str]:
    """The topics' names, in order."""
    return sorted(path.name for path in CORPUS.iterdir() if (path / "topic.json").is_file())


def systems() -> list[str]:
    """The systems' names, best ones first where their makers knew it."""
    found = {path.name for path in RUNS.iterdir() if path.is_dir()}
    known = ["careful", "extract", "late", "headlines", "lead", "random"]
    return [name for name in known if name in found] + sorted(found.difference(known))


def summaries() -> tuple[Collection, list[Run]]:
    """All summaries: the original and the update of a topic are two topics here.

    Each is the summary of other documents with its own four references, so each is a
    unit of resampling.
    """
    collection = {f"{name}-{label}": topic for name, label, topic in summary_topics()}
    runs = [
        Run(system, {f"{name}-{label}": output for name, label, output in outputs(system)})
        for system in systems()
    ]
    return Collection(collection, "demo"), runs


def summary_topics() -> Iterator[tuple[str, str, Topic]]:
    """Each topic's original and update set with its human summaries."""
    for name in topics():
        for letter, label in SETS.items():
            files = sorted((CORPUS / name / "summaries" / label).glob("*.txt"))
            references = tuple(
                Summary(plain.load(file).sentences, file.stem, letter) for file in files
            )
            yield name, label, Topic(id=f"{name}-{label}", summaries=references)


def outputs(system: str) -> Iterator[tuple[str, str, Summary]]:
    """A system's original and update summaries."""
    for name in topics():
        for letter, label in SETS.items():
            file = RUNS / system / label / f"{name}.txt"
            yield name, label, Summary(plain.load(file).sentences, system, letter)
