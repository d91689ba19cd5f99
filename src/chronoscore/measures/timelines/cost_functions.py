"""Costs and weights of an alignment: ours by name, or a user's function of two days."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TypeAlias

from chronoscore.core import When
from chronoscore.errors import UsageError, did_you_mean
from chronoscore.registry import load_own


@dataclass(frozen=True, slots=True)
class Day:
    """A date with its texts: one for a system, one for each reference that has the date."""

    when: When
    texts: tuple[tuple[str, ...], ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of all its texts."""
        return tuple(sentence for text in self.texts for sentence in text)


DayFunction: TypeAlias = Callable[[Day, Day], float]
"""Takes a day of the system's and one of the references', gives a cost or a weight."""


@dataclass(frozen=True, slots=True)
class CostFunction:
    """A cost or weight by its name, with the function where it is not one of ours."""

    name: str
    function: DayFunction | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one of our names, or `module:function`."""
        if ":" in text:
            return cls(text, load_own(text, "cost or weight"))
        if text == "similarity":
            return cls("content")
        if text not in NAMES:
            raise UsageError(
                f"unknown cost or weight '{text}'; {did_you_mean(text, NAMES)}, "
                "or write module:function"
            )
        return cls(text)

    @classmethod
    def of(cls, given: "CostFunction | DayFunction | str") -> "CostFunction":
        """Take a name, a function, or what is one already."""
        if isinstance(given, CostFunction):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        if not callable(given):
            raise UsageError(f"{given!r} is not a cost or weight; give a name or a function")
        return cls(f"{given.__module__}:{given.__qualname__}", given)

    def __str__(self) -> str:
        return self.name


SAME = CostFunction("same")
"""Cost 0 and weight 1 on the same date; any other pair is forbidden."""
DAYS = CostFunction("days")
"""Cost 1 − 1/(d+1) and weight 1/(d+1) at d days' distance."""
CONTENT = CostFunction("content")
"""Cost (1 − 1/(d+1)) · (1 − similarity), by default ROUGE-1 F1."""

NAMES = tuple(known.name for known in (SAME, DAYS, CONTENT))
