"""The difference of two systems split over causes of loss, with intervals over topics."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chronoscore.measures import finish_topic_average, topic_contributions
from chronoscore.measures.averaging import mean_over_runs
from chronoscore.measures.losses.account import Losses, group_of
from chronoscore.measures.measure import Array, divide_tallies
from chronoscore.options import Averaging
from chronoscore.stats import shapley, student
from chronoscore.stats.intervals import jackknife_errors
from chronoscore.stats.significance import holm
from chronoscore.stats.statistic import ROUNDING

NOTHING = "nothing"
"""The cause of topics without any output."""
DATED = ("near", "another_day")
"""What is said, but not on its day."""
DATES = "dates"
"""All of it together."""


def cause_names(account: Losses) -> list[str]:
    """The causes that a difference is split over; one that both sides have is one cause."""
    names = dict.fromkeys(
        cause.removeprefix("p.") for side in account.sides for cause in (*side.causes, *side.gains)
    )
    return [*names, NOTHING]


def cause_levels(account: Losses, values: Array) -> Array:
    """What each cause costs on each side: (…, parts) to (…, sides, causes); gains are below 0."""
    names = cause_names(account)
    levels = np.zeros((*values.shape[:-1], len(account.sides), len(names)))
    for number, side in enumerate(account.sides):
        for cause in (*side.causes, *side.gains, side.empty):
            if not cause:
                continue
            name = NOTHING if cause == side.empty else cause.removeprefix("p.")
            part = cause if cause in account.parts else group_of(cause)
            sign = -1.0 if cause in side.gains else 1.0
            levels[..., number, names.index(name)] = sign * values[..., account.parts.index(part)]
    return levels


def figure_of_losses(account: Losses, part: str) -> Callable[[Array], Array]:
    """A function that gives a part of the measure from what is lost on each side.

    Causes of two systems mixed may add up to more than there is; nothing is left then.
    """
    return lambda lost: account.reached(part, [*np.moveaxis(np.maximum(1.0 - lost, 0.0), -1, 0)])


def groups_of(names: Sequence[str]) -> list[str]:
    """The groups of causes, in order; last all that is lost by dates, where there is such a sum."""
    groups = list(dict.fromkeys(map(group_of, names)))
    return [*groups, DATES] if set(DATED) <= set(groups) else groups


def membership(names: Sequence[str]) -> Array:
    """Causes × groups: 1 where a cause belongs to a group."""
    whole = {DATES: DATED}
    return np.array([
        [float(group_of(name) in whole.get(group, (group,))) for group in groups_of(names)]
        for name in names
    ])  # fmt: skip


def net_shares(names: Sequence[str], shares: Array) -> Array:
    """What causes add once causes of their group that do the opposite are set off.

    Where days are left out, less is lacking on the days that are there: only the sum of both is
    a loss. Shares may be of several topics: (…, causes).
    """
    belongs = membership(names)
    belongs[:, [group == DATES for group in groups_of(names)]] = 0.0
    together = shares @ belongs
    alike = np.where(shares * (together @ belongs.T) > 0, shares, 0.0)
    scale = divide_tallies(together, alike @ belongs)
    net: Array = alike * (scale @ belongs.T)
    return net


class Tested(NamedTuple):
    """By cause, then by group: corrected p, both ends of the interval, whether it is sure."""

    p: Array
    low: Array
    high: Array
    sure: NDArray[np.bool_]


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
        groups = groups_of(names)
        value = figure_of_losses(account, part)
        belongs = membership(names)

        def split(values: Array) -> Array:
            levels = cause_levels(account, values)
            shares = shapley.split(levels[0], levels[1], value, len(names))
            return np.concatenate([shares, shares @ belongs], axis=-1)

        values = account.values(tallies)
        figures = value(cause_levels(account, values).sum(axis=-1))
        by_topic = _split_topics(values, figures, split)
        figures = mean_over_runs(figures[..., np.newaxis])[..., 0]
        if rule == "mean" and not np.isnan(figures).any():
            added = by_topic / len(by_topic)
            finish: Callable[[Array], Array] = lambda sums: sums  # noqa: E731
        elif rule == "mean":
            added = _topic_columns(by_topic, figures)
            places = (len(names) - 1, len(names) + groups.index(NOTHING))
            finish = partial(_mean_shares, places=places)
        else:
            added = topic_contributions(account, tallies, rule, nested=True)
            added = np.concatenate([*added], axis=-1)

            def finish(sums: Array) -> Array:
                halves = np.stack(np.split(sums, 2, axis=-1))
                return split(finish_topic_average(account, halves, rule))

        errors = jackknife_errors(added, finish, len(by_topic))
        return cls(names, groups, finish(added.sum(axis=0)), errors, by_topic[:, : len(names)])

    def test(self, level: float) -> Tested:
        """Test causes and groups, each corrected for their number.

        A cause is sure if the group that it belongs to is too, and in the same direction: what
        only moves from one cause of a group to another is no news.
        """
        size, topics = len(self.names), len(self.by_topic)
        p, low, high = (np.full(len(self.shares), nan) for _ in range(3))
        for family in reversed(self._families()):
            found = correct_shares(self.shares[family], self.errors[family], topics, level)
            p[family], low[family], high[family] = found
        sure = p <= 1 - level
        group = [size + self.groups.index(group_of(name)) for name in self.names]
        alike = self.shares[:size] * self.shares[group] > 0
        sure[:size] &= sure[group] & alike
        return Tested(p, low, high, sure)

    def _families(self) -> list[list[int]]:
        """What is tested together: causes, groups, and the sum of dates by itself.

        Dates and the rest add up to the difference, so that of a difference that is sure at most
        one of the two can be 0: a test of each needs no correction. Causes are named of such
        differences only.
        """
        size = len(self.names)
        groups = [size + place for place, name in enumerate(self.groups) if name != DATES]
        families = [list(range(size)), groups]
        if DATES in self.groups:
            families.append([size + self.groups.index(DATES)])
        return families


def _split_topics(values: Array, figures: Array, split: Callable[[Array], Array]) -> Array:
    """What `split` makes of each topic, values being 2 × topics × runs × parts.

    Of several runs it is the mean over all pairs of a run of A and one of B that have a figure, so
    that the causes add up to the difference of the means over runs.
    """
    whole = split(values[:, :, 0])
    if values.shape[2] == 1:
        return whole
    for topic, (runs, known) in enumerate(
        zip(np.moveaxis(values, 1, 0), ~np.isnan(np.moveaxis(figures, 1, 0)), strict=True)
    ):
        a, b = (own[there] for own, there in zip(runs, known, strict=True))
        both = np.broadcast_arrays(a[:, np.newaxis], b[np.newaxis])
        paired = split(np.stack(both)).reshape(-1, whole.shape[-1])
        whole[topic] = paired.mean(axis=0) if len(paired) else np.nan
    return whole


def _topic_columns(by_topic: Array, figures: Array) -> Array:
    """What each topic adds to mean shares: shares and 1 if both have a figure, then the figures.

    A figure may be undefined for one system, as the precision of an empty ranking is; a mean over
    topics leaves it out.
    """
    known = np.logical_not(np.isnan(figures))
    both = np.asarray(known.all(axis=0))[:, np.newaxis]
    shares = np.where(both, by_topic, 0.0)
    columns = [np.where(known, figures, 0.0).T, known.T.astype(np.float64)]
    return np.concatenate([shares, both.astype(np.float64), *columns], axis=-1)


def _mean_shares(sums: Array, places: Sequence[int]) -> Array:
    """Mean shares of the topics that both have a figure for.

    What the means differ more or less, because a system has no figure for some topics, counts as
    topics without output, the last cause; the places are its own and that of its group.
    """
    shares, (both, a, b, of_a, of_b) = sums[..., :-5], np.moveaxis(sums[..., -5:], -1, 0)
    found = divide_tallies(shares, both[..., np.newaxis])
    whole = divide_tallies(a, of_a) - divide_tallies(b, of_b)
    rest = whole - found[..., : places[0] + 1].sum(axis=-1)
    found[..., list(places)] += rest[..., np.newaxis]
    return found


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
