"""Which systems there are, by name, and how `name(key=value,…)` is read."""

from dataclasses import fields
from typing import NoReturn

from chronoscore.errors import UsageError
from chronoscore.measures.language import Notation, Spec, read_arguments, read_measure_spec
from chronoscore.registry import Registry
from chronoscore.systems.system import System
from chronoscore.systems.units import BASELINES
from chronoscore.systems.user_systems import (
    COMMAND,
    adopt_system,
    command_system,
    import_system,
)

SYSTEMS: Registry[type[System] | System] = Registry(
    "system",
    "chronoscore.systems",
    {
        "datewise": "chronoscore.systems.datewise:Datewise",
        "clust": "chronoscore.systems.clust:Clust",
        "martschat-markert": "chronoscore.systems.martschat_markert:MartschatMarkert",
        "chieu-lee": "chronoscore.systems.chieu_lee:ChieuLee",
        "wilson": "chronoscore.systems.wilson:Wilson",
        "pubcount": "chronoscore.systems.timelines:PubCount",
        "lead": "chronoscore.systems.timelines:Lead",
        "random": "chronoscore.systems.timelines:Random",
        "llm": "chronoscore.systems.llm:LanguageModel",
        "classy": "chronoscore.systems.classy:Classy",
        "projected-classy": "chronoscore.systems.classy:ProjectedClassy",
        "icsisum": "chronoscore.systems.icsisum:Icsisum",
        "lin-bilmes": "chronoscore.systems.lin_bilmes:LinBilmes",
        "lead-summary": "chronoscore.systems.summaries:LeadSummary",
        "random-summary": "chronoscore.systems.summaries:RandomSummary",
        "useful-novel": "chronoscore.systems.streams:UsefulNovel",
        "units": "chronoscore.systems.units:UnitBaseline",
        "oracle-timeline": "chronoscore.systems.oracle:OracleTimeline",
        "oracle-summary": "chronoscore.systems.oracle:OracleSummary",
    },
    adopt_system,
    {
        **{f"units-{number}": ("units", chosen) for number, (_, chosen) in BASELINES.items()},
        "useful": ("useful-novel", {"by": "useful"}),
        "novel": ("useful-novel", {"by": "novel"}),
        "stream-random": ("useful-novel", {"by": "random"}),
        "stream-position": ("useful-novel", {"by": "position"}),
        "stream-length": ("useful-novel", {"by": "length"}),
    },
)

NOTATION = Notation("system", "name(key=value,...), as in datewise(dates=10)")


def parse_system(text: str) -> System:
    """Read a system from its text, as in `datewise(dates=10,sentences=2)`.

    A user's own is `module:function` or `command: …`.

    >>> str(parse_system("datewise(dates=10, sentences=1)"))
    'datewise(dates=10,sentences=1)'
    """
    if text.startswith(COMMAND):
        return command_system(text)
    spec = read_measure_spec(text, NOTATION)
    own = ":" in spec.name
    found, preset = (import_system(spec.name), {}) if own else SYSTEMS.resolve(spec.name)
    kind = found if isinstance(found, type) else type(found)
    known = [f.name for f in fields(kind)]
    chosen = {**preset, **read_arguments(spec, kind, known, _refuse_call, "system")}
    return found.with_parameters(**chosen) if isinstance(found, System) else found(**chosen)


def _refuse_call(spec: Spec) -> NoReturn:
    """Refuse a call as the value of a parameter, which only measures may have."""
    raise UsageError(f"'{spec.name}(...)' is not a plain value; write {NOTATION.form}")
