"""A measure is a value: it prints itself, parses back, and turns outputs into tallies."""

from chronoscore.measures.averaging import addends, average, finish
from chronoscore.measures.function import measure_of
from chronoscore.measures.measure import AVERAGES, Averaging, Measure
from chronoscore.measures.registry import measures, parse

__all__ = [
    "AVERAGES",
    "Averaging",
    "Measure",
    "addends",
    "average",
    "finish",
    "measure_of",
    "measures",
    "parse",
]
