"""A measure is a value: it prints itself, parses back, and turns outputs into tallies."""

from chronoscore.measures.averaging import (
    average_over_topics,
    finish_topic_average,
    topic_contributions,
)
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.function import measure_of
from chronoscore.measures.measure import AVERAGES, Averaging, Measure
from chronoscore.measures.novelty.novelty import Novelty
from chronoscore.measures.registry import parse_measure_text, registered_measures
from chronoscore.measures.rouge.elements import RougeBE
from chronoscore.measures.rouge.measures import Rouge, RougeL, RougeS, RougeSU, RougeW
from chronoscore.measures.streams.events import Novel, Nu, Size, Useful
from chronoscore.measures.streams.facts import AutoStream, Crisis
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.timelines.align_measures import (
    Agreement,
    Align,
    Aligned,
    AlignPlus,
    AlignPlusMany,
)
from chronoscore.measures.timelines.concat import Concat
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.explain import AlignedDays, DayPair, aligned_days
from chronoscore.measures.timelines.pairs import PairsMeasure
from chronoscore.measures.units.classic import ClassicPyramid
from chronoscore.measures.units.nuggets import NuggetMeasure
from chronoscore.measures.units.pyramid import PyramidMeasure

__all__ = [
    "AVERAGES",
    "Agreement",
    "Align",
    "AlignPlus",
    "AlignPlusMany",
    "Aligned",
    "AlignedDays",
    "AutoStream",
    "Averaging",
    "ClassicPyramid",
    "Concat",
    "Crisis",
    "DateMeasure",
    "Day",
    "DayPair",
    "Measure",
    "Novel",
    "Novelty",
    "Nu",
    "NuggetMeasure",
    "PairsMeasure",
    "PyramidMeasure",
    "Rouge",
    "RougeBE",
    "RougeL",
    "RougeS",
    "RougeSU",
    "RougeW",
    "Size",
    "Stream",
    "Useful",
    "aligned_days",
    "average_over_topics",
    "compatible_measure",
    "finish_topic_average",
    "measure_of",
    "parse_measure_text",
    "registered_measures",
    "topic_contributions",
]
