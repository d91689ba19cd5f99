"""A project file before it is written: the guess, tried by reading what it names."""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chronoscore.core import Collection, Output, Run, Summary, Timeline, Topic
from chronoscore.data.coverage import check_topics
from chronoscore.data.stages import Data
from chronoscore.errors import ChronoscoreError, ChronoscoreWarning, DataError, number_with_noun
from chronoscore.projects.data import read_data
from chronoscore.projects.guess import guess
from chronoscore.projects.guesses import Guess
from chronoscore.projects.project import read_project
from chronoscore.projects.schema import NAME
from chronoscore.projects.writing import render
from chronoscore.text.languages import detect_language

ENOUGH = 300
"""Letters from which on a topic's references show their language."""
SHOWN = 3
"""Entries of each side that are shown."""


@dataclass(frozen=True)
class Sample:
    """An entry as it was read: of which side, whose, about which topic, when and what."""

    side: str
    name: str
    topic: str
    when: str
    text: str


@dataclass(frozen=True)
class ProjectProposal:
    """What `chronoscore init` found: the file to write, entries of both sides, and notes."""

    file: Path
    text: str
    guess: Guess
    samples: tuple[Sample, ...] = ()
    systems: tuple[str, ...] = ()
    topics: int = 0
    notes: tuple[str, ...] = ()

    def write(self) -> None:
        """Write the file, unless one is there; whole or not at all."""
        refuse_existing(self.file)
        made = False
        try:
            with self.file.open("x", encoding="utf-8") as file:
                made = True
                file.write(self.text)
        except FileExistsError:
            refuse_existing(self.file)
        except BaseException:
            if made:
                self.file.unlink(missing_ok=True)
            raise


def refuse_existing(file: Path) -> None:
    """Refuse to write over a project file."""
    if os.path.lexists(file):
        raise DataError("is there already; change it, or remove it first", place=file)


def propose(folder: Path, named: str = "") -> ProjectProposal:
    """Look at a folder, and read what the guess names."""
    if not folder.is_dir():
        reason = "is a file; name its folder" if folder.exists() else "no such folder; check it"
        raise DataError(reason, place=folder)
    found = guess(folder, named)
    file = folder / NAME
    text = render(found)
    project = read_project(file, text.encode())
    notes = list(found.notes)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            data = read_data(project).prepare()
        _refuse_unknown(data)
    except ChronoscoreError as error:
        sides = " and ".join(one[0] for one in (found.systems, found.references) if one)
        raise DataError(f"seems to hold {sides}, but {error}", place=folder) from None
    prefix = f"{folder}{os.sep}"
    notes += [str(one.message).replace(prefix, "") for one in caught]
    notes += _note_topics(data)
    language = _language(data.collection)
    if language:
        text = render(found, language)
    return ProjectProposal(
        file,
        text,
        found,
        (*_samples(data.runs), *_reference_samples(data.collection)),
        tuple(dict.fromkeys(run.system for run in data.runs)),
        len(data.collection),
        tuple(dict.fromkeys(notes)),
    )


def _refuse_unknown(data: Data) -> None:
    """Refuse topics without references, as `score` does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        check_topics(data.runs, data.collection)


def _note_topics(data: Data) -> Iterator[str]:
    """What topics lack an output, or one that can be read."""
    known = {topic.id for topic in data.collection}
    for run in data.runs:
        lacking = known - run.outputs.keys()
        if lacking and not run.skips:
            yield f"{run.label}: has no output for '{min(lacking)}' ({len(lacking)} such topics)"
        if run.unreadable:
            name, why = next(iter(run.unreadable.items()))
            many = number_with_noun(len(run.unreadable), "output")
            yield f"{run.label}: {many} cannot be read, '{name}' first ({why})"


def _language(collection: Collection) -> str:
    """The language of the references; nothing for English, `auto` for several."""
    texts = [*filter(None, map(_reference_text, collection))]
    long = [text for text in texts if len(text) >= ENOUGH]
    found = {detect_language([text]) for text in long}
    if len(found) > 1:
        return "auto"
    language = detect_language(texts) if texts else "english"
    if language == "english" or (language == "any" and not found):
        return ""
    return "auto" if language == "any" else language


def _reference_text(topic: Topic) -> str:
    texts = [one.sentences for one in topic.summaries]
    texts += [entry.sentences for one in topic.timelines for entry in one]
    return "\n".join(sentence for one in texts for sentence in one)


def _samples(runs: Sequence[Run]) -> Iterator[Sample]:
    """The first entries of different systems."""
    outputs = [(run.label, *one) for run in runs for one in list(run.outputs.items())[:SHOWN]]
    yield from _entries("system", sorted(outputs, key=lambda one: _turn(one, outputs)))


def _turn(one: tuple[str, str, Output], every: Sequence[tuple[str, str, Output]]) -> int:
    """Which output of its system one is, so that systems take turns."""
    return [other for other in every if other[0] == one[0]].index(one)


def _reference_samples(collection: Collection) -> Iterator[Sample]:
    references: list[tuple[str, str, Output]] = []
    for topic in collection:
        references += [(one.author, topic.id, one) for one in topic.timelines]
        references += [(one.author, topic.id, one) for one in topic.summaries]
    if references:
        yield from _entries("reference", references)
        return
    for topic in [*collection][:SHOWN]:
        judged = topic.judgements or topic.pyramid
        text = f"{type(judged).__name__.lower()}" if judged else "nothing"
        yield Sample("judged", "", topic.id, "", text)


def _entries(side: str, outputs: Sequence[tuple[str, str, Output]]) -> Iterator[Sample]:
    shown = 0
    for name, topic, output in outputs:
        with suppress(IndexError):
            if isinstance(output, Timeline):
                entry = output.entries[0]
                when, text = str(entry.when), " ".join(entry.sentences)
            elif isinstance(output, Summary):
                when, text = "", output.sentences[0]
            else:
                chosen = output.selections[0]
                when, text = "", chosen.text or chosen.sentence or chosen.event
            yield Sample(side, name, topic, when, text)
            shown += 1
        if shown == SHOWN:
            return
