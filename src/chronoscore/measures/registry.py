"""Which measures there are, by name; other packages add theirs by an entry point."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TypeAlias

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.function import import_measure
from chronoscore.measures.language import Spec, build_measure, read_measure_spec
from chronoscore.measures.measure import Measure
from chronoscore.measures.novelty.novelty import Novelty
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
from chronoscore.measures.timelines.dates import DateMeasure
from chronoscore.measures.timelines.pairs import PairsMeasure
from chronoscore.measures.units.classic import ClassicPyramid
from chronoscore.measures.units.nuggets import NuggetMeasure
from chronoscore.measures.units.pyramid import PyramidMeasure

GROUP = "chronoscore.measures"
ADDRESSES = ("endpoint", "model", "path")
"""Parameters whose values may hold a colon and are never imported."""

BUILT_IN: tuple[type[Measure], ...] = (
    Rouge,
    RougeL,
    RougeW,
    RougeS,
    RougeSU,
    RougeBE,
    Concat,
    Agreement,
    Align,
    AlignPlus,
    AlignPlusMany,
    Aligned,
    PairsMeasure,
    DateMeasure,
    Nu,
    Useful,
    Novel,
    Size,
    Stream,
    AutoStream,
    Crisis,
    PyramidMeasure,
    ClassicPyramid,
    NuggetMeasure,
    Novelty,
)

Preset: TypeAlias = tuple[str, Mapping[str, Any]]


def _numbered_names() -> Iterator[tuple[str, Preset]]:
    """Names that carry a number: rouge2, rouge-2, rougeSU4 and their like."""
    for number in range(10):
        for dash in ("", "-"):
            if number:
                yield f"rouge{dash}{number}", ("rouge", {"n": number})
            yield f"rouge{dash}s{number}", ("rouge-s", {"gap": number})
            yield f"rouge{dash}su{number}", ("rouge-su", {"gap": number})


ALIASES: Mapping[str, Preset] = {
    **dict(_numbered_names()),
    "rougel": ("rouge-l", {}),
    "rougelsum": ("rouge-l", {"sentences": "lines"}),
    "rougew": ("rouge-w", {}),
    "rouges": ("rouge-s", {}),
    "rougesu": ("rouge-su", {}),
    "rougebe": ("rouge-be", {}),
    "ar1": ("align+m1", {"n": 1}),
    "ar2": ("align+m1", {"n": 2}),
    "date-f1": ("dates", {"part": "f"}),
}
"""Familiar names, read whatever their case."""


@cache
def registered_measures() -> Mapping[str, type[Measure]]:
    """All measures by name: ours, then those of installed packages."""
    found = {kind.name: kind for kind in BUILT_IN}
    for point in entry_points(group=GROUP):
        kind = point.load()
        if not (isinstance(kind, type) and issubclass(kind, Measure)):
            raise UsageError(
                f"entry point '{point.name}' of {GROUP} is not a measure; "
                "let it name a subclass of chronoscore.measures.Measure"
            )
        found.setdefault(kind.name, kind)
    return found


@cache
def parse_measure_text(text: str, *, allow_import: bool = False) -> Measure:
    """Read a measure from its text; `parse(str(m)) == m` always.

    Text that a user typed may name `module:function`, and `allow_import` says that it is such.
    Text from a file may not, so that reading data never runs code.
    """
    spec = read_measure_spec(text)
    if not allow_import and _names_function(spec):
        raise UsageError(
            f"measure '{text}' names a function to import, which only a measure that you type may; "
            "score with -m, or read it with chronoscore.parse_measure"
        )
    return make_measure(spec)


def _names_function(spec: Spec) -> bool:
    """Whether a measure, or a measure or similarity inside it, is or has a function by name."""
    return ":" in spec.name or any(
        _names_function(value) if isinstance(value, Spec) else ":" in value
        for key, value in spec.arguments
        if value is not None and key not in ADDRESSES
    )


def make_measure(spec: Spec) -> Measure:
    """Make the measure that a spec names."""
    if ":" in spec.name:
        return import_measure(spec.name)
    known = registered_measures()
    name, preset = spec.name, dict[str, Any]()
    if name not in known and name.casefold() in ALIASES:
        name, preset = ALIASES[name.casefold()][0], dict(ALIASES[name.casefold()][1])
    if name not in known:
        near = did_you_mean(spec.name, [*known, *ALIASES])
        raise UsageError(f"unknown measure '{spec.name}'; {near}")
    return build_measure(known[name], spec, preset, make_measure)
