"""How far do measures follow people? Scores and ratings side by side."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, get_args

import numpy as np

from chronoscore.api.arguments import check_text, options_or_default
from chronoscore.api.options import Workers
from chronoscore.api.ratings import LongTable, pair_rating_arguments
from chronoscore.api.results import Result, Section
from chronoscore.api.values import as_list
from chronoscore.core import Row
from chronoscore.errors import ChronoscoreWarning, UsageError, check_choice, check_whole
from chronoscore.reports import correlation as report
from chronoscore.reports.scatter import Panel, robust_plot_line, save_panels, wrap_panels
from chronoscore.stats import correlate as stats
from chronoscore.stats.correlate import TESTS, Correlated, Difference, Test
from chronoscore.stats.correlation import (
    COEFFICIENTS,
    LEVELS,
    USUAL,
    Coefficient,
    Level,
    arrange_for_correlation,
)
from chronoscore.stats.correlation_intervals import Bootstrap
from chronoscore.stats.score_grid import ScoreGrid, Who, score_label


@dataclass(frozen=True, kw_only=True)
class CorrelationResult(Result):
    """Correlations of measures with ratings and, if asked for, tests of their differences."""

    title: ClassVar[str] = "Correlation with people"

    correlations: tuple[Correlated, ...]
    differences: tuple[Difference, ...] | None
    judged: ScoreGrid
    """All scores and ratings, of people and of machines."""
    who: Who
    bootstrap: Bootstrap
    trials: int

    def rows(self) -> Sequence[Row]:
        """A record for each correlation, or for each difference where these were tested."""
        shown = self.correlations if self.differences is None else self.differences
        return [one.row() for one in shown]

    def sections(self) -> Sequence[Section]:
        """A table for each rating and level, then the differences."""
        tables = report.correlation_tables(self.correlations, self.bootstrap, self.who)
        if self.differences is not None:
            tables.append(report.difference_table(self.differences, self.bootstrap, self.trials))
        return [("", table) for table in tables]

    def plot(self, path: str | Path) -> None:
        """Draw every measure's means against every rating, people and machines."""
        rows: list[list[Panel]] = []
        human = self.judged.human
        for rating, ratings in self.judged.ratings.items():
            panels = []
            for scored, scores in self.judged.scores.items():
                x, y = (side[0] for side in arrange_for_correlation(scores, ratings, "system"))
                machine, person = ~np.isnan(x) & ~human, ~np.isnan(x) & human
                line = robust_plot_line(x[machine], y[machine])
                people = (x[person], y[person])
                panels.append(
                    Panel(score_label(scored), rating, (x[machine], y[machine]), people, line)
                )
            rows += wrap_panels(panels)
        save_panels(rows, Path(path))


def correlate(
    scores: LongTable,
    ratings: LongTable,
    *,
    measures: str | Sequence[str] = (),
    rating: str | Sequence[str] = (),
    by: Level | Sequence[Level] = (),
    coefficients: Coefficient | Sequence[Coefficient] = (),
    bootstrap: Bootstrap | None = None,
    who: Who = "machines",
    test: Test | None = None,
    trials: int = 1000,
    baseline: str | None = None,
    one_sided: bool = False,
    signed: bool = False,
    jobs: int = 1,
) -> CorrelationResult:
    """Correlate scores with ratings by people.

    Both are paths, data frames or records in long form: system, topic, measure, part and
    value; system, topic, rating, value and human. `test` compares measures with each other,
    or each with the `baseline`; `one_sided`, whether one is better than the other. Williams's
    test compares absolute correlations, unless `signed`. With `jobs`, as many processes
    resample at a time, 0 for all cores.
    """
    check_whole(trials, "trials")
    check_text("baseline", baseline)
    check_text("test", test)
    if baseline and not test:
        raise UsageError("a baseline needs a test; name one, as perm-systems")
    if (one_sided or signed) and not test:
        raise UsageError("one-sided and signed say how to test; name a test, as williams")
    check_choice(who, get_args(Who), "choice of systems")
    how = options_or_default(bootstrap, Bootstrap)
    everybody = pair_rating_arguments(scores, ratings, measures=measures, rating=rating)
    given = everybody.only(who)
    at: Sequence[Level] = as_list(by)
    for level in at:
        check_choice(level, LEVELS, "level")
    usual: Sequence[Coefficient] = ("pearson",) if test else USUAL
    kinds: Sequence[Coefficient] = as_list(coefficients) or usual
    for kind in kinds:
        check_choice(kind, COEFFICIENTS, "coefficient")
    if test is not None:
        check_choice(test, TESTS, "test")
    differences = None
    with Workers(jobs=jobs).executor() as executor:
        correlations = stats.correlate_with_ratings(
            given, levels=at, coefficients=kinds, how=how, executor=executor
        )
        _warn_of_undefined(correlations)
        if test:
            differences = tuple(
                stats.compare_correlations(
                    given,
                    test=test,
                    baseline=baseline,
                    levels=at,
                    coefficients=kinds,
                    how=how,
                    trials=trials,
                    one_sided=one_sided,
                    signed=signed,
                    executor=executor,
                )
            )
    return CorrelationResult(
        correlations=tuple(correlations),
        differences=differences,
        judged=everybody,
        who=who,
        bootstrap=how,
        trials=trials,
    )


def _warn_of_undefined(correlations: Sequence[Correlated]) -> None:
    """Say once for each measure, rating and level why there is no correlation."""
    undefined = [one for one in correlations if one.why]
    for one in {(o.measure, o.part, o.rating, o.level): o for o in undefined}.values():
        name = score_label((one.measure, one.part))
        warnings.warn(
            f"{name}, {one.rating}, {one.level} level: undefined, {one.why}",
            ChronoscoreWarning,
            stacklevel=3,
        )
