"""Measures as others compute them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.measure import Measure, default_of_parameter
from chronoscore.measures.rouge.measures import Rouge, RougeL
from chronoscore.measures.streams.stream import Stream
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure
from chronoscore.measures.units.classic import ClassicPyramid


@dataclass(frozen=True)
class Reading:
    """What a tool sets, for which measures, and whether that overrides what was asked for."""

    kinds: tuple[type[Measure], ...]
    values: Mapping[str, Any]
    overrides: bool = False

    @property
    def usual(self) -> tuple[str, ...]:
        """The measure that is meant where none is named, if the tool has only one."""
        judged = [kind.name for kind in self.kinds if kind in (Stream, ClassicPyramid)]
        return tuple(judged)


_PEER: dict[str, Any] = {
    "prepare": "perl155",
    "limit": None,
    "text": "tilse",
    "content": "tilse",
    "ties": "first",
    "precision": "peer",
}
READINGS: dict[str, Reading] = {
    "tilse": Reading((TimelineMeasure,), _PEER | {"stem": True, "stop": True}, overrides=True),
    "chronos": Reading((TimelineMeasure,), _PEER | {"stem": True, "stop": True}, overrides=True),
    "paper": Reading((TimelineMeasure,), _PEER | {"stem": False, "stop": False}, overrides=True),
    "tseval2013": Reading(
        (Stream,),
        {
            "discount": "power",
            "normalized": False,
            "unsampled": "ignore",
            "confidence": "raw",
            "importance": "any",
            "lengths": "table",
            "empty": "skip",
        },
    ),
    "tseval2014": Reading((Stream,), {"confidence": "rank", "latency": "updates", "empty": "skip"}),
    "tseval2015": Reading(
        (Stream,),
        {"confidence": "scaled", "matched": True, "times": "all", "trim": True, "empty": "skip"},
    ),
    "ducview": Reading((ClassicPyramid,), {"rounding": "floor", "weight": "contributors"}),
    "rouge-score": Reading(
        (Rouge, RougeL), {"prepare": "google", "several": "best-f", "sentences": "text"}
    ),
    "sacrerouge": Reading((ClassicPyramid,), {"rounding": "ceil"}),
}
"""What each reading sets; a measure without the parameter is left as it is."""


def compatible_measure(measure: Measure, reading: str) -> Measure:
    """The measure as another tool computes it: tilse 0.2.1, rouge-score, a task's scorer.

    Ties of one-to-one alignments are decided by our rule all the same, because the peer's
    depend on the version of its solver. Of a stream, a pyramid or ROUGE, parameters that were
    chosen by hand stay; `rougeLsum` stays with lines, where `rougeL` takes the whole text.

    >>> from chronoscore.measures.timelines.align_measures import AlignPlusMany
    >>> str(compatible_measure(AlignPlusMany(n=2), "paper"))
    'align+m1(n=2,stem=no,stop=no,text=tilse,content=tilse,ties=first)'
    >>> str(compatible_measure(Stream(times="updonly"), "tseval2015"))
    'stream(confidence=scaled,matched,times=updonly,trim,empty=skip)'
    """
    if reading not in READINGS:
        raise UsageError(f"unknown reading '{reading}'; {did_you_mean(reading, READINGS)}")
    chosen = READINGS[reading]
    if isinstance(measure, DateMeasure) and TimelineMeasure in chosen.kinds:
        return measure
    if not isinstance(measure, chosen.kinds):
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
    if isinstance(changed, RougeL):
        # The two are one measure here and two there; results must not call both the same.
        name = "rougeL" if changed.sentences == "text" else "rougeLsum"
        return replace(changed, label=changed.label.replace(changed.name, name, 1))
    return changed
