"""A measure is a value: it prints itself, parses back, and turns outputs into tallies.

The classes of measures are in the packages below, and are imported when `registry` first needs
one of them.
"""

from chronoscore.measures.averaging import (
    average_over_topics,
    averaging_rule,
    finish_topic_average,
    topic_contributions,
    topics_without,
)
from chronoscore.measures.function import measure_of
from chronoscore.measures.measure import Measure
from chronoscore.measures.registry import MEASURES, parse_measure_text

__all__ = [
    "MEASURES",
    "Measure",
    "average_over_topics",
    "averaging_rule",
    "finish_topic_average",
    "measure_of",
    "parse_measure_text",
    "topic_contributions",
    "topics_without",
]
