"""Compare systems: which differences are more than chance?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, nan
from os import PathLike
from typing import TYPE_CHECKING, Unpack, get_args

from chronoscore.api.results import Result, Section, TableResult, save_plot
from chronoscore.api.scores import ScoreResult
from chronoscore.api.scoring import SCORE_OPTIONS, ScoreOptions, score
from chronoscore.core import Row
from chronoscore.data.arguments import Measures, References, Systems
from chronoscore.errors import UsageError, WrongTypeError, check_choice, check_level, check_whole
from chronoscore.options import PairTests
from chronoscore.options.declare import accepts
from chronoscore.reports import comparison as report
from chronoscore.reports.scores import score_table, system_letters, with_narrow
from chronoscore.reports.tables import Table
from chronoscore.stats.corpus import Average, sign
from chronoscore.stats.corpus_tests import PartComparison, compare_parts
from chronoscore.stats.plans import Plan, plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class ComparisonResult(Result):
    """All pairs of systems with their tests, beside the scores that were compared."""

    scored: ScoreResult
    compared: tuple[PartComparison, ...]
    per_topic: bool = False
    detect: float | None = None
    """A difference for which the number of topics that it needs is shown."""

    title = "Comparison"

    @property
    def letters(self) -> dict[str, str]:
        """The letter that stands for each system in the table."""
        return system_letters(self.scored.ranking)

    def __repr__(self) -> str:
        pairs = sum(len(one.comparison.pairs) for one in self.compared)
        return f"<ComparisonResult: {', '.join(self.scored.measures)}; pairs: {pairs}>"

    @property
    def signature(self) -> str:
        """How the figures were made, with the swaps that were drawn."""
        drawn = [one.comparison for one in self.compared if one.comparison.drawn]
        swaps = f"swaps:{drawn[0].trials}" if drawn else ""
        signed = sign(self.scored.scores, self.scored.resampling, swaps)
        return " ".join([signed, *self.scored.citations])

    def rows(self) -> list[Row]:
        """One record for each pair and measure: difference, interval, p, effect."""
        rows = [row for one in self.compared for row in one.rows()]
        if self.detect is None:
            return rows
        plans = {
            (one.measure.title, one.part, one.pair.system, one.pair.other): one
            for one in self._plans()
        }
        keys = [tuple(row[name] for name in ("measure", "part", "system", "other")) for row in rows]
        needed = [plans[key].topics_needed(self.detect) if key in plans else nan for key in keys]
        return [{**row, "topics_needed": n} for row, n in zip(rows, needed, strict=True)]

    def topics_needed(
        self, difference: float, *, power: float = 0.8
    ) -> TableResult[report.PlannedDifference]:
        """How many topics a difference of this size would need, for every pair and measure.

        By the paired t test at the level of the comparison, uncorrected, with the spread that the
        topics' differences show here; `power` is the chance of finding the difference.
        """
        check_difference(difference)
        check_level(power)
        return TableResult(report.PlannedDifference(difference, self._plans(power)), report.PLAN)

    def _plans(self, power: float = 0.8) -> list[Plan]:
        """What the topics can show, pair by pair."""
        return plan(self.scored.scores, self.compared, power)

    def plot(self, measure: str | None = None, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw the difference of every pair with its interval; save it if a path is given."""
        from chronoscore.reports.plots import intervals

        chosen, part = self.scored.column(self.scored.measures[0] if measure is None else measure)
        found = [one for one in self.compared if (one.measure, one.part) == (chosen, part)]
        if not found:
            raise UsageError(f"{chosen.heading(part)} was not compared; name one that was")
        figure = intervals.differences(chosen.heading(part), found[0].comparison.pairs)
        return save_plot(figure, path)

    def sections(self) -> list[Section]:
        """The averages with marks, every pair, and if asked for the topics."""
        figures = [f for f in self.scored.averages if f.part in f.measure.compared_parts]
        pairs = report.pair_table(self.compared)
        pairs = replace(pairs, notes=tuple(report.plan_notes(self._plans(), self.detect)))
        tables = [with_narrow(self._averages, figures), pairs]
        if self.per_topic:
            tables.append(report.topic_table(self.scored.scores, self.compared))
        return [("", table) for table in tables]

    def _averages(self, figures: Sequence[Average]) -> Table:
        """The leaderboard with marks."""
        how, letters = self.scored.resampling, self.letters
        shown = {(one.measure, one.part) for one in figures}
        compared = [one for one in self.compared if (one.measure, one.part) in shown]
        table = score_table(
            self.scored.scores,
            figures,
            how,
            marks=report.significance_marks(letters, compared),
            notes=[*self.scored.notes, *report.mark_notes(compared, how)],
            letters=letters,
            signature=self.signature,
        )
        return self.scored.quote(self.scored.sort_rows(table), figures)


def compare_result(
    scored: ScoreResult,
    baseline: str | None = None,
    trials: int = 9999,
    tests: PairTests = "randomization",
) -> ComparisonResult:
    """Compare the systems of a result."""
    check_whole(trials, "trials")
    check_choice(tests, get_args(PairTests), "choice of tests")
    if baseline is not None and not isinstance(baseline, str):
        raise WrongTypeError(f"{baseline!r} is not the name of a system; give text")
    compared = compare_parts(
        scored.scores, scored.resampling, baseline=baseline, trials=trials, tests=tests
    )
    return ComparisonResult(scored, tuple(compared))


@accepts(*SCORE_OPTIONS)
def compare(
    systems: Systems | ScoreResult,
    references: References | None = None,
    measures: Measures | None = None,
    *,
    baseline: str | None = None,
    trials: int = 9999,
    tests: PairTests = "randomization",
    per_topic: bool = False,
    detect: float | None = None,
    **options: Unpack[ScoreOptions],
) -> ComparisonResult:
    """Score systems as `score` does, and test every pair, or each against a baseline.

    Approximate randomization swaps two systems topic by topic (exact up to 13 topics);
    p-values are Holm-corrected over all pairs. With `tests="all"` the p of the paired t test, of
    Wilcoxon's test and of the sign test are given too, uncorrected. With `detect` the result
    says how many topics a difference of that size would need. The first argument may
    also be a result of `score`; references, measures and options are then those that it was
    scored with.
    """
    if isinstance(systems, ScoreResult):
        given = {"references": references, "measures": measures, **options}
        if refused := [name for name, value in given.items() if value is not None]:
            raise UsageError(f"`{refused[0]}` cannot change finished scores; give it to score")
        scored = systems
    else:
        scored = score(systems, references, measures, **options)
    if detect is not None:
        check_difference(detect)
    found = compare_result(scored, baseline, trials, tests)
    return replace(found, per_topic=per_topic, detect=detect)


def check_difference(difference: object) -> None:
    """Refuse what is no difference that can be looked for."""
    number = isinstance(difference, int | float) and not isinstance(difference, bool)
    if not number or not 0 < abs(float(difference)) < inf:  # type: ignore[arg-type]
        raise UsageError(f"{difference!r} is not a difference to detect; give a number as 0.02")
