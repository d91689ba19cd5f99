"""Texts beside timelines that are answers too: prose, lines without a list, reasoning before it.

The reader of answers takes them where `score` is told their folder. Two of three things show it:
a text lies beside timelines, it is called as one of their topics, that reader finds dated entries.
"""

from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from chronoscore.errors import ChronoscoreError
from chronoscore.formats.timelines import timeline_files
from chronoscore.projects.layouts import SEPARATORS
from chronoscore.projects.names import is_source, speaks_for
from chronoscore.projects.survey import Survey, SurveyedFile


def add_answers(found: Survey, timelines: Sequence[SurveyedFile]) -> Iterator[list[SurveyedFile]]:
    """The timelines with all texts that seem to be answers, then with those of known topics."""
    homes = {one.path.parent for one in timelines}
    topics = names_of(timelines)
    beside: list[SurveyedFile] = []
    named: list[SurveyedFile] = []
    for one in found.files:
        if one.kind not in ("text", "unreadable") or any(map(is_source, one.parts)):
            continue
        lies_there = one.path.parent in homes
        is_named = is_called_as(one, topics) or _is_in_topic(one, topics, timelines)
        if (lies_there and is_named) or ((lies_there or is_named) and _is_dated(one.path)):
            (named if is_named else beside).append(one)
    if beside:
        yield [*timelines, *named, *beside]
    if named:
        yield [*timelines, *named]
    yield [*timelines]


def names_of(files: Sequence[SurveyedFile]) -> set[str]:
    """The names of files and of their folders, whole and in pieces, and the topics in them."""
    found: set[str] = set()
    for one in files:
        found |= _pieces(one.parts[-1]) | {topic.casefold() for topic in one.topics}
        found |= {one.parts[-2].casefold()} if len(one.parts) > 1 else set()
    return found


def _pieces(stem: str) -> set[str]:
    """A name and its pieces that have a letter."""
    pieces = [stem, *(piece for sign in SEPARATORS for piece in stem.split(sign))]
    return {one.casefold() for one in pieces if any(map(str.isalpha, one))}


def is_called_as(one: SurveyedFile, topics: Set[str]) -> bool:
    """Whether a file's name holds that of a topic."""
    return not _pieces(one.parts[-1]).isdisjoint(topics)


def _is_in_topic(one: SurveyedFile, topics: Set[str], timelines: Sequence[SurveyedFile]) -> bool:
    """Whether a file lies in the folder of a topic, where systems lie; articles do so, too."""
    if len(one.parts) < 2 or one.parts[-2].casefold() not in topics or not _pieces(one.parts[-1]):
        return False
    known = any(file.parts[0] == one.parts[0] for file in timelines if len(file.parts) > 1)
    return known or any(speaks_for(part) < 0 for part in one.parts[:-1])


def _is_dated(path: Path) -> bool:
    """Whether the reader of answers finds dated entries."""
    try:
        return any(len(one.timeline) for one in timeline_files.read(path).timelines)
    except (ChronoscoreError, OSError, ValueError):
        return False
