"""The nouns; no input or output, no arrays."""

from chronoscore.core.judging import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Line,
    Link,
    Place,
    Pyramid,
    Rating,
    Story,
)
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

__all__ = [
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
