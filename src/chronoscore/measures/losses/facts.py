"""The accounts of CrisisFACTS: facts missed, updates that tell none or one again, poor facts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from chronoscore.core import Ranking
from chronoscore.measures.losses.account import (
    Losses,
    LossSide,
    column_names,
    lower_parts,
    part_names,
)
from chronoscore.measures.losses.events import MentionLosses, RetrievedSentences
from chronoscore.measures.measure import ANY_NUMBER, Array, Bounds, Measure, Pair
from chronoscore.measures.streams.assessed import Assessed, AssessedDay, days_of
from chronoscore.measures.streams.facts import Crisis
from chronoscore.measures.streams.mentions import Mentions, Numbered
from chronoscore.options import Averaging

FACTS = ("late", "missed_facts.untold", "missed_facts.in_part", "missed_facts.unlinked")
GOOD = ("late", "missed_facts.whole", "missed_facts.partly")
SCORED = LossSide(
    rate="redundancy",
    good="p.kept",
    causes=("p.poor", "p.partly"),
    gains=("p.heavy",),
    whole="of the facts told",
)


@dataclass(frozen=True, kw_only=True)
class CrisisLosses(MentionLosses):
    """The account of crisis: facts that are missed or told late, and updates that tell none.

    The causes are those of nu, and `lost` is 1 − comprehensiveness.
    """

    things: ClassVar[str] = "facts"
    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(rate="comprehensiveness", good="found", causes=FACTS, whole="of the facts"),
        LossSide(
            rate="redundancy",
            good="p.kept",
            causes=("p.no_fact", "p.unjudged", "p.repeated", "p.incomplete"),
            gains=("p.several",),
            whole="of the updates",
        ),
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    of: Crisis = field(default=Crisis(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Facts that are matched by their words."""
        return isinstance(measure, Crisis) and not measure.assessed

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """Of all updates, and of the best one."""
        yield Crisis()
        yield Crisis(cutoff=1)

    def row(self, numbered: Numbered, mentions: Mentions) -> list[float]:
        """Facts by what became of them, and updates by what they tell."""
        ones = np.ones(len(mentions.first))
        updates = RetrievedSentences(mentions, self.of.cutoff)
        kept, *idle, _, several = updates.split_gains(updates.new, np.ones(updates.size))
        return [*self.split_events(numbered, mentions, ones), kept, *idle, several]


@dataclass(frozen=True, kw_only=True)
class ScoredFactLosses(MentionLosses):
    """The account of crisis(assessed): good facts that are missed, facts that score less than 1.

    Facts that are missed score 1 (`whole`) or less (`partly`). Of the facts told, `p.poor` ones
    score 0, and `p.partly` is what others lack to 1.
    """

    things: ClassVar[str] = "facts"
    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(rate="comprehensiveness", good="found", causes=GOOD, whole="of the good facts"),
        SCORED,
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    of: Crisis = field(default=Crisis(assessed=True), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Facts with scores."""
        return isinstance(measure, Crisis) and measure.assessed

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """The usual one."""
        yield Crisis(assessed=True)

    def bounds(self, part: str) -> Bounds:
        """Scores may be any number."""
        return bounds_of_scored_facts(super().bounds(part), part)

    def row(self, numbered: Numbered, mentions: Mentions) -> list[float]:
        """Good facts by what became of them, and what the facts told score."""
        scores, told = mentions.weights, mentions.found(self.of.cutoff)
        late = (mentions.first < mentions.size) & ~told
        good, whole = scores > 0, scores >= 1
        missed = ~(told | late)
        facts = (good & told, good & late, missed & whole, missed & good & ~whole)
        return [*(float(which.sum()) for which in facts), *split_scores(scores[told])]


@dataclass(frozen=True, kw_only=True)
class AssessedLosses(Losses):
    """The account of assessed: good facts of a day that are missed, and facts that score less.

    The causes are those of crisis(assessed), as shares of each day, averaged over the days that
    count.
    """

    sides: ClassVar[tuple[LossSide, ...]] = (
        LossSide(
            rate="comprehensiveness",
            good="found",
            causes=GOOD[1:],
            whole="of a day's good facts",
        ),
        SCORED,
    )
    parts = part_names(sides)
    columns = column_names(sides)
    lower_is_better: ClassVar[frozenset[str]] = lower_parts(sides)
    averaging: ClassVar[Averaging] = "of-means"
    needs = Ranking
    of: Assessed = field(default=Assessed(), metadata={"bare": True})

    @classmethod
    def accounts_for(cls, measure: Measure) -> bool:
        """Facts with scores, day by day."""
        return isinstance(measure, Assessed)

    @classmethod
    def accounted(cls) -> Iterator[Measure]:
        """The only one."""
        yield Assessed()

    def bounds(self, part: str) -> Bounds:
        """Scores may be any number."""
        return bounds_of_scored_facts(super().bounds(part), part)

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up the shares of the days that count."""
        days = {id(topic): days_of(topic) for topic, _ in pairs}
        tallies = np.zeros((len(pairs), len(self.columns)))
        for row, (topic, output) in enumerate(pairs):
            assert isinstance(output, Ranking)
            chosen = {one.sentence for one in output}
            for day in days[id(topic)]:
                tallies[row] += _shares_of_day(day, chosen)
        return tallies


def _shares_of_day(day: AssessedDay, chosen: set[str]) -> list[float]:
    """The shares of a day's good facts, and of the facts told; 0 where the day does not count."""
    scores = day.scores
    good = {fact for fact, score in scores.items() if score > 0}
    told = day.told(chosen)
    if not good or not told:
        return [0.0] * (len(GOOD) + len(SCORED.counted) + len(SCORED.gains))
    missed = good - told
    whole = sum(scores[fact] >= 1 for fact in missed)
    facts = [len(good & told) / len(good), whole / len(good), (len(missed) - whole) / len(good)]
    split = split_scores(np.array([scores[fact] for fact in sorted(told)]))
    return [*facts, *(amount / len(told) for amount in split)]


def split_scores(scores: Array) -> list[float]:
    """What facts score up to 1, what they lack to it by cause, and what they score beyond it."""
    kept = np.minimum(scores, 1.0)
    poor = scores <= 0
    return [
        float(kept.sum()),
        float((1.0 - kept)[poor].sum()),
        float((1.0 - kept)[~poor].sum()),
        float((scores - kept).sum()),
    ]


def bounds_of_scored_facts(usual: Bounds, part: str) -> Bounds:
    """The bounds of a part where scores of facts may be any number."""
    return ANY_NUMBER if part.startswith("p.") or part == "lost" else usual
