"""Measures as others compute them."""

from dataclasses import fields, replace
from typing import Any, Literal, TypeAlias

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.measure import Measure
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure

Compat: TypeAlias = Literal["tilse", "paper"]

_PEER: dict[str, Any] = {
    "prepare": "perl155",
    "limit": None,
    "text": "tilse",
    "content": "tilse",
    "ties": "first",
    "precision": "peer",
}
READINGS: dict[str, dict[str, Any]] = {
    "tilse": _PEER | {"stem": True, "stop": True},
    "paper": _PEER | {"stem": False, "stop": False},
}
"""What each reading sets; a measure without the parameter is left as it is."""


def compat(measure: Measure, reading: Compat | str) -> Measure:
    """The measure as tilse 0.2.1 computes it, or as in the tables of its paper.

    Ties of one-to-one alignments are decided by our rule all the same, because the peer's
    depend on the version of its solver.

    >>> from chronoscore.measures.timelines.align_measures import AlignPlusMany
    >>> str(compat(AlignPlusMany(n=2), "paper"))
    'align+m1(n=2,stem=no,stop=no,text=tilse,content=tilse,ties=first)'
    """
    if reading not in READINGS:
        raise UsageError(f"unknown reading '{reading}'; {did_you_mean(reading, READINGS)}")
    if isinstance(measure, DateMeasure):
        return measure
    if not isinstance(measure, TimelineMeasure):
        raise UsageError(
            f"{reading} does not define measure '{measure}'; leave out the measure or the reading"
        )
    known = {parameter.name for parameter in fields(measure)}
    return replace(measure, **{k: v for k, v in READINGS[reading].items() if k in known})
