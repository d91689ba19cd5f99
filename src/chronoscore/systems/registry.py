"""Which systems there are, by name, and how `name(key=value,…)` is read."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn, get_type_hints

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.language import convert
from chronoscore.systems.chieu_lee import ChieuLee
from chronoscore.systems.classy import Classy, ProjectedClassy
from chronoscore.systems.clust import Clust
from chronoscore.systems.datewise import Datewise
from chronoscore.systems.icsisum import Icsisum
from chronoscore.systems.lin_bilmes import LinBilmes
from chronoscore.systems.martschat_markert import MartschatMarkert
from chronoscore.systems.oracle import OracleSummary, OracleTimeline
from chronoscore.systems.streams import UsefulNovel
from chronoscore.systems.summaries import LeadSummary, RandomSummary
from chronoscore.systems.system import System
from chronoscore.systems.timelines import Lead, PubCount, Random
from chronoscore.systems.units import BASELINES, UnitBaseline
from chronoscore.systems.wilson import Wilson

BUILT_IN: tuple[type[System], ...] = (
    Datewise,
    Clust,
    MartschatMarkert,
    ChieuLee,
    Wilson,
    PubCount,
    Lead,
    Random,
    Classy,
    ProjectedClassy,
    Icsisum,
    LinBilmes,
    LeadSummary,
    RandomSummary,
    UsefulNovel,
    UnitBaseline,
    OracleTimeline,
    OracleSummary,
)

PRESETS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{f"units-{number}": ("units", chosen) for number, (_, chosen) in BASELINES.items()},
    "useful": ("useful-novel", {"by": "useful"}),
    "novel": ("useful-novel", {"by": "novel"}),
    "stream-random": ("useful-novel", {"by": "random"}),
    "stream-position": ("useful-novel", {"by": "position"}),
    "stream-length": ("useful-novel", {"by": "length"}),
}
"""Names for systems with some parameters set."""

_spec = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", re.DOTALL).fullmatch


@cache
def systems() -> Mapping[str, type[System]]:
    """All systems by name."""
    return {kind.name: kind for kind in BUILT_IN}


def get(text: str) -> System:
    """Read a system from its text, as in `datewise(dates=10,sentences=2)`.

    >>> str(get("datewise(dates=10, sentences=1)"))
    'datewise(dates=10,sentences=1)'
    """
    found = _spec(text)
    if not found:
        raise UsageError(f"'{text}' is no system; write name(key=value,...), as in datewise")
    name, inside = found[1], found[2] or ""
    kind_name, preset = PRESETS.get(name, (name, {}))
    kind = systems().get(kind_name)
    if kind is None:
        raise UsageError(f"unknown system '{name}'; {did_you_mean(name, [*systems(), *PRESETS])}")
    hints = get_type_hints(kind)
    known = list(kind.__dataclass_fields__)
    chosen = dict(preset)
    for argument in filter(str.strip, inside.split(",")):
        key, equals, value = (part.strip() for part in argument.partition("="))
        if key not in known:
            near = did_you_mean(key, known)
            raise UsageError(f"system '{name}' has no parameter '{key}'; {near}")
        chosen[key] = convert(f"{name}({key})", value if equals else None, hints[key], refuse)
    return kind(**chosen)


def refuse(_spec: object) -> NoReturn:
    """No system has a system in its parameters."""
    raise UsageError("a system's parameters are plain values; write name(key=value,...)")
