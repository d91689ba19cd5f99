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
from chronoscore.core.stream import Ranking, Selection
from chronoscore.core.texts import Document, Sentence, Summary, Text, sentences_of
from chronoscore.core.timeline import Entry, Timeline
from chronoscore.core.topic import Collection, Output, Run, Topic
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
