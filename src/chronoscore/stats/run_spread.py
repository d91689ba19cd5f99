"""How much figures vary over topics, and over the runs of one system on the same topic."""

from collections.abc import Sequence
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from chronoscore.core import Row
from chronoscore.measures import Measure
from chronoscore.scoring import Scores
from chronoscore.stats.statistic import ROUNDING, Numbers

SURE = 0.01
"""Up to this p, runs are reported to differ on all topics alike."""


class RunSpread(NamedTuple):
    """The standard deviations of one part of one measure over topics and over runs.

    Runs vary within topics, pooled over these. What topics vary is what is left of the variance
    of their means once the share of runs in it is taken away, and never below 0. `shared_p` is the
    p of an analysis of variance of whether runs are better or worse on all topics alike, which
    intervals over topics do not cover; nan where topics lack runs.
    """

    system: str
    measure: Measure
    part: str
    runs: int
    """The most runs that a topic has."""
    over_topics: float
    over_runs: float
    shared_p: float = nan

    @property
    def is_shared(self) -> bool:
        """Whether runs differ on all topics alike, beyond doubt."""
        return self.shared_p <= SURE

    def row(self) -> Row:
        """A flat record."""
        return {
            "system": self.system,
            "measure": self.measure.title,
            "part": self.part,
            "runs": self.runs,
            "sd_topics": self.over_topics,
            "sd_runs": self.over_runs,
            "shared_p": self.shared_p,
        }


def run_spreads(scores: Scores, measure: Measure, part: str) -> list[RunSpread]:
    """How a part varies for every system that has several runs."""
    values = scores.run_values(measure)[..., measure.parts.index(part)]
    found = []
    for system, own in zip(scores.systems, values, strict=True):
        counts = np.count_nonzero(~np.isnan(own), axis=-1)
        if counts.max(initial=0) < 2:
            continue
        within = _variance_within(own)
        means = _topic_means(own)
        there = ~np.isnan(means)
        between = nan
        if there.sum() > 1:
            noise = within * float((1 / counts[there]).mean())
            between = max(0.0, float(means[there].var(ddof=1)) - noise)
        most = int(counts.max())
        spread = sqrt(between), sqrt(within)
        found.append(RunSpread(system, measure, part, most, *spread, _shared_p(own[:, :most])))
    return found


def _shared_p(values: Numbers) -> float:
    """The p that runs differ on all topics alike: topics × runs, analysis of variance."""
    topics, runs = values.shape
    if topics < 2 or runs < 2 or np.isnan(values).any():
        return nan
    by_run = values.mean(axis=0, keepdims=True)
    left = values - by_run - values.mean(axis=1, keepdims=True) + values.mean()
    degrees = (runs - 1, (runs - 1) * (topics - 1))
    noise = float((left**2).sum()) / degrees[1]
    if noise <= ROUNDING**2:
        return nan
    # The F distribution takes long to load; only several runs pay for it.
    from scipy.special import fdtrc

    ratio = topics * float(((by_run - values.mean()) ** 2).sum()) / degrees[0] / noise
    return float(fdtrc(*degrees, ratio))


def share_of_runs(scores: Scores, measure: Measure, part: str, systems: Sequence[str]) -> float:
    """The share of runs in the variance of two systems' differences over topics; 0 without runs.

    It is what more runs could remove.
    """
    if not scores.nested:
        return 0.0
    place = measure.parts.index(part)
    a, b = (scores.run_values(measure)[scores.systems.index(name), ..., place] for name in systems)
    differences = _topic_means(a) - _topic_means(b)
    there = ~np.isnan(differences)
    if there.sum() < 2:
        return nan
    whole = float(differences[there].var(ddof=1))
    noise = 0.0
    for own in (a, b):
        counts = np.count_nonzero(~np.isnan(own[there]), axis=-1)
        # A system with one run says nothing of its own variance.
        noise += _variance_within(own) * float((1 / counts).mean()) if counts.max() > 1 else 0.0
    return min(1.0, noise / whole) if whole > 0 else nan


def _topic_means(values: Numbers) -> Numbers:
    """The mean over runs of each topic (topics × runs); nan where there is no run."""
    there = ~np.isnan(values)
    counts = there.sum(axis=-1)
    sums = np.where(there, values, 0.0).sum(axis=-1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _variance_within(values: Numbers) -> float:
    """The variance over runs (topics × runs), pooled over topics with two runs or more."""
    there = ~np.isnan(values)
    degrees = int(np.maximum(there.sum(axis=-1) - 1, 0).sum())
    if not degrees:
        return nan
    apart = np.where(there, values - _topic_means(values)[:, np.newaxis], 0.0)
    return float((apart**2).sum() / degrees)
