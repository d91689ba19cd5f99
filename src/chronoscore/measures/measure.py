"""What every measure is: a value with a name, parameters, tallies and parts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from math import inf
from typing import Any, ClassVar, Self, TypeAlias, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Output, Ranking, Tally, Topic
from chronoscore.errors import UsageError, did_you_mean
from chronoscore.options import Averaging

Array: TypeAlias = NDArray[np.float64]
Pair: TypeAlias = tuple[Topic, Output]
Bounds: TypeAlias = tuple[float, float]
"""The least and the most that a part can be."""
SHARE: Bounds = (0.0, 1.0)
AMOUNT: Bounds = (0.0, inf)
ANY_NUMBER: Bounds = (-inf, inf)
FamilyCounter: TypeAlias = Callable[[Sequence[Pair]], list[Array]]
"""Counts pairs for the measures of a family."""

RATES = (("p", "r", "f"), ("redundancy", "comprehensiveness", "f"))
"""Parts whose means have an F."""
MOST_WORDS = 1000
"""In a run; what is longer is a slip of the keyboard."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A way to score an output; hashable, prints itself, and parses back.

    A measure turns outputs into tallies (counts that add over topics), and computes its
    parts from tallies only, so that resampling never reads a text twice.
    """

    name: ClassVar[str]
    needs: ClassVar[type[Output]]
    parts: ClassVar[tuple[str, ...]] = ("p", "r", "f")
    columns: ClassVar[tuple[str, ...]] = Tally._fields
    averaging: ClassVar[Averaging] = "mean"
    has_counts: ClassVar[bool] = True
    """Whether tallies are counts that can be added; those of saved figures are the figures."""
    lower_is_better: ClassVar[frozenset[str]] = frozenset()
    """Parts of which less is better."""
    known_faults: ClassVar[frozenset[str]] = frozenset()
    """Names of the checks that the measure is known to fail."""
    of_matches: ClassVar[frozenset[str]] = frozenset()
    """Parts that look at what was matched only: what is missing or too much does not show."""
    has_cutoff: ClassVar[bool] = True
    """Whether a measure of rankings can take only the first k."""
    spoken: ClassVar[frozenset[str]] = frozenset()
    """Parameters that are always printed, default or not."""

    cutoff: int | None = field(default=None, metadata={"suffix": True})
    part: str | None = field(default=None, metadata={"suffix": True})
    label: str = field(default="", compare=False, repr=False, metadata={"suffix": True})
    """What results call the measure where that is not its own text."""
    explicit: frozenset[str] = field(
        default=frozenset(), compare=False, repr=False, metadata={"suffix": True}
    )
    """Parameters that the measure's text names, default or not."""

    def __post_init__(self) -> None:
        if self.cutoff is not None and not (self.needs is Ranking and self.has_cutoff):
            raise UsageError(f"'{self.name}' has no cutoff; drop @{self.cutoff}")
        if self.part is not None and self.part not in self.parts:
            raise UsageError(
                f"measure '{self.name}' has no part '{self.part}'; "
                + did_you_mean(self.part, self.parts)
            )

    @classmethod
    def make(cls, **chosen: Any) -> "Measure":
        """The measure with these parameters; what they are may decide its class."""
        return cls(**chosen)

    @property
    def alpha(self) -> float:
        """The weight of precision in F; a field of measures that let the user choose it."""
        return 0.5

    @property
    def jackknife(self) -> bool:
        """Whether one reference is left out at a time; a field of measures that can do so."""
        return False

    @property
    def width(self) -> int:
        """The number of columns of a tally.

        A jackknifed tally holds the parts summed over the subsets of references, and the
        number of subsets.
        """
        return len(self.parts) + 1 if self.jackknife else len(self.columns)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count each output against its topic: a row of `width` columns for each pair.

        A measure defines this, or `tally_family` if it shares work with others.
        """
        return self.tally_family([self], pairs)[0]

    def values(self, tallies: Array) -> Array:
        """Compute the parts from tallies; the last axis goes from columns to parts."""
        if self.jackknife:
            return divide_tallies(tallies[..., :-1], tallies[..., -1:])
        return self.score_tallies(tallies)

    def score_tallies(self, tallies: Array) -> Array:
        """Compute precision, recall and F from tallies that are not jackknifed."""
        precision, recall = self.rates(tallies)
        return np.stack([precision, recall, f_scores(precision, recall, self.alpha)], axis=-1)

    def rates(self, tallies: Array) -> tuple[Array, Array]:
        """Compute precision and recall from what was found, wanted, kept and offered."""
        found, wanted, kept, offered = np.moveaxis(tallies, -1, 0)
        return divide_tallies(kept, offered), divide_tallies(found, wanted)

    def of_means(self, means: Array) -> Array:
        """Give the mean parts (…, parts) with F of the mean precision and the mean recall."""
        if self.parts[:3] not in RATES:
            raise UsageError(
                f"measure '{self.name}' has no precision and recall to average; "
                'average with `rule="mean"`'
            )
        means[..., 2] = f_scores(means[..., 0], means[..., 1], self.alpha)
        return means

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """The measure as it is by default, and with every other choice of each parameter."""
        yield cls()
        hints = get_type_hints(cls)
        for parameter in cls.parameters():
            usual, choices = default_of_parameter(parameter), get_args(hints[parameter.name])
            if isinstance(usual, bool):
                choices = (not usual,)
            for value in choices:
                if isinstance(value, bool | str) and value != usual:
                    with suppress(UsageError):
                        yield cls(**{parameter.name: value})  # type: ignore[arg-type]

    @property
    def family(self) -> object:
        """Measures of equal families are counted by one call of `tally_family`."""
        return self

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Count for several measures of one family at once; some share most of the work."""
        return [measure.tally(pairs) for measure in family]

    @classmethod
    def prepare_family(cls, family: Sequence[Self], topics: Sequence[Topic]) -> FamilyCounter:
        """A counter of pairs of these topics; a family may prepare their references once."""
        return lambda pairs: cls.tally_family(family, pairs)

    @property
    def skips_missing(self) -> bool:
        """Whether a topic without output is not part of a system's means."""
        return False

    @property
    def pooled(self) -> bool:
        """Whether a figure depends on which systems are scored together."""
        return False

    @property
    def reads_documents(self) -> bool:
        """Whether a figure depends on the documents of a topic, as weights of words may."""
        return False

    @property
    def shown(self) -> tuple[str, ...]:
        """The parts that a table shows: the one that was asked for, or all."""
        return (self.part,) if self.part else self.parts

    @property
    def main_part(self) -> str:
        """The part that sums the measure up: the one that was asked for, or the last."""
        return self.shown[-1]

    @property
    def compared_parts(self) -> tuple[str, ...]:
        """The parts that a comparison tests: those asked for, or the one that sums it up."""
        return self.shown if self.part else (self.main_part,)

    def heading(self, part: str) -> str:
        """What results call one part of the measure, as in "align+.f"."""
        return f"{self.title}.{part}"

    def direction(self, part: str) -> int:
        """1 where more of a part is better, -1 where less is."""
        return -1 if part in self.lower_is_better else 1

    def bounds(self, part: str) -> Bounds:
        """The least and the most that a part can be; intervals stay within them."""
        return SHARE

    @property
    def can_jackknife(self) -> bool:
        """Whether the measure can leave one reference out at a time."""
        return any(one.name == "jackknife" for one in self.parameters())

    def with_jackknife(self) -> Self:
        """Leave one reference out at a time, where the measure can do so."""
        if not self.can_jackknife:
            raise UsageError(f"measure '{self}' has no jackknife; leave out `jackknife`")
        return replace(self, jackknife=True)  # type: ignore[call-arg]

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
        items = [f"{f.name}:{self.sign_parameter(f.name)}" for f in self.parameters()]
        if self.cutoff is not None:
            items.append(f"cutoff:{self.cutoff}")
        return "|".join([self.name, *items])

    def sign_parameter(self, name: str) -> str:
        """A parameter's value in the signature: all that figures depend on."""
        return spell_parameter_value(getattr(self, name))

    @classmethod
    def parameters(cls) -> tuple["Field[Any]", ...]:
        """The fields that may be given in parentheses, the telling ones first."""
        own = [f for f in fields(cls) if not f.metadata.get("suffix")]
        return tuple(sorted(own, key=lambda f: f.name not in cls.spoken))

    def __str__(self) -> str:
        items = [
            spell_parameter(f.name, getattr(self, f.name))
            for f in self.parameters()
            if f.name in self.spoken or getattr(self, f.name) != default_of_parameter(f)
        ]
        inside = f"({','.join(items)})" if items else ""
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}{inside}{cutoff}" + (f".{self.part}" if self.part else "")


def check_words(name: str, n: int) -> None:
    """Refuse runs of no words, and of more words than anybody means."""
    if n < 1:
        raise UsageError(f"{name}(n={n}): n counts words; write 1 or more")
    if n > MOST_WORDS:
        raise UsageError(f"{name}(n={n}): n counts words; write {MOST_WORDS:,} or less")


def default_of_parameter(parameter: "Field[Any]") -> object:
    """The value that a parameter has by default."""
    return None if parameter.default is MISSING else parameter.default


def spell_parameter_value(value: object) -> str:
    """Write a parameter's value as the measure language reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def spell_parameter(name: str, value: object) -> str:
    """Write `name=value`, or the bare name of a flag that is set."""
    return name if value is True else f"{name}={spell_parameter_value(value)}"


def divide_tallies(part: Array, whole: Array) -> Array:
    """Divide elementwise, with 0 where there is nothing to divide by."""
    if np.all(whole):
        return np.asarray(part / whole)
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole != 0)


def f_scores(precision: Array, recall: Array, alpha: float = 0.5) -> Array:
    """Weigh precision and recall elementwise, as `core.f_score` does for one pair."""
    return divide_tallies(precision * recall, (1 - alpha) * precision + alpha * recall)


def group_families(measures: Iterable[Measure]) -> list[list[Measure]]:
    """Group measures that are counted by one call; repeated ones are counted once."""
    families: dict[object, list[Measure]] = {}
    for measure in dict.fromkeys(measures):
        families.setdefault(measure.family, []).append(measure)
    return list(families.values())


def tally_family(family: Sequence[Measure], pairs: Sequence[Pair]) -> list[Array]:
    """Count one family, and refuse a tally that does not have the shape its measure declares."""
    if not pairs:
        return [np.empty((0, measure.width)) for measure in family]
    tallies = type(family[0]).tally_family(family, pairs)
    for measure, tally in zip(family, tallies, strict=True):
        if tally.shape != (len(pairs), measure.width):
            raise UsageError(
                f"measure '{measure}': its tally of {len(pairs)} pairs has the shape "
                f"{tally.shape}, not {(len(pairs), measure.width)}; "
                "return a row for each pair and a column for each of its `width`"
            )
    return tallies
