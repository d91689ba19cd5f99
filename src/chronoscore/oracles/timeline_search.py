"""The best timeline that can be made of dated sentences, by a measure of aligned days.

Every system's day serves one day of the reference, so the best that days can do is a
matching: the value of a pair is the best choice of sentences for it, weighed by closeness.
The matching may pair days as it likes, the measure pairs them by its own rule: the matching's
value is an upper bound, and what the measure says of the timeline a lower one. F is a ratio,
which is maximized by paying for each word what the best ratio so far says it must earn.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from chronoscore.align import align_by_date
from chronoscore.align.dates import Dates, Floats
from chronoscore.align.ties import FREE
from chronoscore.core import Timeline, Topic, When
from chronoscore.errors import DataError
from chronoscore.measures.timelines.align_measures import (
    AlignmentMeasure,
    DateAgreement,
)
from chronoscore.oracles.days import DatedSentence, Days, Worth

ROUNDS = 30
CLOSE = 1e-12

Plan: TypeAlias = Mapping[int, Worth]
"""By candidate day: the sentences that may be used for it."""


@dataclass(frozen=True)
class TimelineOracle:
    """The best timeline that was found, what the measure says of it, and the bound."""

    topic: str
    reference: str
    part: str
    value: float
    bound: float
    timeline: Timeline
    places: tuple[tuple[str, str, int], ...]
    """Date, document and sentence number, from 0, in order of time."""

    @property
    def gap(self) -> float:
        """How far the bound is above the value, as a share of the value; nan where that is 0."""
        over = self.bound - self.value
        return over / self.value if self.value > 0 else (0.0 if over <= 0 else float("nan"))


@dataclass
class ReferenceSearch:
    """The search for one reference's best timeline."""

    topic: Topic
    measure: AlignmentMeasure
    days: Days
    dates: int

    @property
    def part(self) -> str:
        """What is maximized."""
        return self.measure.part or "f"

    @property
    def many(self) -> bool:
        """Whether one day may serve several."""
        return self.measure.frame.many

    @property
    def total(self) -> float:
        """What there is to find in the reference."""
        return float(self.days.sizes.sum())

    def run(self, name: str) -> TimelineOracle:
        """Find the bound, and the best timeline that the measure rewards."""
        if not self.total:
            raise DataError(
                f"reference '{name}' has no words that count; fill it",
                place=f"topic '{self.topic.id}'",
            )
        weights = self.weights()
        matched, bound = self.match_days(weights)
        if self.many:
            bound = self.many_bound(weights)
        if bound == 0 and not self.days.counted.whole.any():
            raise DataError(
                f"no sentence matches reference '{name}'; "
                "check that they are about the same documents",
                place=f"topic '{self.topic.id}'",
            )
        best, value = matched, self.score(matched)
        for plan in self.alternatives(weights, matched, value):
            if value >= bound - CLOSE:
                break
            if (worth := self.score(plan)) > value:
                best, value = plan, worth
        held = self.sentences(best)
        return TimelineOracle(
            self.topic.id,
            name,
            self.part,
            value,
            max(bound, value),
            Timeline.of([(when, [c.text for c in found]) for when, found in held], author="oracle"),
            tuple((str(when), c.document, c.number) for when, found in held for c in found),
        )

    def find_bound(self) -> float:
        """What no timeline exceeds; 0 where there is nothing to find."""
        if not self.total:
            return 0.0
        weights = self.weights()
        return self.many_bound(weights) if self.many else self.match_days(weights)[1]

    @property
    def divisors(self) -> Floats:
        """How often the words of a day count that is aligned with each reference day."""
        if self.measure.precision == "peer":
            return np.full(len(self.days.references), float(len(self.topic.timelines)))
        return self.days.references.astype(float)

    def weights(self) -> Floats:
        """What a hit of each pair of days counts by this measure."""
        closeness = self.days.closeness
        same: Floats = np.where(closeness == 1.0, 1.0, 0.0)
        return same if isinstance(self.measure, DateAgreement) else closeness

    def match_days(self, weights: Floats, window: int | None = None) -> tuple[Plan, float]:
        """The best matching of days, at most `window` days apart, and a bound on all of them."""
        near = weights if window is None else np.where(weights >= 1 / (window + 1), weights, 0.0)
        return self.maximize(lambda price: self.matching(near, price))

    def maximize(self, plan_at: Callable[[float], tuple[Plan, float]]) -> tuple[Plan, float]:
        """The best plan and a bound: recall as it is, F by a rising price for each word.

        At the right price the best plan earns exactly what the reference's own words cost. A
        promise that no plan keeps is added to the bound, as if the plan had no words to pay.
        """
        if self.part == "r":
            free, promised = plan_at(0.0)
            return free, promised / self.total
        value = promised = 0.0
        plan: Plan = {}
        for _ in range(ROUNDS):
            found, promised = plan_at(value / 2)
            ratio = 2 * _hits_of(found) / (self.total + sum(w.size for w in found.values()))
            if ratio <= value + CLOSE:
                break
            plan, value = found, ratio
        return plan, _raise_bound(value, 2 * promised / self.total)

    def matching(self, weights: Floats, price: float) -> tuple[Plan, float]:
        """The best matching at a price, and what no matching exceeds.

        Every pair has a promise first; only pairs that the matching takes are solved, and it
        is repeated until it takes none but those.
        """
        prices = np.broadcast_to(price * self.divisors[:, np.newaxis], weights.shape)
        worth = self.days.promise(weights, prices)
        solved: dict[tuple[int, int], Worth] = {}
        while True:
            pairs = _best_matching(worth, self.dates)
            open_pairs = [pair for pair in pairs if pair not in solved]
            if not open_pairs:
                plan = {
                    day: solved[date, day] for date, day in pairs if solved[date, day].sentences
                }
                return plan, sum(float(worth[pair]) for pair in pairs)
            for wanted, day in open_pairs:
                found = self.solve_pair(wanted, day, weights, prices)
                solved[wanted, day] = found
                worth[wanted, day] = found.promise

    def solve_pair(self, wanted: int, day: int, weights: Floats, prices: Floats) -> Worth:
        """The best sentences of a day for a reference day, their words as often as they count."""
        asked = self.days.ask(wanted, float(weights[wanted, day]))
        found = self.days.best(day, asked, float(prices[wanted, day]))
        return found._replace(size=found.size * self.divisors[wanted])

    def many_bound(self, weights: Floats) -> float:
        """What many to one cannot exceed.

        Recall: each reference day has the best day of all. F is at most twice the larger of
        what recall and precision find, over all words. Where reference days share a day,
        they share the price of its words: whatever the shares, if they are no more than the
        whole, the bound holds, so the best of several ways to share is taken.
        """
        if self.part == "r":
            free = self.best_partners(weights, np.zeros_like(weights))
            return sum(worth.promise for _, worth in free.values()) / self.total
        found = min(self.shared_bound(weights, power) for power in (4.0, 8.0))
        _, kept = self.maximize(lambda price: self.best_days_alone(weights, price))
        return min(1.0, max(found, kept))

    def best_days_alone(self, weights: Floats, price: float) -> tuple[Plan, float]:
        """The candidate days that earn most, each with its best reference day."""
        prices = np.broadcast_to(price * self.divisors[:, np.newaxis], weights.shape)
        found = self.best_partners(weights, prices, by_day=True)
        plan = {day: worth for day, (_, worth) in found.items()}
        chosen = sorted(plan, key=lambda day: plan[day].promise)[-self.dates :]
        return {day: plan[day] for day in chosen}, sum(plan[day].promise for day in chosen)

    def shared_bound(self, weights: Floats, power: float) -> float:
        """The largest ratio of hits to words, where near reference days pay most of a day."""
        shares = weights**power
        shares /= np.maximum(shares.sum(axis=0), 1e-300)
        # A day counts as often as the reference day says that it is aligned with itself.
        shares *= self.divisors.min()
        value = promised = 0.0
        for _ in range(ROUNDS):
            plan = self.best_partners(weights, shares * value / 2)
            size = sum(
                shares[wanted, day] * worth.size / self.divisors[wanted]
                for wanted, (day, worth) in plan.items()
            )
            promised = sum(worth.promise for _, worth in plan.values())
            ratio = 2 * sum(worth.hits for _, worth in plan.values()) / (self.total + size)
            if ratio <= value + CLOSE:
                break
            value = ratio
        return _raise_bound(value, 2 * promised / self.total)

    def best_partners(
        self, weights: Floats, prices: Floats, *, by_day: bool = False
    ) -> dict[int, tuple[int, Worth]]:
        """The best candidate day of every reference day, or the other way round, by itself."""
        table = self.days.promise(weights, prices)
        table = table.T if by_day else table
        plan: dict[int, tuple[int, Worth]] = {}
        for row in range(len(table)):
            solved: dict[int, Worth] = {}
            while (column := int(table[row].argmax())) not in solved and table[row, column] > 0:
                wanted, day = (column, row) if by_day else (row, column)
                solved[column] = self.solve_pair(wanted, day, weights, prices)
                table[row, column] = solved[column].promise
            if table[row, column] > 0:
                plan[row] = (column, solved[column])
        return plan

    def alternatives(self, weights: Floats, matched: Plan, value: float) -> Iterator[Plan]:
        """Other timelines that the measure may reward more than the matching's own."""
        price = value / 2 if self.part == "f" else 0.0
        yield self.realign(weights, matched, price)
        for window in (5, 2, 1, 0):
            plan, _ = self.match_days(weights, window)
            yield plan
            yield self.realign(weights, plan, price)

    def realign(self, weights: Floats, plan: Plan, price: float) -> Plan:
        """The same dates with sentences for the days that dates alone pair them with."""
        chosen = sorted(plan)
        ours = Dates.of([self.days.whens[day] for day in chosen])
        theirs = Dates.of(self.days.wanted_whens)
        found = align_by_date(ours, theirs, many=self.many)
        asked: dict[int, dict[int, float]] = {day: {} for day in chosen}
        for place, wanted in enumerate(found.system.tolist()):
            if wanted != FREE:
                asked[chosen[place]][wanted] = float(weights[wanted, chosen[place]])
        for wanted, place in enumerate(found.reference.tolist()):
            if place != FREE:
                asked[chosen[place]][wanted] = float(weights[wanted, chosen[place]])
        price *= self.divisors.max()
        fresh = {
            day: self.days.best(day, texts, price)
            for day, wanted in asked.items()
            if (
                texts := tuple(t for one in sorted(wanted) for t in self.days.ask(one, wanted[one]))
            )
        }
        return {day: worth for day, worth in fresh.items() if worth.sentences}

    def sentences(self, plan: Plan) -> list[tuple[When, list[DatedSentence]]]:
        """The dates of a plan in order, each with its sentences."""
        return [
            (self.days.whens[day], [self.days.held[day][place] for place in plan[day].sentences])
            for day in sorted(plan)
        ]

    def score(self, plan: Plan) -> float:
        """What the measure itself says of a plan."""
        if not plan:
            return 0.0
        timeline = Timeline.of(
            [(when, [c.text for c in found]) for when, found in self.sentences(plan)]
        )
        values = self.measure.values(self.measure.tally([(self.topic, timeline)]))
        return float(values[0, self.measure.parts.index(self.part)])


def _raise_bound(value: float, promised: float) -> float:
    """The value as a bound, higher where more was promised; rounding is no promise."""
    return float(promised if promised > value + 1e-9 else value)


def _hits_of(plan: Plan) -> float:
    """What a plan finds, weighed by closeness."""
    return sum(worth.hits for worth in plan.values())


def _best_matching(worth: Floats, most: int) -> list[tuple[int, int]]:
    """The pairs of rows and columns that are worth most together, at most `most` of them.

    >>> _best_matching(np.array([[3.0, 2.0], [2.0, 0.0]]), 2)
    [(0, 1), (1, 0)]
    >>> _best_matching(np.array([[3.0, 2.0], [2.0, 0.0]]), 1)
    [(0, 0)]
    """
    # scipy.optimize is slow to import; only this function pays for it.
    from scipy.optimize import linear_sum_assignment

    rows, columns = worth.shape
    # Rows beyond the number allowed are kept busy by columns that nothing can outbid.
    busy = np.full((rows, max(0, rows - most)), 1.0 + worth.sum())
    here, there = linear_sum_assignment(np.hstack([worth, busy]), maximize=True)
    pairs = zip(here.tolist(), there.tolist(), strict=True)
    return [(row, column) for row, column in pairs if column < columns and worth[row, column] > 0]
