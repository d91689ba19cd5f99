"""How timelines are altered to see which measure notices."""

from dataclasses import dataclass
from typing import ClassVar

from chronoscore.options.declare import Options, option


def _part_of_all(value: float) -> str:
    """A share of which 1 is everything."""
    return "" if 0 < value <= 1 else "write a number above 0 and up to 1, such as 0.5"


@dataclass(frozen=True, kw_only=True)
class Altering(Options):
    """How much of each timeline is altered, and the seed that decides where."""

    example: ClassVar[str] = "Altering(share=0.25)"

    share: float = option(
        0.5,
        "How much of what can be damaged is damaged, from above 0 to 1.",
        group="measures",
        check=_part_of_all,
    )
    seed: int = option(1, "Seed of what is damaged where.", group="statistics", least=0)
