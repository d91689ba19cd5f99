"""How the best text of a topic is looked for."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from chronoscore.options.declare import Options, option, positive

Method: TypeAlias = Literal["greedy", "greedy-chop", "exact", "exact-chop"]
Pool: TypeAlias = Literal["micro", "macro"]

METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, kw_only=True)
class SummarySearch(Options):
    """How the best summary is looked for; without a budget the measure's own limit counts."""

    budget: str | None = option(
        None, "Length of the text: 100w (words) or 665b (bytes).", group="common"
    )
    pool: Pool = option(
        "micro",
        "Pool references as ROUGE does, or average recall over them.",
        group="measures",
        name="pooling pool",
    )
    whole_references: bool = option(
        False,
        "Let the budget cut the text only, not the references as ROUGE would.",
        group="measures",
    )
    time_limit: float | None = option(
        None,
        "Seconds for each topic; then the value and a bound are given.",
        group="measures",
        check=positive,
    )


@dataclass(frozen=True, kw_only=True)
class TimelineSearch(Options):
    """How long the best timeline may be."""

    dates: int | None = option(None, "Timelines: at most this many dates.", group="common")
    per_date: int | None = option(None, "Timelines: sentences for each date.", group="common")
