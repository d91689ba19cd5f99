"""The documents of topics, where something besides the references is asked of them."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from chronoscore.api.results import as_path
from chronoscore.api.values import are_path_arguments, as_paths
from chronoscore.core import Collection, Output, Timeline
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import collections
from chronoscore.measures import Measure


def load_document_argument(
    given: str | PathLike[str] | None, references: Sequence[Path], needs: type[Output]
) -> Collection | None:
    """The documents that were named, or those that lie beside the references."""
    if given is not None:
        return collections.load(as_path(given), needs)
    for path in references:
        try:
            return collections.load(path, needs)
        except DataError:
            continue
    return None


def add_document_argument(
    collection: Collection,
    measures: Sequence[Measure],
    references: Any,
    documents: str | PathLike[str] | None = None,
) -> Collection:
    """The topics with the documents that were named or lie beside the references, if any.

    Only where a measure reads them; a topic without documents stays as it is.
    """
    if not any(measure.reads_documents for measure in measures):
        return collection
    beside = as_paths(references) if are_path_arguments(references) else []
    with warnings.catch_warnings():
        if documents is None:
            # What the references' files lack was said when they were read for scoring.
            warnings.simplefilter("ignore", ChronoscoreWarning)
        found = load_document_argument(documents, beside, Timeline)
    if found is None:
        return collection
    topics = {
        name: replace(topic, documents=topic.documents or found.topics[name].documents)
        if name in found.topics
        else topic
        for name, topic in collection.topics.items()
    }
    return replace(collection, topics=topics)
