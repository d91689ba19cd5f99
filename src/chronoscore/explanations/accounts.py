"""Where the points of systems went: the account of a measure, what repairs would give, chance."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import NamedTuple

import numpy as np

from chronoscore.core import Collection, Run
from chronoscore.errors import ChronoscoreWarning
from chronoscore.explanations.loss_shares import (
    DATED,
    DATES,
    cause_levels,
    cause_names,
    figure_of_losses,
)
from chronoscore.measures import Measure, finish_topic_average, topic_contributions
from chronoscore.measures.averaging import mean_over_runs
from chronoscore.measures.losses.account import Losses, account_of, group_of
from chronoscore.measures.losses.dates import DateLosses
from chronoscore.measures.losses.days import DayLosses
from chronoscore.measures.measure import Pair
from chronoscore.measures.timelines.align_measures import DateAgreement
from chronoscore.options import Resampling
from chronoscore.progress import announce
from chronoscore.scoring import Scores, score
from chronoscore.stats.corpus import (
    Average,
    averages,
    rule_for,
    sorted_tallies,
    topic_order,
)

MOST_OTHERS = 5
"""Other topics that an output is compared with, to see what it has by chance."""
MANY = 500
"""Outputs beyond which each is compared with one other topic."""


class WhatIf(NamedTuple):
    """What a system would reach if a cause were repaired."""

    cause: str
    value: float
    at_most: bool = False
    """Whether a repair may reach less, as where chance plays a part."""


@dataclass(frozen=True, eq=False)
class LossAccount:
    """The account of one measure for all systems of a result."""

    measure: Measure
    part: str
    """The part of the measure that repairs raise."""
    account: Losses
    scores: Scores
    resampling: Resampling
    averages: tuple[Average, ...]
    """Every part of the account, system by system."""
    what_if: Mapping[str, tuple[WhatIf, ...]]
    """By system."""
    chance: Mapping[str, tuple[float, float]]
    """By system: the share of the references that its outputs say by chance alone, and the share of
    what it says that others' references have; nan where that is not known."""
    dates: Scores | None = None
    """What became of the dates alone, for accounts of aligned days."""

    def __getitem__(self, key: tuple[str, str]) -> Average:
        """The average of a system and a part of the account."""
        return self._by_key[key]

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], Average]:
        return {(one.system, one.part): one for one in self.averages}


@dataclass(frozen=True, eq=False)
class Accounting:
    """Accounts of measures over the same outputs, whose dates are counted once."""

    collection: Collection
    runs: Sequence[Run]
    resampling: Resampling

    def of(self, measure: Measure, part: str) -> LossAccount:
        """Count where the points of all systems went."""
        account, how = account_of(measure, part), self.resampling
        announce("accounting for losses")
        with warnings.catch_warnings():
            # What is wrong with the outputs was said when they were scored.
            warnings.simplefilter("ignore", ChronoscoreWarning)
            scores = (
                self.dates
                if account == DateLosses()
                else score(self.collection, self.runs, [account])
            )
            chance = chance_levels(self.collection, self.runs, account)
            dates = self.dates if isinstance(account, DayLosses) else None
        return LossAccount(
            measure,
            part,
            account,
            scores,
            how,
            tuple(averages(scores, how, every=True)),
            {name: _repairs(scores, account, part, name, how) for name in scores.systems},
            chance,
            dates,
        )

    @cached_property
    def dates(self) -> Scores:
        """What became of the dates alone."""
        return score(self.collection, self.runs, [DateLosses()])


def _repairs(
    scores: Scores, account: Losses, part: str, system: str, how: Resampling
) -> tuple[WhatIf, ...]:
    """What the system would reach if a cause, or a group of causes, were repaired."""
    rule = rule_for(account, how)
    tallies = sorted_tallies(scores, account, topic_order(scores))[scores.systems.index(system)]
    runs = tallies if scores.nested else tallies[:, np.newaxis]
    runs = runs[~np.isnan(runs).any(axis=-1).all(axis=-1)]
    if not len(runs):
        return ()
    if rule == "mean":
        levels = cause_levels(account, account.values(runs))
    else:
        summed = topic_contributions(account, runs, rule, nested=True).sum(axis=0)
        levels = cause_levels(account, finish_topic_average(account, summed, rule))
        levels = levels[np.newaxis, np.newaxis]
    names = cause_names(account)
    figure = figure_of_losses(account, part)
    # A topic without a figure, as the precision of empty rankings, is part of no mean.
    levels = levels[~np.isnan(figure(levels.sum(axis=-1))).all(axis=-1)]
    if not len(levels):
        return ()
    gains = {gain.removeprefix("p.") for side in account.sides for gain in side.gains}
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name in gains:
            continue
        groups.setdefault(group_of(name), []).append(place)
    repairs = {n: [place] for place, n in enumerate(names) if n not in gains} | groups
    if set(DATED) <= set(groups):
        repairs[DATES] = [place for name in DATED for place in groups[name]]
    found = []
    for name, places in repairs.items():
        left = np.delete(levels, places, axis=-1).sum(axis=-1)
        at_most = name in (DATES, "another_day")
        by_topic = mean_over_runs(figure(left)[..., np.newaxis])
        found.append(WhatIf(name, float(by_topic.mean()), at_most))
    return tuple(found)


def chance_levels(
    collection: Collection, runs: Sequence[Run], account: Losses
) -> dict[str, tuple[float, float]]:
    """What outputs share with the references of other topics, days left aside."""
    unknown = {run.system: (nan, nan) for run in runs}
    topics = sorted(collection.topics)
    if not isinstance(account, DayLosses) or len(topics) < 2:
        return unknown
    of = account.of
    same = {f.name: getattr(of, f.name) for f in DateAgreement.parameters() if hasattr(of, f.name)}
    plain = DayLosses(of=DateAgreement(**same | {"precision": "peer"}))
    written = sum(len(run.outputs) for run in runs)
    most = min(len(topics) - 1, MOST_OTHERS if written <= MANY else 1)
    pairs: list[Pair] = []
    owners: list[str] = []
    for run in runs:
        for place, topic in enumerate(topics):
            if topic in run.outputs:
                others = [topics[(place + step) % len(topics)] for step in range(1, most + 1)]
                pairs += [(collection.topics[other], run.outputs[topic]) for other in others]
                owners += [run.system] * most
    if not pairs:
        return unknown
    values = plain.values(plain.tally(pairs))
    said = [
        values[:, [plain.parts.index(part) for part in parts]].sum(axis=1)
        for parts in (("found", "near", "another_day"), ("p.kept", "p.near", "p.another_day"))
    ]
    whose = np.array(owners)
    return unknown | {
        system: (float(said[0][whose == system].mean()), float(said[1][whose == system].mean()))
        for system in dict.fromkeys(owners)
    }
