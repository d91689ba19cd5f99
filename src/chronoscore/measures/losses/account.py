"""What every account of losses is: counts of causes, whose shares add up to 1 on each side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import inf
from typing import Any, ClassVar

import numpy as np

from chronoscore.core import Output, Timeline
from chronoscore.errors import UsageError
from chronoscore.measures.measure import (
    AMOUNT,
    SHARE,
    Array,
    Bounds,
    Measure,
    divide_tallies,
    f_scores,
)
from chronoscore.measures.streams.events import share_or_nan
from chronoscore.measures.timelines import blind_spots
from chronoscore.registry import load

KINDS: tuple[str, ...] = (
    "chronoscore.measures.losses.days:DayLosses",
    "chronoscore.measures.losses.dates:DateLosses",
    "chronoscore.measures.losses.texts:RougeLosses",
    "chronoscore.measures.losses.events:EventLosses",
    "chronoscore.measures.losses.events:UsefulLosses",
    "chronoscore.measures.losses.events:NovelLosses",
    "chronoscore.measures.losses.facts:CrisisLosses",
    "chronoscore.measures.losses.facts:ScoredFactLosses",
    "chronoscore.measures.losses.facts:AssessedLosses",
    "chronoscore.measures.losses.updates:StreamLosses",
    "chronoscore.measures.losses.updates:AutoStreamLosses",
    "chronoscore.measures.losses.units:PyramidLosses",
    "chronoscore.measures.losses.units:ClassicPyramidLosses",
    "chronoscore.measures.losses.units:NuggetLosses",
)
"""The accounts; the first one that can account for a measure does."""


@dataclass(frozen=True)
class LossSide:
    """One side of an account: a rate of the measure, and why it is not 1."""

    rate: str
    """The part of the measure that this side accounts for."""
    good: str
    """The part of the account that the rate is."""
    causes: tuple[str, ...]
    """The finest causes; the first word of a cause is its group, as in near.day."""
    empty: str = ""
    """The cause where there is nothing to divide by; without one, the rate is undefined there."""
    gains: tuple[str, ...] = ()
    """What is earned beyond the share that is good; the rate is what is good and all gains."""
    whole: str = ""
    """What the shares are shares of."""
    label: str = "found"
    """What tables call what is good."""

    @property
    def title(self) -> str:
        """Which of the two sides it is."""
        return "precision" if self.good.startswith("p.") else "recall"

    @property
    def counted(self) -> tuple[str, ...]:
        """What is counted: what is good, and the causes."""
        return (self.good, *self.causes)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of the causes, in order."""
        return tuple(dict.fromkeys(map(group_of, self.causes)))

    def members(self, group: str) -> list[int]:
        """The places of a group's causes among what is counted."""
        return self._members[group]

    @cached_property
    def _members(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, cause in enumerate(self.causes, 1):
            found.setdefault(group_of(cause), []).append(place)
        return found


@cache
def group_of(cause: str) -> str:
    """The group of a cause: near for near.day, p.near for p.near.day."""
    prefix = "p." if cause.startswith("p.") else ""
    return prefix + cause.removeprefix(prefix).partition(".")[0]


@dataclass(frozen=True, kw_only=True)
class Losses(Measure):
    """Where the points of another measure went: its causes of loss, which add up exactly."""

    known_faults: ClassVar[frozenset[str]] = (
        frozenset(
            {"add", "duplicate", "halve", "merge", "remove", "shift", "shuffle", "split", "swap"}
        )
        | blind_spots.OF_WORDS
        | blind_spots.OF_DATES
        | blind_spots.OF_TEXTS
    )
    """A damage moves points from one cause to another, so that some causes get smaller by it."""

    name: ClassVar[str] = "losses"
    needs: ClassVar[type[Output]] = Timeline
    has_cutoff: ClassVar[bool] = False
    """The measure inside has one: losses(nu@20)."""
    by_part: ClassVar[bool] = False
    """Whether parts of the measure have accounts of their own: losses(stream.C)."""
    sides: ClassVar[tuple[LossSide, ...]] = ()
    things: ClassVar[str] = "days"
    """What is told or missed, one by one."""
    words: ClassVar[tuple[str, ...]] = ()
    """What causes are split into beside: numbers and names; the rest is the last column."""

    of: Measure = field(default=None, metadata={"bare": True})  # type: ignore[assignment]

    @classmethod
    def make(cls, **chosen: Any) -> Measure:
        """The account of the measure that was given, or of the usual one."""
        return find_account(chosen["of"])(**chosen) if "of" in chosen else cls(**chosen)

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Whether this is the account of a measure; what it cannot split is refused later."""
        raise NotImplementedError

    @classmethod
    def examples(cls) -> Iterator["Losses"]:
        """Every account, with the measures that show what it can do."""
        for path in KINDS:
            kind: type[Losses] = load(path)
            yield from (kind(of=measure) for measure in kind.accounted())

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Measures that show what the account can do, the usual one first."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{self.name}({self.of})" + (f".{self.part}" if self.part else "")

    @property
    def alpha(self) -> float:
        """The weight of precision in F, as in the measure itself."""
        return self.of.alpha

    @property
    def skips_missing(self) -> bool:
        """As the measure itself."""
        return self.of.skips_missing

    @property
    def pooled(self) -> bool:
        """As the measure itself."""
        return self.of.pooled

    @property
    def reads_documents(self) -> bool:
        """As the measure itself."""
        return self.of.reads_documents

    @property
    def signature(self) -> str:
        """The signature of the measure that is accounted for."""
        part = f",part:{self.sums_up}" if self.by_part else ""
        return f"losses|of:({self.of.signature.replace('|', ',')}{part})"

    @property
    def shown(self) -> tuple[str, ...]:
        """The part that was asked for, or the groups of causes."""
        if self.part:
            return (self.part,)
        named = [part for side in self.sides for part in (side.good, *side.groups, *side.gains)]
        return (*named, *self.parts[-1:])

    @property
    def sums_up(self) -> str:
        """The part of the measure that `lost` is about."""
        return self.of.whole.main_part

    def bounds(self, part: str) -> Bounds:
        """Shares, unless a measure can be more than 1."""
        gains = {gain for side in self.sides for gain in side.gains}
        if part in gains:
            return AMOUNT
        return (-inf, 1.0) if part == "lost" and gains else SHARE

    def amounts(self, tallies: Array) -> list[tuple[Array, Array]]:
        """By side: what is counted (…, counted, kinds of words), and gains (…, gains)."""
        kinds = len(self.words) + 1
        sizes = [len(side.counted) * kinds + len(side.gains) for side in self.sides]
        found = []
        for side, block in zip(
            self.sides, np.split(tallies, np.cumsum(sizes)[:-1], axis=-1), strict=True
        ):
            counts, gains = np.split(block, [len(side.counted) * kinds], axis=-1)
            found.append((counts.reshape(*block.shape[:-1], len(side.counted), kinds), gains))
        return found

    def values(self, tallies: Array) -> Array:
        """The causes as shares of their side."""
        found, rates = [], []
        for side, (counts, gains) in zip(self.sides, self.amounts(tallies), strict=True):
            total = counts.sum(axis=(-1, -2))
            divide = divide_tallies if side.empty else share_or_nan
            shares = divide(counts, total[..., np.newaxis, np.newaxis])
            gained = divide(gains, total[..., np.newaxis])
            found.append(_side_parts(side, self.words, shares, gained, total))
            rates.append(shares[..., 0, :].sum(axis=-1) + gained.sum(axis=-1))
        lost = 1.0 - self.reached(self.sums_up, rates)
        return np.concatenate([*found, lost[..., np.newaxis]], axis=-1)

    def of_means(self, means: Array) -> Array:
        """Shares are averaged; what is lost is 1 − F of the mean shares."""
        means[..., -1] = 1.0 - self.reached(self.sums_up, self.rates_of(means))
        return means

    def rates_of(self, values: Array) -> list[Array]:
        """The rates of the sides from the parts of the account."""
        return [
            values[..., [self.parts.index(part) for part in (side.good, *side.gains)]].sum(axis=-1)
            for side in self.sides
        ]

    def reached(self, part: str, rates: Sequence[Array]) -> Array:
        """A part of the measure, from the rates of the sides, recall first."""
        own = [side.rate for side in self.sides]
        if part in own or len(rates) == 1:
            return rates[own.index(part) if part in own else 0]
        return f_scores(rates[1], rates[0], self.alpha)


def _side_parts(
    side: LossSide, words: Sequence[str], shares: Array, gained: Array, total: Array
) -> Array:
    """The parts of one side from shares (…, counted, kinds of words)."""
    whole = shares.sum(axis=-1)
    columns = [whole[..., 0]]
    for group in side.groups:
        members = side.members(group)
        columns.append(whole[..., members].sum(axis=-1))
        if len(members) > 1:
            columns += [whole[..., place] for place in members]
        columns += [shares[..., members, kind].sum(axis=-1) for kind in range(len(words))]
    columns += [*np.moveaxis(gained, -1, 0)]
    if side.empty:
        columns.append(np.where(np.isnan(total), np.nan, (total == 0).astype(np.float64)))
    return np.stack(columns, axis=-1)


def part_names(sides: Sequence[LossSide], words: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of all parts, in the order in which `values` gives them."""
    names = []
    for side in sides:
        names.append(side.good)
        for group in side.groups:
            members = [side.counted[place] for place in side.members(group)]
            names += [group, *(members if len(members) > 1 else ())]
            names += [f"{group}.{kind}" for kind in words]
        names += [*side.gains, *([side.empty] if side.empty else [])]
    return (*names, "lost")


def column_names(sides: Sequence[LossSide], words: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the counts of a tally."""
    kinds = (*words, "other words") if words else ("",)
    return tuple(
        name
        for side in sides
        for name in (
            *(f"{counted} {kind}".strip() for counted in side.counted for kind in kinds),
            *side.gains,
        )
    )


def lower_parts(sides: Sequence[LossSide], words: Sequence[str] = ()) -> frozenset[str]:
    """All parts but what is good and what is gained."""
    good = {part for side in sides for part in (side.good, *side.gains)}
    return frozenset(part_names(sides, words)) - good


@cache
def find_account(measure: Measure) -> type[Losses]:
    """The class that accounts for a measure; one that nothing accounts for is refused."""
    for path in KINDS:
        kind: type[Losses] = load(path)
        if kind.accounts_for(measure):
            return kind
    raise UsageError(
        f"losses({measure}): its points cannot be split into causes; write losses of {ACCOUNTED}"
    )


ACCOUNTED = (
    "agreement, align, align+, align+m1, aligned, dates, rouge, nu, u, n, stream, auto-stream, "
    "crisis, assessed, pyramid, classic-pyramid or nuggets"
)
"""The measures that there is an account of."""


def account_of(measure: Measure, part: str | None = None) -> Losses:
    """The account of a measure, whole; or of one part where parts have accounts of their own."""
    whole = replace(measure.whole, label="")
    kind = find_account(whole)
    chosen = replace(whole, part=part) if kind.by_part and part else whole
    return kind(of=chosen, label=f"losses({measure.title})")
