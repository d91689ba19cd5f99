"""The bundled demo corpus: twelve invented news topics, their references, and six systems."""

import shutil
from dataclasses import replace
from pathlib import Path

from chronoscore.core import Collection, Run, Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.summaries import plain, updates
from chronoscore.formats.timelines import timeline_files

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
RUNS = HERE / "runs"
RATINGS = HERE / "ratings.csv"
ANSWERS = HERE / "answers.sqlite"
"""Recorded answers of no model, for trying machine judges offline."""
SETS = {"A": "original", "B": "update"}
SYSTEMS = ("careful", "extract", "late", "headlines", "lead", "random")


def copy_demo_corpus(target: Path) -> None:
    """Copy everything into a new folder."""
    if target.exists():
        raise UsageError("already exists; choose another folder", place=target)
    try:
        for folder in (CORPUS, RUNS):
            shutil.copytree(folder, target / folder.name)
        for file in (RATINGS, ANSWERS, HERE / "README.md"):
            shutil.copy(file, target)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        reason = error.strerror or "not all files were copied"
        raise DataError(f"cannot be written ({reason}); check it", place=target) from None


def demo_topics() -> list[str]:
    """The topics' names, in order."""
    return sorted(path.parent.name for path in CORPUS.glob("*/topic.json"))


def summarized_topics() -> list[str]:
    """The topics with summaries, in order; the same ones have judgements and content units."""
    return sorted(path.parent.name for path in CORPUS.glob("*/summaries"))


def demo_summaries() -> tuple[Collection, list[Run]]:
    """All summaries: the original and the update of a topic are two topics here.

    Each is the summary of other documents with its own four references, so each is a
    unit of resampling.
    """
    units = [
        (name, letter, label) for name in summarized_topics() for letter, label in SETS.items()
    ]
    collection = {
        f"{name}-{label}": Topic(
            id=f"{name}-{label}",
            summaries=tuple(
                _demo_summary(file, letter)
                for file in sorted((CORPUS / name / "summaries" / label).glob("*.txt"))
            ),
        )
        for name, letter, label in units
    }
    runs = [
        Run(
            system,
            {
                f"{name}-{label}": _demo_summary(RUNS / system / label / f"{name}.txt", letter)
                for name, letter, label in units
            },
        )
        for system in SYSTEMS
    ]
    return Collection(collection, "demo"), runs


def _demo_summary(file: Path, letter: str) -> Summary:
    """One summary, with its writer and its set."""
    return replace(plain.load(file), author=file.stem, set=letter)


def demo_update_summaries() -> tuple[Collection, list[Run]]:
    """The update summaries, with the references of both sets."""
    return updates.load([RUNS / system / "update" for system in SYSTEMS], [CORPUS], [CORPUS])


def demo_timelines() -> tuple[Collection, list[Run]]:
    """The timelines, with two or three references each."""
    collection = {
        name: Topic(
            id=name,
            timelines=tuple(
                timeline_files.load(file, author=file.stem)
                for file in sorted((CORPUS / name / "timelines").glob("*.txt"))
            ),
        )
        for name in demo_topics()
    }
    runs = [
        Run(
            system,
            {
                name: timeline_files.load(RUNS / system / "timelines" / f"{name}.txt")
                for name in collection
            },
        )
        for system in SYSTEMS
    ]
    return Collection(collection, "demo"), runs


def demo_streams() -> tuple[Collection, list[Run]]:
    """The judged events and content units, and what systems chose of the stream."""
    return judged_topics.load([RUNS / system / "rankings.jsonl" for system in SYSTEMS], [CORPUS])
