"""A measure is a value: it prints itself, parses back, and turns outputs into tallies."""

from chronoscore.measures.aligned import Agreement, Align, Aligned, AlignPlus, AlignPlusMany
from chronoscore.measures.averaging import addends, average, finish
from chronoscore.measures.compat import compat
from chronoscore.measures.concat import Concat
from chronoscore.measures.dates import DateMeasure
from chronoscore.measures.elements import RougeBE
from chronoscore.measures.events import Novel, Nu, Size, Useful
from chronoscore.measures.explain import AlignedDays, DayPair, aligned_days
from chronoscore.measures.facts import AutoStream, Crisis
from chronoscore.measures.function import measure_of
from chronoscore.measures.measure import AVERAGES, Averaging, Measure
from chronoscore.measures.novelty import Novelty
from chronoscore.measures.plug import Day
from chronoscore.measures.registry import measures, parse
from chronoscore.measures.rouge import Rouge, RougeL, RougeS, RougeSU, RougeW
from chronoscore.measures.stream import Stream
from chronoscore.measures.units import ClassicPyramid, PyramidMeasure

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
    "addends",
    "aligned_days",
    "average",
    "compat",
    "finish",
    "measure_of",
    "measures",
    "parse",
]
