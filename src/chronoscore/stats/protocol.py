"""The experiments that argued for Nouveau-ROUGE, to be run on any judged update summaries.

Systems have two scores, against the earlier reference summaries, R(AB), and against those
of the update, R(BB), and a rating by people. Does a prediction N from both follow people
better than R(BB) alone, and does it come closer to what people say of people?
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, did_you_mean
from chronoscore.options.correlation import SPLITS, Fitting, Split
from chronoscore.stats.correlation import pearson, rank_with_ties
from chronoscore.stats.correlation_intervals import Places, sample_interval
from chronoscore.stats.robust import Fit, robust_fit
from chronoscore.stats.significance import sign_test, signed_rank_test
from chronoscore.stats.statistic import Numbers

FEWEST = 8
"""Systems for half of them to fix three coefficients and have one to spare."""


@dataclass(frozen=True)
class Standing:
    """Some systems' mean scores and ratings: (…, systems), leading axes for several measures."""

    earlier: Numbers
    update: Numbers
    rating: Numbers

    @property
    def size(self) -> int:
        """How many systems there are."""
        return int(self.update.shape[-1])

    @cached_property
    def scores(self) -> Numbers:
        """Both scores: (…, systems, 2)."""
        return np.stack(np.broadcast_arrays(self.earlier, self.update), axis=-1)

    def fit(self, how: Fitting | None = None) -> Fit:
        """Fit the rating by both scores."""
        return robust_fit(self.scores, self.rating, how)

    def fit_update(self, how: Fitting | None = None) -> Fit:
        """Fit the rating by the score against the update alone."""
        return robust_fit(self.update[..., np.newaxis], self.rating, how)


class Followed(NamedTuple):
    """How far each score follows the ratings, over systems that the fit has not seen."""

    earlier: Numbers
    update: Numbers
    novelty: Numbers


def cross_validation(
    machines: Standing, *, seed: int = 1, how: Fitting | None = None
) -> tuple[Followed, Places]:
    """Fit on a random half of the systems and correlate on the other half, once.

    Gives the correlations and which systems were held back.
    """
    half = _half_size(machines)
    order = np.random.default_rng(seed).permutation(machines.size)[np.newaxis]
    followed = _correlate_held_back(machines, order[:, :half], order[:, half:], how)
    return Followed(*(value[..., 0] for value in followed)), np.sort(order[0, half:])


@dataclass(frozen=True)
class Redrawing:
    """The correlations of many draws of systems, and what they come to."""

    samples: Followed
    """Each (…, draws)."""
    split: Split
    leakage: float
    """The share of test draws whose system was also in the half used for fitting."""
    level: float = 0.95

    @property
    def medians(self) -> Followed:
        """The median correlation of each score over the draws."""
        return Followed(*(_defined_median(sample) for sample in self.samples))

    @property
    def log_p(self) -> Numbers:
        """The natural logarithm of Mann-Whitney's p for R(BB) and N, as the paper tests them.

        It shrinks with every further draw and takes the draws of R(BB) and N for
        independent, so it says nothing about systems; the interval of the difference does.
        """
        shape = self.samples.update.shape[:-1]
        pairs = (self.samples.update, self.samples.novelty)
        flat = [sample.reshape(-1, sample.shape[-1]) for sample in pairs]
        found = [mann_whitney(a, b).log_p for a, b in zip(*flat, strict=True)]
        return np.array(found).reshape(shape)

    @property
    def differences(self) -> Numbers:
        """N's correlation less R(BB)'s, draw by draw."""
        return self.samples.novelty - self.samples.update

    @property
    def median_difference(self) -> Numbers:
        """The median of the paired difference."""
        return np.asarray(np.nanmedian(self.differences, axis=-1))

    @property
    def interval(self) -> tuple[Numbers, Numbers]:
        """The percentile interval of the paired difference."""
        rows = self.differences.reshape(-1, self.differences.shape[-1])
        bounds = np.array([sample_interval(row, self.level) for row in rows])
        low, high = bounds.T.reshape(2, *self.differences.shape[:-1])
        return low, high


def bootstrap_regression(
    machines: Standing,
    *,
    split: Split = "halves",
    times: int = 1000,
    level: float = 0.95,
    seed: int = 1,
    how: Fitting | None = None,
) -> Redrawing:
    """Draw as many systems as there are, fit on half of the draws and test on the others.

    With `halves`, as in the paper, a system may be drawn into both halves. `disjoint`
    parts the systems at random first and draws within each part, so that no test is about
    a system that was fitted on. The draws are the same for all measures.
    """
    if split not in SPLITS:
        raise UsageError(f"unknown split '{split}'; {did_you_mean(split, SPLITS)}")
    if times < 1:
        raise UsageError(f"cannot draw {times} times; ask for at least 1")
    half, size = _half_size(machines), machines.size
    rng = np.random.default_rng(seed)
    if split == "halves":
        picks = rng.integers(0, size, (times, size))
        train, test = picks[:, :half], picks[:, half:]
    else:
        order = np.argsort(rng.random((times, size)), axis=-1)
        train = np.take_along_axis(order, rng.integers(0, half, (times, half)), axis=-1)
        rest = rng.integers(half, size, (times, size - half))
        test = np.take_along_axis(order, rest, axis=-1)
    drawn = np.zeros((times, size), dtype=np.bool_)
    np.put_along_axis(drawn, train, True, axis=-1)
    leakage = float(np.take_along_axis(drawn, test, axis=-1).mean())
    return Redrawing(_correlate_held_back(machines, train, test, how), split, leakage, level)


def _half_size(machines: Standing) -> int:
    """How many systems are fitted on; too few are refused."""
    if machines.size < FEWEST:
        raise DataError(
            f"{machines.size} systems cannot be halved to fit three coefficients; "
            f"give at least {FEWEST}"
        )
    return (machines.size + 1) // 2


def _correlate_held_back(
    machines: Standing, train: Places, test: Places, how: Fitting | None = None
) -> Followed:
    """Fit on some systems, correlate on others: (draws, systems) to (…, draws)."""
    rating = np.broadcast_to(machines.rating, machines.scores.shape[:-1])
    fit = robust_fit(machines.scores[..., train, :], rating[..., train], how)
    scores, target = machines.scores[..., test, :], rating[..., test]
    predicted = fit.predict(scores)
    # A draw of systems that are all alike has no fit; nan would count as a missing system.
    predicted[np.isnan(fit.coefficients).any(axis=-1)] = 0.0
    return Followed(
        pearson(scores[..., 0], target), pearson(scores[..., 1], target), pearson(predicted, target)
    )


def _defined_median(samples: Numbers) -> Numbers:
    """The median of what is defined along the last axis, nan where nothing is."""
    rows = [row[~np.isnan(row)] for row in samples.reshape(-1, samples.shape[-1])]
    found = [float(np.median(row)) if len(row) else np.nan for row in rows]
    return np.array(found).reshape(samples.shape[:-1])


class MannWhitney(NamedTuple):
    """The outcome of a Mann-Whitney test; p may be too small for a number, its log is not."""

    u: float
    z: float
    log_p: float


def mann_whitney(a: Numbers, b: Numbers) -> MannWhitney:
    """Test whether one sample lies above the other; two-sided, normal approximation.

    Ties and continuity are corrected for, as SciPy does, but p comes as its natural
    logarithm: a thousand draws against a thousand easily go below the smallest number.
    """
    # scipy.special is much quicker to import than scipy.stats.
    from scipy.special import log_ndtr

    a, b = a[~np.isnan(a)], b[~np.isnan(b)]
    if not len(a) or not len(b):
        return MannWhitney(np.nan, np.nan, np.nan)
    together = np.concatenate([a, b])
    size = len(together)
    u = float(rank_with_ties(together)[: len(a)].sum()) - len(a) * (len(a) - 1) / 2
    mean = len(a) * len(b) / 2
    _, ties = np.unique(together, return_counts=True)
    tied = float((ties.astype(np.float64) ** 3 - ties).sum()) / (size * (size - 1))
    spread = float(np.sqrt(len(a) * len(b) / 12 * (size + 1 - tied)))
    if spread == 0:
        return MannWhitney(u, 0.0, 0.0)
    z = max(abs(u - mean) - 0.5, 0.0) / spread
    return MannWhitney(u, z, min(0.0, float(np.log(2) + log_ndtr(-z))))


@dataclass(frozen=True)
class Gap:
    """How far predictions fall from what people were rated, person by person: (…, people)."""

    update: Numbers
    """By the score against the update alone."""
    novelty: Numbers
    """By both scores."""

    @property
    def medians(self) -> tuple[Numbers, Numbers]:
        """The median gaps of the two predictions."""
        return np.median(self.update, axis=-1), np.median(self.novelty, axis=-1)

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.update.shape[-1])

    @property
    def closer(self) -> NDArray[np.intp]:
        """To how many people's ratings the prediction by both scores is closer."""
        return np.asarray(np.count_nonzero(self.novelty < self.update, axis=-1))

    def sign_p(self) -> Numbers:
        """Exact two-sided sign test over people; eight of eight give 1/128."""
        return self.p_values(sign_test)

    def rank_p(self) -> Numbers:
        """Two-sided Wilcoxon signed-rank test over people, exact up to 13."""
        return self.p_values(signed_rank_test)

    def p_values(self, test: Callable[[Numbers, Numbers], float]) -> Numbers:
        """One p for each measure."""
        rows = [gap.reshape(-1, gap.shape[-1]) for gap in (self.update, self.novelty)]
        found = [test(a, b) for a, b in zip(*rows, strict=True)]
        return np.array(found).reshape(self.update.shape[:-1])


def regression_gap_to_people(
    machines: Standing, people: Standing, how: Fitting | None = None
) -> Gap:
    """Fit on machines only, predict people's ratings, and say by how much the fit misses."""
    if not people.size:
        raise DataError("no person has both scores and a rating; flag people with human=1")
    update = machines.fit_update(how).predict(people.update[..., np.newaxis])
    novelty = machines.fit(how).predict(people.scores)
    return Gap(np.abs(people.rating - update), np.abs(people.rating - novelty))
