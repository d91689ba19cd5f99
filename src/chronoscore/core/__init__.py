"""The nouns; no input or output, no arrays."""

from typing import TYPE_CHECKING, Any

from chronoscore.core.scores import Row, Score, Tally, f_score, ratio
from chronoscore.core.texts import (
    Document,
    Entry,
    Output,
    Ranking,
    Selection,
    Sentence,
    Summary,
    Text,
    Timeline,
    sentences_of,
)
from chronoscore.core.topic import Collection, Run, Topic
from chronoscore.dates.when import When

if TYPE_CHECKING:
    from chronoscore.core.judging import (
        Abstention,
        Anchor,
        ContentUnit,
        Event,
        Group,
        Judgements,
        Line,
        Link,
        MatchTable,
        Place,
        Pyramid,
        Rating,
        Story,
    )

__all__ = [
    "Abstention",
    "Anchor",
    "Collection",
    "ContentUnit",
    "Document",
    "Entry",
    "Event",
    "Group",
    "Judgements",
    "Line",
    "Link",
    "MatchTable",
    "Output",
    "Place",
    "Pyramid",
    "Ranking",
    "Rating",
    "Row",
    "Run",
    "Score",
    "Selection",
    "Sentence",
    "Story",
    "Summary",
    "Tally",
    "Text",
    "Timeline",
    "Topic",
    "When",
    "f_score",
    "ratio",
    "sentences_of",
]


def __getattr__(name: str) -> Any:
    """The classes of judged topics, which are many, are made when the first is asked for."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from chronoscore.core import judging

    value = globals()[name] = getattr(judging, name)
    return value
