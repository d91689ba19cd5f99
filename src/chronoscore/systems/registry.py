"""Which systems there are, by name, and how `name(key=value,…)` is read."""

import warnings
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.metadata import entry_points
from typing import Any, NoReturn

from chronoscore.errors import ChronoscoreWarning, UsageError, did_you_mean
from chronoscore.measures.language import Notation, Spec, read_arguments, read_measure_spec
from chronoscore.systems.chieu_lee import ChieuLee
from chronoscore.systems.classy import Classy, ProjectedClassy
from chronoscore.systems.clust import Clust
from chronoscore.systems.datewise import Datewise
from chronoscore.systems.icsisum import Icsisum
from chronoscore.systems.lin_bilmes import LinBilmes
from chronoscore.systems.llm import LanguageModel
from chronoscore.systems.martschat_markert import MartschatMarkert
from chronoscore.systems.oracle import OracleSummary, OracleTimeline
from chronoscore.systems.streams import UsefulNovel
from chronoscore.systems.summaries import LeadSummary, RandomSummary
from chronoscore.systems.system import System
from chronoscore.systems.timelines import Lead, PubCount, Random
from chronoscore.systems.units import BASELINES, UnitBaseline
from chronoscore.systems.user_systems import (
    COMMAND,
    adopt_user_system,
    command_system,
    describe_error,
    import_system,
)
from chronoscore.systems.wilson import Wilson

GROUP = "chronoscore.systems"
"""Entry points by which other packages bring systems."""

BUILT_IN: tuple[type[System], ...] = (
    Datewise,
    Clust,
    MartschatMarkert,
    ChieuLee,
    Wilson,
    PubCount,
    Lead,
    Random,
    LanguageModel,
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
def systems_by_name() -> Mapping[str, type[System]]:
    """All systems by name: ours, then those of installed packages."""
    found: dict[str, type[System]] = {kind.name: kind for kind in BUILT_IN}
    for point in entry_points(group=GROUP):
        try:
            kind = adopt_user_system(point.load(), point.name)
        except Exception as error:
            # A broken package must not keep the other systems from running.
            warnings.warn(
                f"system '{point.name}' of {GROUP} cannot be used: {describe_error(error)}",
                ChronoscoreWarning,
                stacklevel=2,
            )
            continue
        found.setdefault(point.name, kind if isinstance(kind, type) else type(kind))
    return found


def parse_system(text: str) -> System:
    """Read a system from its text, as in `datewise(dates=10,sentences=2)`.

    A user's own is `module:function` or `command: …`.

    >>> str(parse_system("datewise(dates=10, sentences=1)"))
    'datewise(dates=10,sentences=1)'
    """
    if text.startswith(COMMAND):
        return command_system(text)
    spec = read_measure_spec(text, SYSTEMS)
    if ":" in spec.name:
        own = import_system(spec.name)
        if isinstance(own, System):
            return own.with_parameters(**_read_parameters(spec, type(own)))
        return own(**_read_parameters(spec, own))
    kind_name, preset = PRESETS.get(spec.name, (spec.name, {}))
    kind = systems_by_name().get(kind_name)
    if kind is None:
        near = did_you_mean(spec.name, [*systems_by_name(), *PRESETS])
        raise UsageError(f"unknown system '{spec.name}'; {near}")
    return kind(**{**preset, **_read_parameters(spec, kind)})


def _read_parameters(spec: Spec, kind: type[System]) -> dict[str, Any]:
    """The parameters that a text gives, read by their types."""
    return dict(read_arguments(spec, kind, [f.name for f in fields(kind)], _refuse_call, "system"))


def _refuse_call(spec: Spec) -> NoReturn:
    """Refuse a call as the value of a parameter, which only measures may have."""
    raise UsageError(f"'{spec.name}(...)' is not a plain value; write {SYSTEMS.form}")
