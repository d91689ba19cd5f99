"""What every measure is: a value with a name, parameters, tallies and parts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Output, Ranking, Tally, Topic
from chronoscore.errors import UsageError, did_you_mean

Array: TypeAlias = NDArray[np.float64]
Pair: TypeAlias = tuple[Topic, Output]
Averaging: TypeAlias = Literal["mean", "of-means", "micro"]

MOST_WORDS = 1000
"""In a run; what is longer is a slip of the keyboard."""

AVERAGES: dict[Averaging, str] = {
    "mean": "mean over topics of each part",
    "of-means": "F of the mean precision and the mean recall",
    "micro": "parts of the counts summed over topics",
}


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """A way to score an output; hashable, prints itself, and parses back.

    A measure turns outputs into tallies (counts that add over topics), and computes its
    parts from tallies only, so that resampling never reads a text twice.
    """

    name: ClassVar[str]
    needs: ClassVar[type[Output]]
    parts: ClassVar[tuple[str, ...]] = ("p", "r", "f")
    columns: ClassVar[tuple[str, ...]] = Tally._fields
    averaging: ClassVar[Averaging] = "mean"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    lower_is_better: ClassVar[frozenset[str]] = frozenset()
    """Parts of which less is better."""
    known_faults: ClassVar[frozenset[str]] = frozenset()
    spoken: ClassVar[frozenset[str]] = frozenset()
    """Parameters that are always printed, default or not."""

    cutoff: int | None = field(default=None, metadata={"suffix": True})
    part: str | None = field(default=None, metadata={"suffix": True})
    label: str = field(default="", compare=False, repr=False, metadata={"suffix": True})
    """What results call the measure where that is not its own text."""

    def __post_init__(self) -> None:
        if self.cutoff is not None and self.needs is not Ranking:
            raise UsageError(f"'{self.name}' has no cutoff; drop @{self.cutoff}")
        if self.part is not None and self.part not in self.parts:
            raise UsageError(
                f"measure '{self.name}' has no part '{self.part}'; "
                + did_you_mean(self.part, self.parts)
            )

    @abstractmethod
    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count each output against its topic: one row of `columns` for each pair."""

    def values(self, tallies: Array) -> Array:
        """Compute the parts from tallies; the last axis goes from columns to parts."""
        found, wanted, kept, offered = np.moveaxis(tallies, -1, 0)
        precision, recall = divided(kept, offered), divided(found, wanted)
        return np.stack([precision, recall, harmonic(precision, recall)], axis=-1)

    @property
    def family(self) -> object:
        """Measures of equal families are counted by one call of `tally_family`."""
        return self

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count for several measures of one family at once; some share most of the work."""
        return [measure.tally(pairs) for measure in family]

    @property
    def shown(self) -> tuple[str, ...]:
        """The parts that a table shows: the one that was asked for, or all."""
        return (self.part,) if self.part else self.parts

    @property
    def higher_is_better(self) -> bool:
        """Whether more of the part that sums the measure up, its last, is better."""
        return self.parts[-1] not in self.lower_is_better

    @property
    def whole(self) -> Self:
        """The same measure with all its parts."""
        return replace(self, part=None)

    @property
    def title(self) -> str:
        """What results call the measure, all its parts together."""
        return self.label or str(self.whole)

    @property
    def signature(self) -> str:
        """Every parameter, default or not, read off the fields themselves."""
        said = [f"{f.name}:{spell(getattr(self, f.name))}" for f in self.parameters()]
        if self.cutoff is not None:
            said.append(f"cutoff:{self.cutoff}")
        return "|".join([self.name, *said])

    @classmethod
    def parameters(cls) -> tuple["Field[Any]", ...]:
        """The fields that may be given in parentheses, the telling ones first."""
        own = [f for f in fields(cls) if not f.metadata.get("suffix")]
        return tuple(sorted(own, key=lambda f: f.name not in cls.spoken))

    def __str__(self) -> str:
        said = [
            spell_parameter(f.name, getattr(self, f.name))
            for f in self.parameters()
            if f.name in self.spoken or getattr(self, f.name) != default(f)
        ]
        inside = f"({','.join(said)})" if said else ""
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}{inside}{cutoff}" + (f".{self.part}" if self.part else "")


def check_words(name: str, n: int) -> None:
    """Refuse runs of no words, and of more words than anybody means."""
    if n < 1:
        raise UsageError(f"{name}(n={n}): n counts words; write 1 or more")
    if n > MOST_WORDS:
        raise UsageError(f"{name}(n={n}): n counts words; write {MOST_WORDS:,} or less")


def default(parameter: "Field[Any]") -> object:
    """The value that a parameter has where nothing is said."""
    return None if parameter.default is MISSING else parameter.default


def spell(value: object) -> str:
    """Write a parameter's value as the measure language reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def spell_parameter(name: str, value: object) -> str:
    """Write `name=value`, or the bare name of a flag that is set."""
    return name if value is True else f"{name}={spell(value)}"


def divided(part: Array, whole: Array) -> Array:
    """Divide elementwise, with 0 where there is nothing to divide by."""
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole != 0)


def harmonic(precision: Array, recall: Array, alpha: float = 0.5) -> Array:
    """Weigh precision and recall elementwise, as `core.f_score` does for one pair."""
    return divided(precision * recall, (1 - alpha) * precision + alpha * recall)
