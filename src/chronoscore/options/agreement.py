"""How agreement between judges, writers and matchers is measured."""

from dataclasses import dataclass
from os import PathLike
from typing import Literal, TypeAlias

from chronoscore.options.declare import Options, option

Annotators: TypeAlias = Literal["experts", "skilled", "crowd"]
"""Who the people are: the less they cost, the less a machine may be behind them."""


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(Options):
    """What is known beside the judgements, and what is shown of them."""

    events: bool = option(False, "Show every event, not only with a single topic.", group="output")
    log: str | PathLike[str] | None = option(
        None, "JSON Lines of topic, judge and time: the hours."
    )
    unchosen: int | None = option(
        None,
        "Units that nobody chose; default: the file's number or an estimate.",
        name="z",
        least=0,
    )
    pool: int | None = option(
        None,
        "How many candidates both matchers saw; default: all they list.",
        name="candidates pool",
        least=0,
    )
    annotators: Annotators = option(
        "experts",
        "Who the people are that a machine may replace: ε = .2, .15 or .1.",
        group="judging",
    )
