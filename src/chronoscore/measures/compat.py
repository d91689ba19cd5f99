"""Measures as others compute them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.measure import Measure, default_of_parameter
from chronoscore.registry import load

# The classes are named, not imported: most scoring needs none of them.
TIMELINES = "chronoscore.measures.timelines.timeline_measure:TimelineMeasure"
DATES = "chronoscore.measures.timelines.dates:DateMeasure"
STREAM = "chronoscore.measures.streams.stream:Stream"
PYRAMID = "chronoscore.measures.units.classic:ClassicPyramid"
ROUGE = "chronoscore.measures.rouge.measures:Rouge"
ROUGE_L = "chronoscore.measures.rouge.measures:RougeL"
CRISIS = "chronoscore.measures.streams.facts:Crisis"
ASSESSED = "chronoscore.measures.streams.assessed:Assessed"


@dataclass(frozen=True)
class ToolSettings:
    """What a tool sets, for which measures, and whether that overrides what was asked for."""

    kinds: tuple[str, ...]
    values: Mapping[str, Any]
    overrides: bool = False
    as_it_is: tuple[str, ...] = ()
    """Measures that the tool computes as we do."""
    usual: tuple[str, ...] = ()
    """The measures that are meant where none is named, if the tool has its own."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Measures in whose place the tool has another one."""

    def defines(self, measure: Measure) -> bool:
        """Whether the tool computes the measure in its own way."""
        return isinstance(measure, tuple(map(load, self.kinds)))

    def leaves(self, measure: Measure) -> bool:
        """Whether the tool computes the measure as we do."""
        return isinstance(measure, tuple(map(load, self.as_it_is)))


_PEER: dict[str, Any] = {
    "prepare": "perl155",
    "limit": None,
    "text": "tilse",
    "content": "tilse",
    "ties": "first",
    "precision": "peer",
}
_GOOGLE: dict[str, Any] = {"prepare": "google", "several": "best-f", "sentences": "text"}
READINGS: dict[str, ToolSettings] = {
    "tilse": ToolSettings(
        (TIMELINES,), _PEER | {"stem": True, "stop": True}, overrides=True, as_it_is=(DATES,)
    ),
    "chronos": ToolSettings(
        (TIMELINES,), _PEER | {"stem": True, "stop": True}, overrides=True, as_it_is=(DATES,)
    ),
    "paper": ToolSettings(
        (TIMELINES,), _PEER | {"stem": False, "stop": False}, overrides=True, as_it_is=(DATES,)
    ),
    "tseval2013": ToolSettings(
        (STREAM,),
        {
            "discount": "power",
            "normalized": False,
            "unsampled": "ignore",
            "confidence": "raw",
            "importance": "any",
            "lengths": "table",
            "empty": "skip",
        },
        usual=("stream",),
    ),
    "tseval2014": ToolSettings(
        (STREAM,), {"confidence": "rank", "latency": "updates", "empty": "skip"}, usual=("stream",)
    ),
    "tseval2015": ToolSettings(
        (STREAM,),
        {"confidence": "scaled", "matched": True, "times": "all", "trim": True, "empty": "skip"},
        usual=("stream",),
    ),
    "ducview": ToolSettings(
        (PYRAMID,), {"rounding": "floor", "weight": "contributors"}, usual=("classic-pyramid",)
    ),
    "rouge-score": ToolSettings((ROUGE, ROUGE_L), _GOOGLE),
    "crisisfacts2022": ToolSettings(
        (ROUGE, ROUGE_L),
        {**_GOOGLE, "stem": True},
        usual=("rouge(n=1)", "rouge(n=2)", "rouge-l"),
    ),
    "crisisfacts2023": ToolSettings(
        (ROUGE, ROUGE_L, ASSESSED),
        {**_GOOGLE, "stem": True},
        usual=("rouge(n=2)", "assessed"),
        instead={CRISIS: ASSESSED},
    ),
    "sacrerouge": ToolSettings((PYRAMID,), {"rounding": "ceil"}, usual=("classic-pyramid",)),
}
"""What each reading sets; a measure without the parameter is left as it is."""


def compatible_measure(measure: Measure, reading: str) -> Measure:
    """The measure as another tool computes it: tilse 0.2.1, rouge-score, a task's scorer.

    Ties of one-to-one alignments are decided by our rule all the same, because tilse's
    depend on the version of its solver. Of a stream, a pyramid or ROUGE, parameters that were
    chosen by hand stay; `rougeLsum` stays with lines, where `rougeL` takes the whole text.

    >>> from chronoscore.measures.timelines.align_measures import AlignPlusMany
    >>> str(compatible_measure(AlignPlusMany(n=2), "paper"))
    'align+m1(n=2,stem=no,stop=no,text=tilse,content=tilse,ties=first)'
    >>> from chronoscore.measures.streams.stream import Stream
    >>> str(compatible_measure(Stream(times="updonly"), "tseval2015"))
    'stream(confidence=scaled,matched,times=updonly,trim,empty=skip)'
    """
    if reading not in READINGS:
        raise UsageError(f"unknown reading '{reading}'; {did_you_mean(reading, READINGS)}")
    inner = vars(measure).get("of")
    if isinstance(inner, Measure):
        return replace(measure, of=compatible_measure(inner, reading))  # type: ignore[call-arg]
    chosen = READINGS[reading]
    for kind, other in chosen.instead.items():
        if isinstance(measure, load(kind)):
            measure = load(other)(part=measure.part, label=measure.label)
    if chosen.leaves(measure):
        return measure
    if not chosen.defines(measure):
        raise UsageError(
            f"{reading} does not define measure '{measure}'; leave out the measure or the reading"
        )
    usual = {
        parameter.name
        for parameter in fields(measure)
        if chosen.overrides
        or (
            parameter.name not in measure.explicit
            and getattr(measure, parameter.name) == default_of_parameter(parameter)
        )
    }
    values = {k: v for k, v in chosen.values.items() if k in usual}
    changed = replace(measure, **values, explicit=measure.explicit | frozenset(values))
    if changed.name == "rouge-l":
        # The two are one measure here and two there; results must not call both the same.
        name = "rougeL" if getattr(changed, "sentences", "") == "text" else "rougeLsum"
        return replace(changed, label=changed.label.replace(changed.name, name, 1))
    return changed
