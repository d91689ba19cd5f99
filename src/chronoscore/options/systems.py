"""What systems are asked for, and how they are run."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from chronoscore.options.declare import Options, option, positive

Part: TypeAlias = Literal["all", "original", "update"]


@dataclass(frozen=True, kw_only=True)
class Length(Options):
    """How long an output is, and what it is about; what is left out is up to the system."""

    dates: int | None = option(None, "Dates of a timeline.", group="common")
    sentences: int | None = option(None, "Sentences on each date.", group="common")
    words: int | None = option(None, "Words of a summary.", group="common")
    part: Part | None = option(None, "What to summarize.")
    at: str | None = option(
        None, "Where the update begins; default: at the middle article.", metavar="DAY"
    )
    n: int | None = option(None, "Events to choose (content units).", name="-n")


@dataclass(frozen=True, kw_only=True)
class SystemRun(Options):
    """What systems are given beside documents, and how they are run."""

    like: Any = None
    keywords: Any = None
    seed: int = option(1, "Seed of everything random.", group="output", least=0)
    jobs: int = 1
    time_limit: float | None = option(
        None,
        "Of each system on each topic.",
        group="output",
        metavar="SECONDS",
        check=positive,
    )
    progress: Any = None
