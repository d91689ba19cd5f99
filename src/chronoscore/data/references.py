"""References as the user passed them, made into a collection of topics.

Paths are strings, paths, globs or lists of these. References may also be our own objects, dicts
or long tables: see `chronoscore.data.tables`.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from chronoscore.core import Collection, Output, Ranking, Summary, Timeline, Topic
from chronoscore.data.tables import references_by_topic
from chronoscore.data.values import (
    are_paths,
    as_output,
    as_paths,
    check_output,
    index_by_name,
    is_document,
)
from chronoscore.errors import DataError, UsageError, WrongTypeError, describe_type
from chronoscore.formats.corpora import inputs
from chronoscore.formats.timelines.entries import Repeated

Value = TypeVar("Value")


def as_collection(
    references: Any,
    needs: type[Output] = Timeline,
    *,
    repeated: Repeated = "merge",
    documents: bool = False,
) -> Collection:
    """A collection from paths, a collection, topics, a dict or a long table."""
    if isinstance(references, Topic):
        references = [references]
    if (
        isinstance(references, list | tuple)
        and references
        and all(isinstance(one, Topic) for one in references)
    ):
        references = Collection(index_by_name([(one.id, one) for one in references], "topic"))
    if isinstance(references, Collection):
        for name, topic in references.topics.items():
            _check_topic(name, topic)
        return references
    if are_paths(references):
        return inputs.load_reference_files(
            as_paths(references), needs, repeated=repeated, documents=documents
        )
    raw = references_by_topic(references)
    if not raw:
        raise DataError("there is no reference; give at least one")
    topics = {name: _as_topic(name, found, needs) for name, found in raw.items()}
    return Collection(topics)


def _check_topic(name: str, topic: object) -> None:
    """Refuse a topic of ours that is not made of what it should be made of."""
    if not isinstance(topic, Topic):
        raise WrongTypeError(f"topic '{name}' is {describe_type(topic)}; give a Topic")
    fields: tuple[tuple[str, Any, type[Output]], ...] = (
        ("summaries", topic.summaries, Summary),
        ("timelines", topic.timelines, Timeline),
    )
    for field, references, kind in fields:
        if not isinstance(references, list | tuple):
            found = describe_type(references)
            raise WrongTypeError(f"{field} is {found}; give a tuple", place=f"topic '{name}'")
        for reference in references:
            check_output(reference, kind, f"reference of topic '{name}'")
    documents: Any = topic.documents
    if not isinstance(documents, list | tuple) or not all(map(is_document, documents)):
        raise WrongTypeError("documents must be a tuple of Document", place=f"topic '{name}'")


def _as_topic(name: str, found: Sequence[tuple[str, Any]], needs: type[Output]) -> Topic:
    """A topic with its references in the field of their kind."""
    if len(found) == 1 and isinstance(found[0][1], Topic):
        _check_topic(name, found[0][1])
        return found[0][1]
    outputs = [
        as_output(value, needs, f"reference of topic '{name}'", author or str(number))
        for number, (author, value) in enumerate(found, 1)
    ]
    if needs is Ranking:
        raise UsageError("rankings are scored against judgements; give judgements or units")
    return inputs.topic_of_loaded_references(name, outputs)
