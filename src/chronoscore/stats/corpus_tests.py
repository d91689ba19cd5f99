"""Tests between systems on corpus figures."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from chronoscore.core import Row
from chronoscore.measures import Measure, finish_topic_average, topic_contributions
from chronoscore.measures.measure import RATES, Array
from chronoscore.options import Averaging, PairTests, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats.compare import Comparison, compare
from chronoscore.stats.corpus import rule_for, sorted_tallies, topic_order
from chronoscore.stats.statistic import MeanStatistic, f_score_statistic, mean_statistic


def compare_systems(
    scores: Scores,
    measure: Measure,
    part: str,
    how: Resampling,
    *,
    baseline: str | None = None,
    trials: int = 9999,
    tests: PairTests = "randomization",
) -> Comparison:
    """Test every pair of systems on one part of one measure.

    A test swaps two systems' contributions topic by topic and finishes the sum again, so that it
    is about the published figure, whatever that is, and not about a mean of scores.
    """
    rule = rule_for(measure, how)
    tallies = sorted_tallies(scores, measure, topic_order(scores))
    added = topic_contributions(measure, tallies, rule, nested=scores.nested)
    lacking = np.isnan(tallies).any(axis=-1)
    added[lacking.all(axis=-1) if scores.nested else lacking] = np.nan
    added, statistic = _without_constants(measure, part, rule, added)
    compared = compare(
        dict(zip(scores.systems, added, strict=True)),
        statistic,
        how,
        baseline=baseline,
        trials=trials,
        tests=tests,
    )
    if measure.direction(part) > 0:
        return compared
    lower = (replace(pair, superiority=1 - pair.superiority) for pair in compared.pairs)
    return replace(compared, pairs=tuple(lower))


def statistic_of(measure: Measure, part: str, rule: Averaging) -> MeanStatistic:
    """The corpus figure of a part, from the means of contributions."""
    place = measure.parts.index(part)
    return MeanStatistic(lambda means: finish_topic_average(measure, means, rule)[..., place])


def _without_constants(
    measure: Measure, part: str, rule: Averaging, added: Array
) -> tuple[Array, MeanStatistic]:
    """The contributions that a part's figure needs, and how it follows from their means.

    Where each part is defined on every topic, the means need not be divided by a count that is
    always 1, which is most of the work of a test.
    """
    size, place = len(measure.parts), measure.parts.index(part)
    counts = added[..., size:]
    # Only of these are means of parts, and F of two of them, all that there is to finish.
    plain = rule == "mean" or (rule == "of-means" and measure.parts[:3] in RATES)
    if not plain or not np.all((counts == 1) | np.isnan(counts)):
        return added, statistic_of(measure, part, rule)
    if rule == "of-means" and place == 2:
        return added[..., :2], f_score_statistic(alpha=measure.alpha)
    return added[..., place : place + 1], mean_statistic()


@dataclass(frozen=True)
class PartComparison:
    """One part of one measure, and all pairs of systems on it."""

    measure: Measure
    part: str
    comparison: Comparison

    def rows(self) -> list[Row]:
        """Flat records that name what was compared."""
        what = {"measure": self.measure.title, "part": self.part}
        return [{**what, **row} for row in self.comparison.rows()]


def compare_parts(
    scores: Scores,
    how: Resampling,
    *,
    baseline: str | None = None,
    trials: int = 9999,
    tests: PairTests = "randomization",
) -> list[PartComparison]:
    """Test all pairs of systems on the main part of every measure, or on the part asked for."""
    compared = partial(
        compare_systems, scores, how=how, baseline=baseline, trials=trials, tests=tests
    )
    return [
        PartComparison(m, part, compared(m, part))
        for m in scores.measures
        for part in m.compared_parts
    ]
