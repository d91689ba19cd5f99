"""Facts in a system's own words, matched to judged ones by similarity.

Here nobody looked at the output: whether a fact says what a nugget says is decided by the
similarity and the threshold in the signature, so figures of different ones do not compare.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from chronoscore.core import Ranking
from chronoscore.errors import UsageError
from chronoscore.measures.measure import AMOUNT, SHARE, Array, Bounds, Pair, f_scores
from chronoscore.measures.streams.events import MatchedMeasure, MentionMeasure, share_or_nan
from chronoscore.measures.streams.matching import Similarity
from chronoscore.measures.streams.mentions import Mentions, Numbered, text_of_selected_update
from chronoscore.measures.streams.nuggets import Nuggets
from chronoscore.measures.streams.stream import Discount, Stream, check_step


class MatchedUpdates(NamedTuple):
    """Updates of a stream that say what nuggets say."""

    updates: int
    nuggets: int
    credited: list[tuple[str, int, float]]
    """A nugget, the number of the update that it is credited to, and what is left of its worth."""
    similar: set[int]
    """The updates that are similar to any nugget."""


@dataclass(frozen=True, kw_only=True)
class AutoStream(MatchedMeasure):
    """Gain and comprehensiveness of a stream whose matches nobody judged (Kedzie et al. 2015).

    Each nugget is credited to the first update that is similar enough, or to the most
    similar one (`credit`), at what is left of its worth by then; untimed, it counts 1.
    """

    name: ClassVar[str] = "auto-stream"
    parts: ClassVar[tuple[str, ...]] = ("E", "C", "f")
    columns = ("told", "updates", "nuggets")
    has_cutoff: ClassVar[bool] = False
    match: Similarity = "cosine"
    credit: Literal["first", "best"] = "first"
    timed: bool = True
    discount: Discount = "arctan"
    step: float = 21600.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_step(self.name, self.step)
        if self.match == "id":
            raise UsageError("auto-stream matches by words; write match=cosine or match=rouge-2")

    def bounds(self, part: str) -> Bounds:
        """Untimed, comprehensiveness is a share of nuggets; telling early is worth more."""
        return SHARE if part == "C" and not self.timed else AMOUNT

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up what each stream's updates tell."""
        topics = {id(topic): (Numbered.of(topic), Nuggets.of(topic)) for topic, _ in pairs}
        rows = [self.row(*topics[id(topic)], output) for topic, output in pairs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def row(self, numbered: Numbered, nuggets: Nuggets, output: object) -> list[float]:
        """One stream's sums."""
        assert isinstance(output, Ranking)
        matched = self.match_updates(numbered, nuggets, output)
        total = sum(left for _, _, left in matched.credited)
        return [total, matched.updates, matched.nuggets]

    def match_updates(
        self, numbered: Numbered, nuggets: Nuggets, output: Ranking
    ) -> "MatchedUpdates":
        """Which update each nugget is credited to, and at what is left of its worth."""
        updates = output.by_time
        judged = numbered.judged
        events = [event for event in judged.events if event.id in nuggets.importance]
        targets = [event.text for event in events]
        background = [*(text for text in judged.texts.values()), *targets]
        texts = [text_of_selected_update(numbered, update) for update in updates]
        rows, columns, values = self.matcher.matches(texts, targets, background)
        order = np.lexsort((rows, columns) if self.credit == "first" else (rows, -values, columns))
        _, places = np.unique(columns[order], return_index=True)
        timing = Stream(discount=self.discount, step=self.step)
        credited = []
        for place in order[places].tolist():
            nugget, number = events[columns[place]].id, int(rows[place])
            left = timing.delay(nuggets, nugget, updates[number]) if self.timed else 1.0
            credited.append((nugget, number, left))
        return MatchedUpdates(len(updates), len(events), credited, set(rows.tolist()))

    def values(self, tallies: Array) -> Array:
        """Gain for each update, comprehensiveness over nuggets, and F."""
        total, updates, nuggets = np.moveaxis(tallies, -1, 0)
        gain, cover = share_or_nan(total, updates), share_or_nan(total, nuggets)
        return np.stack([gain, cover, f_scores(gain, cover)], axis=-1)


@dataclass(frozen=True, kw_only=True)
class Crisis(MentionMeasure):
    """CrisisFACTS: how many of a day's facts are told, and how little is told twice.

    A topic is one event on one day. Comprehensiveness is the share of its facts that are
    told, redundancy the facts told for each fact that the system gives (so more is better,
    whatever its name). `@k` takes the k most important facts. `assessed` follows the scorer
    of 2023: facts have scores, and redundancy is the mean score of the facts told.
    """

    name: ClassVar[str] = "crisis"
    parts: ClassVar[tuple[str, ...]] = ("redundancy", "comprehensiveness")
    match: Similarity = "cosine"
    assessed: bool = False

    def bounds(self, part: str) -> Bounds:
        """Comprehensiveness is a share of facts; one update may tell several."""
        return SHARE if part == "comprehensiveness" else AMOUNT

    @property
    def family(self) -> object:
        """Assessed facts are weighed differently."""
        return (Crisis, self.assessed, super().family)

    def mentions(self, numbered: Numbered, ranking: Ranking) -> Mentions:
        """Where each fact is first told; assessors' scores stand in for the weights."""
        found = super().mentions(numbered, ranking)
        if not self.assessed:
            return found
        scores = np.array([event.importance for event in numbered.judged.events])
        return replace(found, weights=scores)

    def count(self, mentions: Mentions) -> tuple[float, float, float, float]:
        """Facts told and facts; what they score, and what was offered."""
        told_facts = mentions.found(self.cutoff)
        if self.assessed:
            good = mentions.weights > 0
            scored = float(mentions.weights[told_facts].sum())
            found = float((told_facts & good).sum())
            return found, float(good.sum()), scored, float(told_facts.sum())
        found = float(told_facts.sum())
        return found, float(len(told_facts)), found, float(mentions.retrieved(self.cutoff))

    def values(self, tallies: Array) -> Array:
        """Redundancy and comprehensiveness; undefined where there is nothing to divide by."""
        found, wanted, kept, offered = np.moveaxis(tallies, -1, 0)
        return np.stack([share_or_nan(kept, offered), share_or_nan(found, wanted)], axis=-1)
