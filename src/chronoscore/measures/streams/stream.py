"""Streams of updates against timed nuggets, as TREC Temporal Summarization scored them.

An update gains what the nuggets are worth that it tells first, less the later it comes, and
costs the reader one unit and the words that tell nothing. The quirks of the official scorer
are kept, because its figures are what others are compared with.
"""

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np

from chronoscore.core import Judgements, Ranking, Selection, Topic
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.measures.measure import Array, Measure, Pair, divide, harmonic

Discount: TypeAlias = Literal["arctan", "power"]

TOP = 3
"""The highest importance; a nugget of it is worth 1."""


@dataclass(frozen=True, kw_only=True)
class Stream(Measure):
    """TREC Temporal Summarization: gain, latency, verbosity and coverage of a stream.

    Parts: expected gain E[G] and with latency E[LG], both also normalised (n) by what the
    best updates could gain; comprehensiveness C and LC; H, the harmonic mean of nE[LG] and
    LC; verbosity and latency. `binary` takes all nuggets as equally important. Updates that
    nobody judged are counted as one word that tells nothing, or ignored (`unsampled`).
    `confidence` weighs updates by the system's own confidence.

    >>> str(Stream(unsampled="ignore", part="nE[LG]"))
    'stream(unsampled=ignore).nE[LG]'
    """

    name: ClassVar[str] = "stream"
    needs = Ranking
    parts = ("E[G]", "nE[G]", "E[LG]", "nE[LG]", "C", "LC", "verbosity", "latency", "H")
    columns = (
        "gain",
        "latent",
        "cost",
        "updates",
        "wanted",
        "ideal",
        "wordy",
        "late",
        "matches",
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"verbosity"})
    binary: bool = False
    unsampled: Literal["count", "ignore"] = "count"
    discount: Discount = "arctan"
    step: float = 21600.0
    confidence: bool = False

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up gain, cost and latency of each stream."""
        topics = {id(topic): Nuggets.of(topic) for topic, _ in pairs}
        for nuggets in topics.values():
            if not nuggets.importance:
                warnings.warn(
                    f"topic '{nuggets.topic}' has no nugget above importance 0; "
                    "it is left out of all means",
                    ChronoscoreWarning,
                    stacklevel=3,
                )
        rows = [self.row(topics[id(topic)], output) for topic, output in pairs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_cutoff(self)
        if self.step <= 0:
            raise UsageError(f"{self.name}(step={self.step:g}): write seconds, more than 0")

    def row(self, nuggets: "Nuggets", output: object) -> list[float]:
        """One stream's sums."""
        assert isinstance(output, Ranking)
        if not nuggets.importance:
            return [math.nan] * len(self.columns)
        relevance = {n: self.relevance(i) for n, i in nuggets.importance.items()}
        gain = latent = cost = wordy = late = 0.0
        matches = updates = 0
        trust = confidences(output) if self.confidence else None
        stream = output.by_time
        for update, told in zip(stream, nuggets.read(stream), strict=True):
            if told is None and self.unsampled == "ignore":
                continue
            updates += 1
            share = trust(update) if trust else 1.0
            price = 1 + (1.0 if told is None else told.idle) / nuggets.length
            cost += price
            wordy += price * share
            for nugget in told.nuggets if told else ():
                delay = self.delay(nuggets, nugget, update)
                gain += relevance[nugget] * share
                latent += relevance[nugget] * delay * share
                late += delay * share
                matches += 1
        worth = sorted(relevance.values(), reverse=True)
        best = worth[: max(1, min(len(worth), updates))]
        ideal = sum(best) / len(best) * updates
        wanted = sum(worth)
        return [gain, latent, cost, updates, wanted, ideal, wordy, late, matches]

    def relevance(self, importance: float) -> float:
        """What telling a nugget is worth."""
        return 1.0 if self.binary else math.exp(importance) / math.exp(TOP)

    def delay(self, nuggets: "Nuggets", nugget: str, update: Selection) -> float:
        """What is left of a nugget's worth when this update tells it."""
        if update.time is None:
            raise DataError(
                f"topic '{nuggets.topic}': update '{update.sentence}' has no time; "
                "give every row the time of its decision"
            )
        return timeliness((update.time - nuggets.time(nugget)) / self.step, self.discount)

    def values(self, tallies: Array) -> Array:
        """The parts; 0, as officially, where a stream is empty."""
        gain, latent, cost, updates, wanted, ideal, wordy, late, matches = np.moveaxis(
            tallies, -1, 0
        )
        expected, timely = divide(gain, cost), divide(latent, cost)
        best = divide(ideal, updates)
        normal, normal_timely = divide(expected, best), divide(timely, best)
        cover, timely_cover = divide(gain, wanted), divide(latent, wanted)
        return np.stack(
            [
                expected,
                normal,
                timely,
                normal_timely,
                cover,
                timely_cover,
                divide(wordy, updates),
                divide(late, matches),
                harmonic(normal_timely, timely_cover),
            ],
            axis=-1,
        )


def refuse_cutoff(measure: Measure) -> None:
    """A stream is scored whole: what comes first is a matter of time, not of rank."""
    if measure.cutoff is not None:
        raise UsageError(f"'{measure.name}' has no cutoff; drop @{measure.cutoff}")


@dataclass(frozen=True)
class FirstTold:
    """What a judged update tells for the first time, and its words that tell nothing new."""

    nuggets: tuple[str, ...]
    idle: float


@dataclass(frozen=True)
class Nuggets:
    """A topic's nuggets and which update tells which."""

    topic: str
    judged: Judgements
    importance: Mapping[str, float]
    times: Mapping[str, float | None]
    length: float
    """Mean words of a nugget."""
    matches: Mapping[str, Sequence[tuple[str, tuple[int, int] | None]]]

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """Take what a topic's judgements say; nuggets of importance 0 or less do not count."""
        judged = topic.judgements
        if judged is None:
            raise DataError(f"topic '{topic.id}' has no judgements; give --judgements")
        kept = [event for event in judged.events if event.importance > 0]
        stories = {s: story.time for story in judged.stories for s in story.sentences}
        matches: dict[str, list[tuple[str, tuple[int, int] | None]]] = {}
        times: dict[str, float | None] = {event.id: event.time for event in kept}
        given = {name for name, time in times.items() if time is not None}
        for link in judged.kept:
            if link.event not in times:
                continue
            matches.setdefault(link.sentence, []).append((link.event, link.span))
            seen, known = stories.get(link.sentence), times[link.event]
            # Without a time of its own a nugget is as old as the first story that tells it.
            if link.event not in given and seen is not None:
                times[link.event] = seen if known is None else min(seen, known)
        length = sum(words(event.text) for event in kept) / len(kept) if kept else 1.0
        importance = {event.id: event.importance for event in kept}
        return cls(topic.id, judged, importance, times, length, matches)

    def time(self, nugget: str) -> float:
        """When a nugget became known."""
        found = self.times[nugget]
        if found is None:
            raise DataError(
                f"topic '{self.topic}': event '{nugget}' has no time, nor has a story that "
                "tells of it; add one"
            )
        return found

    def read(self, updates: Sequence[Selection]) -> Iterator[FirstTold | None]:
        """What each update tells, in order; nothing for one that was not judged."""
        known: set[str] = set()
        judged = frozenset(self.judged.sentences)
        for update in updates:
            if update.sentence not in judged:
                if not self.judged.pooled:
                    raise DataError(
                        f"topic '{self.topic}': no such sentence '{update.sentence}'; "
                        "score against the judgements that the stream was made for"
                    )
                yield None
                continue
            fresh = {}
            for nugget, span in self.matches.get(update.sentence, ()):
                if nugget not in known:
                    known.add(nugget)
                    fresh[nugget] = span
            text = self.judged.texts.get(update.sentence, "")
            yield FirstTold(tuple(fresh), idle_words(text, list(fresh.values())))


def timeliness(steps: float, discount: Discount) -> float:
    """What is left of a nugget's worth after this many steps of time, more than 1 before it.

    >>> timeliness(1.0, "arctan")
    0.5
    """
    if discount == "power":
        return float(0.95**steps)
    return 1 - 2 / math.pi * math.atan(steps)


def words(text: str) -> int:
    """Words as the official scorer counts them: spaces and one."""
    return text.count(" ") + 1


def idle_words(text: str, spans: Sequence[tuple[int, int] | None]) -> int:
    """Words of an update outside the spans that match, counted as the official scorer does.

    It widens a span to the spaces around it and takes the words between, numbered by the
    spaces before them: a span that starts after the first word therefore marks the word
    before it in place of its last one. A match without a span covers everything.
    """
    if None in spans:
        return 0
    marked: set[int] = set()
    for span in spans:
        assert span is not None
        start = max(0, text.rfind(" ", 0, span[0] + 1))
        end = text.find(" ", span[1])
        marked.update(
            range(text.count(" ", 0, start), text.count(" ", 0, end if end >= 0 else len(text)))
        )
    return words(text) - len(marked)


def confidences(ranking: Ranking) -> Callable[[Selection], float]:
    """Scores scaled to 0 … 1 over a ranking; .5 throughout where all are equal."""
    low = min((s.score for s in ranking), default=0.0)
    span = max((s.score for s in ranking), default=0.0) - low
    return lambda selection: (selection.score - low) / span if span else 0.5
