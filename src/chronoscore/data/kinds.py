"""Which kind of output is scored: summaries, timelines or rankings, by a look at the data."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chronoscore.core import Collection, Output, Ranking, Summary, Timeline, Topic
from chronoscore.data.frames import is_data_frame
from chronoscore.data.references import as_collection
from chronoscore.data.tables import references_by_topic
from chronoscore.data.values import are_paths, as_paths, is_entry_list, is_missing, is_text
from chronoscore.formats.corpora.labeled_outputs import STORE
from chronoscore.formats.io import layout
from chronoscore.formats.summaries import updates
from chronoscore.formats.timelines import tilse, timeline_files

KINDS: Mapping[str, type[Output]] = {
    "summaries": Summary,
    "timelines": Timeline,
    "rankings": Ranking,
}


def kind_of_inputs(systems: Any, references: Any) -> type[Output]:
    """What is scored where no measure says so: timelines, if the references are dated."""
    if are_paths(references):
        return kind_of_paths(as_paths(references))
    if is_missing(references) and are_paths(systems):
        return kind_of_paths(as_paths(systems))
    if isinstance(references, Topic | Collection) or (
        isinstance(references, list | tuple) and all(isinstance(t, Topic) for t in references)
    ):
        topics = list(as_collection(references))
        if any(topic.timelines for topic in topics):
            return Timeline
        return Summary if any(topic.summaries for topic in topics) else Ranking
    found = [value for values in references_by_topic(references).values() for _, value in values]
    return kind_of_value(next(iter(found), None))


def kind_of_value(value: Any) -> type[Output]:
    """Whether one reference is a timeline or a plain text."""
    if isinstance(value, Topic):
        return Timeline if value.timelines else Summary
    if isinstance(value, Path):
        return kind_of_paths([value])
    if isinstance(value, str):
        several = is_text(value) and timeline_files.is_timeline_text(value)
        return Timeline if several or tilse.detect(value) else Summary
    if is_data_frame(value) and not isinstance(value, list | tuple):
        return Timeline
    if isinstance(value, Mapping | Timeline):
        return Timeline
    return Timeline if isinstance(value, list | tuple) and is_entry_list(value) else Summary


def kind_of_paths(paths: Sequence[Path]) -> type[Output]:
    """Whether references hold timelines, by their folders or by a look at the first file."""
    for path in paths:
        if path.name == STORE or any(path.rglob(STORE)):
            return Timeline
        for _, file in layout.reference_files(path, STORE):
            if file.is_file():
                return _kind_of_file(file)
    return Summary


def kind_of_updates(references: Sequence[Path]) -> type[Output]:
    """Whether references of updates hold timelines, by a look at the first file."""
    file = next((file for path in references for file in updates.reference_files(path)), None)
    return Summary if file is None else _kind_of_file(file)


def _kind_of_file(file: Path) -> type[Output]:
    return Timeline if timeline_files.holds_timeline(file) else Summary
