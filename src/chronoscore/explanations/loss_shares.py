"""The difference of two systems split over causes of loss, with intervals over topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from chronoscore.explanations.differences import Cause, TopicDifference
from chronoscore.measures import finish_topic_average, topic_contributions
from chronoscore.measures.averaging import mean_over_runs
from chronoscore.measures.losses.account import Losses, group_of
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats import shapley, student
from chronoscore.stats.corpus import rule_for, sorted_tallies, topic_order
from chronoscore.stats.intervals import jackknife_errors
from chronoscore.stats.significance import holm
from chronoscore.stats.statistic import ROUNDING

NOTHING = "nothing"
"""The cause of topics without any output."""


def cause_names(account: Losses) -> list[str]:
    """The causes that a difference is split over; one that both sides have is one cause."""
    names = dict.fromkeys(c.removeprefix("p.") for side in account.sides for c in side.causes)
    return [*names, NOTHING]


def cause_levels(account: Losses, values: Array) -> Array:
    """What each cause costs on each side: (…, parts) to (…, sides, causes)."""
    names = cause_names(account)
    levels = np.zeros((*values.shape[:-1], len(account.sides), len(names)))
    for number, side in enumerate(account.sides):
        for cause in (*side.causes, side.empty):
            name = NOTHING if cause == side.empty else cause.removeprefix("p.")
            part = cause if cause in account.parts else group_of(cause)
            levels[..., number, names.index(name)] = values[..., account.parts.index(part)]
    return levels


def figure_of_losses(account: Losses, part: str) -> Callable[[Array], Array]:
    """A function that gives a part of the measure from what is lost on each side.

    Causes of two systems mixed may add up to more than there is; nothing is left then.
    """
    rates = [side.rate for side in account.sides]
    if part in rates:
        return lambda lost: np.maximum(1.0 - lost[..., rates.index(part)], 0.0)
    return lambda lost: account.reached([*np.moveaxis(np.maximum(1.0 - lost, 0.0), -1, 0)])


@dataclass(frozen=True, eq=False)
class Split:
    """A difference split over causes, and over groups of them, with jackknife errors."""

    names: list[str]
    groups: list[str]
    shares: Array
    """Of the causes, then of the groups."""
    errors: Array
    by_topic: Array
    """Topics × causes."""

    @classmethod
    def of(cls, account: Losses, part: str, tallies: Array, rule: Averaging) -> "Split":
        """Split A − B, from tallies of the two systems: 2 × topics × runs × columns."""
        names = cause_names(account)
        groups = list(dict.fromkeys(map(group_of, names)))
        value = figure_of_losses(account, part)
        belongs = np.array([[group_of(name) == group for group in groups] for name in names])

        def split(values: Array) -> Array:
            levels = cause_levels(account, values)
            shares = shapley.split(levels[0], levels[1], value, len(names))
            return np.concatenate([shares, shares @ belongs], axis=-1)

        by_topic = _split_topics(account.values(tallies), split)
        if rule == "mean":
            added = by_topic / len(by_topic)
            finish: Callable[[Array], Array] = lambda sums: sums  # noqa: E731
        else:
            added = topic_contributions(account, tallies, rule, nested=True)
            added = np.concatenate([*added], axis=-1)

            def finish(sums: Array) -> Array:
                halves = np.stack(np.split(sums, 2, axis=-1))
                return split(finish_topic_average(account, halves, rule))

        errors = jackknife_errors(added, finish, len(by_topic))
        return cls(names, groups, finish(added.sum(axis=0)), errors, by_topic[:, : len(names)])

    def net_share(self, place: int) -> float:
        """What a cause adds once causes of its group that do the opposite are set off.

        Where days are left out, less is lacking on the days that are there: only the sum of both is
        a loss.
        """
        own, group = self.shares[place], self.groups.index(group_of(self.names[place]))
        together = float(self.shares[len(self.names) + group])
        if own * together <= 0:
            return 0.0
        alike = [
            share
            for name, share in zip(self.names, self.shares, strict=False)
            if group_of(name) == self.groups[group] and share * together > 0
        ]
        return float(own / sum(alike) * together)

    def test(self, level: float) -> tuple[Array, Array, Array, list[bool]]:
        """By cause: corrected p, both ends of its interval, and whether it is sure.

        A cause is sure if the group that it belongs to is too, and in the same direction: what
        only moves from one cause of a group to another is no news.
        """
        size, topics = len(self.names), len(self.by_topic)
        p, low, high = correct_shares(self.shares[:size], self.errors[:size], topics, level)
        of_groups, _, _ = correct_shares(self.shares[size:], self.errors[size:], topics, level)
        sure = []
        for name, own, share in zip(self.names, p, self.shares, strict=False):
            group = self.groups.index(group_of(name))
            together = self.shares[size + group]
            sure.append(bool(own <= 1 - level and of_groups[group] <= 1 - level
                             and share * together > 0))  # fmt: skip
        return p, low, high, sure


def _split_topics(values: Array, split: Callable[[Array], Array]) -> Array:
    """What `split` makes of each topic, values being 2 × topics × runs × parts.

    Of several runs it is the mean over all pairs of a run of A and one of B, so that the causes
    add up to the difference of the means over runs.
    """
    if values.shape[2] == 1:
        return split(values[:, :, 0])
    found = []
    for runs in zip(*values, strict=True):
        a, b = (own[~np.isnan(own).any(axis=-1)] for own in runs)
        both = np.broadcast_arrays(a[:, np.newaxis], b[np.newaxis])
        found.append(split(np.stack(both)).mean(axis=(0, 1)))
    return np.stack(found)


def correct_shares(
    shares: Array, errors: Array, topics: int, level: float
) -> tuple[Array, Array, Array]:
    """Holm-corrected p and intervals; an interval leaves out 0 exactly where p ≤ 1 − level."""
    p = [_p_value(*one, topics - 1) for one in zip(shares, errors, strict=True)]
    adjusted = holm(p)
    reach = np.full(len(p), nan)
    for place, (own, corrected) in enumerate(zip(p, adjusted, strict=True)):
        if not isnan(own):
            stricter = max(own / corrected, SMALLEST) if corrected > 0 else 1.0
            width = student.quantile(1 - (1 - level) * stricter, topics - 1)
            reach[place] = errors[place] * width
    return adjusted, shares - reach, shares + reach


SMALLEST = 1e-6
"""The strictest level of an interval, so that it stays finite."""


def _p_value(share: float, error: float, degrees: int) -> float:
    """The two-sided p of a share; undefined on one topic, and where only rounding differs."""
    if degrees < 1 or abs(share) <= ROUNDING:
        return nan
    return student.p_value(share / error, degrees) if error > ROUNDING * abs(share) else 0.0


def split_losses(
    scores: Scores,
    account: Losses,
    part: str,
    systems: tuple[str, str],
    how: Resampling,
    chance: Mapping[str, Sequence[float]] | None = None,
) -> tuple[tuple[Cause, ...], tuple[TopicDifference, ...]]:
    """The causes of a difference and the topics, from the tallies of an account.

    `chance` has for a cause what A and B would lose by it by chance alone.
    """
    tallies = sorted_tallies(scores, account, topic_order(scores))
    both = tallies[[scores.systems.index(name) for name in systems]]
    both = both if scores.nested else both[:, :, np.newaxis]
    there = np.logical_not(np.isnan(both).any(axis=-1).all(axis=-1).any(axis=0))
    both = both[:, there]
    topics = [
        topic for topic, here in zip(sorted(scores.topics), there.tolist(), strict=True) if here
    ]
    rule = rule_for(account, how)
    split = Split.of(account, part, both, rule)
    p, low, high, sure = split.test(how.level)
    summed = topic_contributions(account, both, rule, nested=True).sum(axis=1)
    levels = cause_levels(account, finish_topic_average(account, summed, rule))
    by_topic = cause_levels(account, mean_over_runs(account.values(both)))
    causes = []
    for n, name in enumerate(split.names):
        by_chance = (chance or {}).get(name, (nan, nan))
        sides = [_known(account, side, name, levels[..., n]) for side in range(2)]
        share = float(split.shares[n])
        net = split.net_share(n)
        # The system that loses more must do so on both sides, and lose more than by chance.
        worse = int(share > 0)
        above = not sides[0][worse] <= by_chance[worse]
        costs = _costs(split.names, by_topic, n)
        costs = costs[worse] - costs[1 - worse]
        above &= all(
            isnan(side[0]) or _is_above_zero(costs[:, place], how.level)
            for place, side in enumerate(sides)
        )
        causes.append(
            Cause(
                name=name,
                recall=sides[0],
                precision=sides[1],
                share=share,
                net=net,
                low=float(low[n]),
                high=float(high[n]),
                p=float(p[n]),
                named=sure[n] and above,
                chance=(float(by_chance[0]), float(by_chance[1])),
            )
        )
    return tuple(causes), _by_topic(account, part, both, topics, split)


def _costs(names: Sequence[str], levels: Array, place: int) -> Array:
    """What a cause costs by itself: systems × topics × sides.

    The more the references' days lack, the more of it turns up on another day by chance; what
    counts of that cause is its share in all that is lacking.
    """
    costs = levels[..., place].copy()
    if names[place] == "another_day":
        rest = [n for n, name in enumerate(names) if group_of(name) == "not_said"]
        lacking = costs[..., 0] + levels[..., 0, rest].sum(axis=-1)
        costs[..., 0] = divide_tallies(costs[..., 0], lacking)
    return costs


def _is_above_zero(costs: Array, level: float) -> bool:
    """Whether what a cause costs more, topic by topic, is above 0 beyond chance."""
    if len(costs) < 2:
        return True
    error = float(costs.std(ddof=1)) / len(costs) ** 0.5
    return bool(costs.mean() > student.quantile(level, len(costs) - 1) * error)


def _known(account: Losses, side: int, name: str, levels: Array) -> tuple[float, float]:
    """What A and B lose by a cause on one side, if the side knows it."""
    if side >= len(account.sides):
        return nan, nan
    known = {cause.removeprefix("p.") for cause in account.sides[side].causes} | {NOTHING}
    return (float(levels[0, side]), float(levels[1, side])) if name in known else (nan, nan)


def _by_topic(
    account: Losses, part: str, both: Array, topics: Sequence[str], split: Split
) -> tuple[TopicDifference, ...]:
    """Every topic with its causes, the largest difference first."""
    lost = cause_levels(account, account.values(both)).sum(axis=-1)
    figures = mean_over_runs(figure_of_losses(account, part)(lost)[..., np.newaxis])[..., 0]
    found = [
        TopicDifference(
            topic=topic,
            a=float(figures[0, t]),
            b=float(figures[1, t]),
            causes=dict(zip(split.names, split.by_topic[t].tolist(), strict=True)),
        )
        for t, topic in enumerate(topics)
    ]
    return tuple(sorted(found, key=lambda one: (-abs(one.difference), one.topic)))
