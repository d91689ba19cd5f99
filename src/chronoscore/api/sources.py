"""Topics with documents, from paths, records or our own objects: what oracles and systems read."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from chronoscore.core import Collection, Document, Output, Topic
from chronoscore.data.references import as_collection
from chronoscore.data.values import are_paths, as_list, as_path, as_paths
from chronoscore.errors import DataError, WrongTypeError, describe_type
from chronoscore.formats.corpora import collections
from chronoscore.systems import sources

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


def as_oracle_collection(given: Sources, needs: type[Output]) -> Collection:
    """A collection with documents and the references that are needed."""
    if isinstance(given, str | PathLike):
        return collections.load(as_path(given, "collection"), needs)
    return as_documented_collection(given)


def as_topics_with_documents(given: Sources) -> list[Topic]:
    """Topics with the documents that a system summarizes; references are not needed."""
    if are_paths(given):
        return sources.load_source_topics(as_paths(given, "documents"))
    several = as_list(given)
    if several and all(isinstance(one, Document) for one in several):
        several = [Topic(id="topic", documents=tuple(several))]
    topics = list(as_documented_collection(given if isinstance(given, Collection) else several))
    bare = [topic.id for topic in topics if not topic.documents]
    if bare:
        raise DataError(f"topic '{bare[0]}' has no documents; add some")
    return topics


def as_documented_collection(given: Any) -> Collection:
    """A collection from topics or records."""
    several = as_list(given)
    if not several:
        raise DataError("the collection has no topic; give at least one")
    if all(isinstance(one, Topic) for one in several):
        return as_collection(given if isinstance(given, Collection) else several)
    if not all(isinstance(one, Mapping) for one in several):
        raise WrongTypeError(
            f"{describe_type(given)} is not a collection; give a path, a Collection, topics, "
            f"or records as {collections.SHAPE}"
        )
    places = ((f"record {number}", record) for number, record in enumerate(several, 1))
    return Collection({topic.id: topic for topic in collections.read_records(places)})
