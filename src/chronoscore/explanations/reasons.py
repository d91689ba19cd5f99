"""Which causes explain a difference: of all topics for the sentence, of one topic for a table.

A cause is a reason if the system that loses more by it does so in every way that can be seen: on
each side that knows the cause, beyond what is shared by chance, and, for causes that are about
days, in the days themselves. One rule serves both; over several topics it is a test.
"""

from collections.abc import Sequence
from math import nan

import numpy as np
from numpy.typing import NDArray

from chronoscore.explanations.accounts import LossAccount
from chronoscore.explanations.differences import Cause, TopicDifference
from chronoscore.explanations.loss_shares import (
    DATES,
    NOTHING,
    Split,
    Tested,
    cause_levels,
    cause_names,
    figure_of_losses,
    groups_of,
    membership,
    net_shares,
)
from chronoscore.measures import Measure, finish_topic_average, topic_contributions
from chronoscore.measures.averaging import mean_over_runs
from chronoscore.measures.losses.account import Losses, group_of
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.measures.streams.events import share_or_nan
from chronoscore.scoring import Scores
from chronoscore.stats import student
from chronoscore.stats.corpus import rule_for, sorted_tallies, topic_order
from chronoscore.stats.statistic import ROUNDING

DAY_CAUSES = {"not_said.missing_days": "missed", "extra.days": "p.extra"}
"""Causes that are about days, and what the account of dates calls these days."""
DISTANCES = ("near", "off")
"""Groups whose causes are steps of one scale: they are one reason, named by its largest step."""

Explained = tuple[tuple[Cause, ...], tuple[Cause, ...], tuple[TopicDifference, ...]]


def explain_difference(account: LossAccount, systems: tuple[str, str]) -> Explained:
    """The causes of a difference, their groups, and the topics."""
    scores, measure, how = account.scores, account.account, account.resampling
    rows = [scores.systems.index(name) for name in systems]
    order = topic_order(scores)
    tallies = _by_run(scores, measure, order)[rows]
    there = np.logical_not(np.isnan(tallies).any(axis=-1).all(axis=-1).any(axis=0))
    tallies = tallies[:, there]
    rule = rule_for(measure, how)
    split = Split.of(measure, account.part, tallies, rule)
    summed = topic_contributions(measure, tallies, rule, nested=True).sum(axis=1)
    levels = _with_groups(measure, finish_topic_average(measure, summed, rule))
    by_topic = _with_groups(measure, mean_over_runs(measure.values(tallies)))
    known = _known_sides(measure)
    chance = np.array([account.chance[name][0] for name in systems])
    costs = _costs(split.names, by_topic, known)
    if account.dates is not None:
        days = account.dates.measures[0]
        dates = _by_run(account.dates, days, order)[rows][:, there]
        costs = _add_days(split.names, costs, mean_over_runs(days.values(dates)))
    signs = np.sign(split.shares)
    along = signs[:, np.newaxis, np.newaxis] * costs
    seen = _is_above_zero(along, how.level)
    whole = np.array([name == DATES for name in (*split.names, *split.groups)])
    # What dates cost in all is tested once, over both sides; each need only be in its direction.
    seen[whole] = _is_above_zero(_mean_over_topics(along[whole])[:, np.newaxis], nan)
    seen &= _exceeds_chance(split.names, signs, levels, chance)
    causes = _causes(split, split.test(how.level), seen, np.where(known, levels, nan), chance)
    names = [topic for topic, here in zip(sorted(scores.topics), there, strict=True) if here]
    topics = _topics(account, names, tallies, split, costs, by_topic, chance)
    size = len(split.names)
    return causes[:size], causes[size:], topics


def _by_run(scores: Scores, measure: Measure, order: Sequence[int] | None) -> Array:
    """Tallies as systems × topics × runs × columns, the topics in order of their names."""
    tallies = sorted_tallies(scores, measure, order)
    return tallies if scores.nested else tallies[:, :, np.newaxis]


def _with_groups(account: Losses, values: Array) -> Array:
    """What each cause, then each group, costs on each side: (…, sides, causes and groups)."""
    levels = cause_levels(account, values)
    return np.concatenate([levels, levels @ membership(cause_names(account))], axis=-1)


def _known_sides(account: Losses) -> NDArray[np.bool_]:
    """Sides × causes and groups: whether a side knows a cause."""
    names = cause_names(account)
    named = [*names, *groups_of(names)]
    sides = [
        {cause.removeprefix("p.") for cause in (*side.causes, *side.groups, *side.gains)}
        | ({NOTHING, DATES} if side.empty else {DATES})
        for side in account.sides
    ]
    return np.array([[name in side for name in named] for side in sides])


def _costs(names: Sequence[str], levels: Array, known: NDArray[np.bool_]) -> Array:
    """What causes and groups cost B more by themselves: causes × topics × sides; nan: unknown.

    The more the references' days lack, the more of it turns up on another day by chance; what
    counts of that cause is its share in all that is lacking.
    """
    costs = np.where(known, levels, nan)
    everything = [*names, *groups_of(names)]
    for place in _by_chance(names):
        lacking = levels[..., 0, place] + levels[..., 0, everything.index("not_said")]
        costs[..., 0, place] = divide_tallies(costs[..., 0, place], lacking)
    return np.moveaxis(costs[1] - costs[0], -1, 0)


def _add_days(names: Sequence[str], costs: Array, dates: Array) -> Array:
    """One more side for causes that are about days: how many days B leaves out, or adds, more."""
    from chronoscore.measures.losses.dates import DateLosses

    days = np.full((*costs.shape[:2], 1), nan)
    for cause, part in DAY_CAUSES.items():
        shares = dates[..., DateLosses.parts.index(part)]
        days[names.index(cause), :, 0] = shares[1] - shares[0]
    return np.concatenate([costs, days], axis=-1)


def _is_above_zero(costs: Array, level: float) -> NDArray[np.bool_]:
    """Whether costs are above 0 beyond chance on every known side; of one topic, at all.

    Topics where a side is undefined are left out; what no side knows is above nothing.
    """
    count = np.count_nonzero(~np.isnan(costs), axis=1)
    known = count > 0
    mean = np.where(known, _mean_over_topics(costs), 0.0)
    spread = np.nansum((costs - mean[:, np.newaxis]) ** 2, axis=1)
    errors = np.sqrt(spread / np.maximum(count - 1, 1) / np.maximum(count, 1))
    least = np.zeros_like(mean)
    for topics in np.unique(count[count > 1]).tolist():
        here = count == topics
        least[here] = student.quantile(level, topics - 1) * errors[here]
    above = (~known | (mean > np.maximum(least, ROUNDING))).all(axis=-1)
    return np.asarray(above & known.any(axis=-1), dtype=np.bool_)


def _mean_over_topics(costs: Array) -> Array:
    """The means of costs by cause and side over the topics where they are known."""
    return share_or_nan(np.nansum(costs, axis=1), np.count_nonzero(~np.isnan(costs), axis=1))


def _exceeds_chance(
    names: Sequence[str], signs: Array, levels: Array, chance: Array
) -> NDArray[np.bool_]:
    """Whether the system that loses more by a cause does so by more than chance alone."""
    above = np.ones(len(signs), dtype=bool)
    for place in _by_chance(names):
        if place >= len(signs):
            continue
        worse = int(signs[place] > 0)
        above[place] = not levels[worse, 0, place] <= chance[worse]
    return above


def _by_chance(names: Sequence[str]) -> list[int]:
    """The places of the causes and groups that chance has a part in."""
    everything = [*names, *groups_of(names)]
    return [place for place, name in enumerate(everything) if name in ("another_day", DATES)]


def _causes(
    split: Split, tested: Tested, seen: NDArray[np.bool_], levels: Array, chance: Array
) -> tuple[Cause, ...]:
    """Every cause, then every group, as values."""
    size = len(split.names)
    net = np.concatenate([net_shares(split.names, split.shares[:size]), split.shares[size:]])
    by_chance = _by_chance(split.names)
    sides = [*levels.swapaxes(0, 1).tolist(), [[nan] * len(net)] * 2][:2]
    return tuple(
        Cause(
            name=name,
            recall=(sides[0][0][n], sides[0][1][n]),
            precision=(sides[1][0][n], sides[1][1][n]),
            share=float(split.shares[n]),
            net=float(net[n]),
            low=float(tested.low[n]),
            high=float(tested.high[n]),
            p=float(tested.p[n]),
            named=bool(tested.sure[n] and seen[n]),
            seen=bool(seen[n]),
            chance=(float(chance[0]), float(chance[1])) if n in by_chance else (nan, nan),
        )
        for n, name in enumerate([*split.names, *split.groups])
    )


def _topics(
    account: LossAccount,
    names: Sequence[str],
    tallies: Array,
    split: Split,
    costs: Array,
    levels: Array,
    chance: Array,
) -> tuple[TopicDifference, ...]:
    """Every topic that both have a figure for with its causes, the largest difference first."""
    size = len(split.names)
    lost = cause_levels(account.account, account.account.values(tallies)).sum(axis=-1)
    reached = figure_of_losses(account.account, account.part)(lost)
    figures = mean_over_runs(reached[..., np.newaxis])[..., 0]
    net = net_shares(split.names, split.by_topic)
    found = []
    for t, topic in enumerate(names):
        if np.isnan(figures[:, t]).any():
            continue
        signs = np.sign(split.by_topic[t])
        seen = _is_above_zero(signs[:, np.newaxis, np.newaxis] * costs[:size, t : t + 1], nan)
        seen &= _exceeds_chance(split.names, signs, levels[:, t], chance)
        a, b = figures[:, t].tolist()
        found.append(
            TopicDifference(
                topic=topic,
                a=a,
                b=b,
                causes=dict(zip(split.names, split.by_topic[t].tolist(), strict=True)),
                cause=largest_reason(split.names, np.where(seen, net[t], 0.0), a - b),
            )
        )
    return tuple(sorted(found, key=lambda one: (-abs(one.difference), one.topic)))


def largest_reason(names: Sequence[str], net: Array, difference: float) -> str:
    """The cause that adds most in the direction of a difference; empty where none does."""
    toward = np.maximum(net * np.sign(difference), 0.0)
    amounts = merge_distances(dict(zip(names, toward.tolist(), strict=True)))
    best = max(amounts, key=lambda name: amounts[name], default="")
    return best if best and amounts[best] > ROUNDING else ""


def merge_distances(amounts: dict[str, float]) -> dict[str, float]:
    """Amounts by cause, those of days that are off added up under the largest of them."""
    merged = dict(amounts)
    for group in DISTANCES:
        steps = [name for name in amounts if group_of(name) == group]
        if steps:
            largest = max(steps, key=lambda name: abs(amounts[name]))
            whole = sum(merged.pop(name) for name in steps)
            merged[largest] = whole
    return merged
