"""Which measure notices what: measures × alterations, with intervals over timelines."""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from chronoscore.checks.alterations import OTHER_LANGUAGE, Alteration, make_cases
from chronoscore.checks.cases import Case
from chronoscore.checks.trials import Trial, check_measures, count_trials, references_alone
from chronoscore.checks.verdict import FALLS, STAYS, Outcome
from chronoscore.core import Collection, Timeline, Topic
from chronoscore.measures import Measure, finish_topic_average
from chronoscore.measures.measure import Array
from chronoscore.options import Resampling
from chronoscore.options.checks import Altering
from chronoscore.scoring import Progress
from chronoscore.stats.difference_errors import difference_bounds, difference_errors
from chronoscore.stats.statistic import MeanStatistic

NOTICED, UNNOTICED = "notices", "does not notice"
ACCEPTED, PUNISHED = "accepts", "punishes the harmless"
UNSURE = "not sure"
"""There is a change, but so few timelines show it that it may be chance."""


@dataclass(frozen=True)
class Reaction(Outcome):
    """What a measure made of one alteration: the change of its main part, with an interval."""

    low: float = math.nan
    high: float = math.nan
    harmless: bool = False

    @property
    def part(self) -> str:
        """The part that sums the measure up."""
        return self.measure.main_part

    @property
    def change(self) -> float:
        """The figure after the alteration less the figure before."""
        return self.changes[self.part]

    @property
    def cost(self) -> float:
        """How much worse the figure gets."""
        return -self.measure.direction(self.part) * self.change

    @property
    def sure(self) -> bool:
        """Whether the change is not by chance; timelines without spread leave nothing to it."""
        return math.isnan(self.low) or not self.low <= 0 <= self.high

    @property
    def right(self) -> bool:
        """Whether harm is noticed beyond chance, or something harmless is left alone."""
        return self.verdict in (NOTICED, ACCEPTED)

    @property
    def verdict(self) -> str:
        """Whether the measure notices harm, or punishes the harmless."""
        if not self.timelines:
            return self.lacking
        if self.fault:
            return f"{self.fault} (known)" if self.known else self.fault
        if self.harmless:
            return ACCEPTED if self.cost < STAYS else UNSURE
        return NOTICED if self.sure else UNSURE


def run_alterations(
    measures: Sequence[Measure],
    topics: Collection | Sequence[Topic],
    alterations: Sequence[Alteration],
    how: Altering,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Reaction]:
    """Compare altered copies of every reference timeline with the timeline itself.

    Each timeline is its own reference, whatever others its topic has.
    """
    check_measures(measures)
    alone = references_alone(topics)
    cases = make_cases(topics, how)
    perfect = Trial.unaltered(alone)
    trials = (Trial.of(alone, _alter_all(one, cases)) for one in alterations)
    counted = count_trials(measures, chain([perfect], trials), executor)
    _, whole = next(counted)
    reactions: list[Reaction] = []
    for done, (one, (trial, tallies)) in enumerate(zip(alterations, counted, strict=True), 1):
        lacking = one.lacking if any(map(one.reads, cases)) else OTHER_LANGUAGE
        for measure in measures:
            before = perfect.contributions(measure, whole[measure], trial.tried)
            after = trial.contributions(measure, tallies[measure], trial.tried)
            reactions.append(compare_copies(one, measure, before, after, lacking))
        if progress:
            progress(done, len(alterations))
    return reactions


def _alter_all(one: Alteration, cases: Sequence[Case]) -> Iterator[list[Timeline]]:
    """The altered copy of each timeline, or none where it cannot be made."""
    for case in cases:
        copy = one.alter(case) if one.reads(case) else None
        yield [] if copy is None else [copy]


def compare_copies(
    one: Alteration, measure: Measure, before: Array, after: Array, lacking: str
) -> Reaction:
    """The change of the main part between what timelines add before and after.

    `lacking` says why there is nothing to compare, if there is nothing.
    """
    part = measure.main_part
    reaction = Reaction(
        one.name, measure, {part: math.nan}, len(before), check=one.name, lacking=lacking,
        harmless=one.harmless,
    )  # fmt: skip
    if not len(before):
        return reaction
    place = measure.parts.index(part)
    statistic = MeanStatistic(
        lambda means: finish_topic_average(measure, means, measure.averaging)[..., place]
    )
    records, pairs, how = np.stack([after, before]), [(0, 1)], Resampling()
    errors = list(difference_errors(records, pairs, statistic))
    ((low, high),) = difference_bounds(records, pairs, statistic, how, errors)
    changes = {part: errors[0].difference}
    reaction = replace(reaction, changes=changes, low=low, high=high)
    return replace(reaction, fault=_find_fault(reaction))


def _find_fault(reaction: Reaction) -> str:
    """Harm must cost something, and what is harmless hardly anything beyond chance."""
    if reaction.harmless:
        return PUNISHED if reaction.sure and reaction.cost >= STAYS else ""
    return "" if reaction.cost > FALLS else UNNOTICED


@dataclass(frozen=True)
class Profile:
    """What a measure made of all alterations."""

    measure: Measure
    reactions: tuple[Reaction, ...]
    """To those alterations that could be made."""

    @property
    def harm(self) -> tuple[Reaction, ...]:
        """The reactions to harm."""
        return tuple(one for one in self.reactions if not one.harmless)

    @property
    def harmless(self) -> tuple[Reaction, ...]:
        """The reactions to what is harmless."""
        return tuple(one for one in self.reactions if one.harmless)

    @property
    def sensitivity(self) -> float:
        """The share of harmful alterations that are noticed."""
        return _share_of_right(self.harm)

    @property
    def invariance(self) -> float:
        """The share of harmless alterations that are not punished."""
        return _share_of_right(self.harmless)

    @property
    def dearest_harmless(self) -> Reaction | None:
        """The harmless alteration that costs most, if any is punished."""
        return max((one for one in self.harmless if one.fault), key=_cost, default=None)

    @property
    def cheaper_harm(self) -> tuple[Reaction, ...]:
        """The harm that costs less than the dearest harmless alteration."""
        dearest = self.dearest_harmless
        if dearest is None:
            return ()
        return tuple(one for one in self.harm if one.cost < dearest.cost)


def _cost(reaction: Reaction) -> float:
    return reaction.cost


def _share_of_right(reactions: Sequence[Reaction]) -> float:
    """How many of the reactions are right; undefined without any."""
    return sum(one.right for one in reactions) / len(reactions) if reactions else math.nan


def profile_measures(reactions: Sequence[Reaction]) -> list[Profile]:
    """The reactions of each measure together, in the order in which they were checked."""
    by_measure: dict[Measure, list[Reaction]] = {one.measure: [] for one in reactions}
    for one in reactions:
        if one.timelines:
            by_measure[one.measure].append(one)
    return [Profile(measure, tuple(own)) for measure, own in by_measure.items()]
