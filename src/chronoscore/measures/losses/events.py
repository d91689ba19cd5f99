"""The accounts of judged streams: events missed, sentences off event, events told again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Places
from chronoscore.core import Ranking
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.measure import Array, Measure, Pair
from chronoscore.measures.streams.events import MentionMeasure, Novel, Nu, Useful
from chronoscore.measures.streams.mentions import Mentions, Numbered

EVENTS = ("late", "missed_events.untold", "missed_events.in_part", "missed_events.unlinked")
IDLE = ("p.off_event", "p.unjudged", "p.repeated", "p.incomplete", "p.light")
RETRIEVED = "of the sentences retrieved"


class RetrievedSentences:
    """What each retrieved sentence is about, and what it tells for the first time."""

    def __init__(self, mentions: Mentions, cutoff: int | None) -> None:
        self.mentions, self.size = mentions, mentions.retrieved(cutoff)
        self.new = mentions.new(strict=False)[: self.size]
        self.worth = mentions.worth[: self.size]
        position, event = mentions.links
        first = mentions.first[event]
        self._on_event = self._any(position)
        self._tells = self._any(position[first == position])
        self._waits = self._any(position[first > position])
        self._unjudged = self._any(np.asarray(mentions.unjudged, dtype=np.intp))

    def _any(self, positions: Places) -> NDArray[np.bool_]:
        """Which of the retrieved sentences are among some positions."""
        counts = np.bincount(positions, minlength=self.mentions.size)
        return counts[: self.size].astype(np.bool_)

    def split_idle(self, lost: Array) -> list[float]:
        """What retrieved sentences lose, by cause.

        A sentence is about no event or was not judged, tells an event that weighs little, or is
        part of a group that is not complete yet; otherwise all its events were told before.
        """
        unjudged, light = self._unjudged, self._tells
        off = ~(self._on_event | unjudged)
        incomplete = self._waits & ~light
        repeated = ~(off | unjudged | light | incomplete)
        kinds = (off, unjudged, repeated, incomplete, light)
        return [float(lost[which].sum()) for which in kinds]

    def split_gains(self, earned: Array, whole: Array) -> list[float]:
        """Kept, lost by cause, and what is earned beyond a sentence's own share."""
        kept = np.minimum(earned, whole)
        return [
            float(kept.sum()),
            *self.split_idle(whole - kept),
            float((earned - kept).sum()),
        ]


@dataclass(frozen=True, kw_only=True)
class MentionLosses(Losses):
    """What the accounts of events have in common: what rankings mention is found once."""

    things: ClassVar[str] = "events"
    needs = Ranking
    of: MentionMeasure = field(default=None, metadata={"bare": True})  # type: ignore[assignment]

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Count what each ranking mentions by what became of it."""
        rows = np.full((len(pairs), len(self.columns)), np.nan)
        for row, numbered, mentions in self.of.find_mentions(pairs):
            rows[row] = self.row(numbered, mentions)
        return rows

    def row(self, numbered: Numbered, mentions: Mentions) -> list[float]:
        """One ranking's counts."""
        raise NotImplementedError

    def split_events(self, numbered: Numbered, mentions: Mentions, weights: Array) -> list[float]:
        """The weight of events that are told, told below the cutoff, and missed."""
        told = mentions.found(self.of.cutoff)
        late = (mentions.first < mentions.size) & ~told
        missed = ~(told | late)
        about = np.zeros(len(weights), dtype=np.bool_)
        about[mentions.links[1]] = True
        by_words = self.of.match != "id" and self.of.to == "events"
        unlinked = missed & (numbered.linked == 0) & (not by_words)
        in_part = missed & about
        rest = missed & ~(unlinked | in_part)
        return [float(weights[which].sum()) for which in (told, late, rest, in_part, unlinked)]


@dataclass(frozen=True, kw_only=True)
class EventLosses(MentionLosses):
    """The account of nu: events that are missed or told late, and sentences that tell nothing new.

    An event is `late` if it is first told below the cutoff, and one of `missed_events` otherwise:
    `in_part` if only some sentences of a group are there, `unlinked` if no sentence tells it. A
    sentence is `p.off_event`, or `p.unjudged` in a pooled topic, or tells only events that were
    told before (`p.repeated`), or is `p.incomplete`, one of a group that is not complete yet;
    `p.light` is what events lack that weigh less than 1. What a sentence earns beyond 1 is a gain,
    `p.several`.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(rate="recall", good="found", causes=EVENTS, whole="of the events"),
        LossSide(
            rate="precision", good="p.kept", causes=IDLE, gains=("p.several",), whole=RETRIEVED
        ),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    of: Nu = field(default=Nu(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Novel and useful."""
        return isinstance(measure, Nu)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """By the formula and by the prose, weighted, and of the two best sentences alone."""
        yield Nu()
        yield Nu(strict=True, cutoff=2)
        yield Nu(weight="importance")

    def row(self, numbered: Numbered, mentions: Mentions) -> list[float]:
        """Events by what became of them, and sentences by what they tell."""
        sentences = RetrievedSentences(mentions, self.of.cutoff)
        split = sentences.split_gains(sentences.new, np.ones(sentences.size))
        if self.of.strict:
            split[-1] = 0.0
        return [*self.split_events(numbered, mentions, mentions.weights), *split]


@dataclass(frozen=True, kw_only=True)
class UsefulLosses(MentionLosses):
    """The account of u: on-event sentences that are missed, and sentences off event.

    Sentences that are missed tell events that no retrieved sentence is about (`of_missed_events`),
    or more of events that some are about. Texts that match one sentence together can be worth more
    than all there is: a gain, `again`.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(
            rate="recall",
            good="found",
            causes=("late", "missed_sentences.of_missed_events", "missed_sentences.of_told_events"),
            gains=("again",),
            whole="of the on-event sentences",
        ),
        LossSide(
            rate="precision",
            good="p.kept",
            causes=("p.off_event", "p.unjudged", "p.light"),
            gains=("p.heavy",),
            whole=RETRIEVED,
        ),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    of: Useful = field(default=Useful(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Usefulness alone."""
        return isinstance(measure, Useful)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """As usual, and weighted."""
        yield Useful()
        yield Useful(weight="importance")

    def row(self, numbered: Numbered, mentions: Mentions) -> list[float]:
        """The worth of judged and of retrieved sentences."""
        sentences = RetrievedSentences(mentions, self.of.cutoff)
        useful = float(sentences.worth.sum())
        found = min(useful, mentions.useful)
        late = min(mentions.useful - found, float(mentions.worth[sentences.size :].sum()))
        lacking = max(mentions.useful - found - late, 0.0)
        of_missed = min(lacking, self._worth_of_missed(numbered, mentions))
        off, unjudged, *_ = sentences.split_idle(np.ones(sentences.size))
        worth = sentences.worth[sentences.worth > 0]
        kept = float(np.minimum(worth, 1.0).sum())
        return [
            *(found, late, of_missed, lacking - of_missed, useful - found),
            *(kept, off, unjudged, max(sentences.size - off - unjudged - kept, 0.0), useful - kept),
        ]

    def _worth_of_missed(self, numbered: Numbered, mentions: Mentions) -> float:
        """What the sentences are worth that no retrieved sentence shares an event with."""
        about = np.zeros(len(mentions.first), dtype=np.bool_)
        about[mentions.links[1]] = True
        worth = numbered.worth(mentions.weights)
        worth[numbered.sentences[about[numbered.events]]] = 0.0
        return float(worth.sum())


@dataclass(frozen=True, kw_only=True)
class NovelLosses(MentionLosses):
    """The account of n: events that are missed, and on-event sentences that tell nothing new.

    The causes are those of nu without sentences off event; `p.light` is what a sentence lacks
    whose heaviest event was told before it.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(rate="recall", good="found", causes=EVENTS, whole="of the events"),
        LossSide(
            rate="precision",
            good="p.kept",
            causes=IDLE[2:],
            gains=("p.several",),
            whole="of the on-event sentences retrieved",
        ),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    of: Novel = field(default=Novel(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Novelty among what is useful."""
        return isinstance(measure, Novel)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """As usual, and weighted."""
        yield Novel()
        yield Novel(weight="importance")

    def row(self, numbered: Numbered, mentions: Mentions) -> list[float]:
        """Events by what became of them, and on-event sentences by what they tell."""
        sentences = RetrievedSentences(mentions, self.of.cutoff)
        kept, _, _, *rest = sentences.split_gains(sentences.new, sentences.worth)
        return [*self.split_events(numbered, mentions, mentions.weights), kept, *rest]
