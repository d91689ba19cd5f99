"""Topics with documents, from paths, records or our own objects: what oracles and systems read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from chronoscore.core import Collection, Document, Output, Timeline, Topic
from chronoscore.data import references, source_files
from chronoscore.data.values import are_paths, as_list, as_path, as_paths
from chronoscore.errors import DataError, WrongTypeError, describe_type, warn
from chronoscore.formats.corpora import collections, inputs, judged_topics
from chronoscore.formats.corpora.timeml import TaggedText

Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""A file, a folder or a pattern, or several."""
Sources: TypeAlias = (
    Paths
    | Collection
    | Topic
    | Document
    | Mapping[str, Any]
    | Iterable[Topic | Document | Mapping[str, Any]]
)
"""Paths, a `Collection`, topics, documents, or records as in a collection's file."""
JudgedSources: TypeAlias = Paths | Collection | Topic | Iterable[Topic]
"""Paths of judged topics, or topics that hold judgements."""


def as_collection(given: Sources, needs: type[Output]) -> Collection:
    """A collection with documents and the references that are needed."""
    if isinstance(given, str | PathLike):
        return collections.load(as_path(given, "collection"), needs)
    return collection_of(given)


def as_topics(given: Sources) -> list[Topic]:
    """Topics with the documents that a system summarizes; references are not needed."""
    if are_paths(given):
        return source_files.load_topics(as_paths(given, "documents"))
    several = as_list(given)
    if several and all(isinstance(one, Document) for one in several):
        several = [Topic(id="topic", documents=tuple(several))]
    topics = list(collection_of(given if isinstance(given, Collection) else several))
    bare = [topic.id for topic in topics if not topic.documents]
    if bare:
        raise DataError(f"topic '{bare[0]}' has no documents; add some")
    return topics


def as_tagged_texts(given: Sources) -> Sequence[TaggedText | Topic]:
    """Texts with their events tagged, or topics where there are none."""
    if are_paths(given) and (tagged := source_files.load_tagged(as_paths(given))):
        return tagged
    return as_topics(given)


def collection_of(given: Any) -> Collection:
    """A collection from topics or records."""
    several = as_list(given)
    if not several:
        raise DataError("the collection has no topic; give at least one")
    if all(isinstance(one, Topic) for one in several):
        return references.as_collection(given if isinstance(given, Collection) else several)
    if not all(isinstance(one, Mapping) for one in several):
        raise WrongTypeError(
            f"{describe_type(given)} is not a collection; give a path, a Collection, topics, "
            f"or records as {collections.SHAPE}"
        )
    places = ((f"record {number}", record) for number, record in enumerate(several, 1))
    return Collection({topic.id: topic for topic in collections.read_records(places)})


def with_reference_files(
    found: Sequence[Topic], paths: Sequence[Path], needs: type[Output] = Timeline
) -> list[Topic]:
    """Topics with references from files."""
    return with_references(found, inputs.load_reference_files(paths, needs).topics)


def with_references(found: Sequence[Topic], known: Mapping[str, Topic]) -> list[Topic]:
    """Topics with the references that theirs should be as long as, or that an oracle knows."""
    if len(found) == 1 and found[0].id not in known:
        # A lone topic's references need not be named after it.
        return [
            replace(
                found[0],
                timelines=tuple(one for other in known.values() for one in other.timelines),
                summaries=tuple(one for other in known.values() for one in other.summaries),
            )
        ]
    missing = [topic.id for topic in found if topic.id not in known]
    if missing:
        raise DataError(
            f"topic '{missing[0]}' has no reference ({len(missing)} of {len(found)} have none); "
            "name references like the topics, or give the length in options"
        )
    return [
        replace(t, timelines=known[t.id].timelines, summaries=known[t.id].summaries) for t in found
    ]


def with_unit_files(found: Sequence[Topic], paths: Sequence[Path]) -> list[Topic]:
    """Topics with their content units from files."""
    return with_units(
        found, [topic for path in paths for topic in judged_topics.load_judged_topics(path)]
    )


def with_units(found: Sequence[Topic], judged: Iterable[Topic]) -> list[Topic]:
    """Topics with the content units of others of the same names; those without are left out."""
    units = {topic.id: topic.pyramid for topic in judged}
    missing = [topic.id for topic in found if not units.get(topic.id)]
    if len(missing) == len(found):
        raise DataError(f"topic '{missing[0]}' has no content units; name them like the topic")
    if missing:
        warn(
            f"{len(missing)} of {len(found)} topics have no content units, '{missing[0]}' first; "
            "left out",
            kind="no-content-units",
        )
    return [replace(topic, pyramid=units[topic.id]) for topic in found if units.get(topic.id)]
