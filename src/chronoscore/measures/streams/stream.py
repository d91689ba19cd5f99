"""Streams of updates against timed nuggets, as TREC Temporal Summarization scored them.

An update gains what the nuggets are worth that it tells first, less the later it comes, and
costs the reader one unit and the words that tell nothing. The quirks of the official scorers
are kept, because their figures are what others are compared with.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from chronoscore.core import Ranking, Selection, Topic
from chronoscore.errors import DataError, UsageError, warn
from chronoscore.measures.measure import (
    AMOUNT,
    SHARE,
    Array,
    Bounds,
    Measure,
    Pair,
    divide_tallies,
    f_scores,
)
from chronoscore.measures.streams.nuggets import Nuggets, NuggetTimes

Discount: TypeAlias = Literal["arctan", "power"]
Confidence: TypeAlias = Literal["none", "scaled", "rank", "raw"]

TOP = 3
"""The highest importance; a nugget of it is worth 1."""
PLAIN = ("E[G]", "nE[G]", "E[LG]", "nE[LG]", "C", "LC", "verbosity", "latency")
BIASED = tuple(f"c{part}" for part in (*PLAIN, "H"))


class MatchedNugget(NamedTuple):
    """A nugget that an update is the first to tell: its worth, and what is left of it."""

    nugget: str
    worth: float
    timeliness: float


class StreamStep(NamedTuple):
    """One update of a stream: what it costs, how sure the system is, and what it tells."""

    update: Selection
    sampled: bool
    cost: float
    confidence: float
    matches: tuple[MatchedNugget, ...]


@dataclass(frozen=True, kw_only=True)
class Stream(Measure):
    """TREC Temporal Summarization: gain, latency, verbosity and coverage of a stream.

    Parts: expected gain E[G] and with latency E[LG], both also normalized (n) by what the
    best updates could gain; comprehensiveness C and LC; H, the harmonic mean of nE[LG] and
    LC; verbosity and latency; with a `confidence` the same again, weighted by the system's
    own confidence (c), as given (raw), scaled over the stream, or by position (rank).
    `binary` takes all nuggets as equally important. Updates that nobody judged are counted as
    one word that tells nothing, or ignored (`unsampled`). With `matched` nuggets that no match
    names are dropped; `times` says when a nugget became known: at its own time, at the
    earliest of this and of all updates that match it, or at the earliest of these updates.
    `trim` ignores blanks at the end of texts. Mean latency is per match or per update.
    `importance=any` also counts nuggets of importance 0 or less, `lengths=table` takes the
    words of nuggets and updates as their tables state them, and `empty=skip` leaves a topic
    without updates out of a system's means instead of scoring it 0.

    >>> str(Stream(unsampled="ignore", part="nE[LG]"))
    'stream(unsampled=ignore).nE[LG]'
    """

    name: ClassVar[str] = "stream"
    needs = Ranking
    # A stream is scored whole: what comes first is a matter of time, not of rank.
    has_cutoff: ClassVar[bool] = False
    parts = (*PLAIN, *BIASED, "updates", "sampled", "H")
    columns = (
        *("gain", "latent", "cost", "late"),
        *("sure gain", "sure latent", "sure cost", "sure late", "confidence"),
        *("updates", "sampled", "matches", "wanted", "ideal"),
    )
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"verbosity", "cverbosity"})
    binary: bool = False
    unsampled: Literal["count", "ignore"] = "count"
    discount: Discount = "arctan"
    step: float = 21600.0
    confidence: Confidence = "none"
    normalized: bool = True
    matched: bool = False
    times: NuggetTimes = "own"
    trim: bool = False
    latency: Literal["matches", "updates"] = "matches"
    importance: Literal["positive", "any"] = "positive"
    lengths: Literal["text", "table"] = "text"
    empty: Literal["zero", "skip"] = "zero"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_step(self.name, self.step)
        if self.part in BIASED and self.confidence == "none":
            raise UsageError(
                f"{self.name}.{self.part} is weighted by confidence; "
                f"write {self.name}(confidence=scaled).{self.part}, or raw, or rank"
            )

    @property
    def pooled(self) -> bool:
        """Whether a figure depends on the systems that are scored together."""
        return self.times != "own"

    @property
    def skips_missing(self) -> bool:
        """Whether a topic without updates is not part of a run's means."""
        return self.empty == "skip"

    @property
    def shown(self) -> tuple[str, ...]:
        """The parts that a table shows: those of confidence only if there is one."""
        if self.part:
            return (self.part,)
        return (*PLAIN, *(BIASED if self.confidence != "none" else ()), "H")

    def bounds(self, part: str) -> Bounds:
        """Several nuggets in an update, and telling early, can gain more than 1."""
        return SHARE if part == "C" else AMOUNT

    def tally(self, pairs: Sequence[Pair]) -> Array:
        """Add up gain, cost and latency of each stream."""
        topics = self.nuggets_of_topics(pairs)
        rows = [self.row(topics[id(topic)], output) for topic, output in pairs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def nuggets_of_topics(self, pairs: Sequence[Pair]) -> dict[int, Nuggets]:
        """The nuggets that count, by the identity of the topic; topics without any are named."""
        topics = {id(topic): self.nuggets(topic) for topic, _ in pairs}
        for nuggets in topics.values():
            if not nuggets.importance:
                warn(
                    f"topic '{nuggets.topic}' has no nugget above importance 0"
                    f"{' that a match names' if self.matched else ''}; "
                    "no mean includes it",
                    kind="topics-without-nuggets",
                )
        return topics

    def nuggets(self, topic: Topic) -> Nuggets:
        """The nuggets of a topic that count."""
        return Nuggets.of(
            topic,
            matched=self.matched,
            trim=self.trim,
            unimportant=self.importance == "any",
            stated_lengths=self.lengths == "table",
        )

    def row(self, nuggets: Nuggets, output: object) -> list[float]:
        """One stream's sums."""
        assert isinstance(output, Ranking)
        if self.leaves_out(nuggets, output):
            return [math.nan] * len(self.columns)
        nuggets = nuggets.retime(self.times, output)
        worth = {nugget: self.relevance(i) for nugget, i in nuggets.importance.items()}
        weighted = self.confidence != "none"
        weights = _confidences(output, self.confidence) if weighted else []
        sures = [weights[place] for place in output.time_order] if weighted else repeat(0.0)
        stream = output.by_time
        unjudged = 1 + 1.0 / nuggets.length
        gain = latent = cost = late = 0.0
        sure_gain = sure_latent = sure_cost = sure_late = total = 0.0
        updates = sampled = matches = 0
        # As `walk` and `step_sums`, but without an object for each of many unjudged updates.
        for update, told, sure in zip(stream, nuggets.read(stream), sures, strict=weighted):
            if told is None:
                if self.unsampled == "ignore":
                    continue
                price = unjudged
            else:
                sampled += 1
                price = 1 + told.idle / nuggets.length
                for nugget in told.nuggets:
                    delay = self.delay(nuggets, nugget, update)
                    matches += 1
                    gain += worth[nugget]
                    latent += worth[nugget] * delay
                    late += delay
                    sure_gain += worth[nugget] * sure
                    sure_latent += worth[nugget] * delay * sure
                    sure_late += delay * sure
            updates += 1
            cost += price
            if weighted:
                sure_cost += price * sure
                total += sure
        wanted, ideal = sum(self.worths(nuggets)), self.best_worth(nuggets, updates) * updates
        return [
            *(gain, latent, cost, late),
            *(sure_gain, sure_latent, sure_cost, sure_late, total),
            *(updates, sampled, matches, wanted, ideal),
        ]

    def best_worth(self, nuggets: Nuggets, updates: int) -> float:
        """What an update would gain on average if as many told one of the best nuggets each."""
        worths = self.worths(nuggets)
        best = worths[: max(1, min(len(worths), updates))]
        return sum(best) / len(best)

    def leaves_out(self, nuggets: Nuggets, output: Ranking) -> bool:
        """Whether no mean includes the topic."""
        return not nuggets.importance or (self.empty == "skip" and not len(output))

    def step_sums(self, step: StreamStep) -> tuple[float, ...]:
        """What one update adds to the first twelve columns."""
        gain = latent = late = 0.0
        for _, worth, delay in step.matches:
            gain += worth
            latent += worth * delay
            late += delay
        sure = step.confidence
        return (
            *(gain, latent, step.cost, late),
            *(gain * sure, latent * sure, step.cost * sure, late * sure, sure),
            *(1.0, float(step.sampled), float(len(step.matches))),
        )

    def walk(self, nuggets: Nuggets, output: Ranking) -> Iterator[StreamStep]:
        """Each update in the order of time, with what it costs and tells."""
        nuggets = nuggets.retime(self.times, output)
        worth = {nugget: self.relevance(i) for nugget, i in nuggets.importance.items()}
        weights = _confidences(output, self.confidence)
        order = output.time_order
        stream = [output.selections[place] for place in order]
        for place, update, told in zip(order, stream, nuggets.read(stream), strict=True):
            if told is None and self.unsampled == "ignore":
                continue
            yield StreamStep(
                update,
                told is not None,
                1 + (1.0 if told is None else told.idle) / nuggets.length,
                weights[place],
                tuple(
                    MatchedNugget(nugget, worth[nugget], self.delay(nuggets, nugget, update))
                    for nugget in told.nuggets
                )
                if told
                else (),
            )

    def worths(self, nuggets: Nuggets) -> list[float]:
        """What telling each nugget is worth, most first."""
        return sorted((self.relevance(i) for i in nuggets.importance.values()), reverse=True)

    def relevance(self, importance: float) -> float:
        """What telling a nugget is worth."""
        return float(importance != 0) if self.binary else math.exp(importance) / math.exp(TOP)

    def delay(self, nuggets: Nuggets, nugget: str, update: Selection) -> float:
        """What is left of a nugget's worth when this update tells it."""
        if update.time is None:
            raise DataError(
                f"update '{update.sentence}' has no time; give every row the time of its decision",
                place=f"topic '{nuggets.topic}'",
            )
        return timeliness((update.time - nuggets.time(nugget)) / self.step, self.discount)

    def values(self, tallies: Array) -> Array:
        """The parts; 0, as officially, where a stream is empty."""
        sums = np.moveaxis(tallies, -1, 0)
        gain, latent, cost, late = sums[:4]
        sure_gain, sure_latent, sure_cost, sure_late, total = sums[4:9]
        updates, sampled, matches, wanted, ideal = sums[9:]
        # A topic without nuggets has no figure here either.
        one = np.where(updates > 0, 1.0, 0.0 * updates)
        best = divide_tallies(ideal, updates) if self.normalized else one
        # In 2013 and 2014 the official figures were divided by the sum of confidences as well.
        per = np.ones_like(total) if self.confidence == "scaled" else np.maximum(total, 0)
        late_per = matches if self.latency == "matches" else updates
        plain = _stream_figures(gain, latent, cost, late, (cost, best, wanted, updates, late_per))
        # In 2013 that of latency was per match; since then it is per update.
        sure_late_per = late_per if self.confidence == "raw" else updates
        shares = (cost * per, best, wanted * per, updates * per, sure_late_per * per)
        biased = _stream_figures(sure_gain, sure_latent, sure_cost, sure_late, shares)
        return np.stack([*plain[:-1], *biased, updates, sampled, plain[-1]], axis=-1)


def _stream_figures(
    gain: Array, latent: Array, cost: Array, late: Array, shares: tuple[Array, ...]
) -> list[Array]:
    """The nine parts from sums, and from what each kind of sum is divided by."""
    reading, best, wanted, updates, latencies = shares
    expected, timely = divide_tallies(gain, reading), divide_tallies(latent, reading)
    normal, normal_timely = divide_tallies(expected, best), divide_tallies(timely, best)
    cover, timely_cover = divide_tallies(gain, wanted), divide_tallies(latent, wanted)
    return [
        *(expected, normal, timely, normal_timely, cover, timely_cover),
        *(
            divide_tallies(cost, updates),
            divide_tallies(late, latencies),
            f_scores(normal_timely, timely_cover),
        ),
    ]


def check_step(name: str, step: float) -> None:
    """Refuse a step of time that nothing can be measured by."""
    if not 0 < step < math.inf:
        raise UsageError(f"{name}(step={step:g}): write seconds, more than 0")


def timeliness(steps: float, discount: Discount) -> float:
    """What is left of a nugget's worth after this many steps of time, more than 1 before it.

    >>> timeliness(1.0, "arctan")
    0.5
    """
    if discount == "power":
        return float(0.95**steps)
    return 1 - 2 / math.pi * math.atan(steps)


def _confidences(ranking: Ranking, rule: Confidence) -> list[float]:
    """How sure a system is of each update: by its score, by its place, or not asked."""
    scores = [selection.score for selection in ranking]
    if rule == "none":
        return [0.0] * len(scores)
    if rule == "raw":
        return scores
    if rule == "rank":
        return [1 / place for place in range(1, len(scores) + 1)]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 0.5 for score in scores]
