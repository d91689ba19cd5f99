"""The documents of topics: named by the user, or beside the references."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chronoscore.core import Collection, Output, Timeline
from chronoscore.data.reading import follow
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.measures import Measure
from chronoscore.options import ReadingRules


@dataclass(frozen=True)
class DocumentFiles:
    """Where documents are, and how they are read, for those who need them later."""

    named: Path | None = None
    beside: tuple[Path, ...] = ()
    """References that documents may lie beside."""
    reading: ReadingRules = field(default_factory=ReadingRules)

    def load(self, needs: type[Output]) -> Collection | None:
        """The documents that were named, or those that lie beside the references."""
        from chronoscore.formats.corpora import collections

        with follow(self.reading):
            if self.named is not None:
                return collections.load(self.named, needs)
            for path in self.beside:
                try:
                    return collections.load(path, needs)
                except DataError:
                    continue
        return None

    def add_to(self, topics: Collection, measures: Sequence[Measure]) -> Collection:
        """The topics with their documents, if a measure reads these and there are any."""
        if not any(measure.reads_documents for measure in measures):
            return topics
        with warnings.catch_warnings():
            if self.named is None:
                # What the references' files lack was reported when they were read for scoring.
                warnings.simplefilter("ignore", ChronoscoreWarning)
            found = self.load(Timeline)
        if found is None:
            return topics
        return replace(
            topics,
            topics={
                name: replace(topic, documents=topic.documents or found.topics[name].documents)
                if name in found.topics
                else topic
                for name, topic in topics.topics.items()
            },
        )
