"""What a day's sentences could be worth for a day of the reference timeline.

Dated sentences are candidates for the days that they were published on or speak of. The value
of a day for a reference's day is a small choice of sentences; there are many pairs of days
and few of them matter, so each has a quick upper bound first and is solved only when asked.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.align.dates import Dates, Floats
from chronoscore.core import Topic, When
from chronoscore.errors import DataError
from chronoscore.measures.timelines.timeline_measure import TimelineMeasure
from chronoscore.oracles.order import best_order
from chronoscore.oracles.problem import Excerpt, Problem, Wanted
from chronoscore.oracles.program import extract_program
from chronoscore.oracles.solvers import Effort, solve_program
from chronoscore.text.plain import Prepared
from chronoscore.text.preparation import Limit


class DatedSentence(NamedTuple):
    """A sentence that may be used for a day."""

    document: str
    number: int
    text: str


class Worth(NamedTuple):
    """The best sentences of a day for one or more reference texts: hits weighed, and size.

    No choice of sentences is worth more than the promise, words paid for.
    """

    hits: float
    size: float
    sentences: tuple[int, ...]
    promise: float


CLOSE = 2e-6
"""A difference that is a solver's rounding, in hits."""
NOTHING = Worth(0.0, 0, (), 0.0)

Asked: TypeAlias = tuple[tuple[int, float], ...]
"""Places of reference texts, and what a hit in each of them is worth."""


@dataclass(frozen=True, eq=False)
class DayHits:
    """Hits by day: of each sentence, and of all together, with each reference day."""

    hits: list[Floats]
    whole: Floats
    tokens: list[Floats]


@dataclass(frozen=True)
class Daily(Problem):
    """The choice of a limited number of sentences of one day."""

    ready: tuple[Excerpt, ...] = ()

    @property
    def pieces(self) -> tuple[Excerpt, ...]:
        """The day's sentences, each of length 1."""
        return self.ready


def _sentences_by_day(topic: Topic) -> dict[When, list[DatedSentence]]:
    """The topic's sentences by the days that they were published on, and that they speak of."""
    found: dict[When, dict[tuple[str, int], DatedSentence]] = {}
    for document in topic.documents:
        for number, sentence in enumerate(document.sentences):
            candidate = DatedSentence(document.id, number, sentence.text)
            for when in (document.when, sentence.when):
                if when is not None and when.grain == "day":
                    found.setdefault(when, {})[document.id, number] = candidate
    if not found:
        raise DataError(
            "no document has a date; give articles their time", place=f"topic '{topic.id}'"
        )
    return {when: list(found[when].values()) for when in sorted(found)}


class Days:
    """All pairs of a reference day and a candidate day, with what they could be worth."""

    def __init__(self, topic: Topic, measure: TimelineMeasure, most: int) -> None:
        n = measure.pair_credit.gram_length
        assert n is not None
        self.n, self.most = n, most
        self.reading = measure.pair_credit.reading
        by_day = _sentences_by_day(topic)
        self.whens = tuple(by_day)
        self.held = tuple(by_day.values())
        by_date: dict[When, list[tuple[str, ...]]] = {}
        for reference in topic.timelines:
            for entry in reference:
                by_date.setdefault(entry.when, []).append(entry.sentences)
        self.wanted_whens = tuple(sorted(by_date))
        self.entries = [text for when in self.wanted_whens for text in by_date[when]]
        self.references = np.array([len(by_date[when]) for when in self.wanted_whens])
        self.wanted = [self.reading.prepare(sentences) for sentences in self.entries]
        self.sizes = np.array([self.size(len(p.tokens)) for p in self.wanted])
        self._pieces: dict[int, list[Prepared]] = {}
        self._solved: dict[tuple[object, ...], Worth] = {}

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """The place of the first text of each reference day."""
        starts: NDArray[np.intp] = np.cumsum(self.references) - self.references
        return starts

    def ask(self, date: int, weight: float) -> Asked:
        """All texts of a reference day, a hit in each of them being worth the same."""
        first = int(self.starts[date])
        return tuple((first + place, weight) for place in range(int(self.references[date])))

    def size(self, tokens: int) -> int:
        """How many runs of n words a number of words make."""
        return max(0, tokens - self.n + 1)

    @cached_property
    def closeness(self) -> Floats:
        """1/(d+1) for every reference day and every candidate day."""
        ours, theirs = Dates.of(self.whens), Dates.of(self.wanted_whens)
        closeness: Floats = np.reciprocal(theirs.distances(ours) + 1.0)
        return closeness

    @cached_property
    def counted(self) -> DayHits:
        """Hits of every sentence, and of every day as a whole, with every reference day."""
        from chronoscore.engine import overlap

        texts = [[c.text] for day in self.held for c in day]
        alone = len(texts)
        texts += [[c.text for c in day] for day in self.held]
        systems = len(texts)
        batch = self.reading.prepare_batch([*texts, *self.entries])
        rows, columns = np.arange(systems), np.arange(systems, len(batch))
        hits = overlap.count_all(batch, rows, columns, self.n).toarray().astype(float)
        ends = np.cumsum([0, *map(len, self.held)])
        bounds = list(pairwise(ends))
        tokens = np.diff(batch.whole.bounds).astype(float)
        return DayHits(
            [hits[start:stop] for start, stop in bounds],
            hits[alone:],
            [tokens[start:stop] for start, stop in bounds],
        )

    def promise(self, weights: Floats, prices: Floats) -> Floats:
        """What each pair of days is worth at most, a row for each reference day.

        A hit is worth its weight and a run of words costs its price. What sentences have
        together is no more than the sum of what each has alone, and joints.
        """
        found = np.zeros_like(weights)
        joints = (self.most - 1) * (self.n - 1)
        for day, (hits, tokens) in enumerate(
            zip(self.counted.hits, self.counted.tokens, strict=True)
        ):
            together = np.add.reduceat(hits, self.starts, axis=1)
            gains = together * weights[:, day] - prices[:, day] * tokens[:, None]
            if len(gains) > self.most:
                gains = -np.partition(-gains, self.most - 1, axis=0)[: self.most]
            whole = np.minimum(self.counted.whole[day] + joints, self.sizes)
            whole = np.add.reduceat(whole, self.starts) * weights[:, day]
            # A text of several words has n − 1 fewer runs than words.
            spared = weights[:, day] * joints * self.references + prices[:, day] * (self.n - 1)
            found[:, day] = np.minimum(np.maximum(gains, 0.0).sum(axis=0) + spared, whole)
        return np.maximum(found, 0.0)

    def best(self, day: int, asked: Asked, price: float) -> Worth:
        """The sentences of a day that are worth most to the reference days that ask for it."""
        key = (day, asked, price)
        if key not in self._solved:
            self._solved[key] = self._solve(day, asked, price)
        return self._solved[key]

    def _solve(self, day: int, asked: Asked, price: float) -> Worth:
        places = [place for place, _ in asked]
        weights = np.array([weight for _, weight in asked])
        tokens = self.counted.tokens[day]
        sizes = np.maximum(tokens - self.n + 1, 0.0)
        hits = self.counted.hits[day][:, places] @ weights
        alone = hits - price * sizes
        if not len(alone):
            return NOTHING
        first = int(alone.argmax())
        if self.most == 1 or len(alone) == 1:
            worth = float(alone[first])
            single = Worth(float(hits[first]), int(sizes[first]), (first,), worth)
            return single if worth > 0 else NOTHING
        joints = 2 * (self.n - 1) * float(weights.sum())
        useful = np.flatnonzero((hits - price * tokens + joints > 0) & (tokens > 0))
        if not len(useful):
            return NOTHING
        return self._choose(day, asked, price, [int(place) for place in useful])

    def _choose(self, day: int, asked: Asked, price: float, useful: list[int]) -> Worth:
        """Solve the choice among some sentences of a day."""
        references = [self.wanted[place] for place, _ in asked]
        wanted = Wanted.of(references, self.n, [weight for _, weight in asked])
        ready = []
        for place in useful:
            read = self.reading.prepare([self.held[day][place].text]).tokens
            ready.append(Excerpt(place, 1, read, wanted.matches(read)))
        setting = Daily(
            "day", (), wanted, self.reading.preparation, Limit(self.most, "words"), tuple(ready)
        )
        program = extract_program(setting, price=price / wanted.scale)
        if not program.whole:
            return NOTHING
        near = 0.0 if price or not wanted.whole else 0.99 / max(1.0, sum(map(sum, wanted.worths)))
        solution = solve_program(program.program, Effort(None, near))
        promise = solution.bound
        if wanted.whole and not price and np.isfinite(promise):
            promise = np.floor(promise + 1e-6)
        promise = max(0.0, promise * wanted.scale + price * (self.n - 1))
        if solution.values is None:
            return NOTHING._replace(promise=promise)
        chosen, _ = program.selected(solution.values)
        ordered = best_order(setting, chosen, None)
        hits = ordered.value * wanted.scale
        size = self.size(sum(len(piece.tokens) for piece in ordered.pieces))
        earned = max(0.0, hits - price * size)
        promise = earned if promise - earned < CLOSE else promise
        if earned == 0:
            return NOTHING._replace(promise=promise)
        return Worth(hits, size, tuple(piece.sentence for piece in ordered.pieces), promise)
