"""Which measures there are, by name, and how a measure is made from its text."""

from collections.abc import Iterator, Mapping
from functools import cache

from chronoscore.errors import UsageError
from chronoscore.measures.function import adopt_measure, import_measure
from chronoscore.measures.language import Spec, build_measure, read_measure_spec
from chronoscore.measures.measure import Measure
from chronoscore.registry import Preset, Registry

ADDRESSES = ("endpoint", "model", "path")
"""Parameters whose values may hold a colon and are never imported."""


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


MEASURES: Registry[type[Measure]] = Registry(
    "measure",
    "chronoscore.measures",
    {
        "rouge": "chronoscore.measures.rouge.measures:Rouge",
        "rouge-l": "chronoscore.measures.rouge.measures:RougeL",
        "rouge-w": "chronoscore.measures.rouge.measures:RougeW",
        "rouge-s": "chronoscore.measures.rouge.measures:RougeS",
        "rouge-su": "chronoscore.measures.rouge.measures:RougeSU",
        "rouge-be": "chronoscore.measures.rouge.elements:RougeBE",
        "concat": "chronoscore.measures.timelines.concat:Concat",
        "agreement": "chronoscore.measures.timelines.align_measures:DateAgreement",
        "align": "chronoscore.measures.timelines.align_measures:Align",
        "align+": "chronoscore.measures.timelines.align_measures:AlignPlus",
        "align+m1": "chronoscore.measures.timelines.align_measures:AlignPlusMany",
        "aligned": "chronoscore.measures.timelines.align_measures:Aligned",
        "pairs": "chronoscore.measures.timelines.pairs:PairsMeasure",
        "dates": "chronoscore.measures.timelines.dates:DateMeasure",
        "contradictions": "chronoscore.measures.contradictions.measure:Contradictions",
        "nu": "chronoscore.measures.streams.events:Nu",
        "u": "chronoscore.measures.streams.events:Useful",
        "n": "chronoscore.measures.streams.events:Novel",
        "size": "chronoscore.measures.streams.events:Size",
        "stream": "chronoscore.measures.streams.stream:Stream",
        "auto-stream": "chronoscore.measures.streams.facts:AutoStream",
        "crisis": "chronoscore.measures.streams.facts:Crisis",
        "assessed": "chronoscore.measures.streams.assessed:Assessed",
        "pyramid": "chronoscore.measures.units.pyramid:PyramidMeasure",
        "classic-pyramid": "chronoscore.measures.units.classic:ClassicPyramid",
        "nuggets": "chronoscore.measures.units.nuggets:NuggetMeasure",
        "novelty": "chronoscore.measures.novelty.novelty:Novelty",
        "losses": "chronoscore.measures.losses.days:DayLosses",
    },
    adopt_measure,
    ALIASES,
)


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
            "pass it with `measures`, or read it with chronoscore.parse_measure"
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
    kind, preset = MEASURES.resolve(spec.name)
    return build_measure(kind, spec, preset, make_measure)
