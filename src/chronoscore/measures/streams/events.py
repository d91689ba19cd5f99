"""Measures of judged streams: is what was retrieved useful, and is it new?

An event counts once it is mentioned; a sentence is useful if it mentions any event. nu asks
for both, u for usefulness alone, n for novelty among what is useful.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from chronoscore.core import Ranking
from chronoscore.errors import number_with_noun, warn
from chronoscore.measures.measure import AMOUNT, SHARE, Array, Bounds, Measure, Pair, f_scores
from chronoscore.measures.streams.matching import Matcher, Similarity
from chronoscore.measures.streams.mentions import (
    Mentions,
    Numbered,
    Target,
    Weighting,
    event_mentions_by_id,
    event_mentions_by_text,
)


@dataclass(frozen=True, kw_only=True)
class MatchedMeasure(Measure):
    """A measure of rankings whose sentences may be known by id or by their words.

    Where systems write their own words, `match` says how these are compared with judged
    texts, and `threshold` from which similarity on they say the same.
    """

    needs = Ranking
    match: Similarity = "id"
    threshold: float = 0.6
    dimensions: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.match != "id":
            _ = self.matcher

    def bounds(self, part: str) -> Bounds:
        """None above, unless a measure knows better: a sentence may mention several events."""
        return AMOUNT

    @property
    def matcher(self) -> Matcher:
        """How free text is matched."""
        return Matcher(match=self.match, threshold=self.threshold, dimensions=self.dimensions)


@dataclass(frozen=True, kw_only=True)
class MentionMeasure(MatchedMeasure):
    """A measure of where in a ranking each event is first mentioned.

    `@k` looks at the k best sentences only. A text is compared with events or, `to`
    sentences, takes the place of the judged sentence that it is most similar to.
    """

    to: Target = "events"

    @property
    def weighting(self) -> Weighting:
        """What an event weighs."""
        return "one"

    @property
    def family(self) -> object:
        """Measures that look for the same mentions share the search."""
        searched = (self.weighting, self.match, self.to, self.threshold, self.dimensions)
        return (MentionMeasure, *searched)

    def count(self, mentions: Mentions) -> tuple[float, float, float, float]:
        """Found and wanted for recall, kept and offered for precision."""
        raise NotImplementedError

    @classmethod
    def tally_family(cls, family: Sequence[Self], pairs: Sequence[Pair]) -> list[Array]:
        """Find the mentions once and count them for every measure."""
        counts = [np.full((len(pairs), 4), np.nan) for _ in family]
        for row, _, mentions in family[0].find_mentions(pairs):
            for count, measure in zip(counts, family, strict=True):
                count[row] = measure.count(mentions)
        return counts

    def find_mentions(self, pairs: Sequence[Pair]) -> Iterator[tuple[int, Numbered, Mentions]]:
        """What the output of each pair mentions, with its place; topics without events have none.

        What is wrong with the judgements is reported first, then what is wrong with the outputs.
        """
        numbered: dict[int, Numbered] = {}
        for topic, _ in pairs:
            if id(topic) not in numbered:
                numbered[id(topic)] = Numbered.of(topic)
        warn_of_events(numbered.values(), linked=self.match == "id")
        repeated: list[str] = []
        empty: list[str] = []
        for row, (topic, output) in enumerate(pairs):
            assert isinstance(output, Ranking)
            own = numbered[id(topic)]
            if own.judged.events:
                mentions = self.mentions(own, output)
                repeated += [topic.id] * (mentions.repeated > 0)
                empty += [topic.id] * (mentions.size == 0)
                yield row, own, mentions
        _warn_of_outputs(repeated, empty)

    def mentions(self, numbered: Numbered, ranking: Ranking) -> Mentions:
        """Where the ranking first mentions each event."""
        if self.match == "id":
            return event_mentions_by_id(numbered, ranking, self.weighting)
        return event_mentions_by_text(
            numbered, ranking, self.weighting, matcher=self.matcher, target=self.to
        )


@dataclass(frozen=True, kw_only=True)
class EventMeasure(MentionMeasure):
    """What the measures of judged streams have in common.

    `weight` lets an event count by the number of sentences that tell of it, or by the
    importance that the judges gave it, scaled to 1 on average.
    """

    parts: ClassVar[tuple[str, ...]] = ("recall", "precision", "f")
    weight: Weighting = "one"

    @property
    def weighting(self) -> Weighting:
        """What an event weighs."""
        return self.weight

    def values(self, tallies: Array) -> Array:
        """Recall, precision and F; undefined where there is nothing to divide by."""
        found, wanted, kept, offered = np.moveaxis(tallies, -1, 0)
        recall, precision = share_or_nan(found, wanted), share_or_nan(kept, offered)
        return np.stack([recall, precision, f_scores(precision, recall)], axis=-1)


@dataclass(frozen=True, kw_only=True)
class Nu(EventMeasure):
    """Novel and useful: events mentioned, of all events and for each sentence retrieved.

    Precision is the paper's formula, which exceeds 1 where a sentence mentions two new
    events; `strict` is its prose, the share of sentences that mention something first.

    >>> str(Nu(strict=True, cutoff=20))
    'nu(strict)@20'
    """

    name: ClassVar[str] = "nu"
    strict: bool = False

    def bounds(self, part: str) -> Bounds:
        """Recall is a share of events; precision is one of sentences only by the paper's prose."""
        return SHARE if part == "recall" or (self.strict and self.weight == "one") else AMOUNT

    @property
    def uncut(self) -> Self:
        """The same over the whole ranking, as a curve needs it."""
        return replace(self, cutoff=None, part=None)

    def count(self, mentions: Mentions) -> tuple[float, float, float, float]:
        """Events mentioned and events; first mentions and sentences."""
        size = mentions.retrieved(self.cutoff)
        found = float(mentions.weights[mentions.found(self.cutoff)].sum())
        first = float(mentions.new(strict=True)[:size].sum()) if self.strict else found
        return found, float(mentions.weights.sum()), first, float(size)


@dataclass(frozen=True, kw_only=True)
class Useful(EventMeasure):
    """Useful: on-event sentences retrieved, of all there are and of all retrieved."""

    name: ClassVar[str] = "u"

    def bounds(self, part: str) -> Bounds:
        """Shares of sentences; weights, and texts that match the same sentence, add up to more."""
        return SHARE if self.match == "id" and self.weight == "one" else AMOUNT

    def count(self, mentions: Mentions) -> tuple[float, float, float, float]:
        """On-event sentences retrieved, all of them, and sentences retrieved."""
        size = mentions.retrieved(self.cutoff)
        useful = float(mentions.worth[:size].sum())
        return useful, mentions.useful, useful, float(size)


@dataclass(frozen=True, kw_only=True)
class Novel(EventMeasure):
    """Novel: events mentioned, of all events and for each on-event sentence retrieved."""

    name: ClassVar[str] = "n"

    def bounds(self, part: str) -> Bounds:
        """Recall is a share of events."""
        return SHARE if part == "recall" else AMOUNT

    def count(self, mentions: Mentions) -> tuple[float, float, float, float]:
        """Events mentioned and events; the same, and on-event sentences retrieved."""
        size = mentions.retrieved(self.cutoff)
        found = float(mentions.weights[mentions.found(self.cutoff)].sum())
        return found, float(mentions.weights.sum()), found, float(mentions.worth[:size].sum())


@dataclass(frozen=True, kw_only=True)
class Size(EventMeasure):
    """The share of the topic's sentences that was retrieved; less is more of a summary."""

    name: ClassVar[str] = "size"
    parts: ClassVar[tuple[str, ...]] = ("share",)
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"share"})

    def count(self, mentions: Mentions) -> tuple[float, float, float, float]:
        """Sentences retrieved and sentences."""
        size = float(mentions.retrieved(self.cutoff))
        return size, float(mentions.sentences), size, float(mentions.sentences)

    def values(self, tallies: Array) -> Array:
        """Retrieved of all."""
        return share_or_nan(tallies[..., 0], tallies[..., 1])[..., np.newaxis]


def share_or_nan(part: Array, whole: Array) -> Array:
    """Divide, with nan where there is nothing to divide by."""
    blank: Array = np.full(np.broadcast(part, whole).shape, np.nan)
    return np.divide(part, whole, out=blank, where=whole != 0)


def warn_of_events(topics: Iterable[Numbered], *, linked: bool = True) -> None:
    """Say how many topics have no events and, where links matter, how many events no sentence."""
    blank: list[str] = []
    lonely: list[str] = []
    places: set[str] = set()
    for numbered in topics:
        events = numbered.judged.events
        blank += [] if events else [numbered.topic]
        counts = numbered.linked if linked else [1] * len(events)
        unlinked = [event.id for event, n in zip(events, counts, strict=True) if not n]
        lonely += unlinked
        places |= {numbered.topic} if unlinked else set()
    if blank:
        warn(
            f"{number_with_noun(len(blank), 'topic')} without any event, '{blank[0]}' first; "
            "left out of all means",
            kind="topics-without-events",
        )
    if lonely:
        warn(
            f"{number_with_noun(len(lonely), 'event')} of {number_with_noun(len(places), 'topic')} "
            f"without any sentence, '{lonely[0]}' first; no system can find them, and they count",
            kind="events-without-sentences",
        )


def _warn_of_outputs(repeated: Sequence[str], empty: Sequence[str]) -> None:
    """Say which rankings name a sentence twice, and which are empty."""
    if repeated:
        warn(
            f"{number_with_noun(len(repeated), 'ranking')} with a sentence named twice, of topic "
            f"'{repeated[0]}' first; it counts once",
            kind="repeated-sentences",
        )
    if empty:
        warn(
            f"{number_with_noun(len(empty), 'empty ranking')}, of topic '{empty[0]}' first; "
            "precision is undefined there and left out of means",
            kind="empty-rankings",
        )
