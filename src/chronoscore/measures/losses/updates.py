"""The accounts of streams of updates: nuggets missed or told late, updates that tell nothing."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from chronoscore.core import Ranking
from chronoscore.errors import UsageError
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.losses.weights import add_by_size, name_sizes
from chronoscore.measures.measure import Array, Measure, Pair, divide_tallies, f_scores
from chronoscore.measures.streams.facts import AutoStream
from chronoscore.measures.streams.mentions import Numbered
from chronoscore.measures.streams.nuggets import Nuggets
from chronoscore.measures.streams.stream import TOP, Stream

NUGGETS = ("late", *name_sizes("missed_nuggets"))
TIMED = ("H", "LC", "nE[LG]", "E[LG]")
UNTIMED = ("C", "nE[G]", "E[G]")
COVERAGE = ("LC", "C")


@dataclass(frozen=True, kw_only=True)
class StreamLosses(Losses):
    """The account of stream: nuggets that are missed or told late, and updates that tell nothing.

    Of what the nuggets are worth, `late` is what is left no more when they are told, and
    `missed_nuggets` are heavy (importance 3), middle (2) or light; to tell one before its time is a
    gain, `early`. Of what the updates could gain for what they cost, updates are `p.unjudged`,
    `p.off_event`, or tell only what was told before (`p.repeated`); of the others, `p.words` are
    words that tell nothing, `p.late` as above, and `p.light` is what they gain less than the best
    nuggets are worth. Gains are `p.early`, and `p.several` where updates gain more than that. It is
    the account of H, LC and nE[LG], and of C, nE[G], E[G] or E[LG] if that part is named:
    losses(stream.C).
    """

    things: ClassVar[str] = "nuggets"
    by_part: ClassVar[bool] = True
    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(
            rate="LC",
            good="found",
            causes=NUGGETS,
            empty="nothing_wanted",
            gains=("early",),
            whole="of what the nuggets are worth",
        ),
        LossSide(
            rate="nE[LG]",
            good="p.kept",
            causes=("p.late", "p.light", "p.words", "p.off_event", "p.repeated", "p.unjudged"),
            empty="p.nothing_offered",
            gains=("p.early", "p.several"),
            whole="of what the updates could gain",
        ),
    )
    parts = part_names(sides)
    columns = (
        *column_names(sides[:1]),
        *("words", "off event", "repeated", "unjudged", "telling", "updates", "ideal"),
    )
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    needs = Ranking
    of: Stream = field(default=Stream(), metadata={"bare": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sums_up not in (*TIMED, *UNTIMED):
            known = ", ".join((*TIMED, *UNTIMED))
            raise UsageError(
                f"losses({self.of}): the part {self.of.part} cannot be split into causes; write "
                f"losses of stream with one of {known}"
            )

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Streams whose updates people matched to nuggets."""
        return isinstance(measure, Stream)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """With latency and without, and not normalized."""
        yield Stream()
        yield Stream(part="C")
        yield Stream(normalized=False)

    @property
    def sums_up(self) -> str:
        """The part of the measure that this is the account of."""
        return self.of.part or "H"

    @property
    def is_timed(self) -> bool:
        """Whether a nugget that is told late is worth less."""
        return self.sums_up not in UNTIMED

    def reached(self, part: str, rates: Sequence[Array]) -> Array:
        """H is of both sides, the other parts of one."""
        if part == "H":
            return f_scores(rates[1], rates[0])
        return rates[0 if part in COVERAGE else 1]

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up worth and cost by what became of them."""
        topics = self.of.nuggets_of_topics(pairs)
        rows = [self.row(topics[id(topic)], output) for topic, output in pairs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def row(self, nuggets: Nuggets, output: object) -> list[float]:
        """One stream's sums."""
        assert isinstance(output, Ranking)
        if self.of.leaves_out(nuggets, output):
            return [math.nan] * len(self.columns)
        found = late = early = words = off = repeated = unjudged = 0.0
        told: set[str] = set()
        telling = updates = 0
        for step in self.of.walk(nuggets, output):
            updates += 1
            if step.matches:
                telling += 1
                words += step.cost - 1
            elif not step.sampled:
                unjudged += step.cost
            elif nuggets.matches.get(step.update.sentence):
                repeated += step.cost
            else:
                off += step.cost
            for nugget, worth, timeliness in step.matches:
                told.add(nugget)
                left = timeliness if self.is_timed else 1.0
                found += worth * min(left, 1.0)
                late += worth * max(1.0 - left, 0.0)
                early += worth * max(left - 1.0, 0.0)
        missed = add_by_size(
            ((i, self.of.relevance(i)) for n, i in nuggets.importance.items() if n not in told), TOP
        )
        ideal = self.of.best_worth(nuggets, updates) * updates
        costs = (words, off, repeated, unjudged)
        return [found, late, *missed, early, *costs, telling, updates, ideal]

    def amounts(self, tallies: Array) -> list[tuple[Array, Array]]:
        """Worth of nuggets, and what updates could gain for what they cost.

        What updates tell makes up for what is late in others: sums are compared, so that they are
        those of the measure however topics are averaged.
        """
        found, late, *missed, early = np.moveaxis(tallies[..., :6], -1, 0)
        words, off, repeated, unjudged, telling, updates, ideal = np.moveaxis(
            tallies[..., 6:], -1, 0
        )
        best = divide_tallies(ideal, updates)
        if not self.of.normalized or self.sums_up in ("E[G]", "E[LG]"):
            best = np.where(updates > 0, 1.0, 0.0 * updates)
        room = telling * best
        kept = np.minimum(found, room)
        too_late = np.minimum(late, room - kept)
        offered = [kept, too_late, room - kept - too_late]
        offered += [cost * best for cost in (words, off, repeated, unjudged)]
        return [
            (np.stack([found, late, *missed], axis=-1)[..., np.newaxis], early[..., np.newaxis]),
            (
                np.stack(offered, axis=-1)[..., np.newaxis],
                np.stack([early, found - kept], axis=-1),
            ),
        ]


@dataclass(frozen=True, kw_only=True)
class AutoStreamLosses(Losses):
    """The account of auto-stream: nuggets that are missed or told late, updates that tell nothing.

    Of the nuggets, `late` is what is left no more when they are told; to tell one before its time
    is a gain, `early`. An update is `p.off_event` if it is similar to no nugget, `p.repeated` if
    all that it is similar to are credited to others; what one earns beyond 1 is a gain,
    `p.several`.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(rate="C", good="found", causes=NUGGETS, gains=("early",), whole="of the nuggets"),
        LossSide(
            rate="E",
            good="p.kept",
            causes=("p.late", "p.off_event", "p.repeated"),
            gains=("p.early", "p.several"),
            whole="of the updates",
        ),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    needs = Ranking
    of: AutoStream = field(default=AutoStream(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Streams that are matched by their words."""
        return isinstance(measure, AutoStream)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """With latency and without."""
        yield AutoStream()
        yield AutoStream(timed=False, credit="best")

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count nuggets and updates by what became of them."""
        topics = {id(topic): (Numbered.of(topic), Nuggets.of(topic)) for topic, _ in pairs}
        rows = [self.row(*topics[id(topic)], output) for topic, output in pairs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def row(self, numbered: Numbered, nuggets: Nuggets, output: object) -> list[float]:
        """One stream's counts."""
        assert isinstance(output, Ranking)
        matched = self.of.match_updates(numbered, nuggets, output)
        timely = np.zeros(matched.updates)
        telling = np.zeros(matched.updates, dtype=np.bool_)
        late = early = 0.0
        for _, update, left in matched.credited:
            timely[update] += min(left, 1.0)
            telling[update] = True
            late += max(1.0 - left, 0.0)
            early += max(left - 1.0, 0.0)
        told = {nugget for nugget, _, _ in matched.credited}
        missed = [(i, 1.0) for nugget, i in nuggets.importance.items() if nugget not in told]
        kept = np.minimum(timely, 1.0)
        similar = len(matched.similar)
        repeated = similar - int(telling.sum())
        off, too_late = matched.updates - similar, float((1.0 - kept)[telling].sum())
        found = float(timely.sum())
        several = found - float(kept.sum())
        return [
            *(found, late, *add_by_size(missed, TOP), early),
            *(float(kept.sum()), too_late, off, repeated, early, several),
        ]
