"""Which systems there are, by name, and how `name(key=value,…)` is read."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn

from chronoscore.errors import UsageError, did_you_mean
from chronoscore.measures.language import Notation, Spec, read, read_arguments
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

SYSTEMS = Notation("system", "name(key=value,...), as in datewise(dates=10)")


@cache
def systems() -> Mapping[str, type[System]]:
    """All systems by name."""
    return {kind.name: kind for kind in BUILT_IN}


def get(text: str) -> System:
    """Read a system from its text, as in `datewise(dates=10,sentences=2)`.

    >>> str(get("datewise(dates=10, sentences=1)"))
    'datewise(dates=10,sentences=1)'
    """
    spec = read(text, SYSTEMS)
    kind_name, preset = PRESETS.get(spec.name, (spec.name, {}))
    kind = systems().get(kind_name)
    if kind is None:
        near = did_you_mean(spec.name, [*systems(), *PRESETS])
        raise UsageError(f"unknown system '{spec.name}'; {near}")
    known = list(kind.__dataclass_fields__)
    return kind(**{**preset, **read_arguments(spec, kind, known, refuse, "system")})


def refuse(spec: Spec) -> NoReturn:
    """Refuse a call as the value of a parameter, which only measures may have."""
    raise UsageError(f"'{spec.name}(...)' is not a plain value; write {SYSTEMS.form}")
