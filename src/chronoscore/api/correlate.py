"""How far do measures follow people? Scores and ratings side by side."""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from chronoscore.api.results import TableResult
from chronoscore.data.ratings import LongTable, as_names, as_ratings, as_scores
from chronoscore.data.values import as_list
from chronoscore.errors import UsageError, check_choice, warn
from chronoscore.options.correlation import (
    COEFFICIENTS,
    LEVELS,
    WHO,
    Bootstrap,
    Coefficient,
    CorrelationTest,
    Level,
    Test,
    Who,
)
from chronoscore.options.declare import accepts, or_default, sort_keywords
from chronoscore.reports.correlation import VIEW, Correlations
from chronoscore.stats import correlate as stats
from chronoscore.stats.correlate import Correlated
from chronoscore.stats.correlation import USUAL
from chronoscore.stats.score_grid import pair_scores_with_ratings, score_label
from chronoscore.workers import Workers


class TestKeywords(TypedDict, total=False):
    """Further keywords of `correlate`, for type checkers."""

    test: Test | None
    trials: int
    baseline: str | None
    one_sided: bool
    signed: bool


@accepts(CorrelationTest)
def correlate(
    scores: LongTable,
    ratings: LongTable,
    *,
    measures: str | Sequence[str] = (),
    rating: str | Sequence[str] = (),
    by: Level | Sequence[Level] = (),
    coefficients: Coefficient | Sequence[Coefficient] = (),
    who: Who = "machines",
    bootstrap: Bootstrap | None = None,
    jobs: int = 1,
    **testing: Unpack[TestKeywords],
) -> TableResult[Correlations]:
    """Correlate scores with ratings by people.

    Both are paths, data frames or records in long form: system, topic, measure, part and
    value; system, topic, rating, value and human. `test` compares measures with each other,
    or each with the `baseline`. With `jobs`, as many processes resample at a time, 0 for all
    cores.
    """
    way: CorrelationTest
    (way,) = sort_keywords(testing, CorrelationTest)
    for name in ("baseline", "one_sided", "signed"):
        if getattr(way, name) and way.test is None:
            raise UsageError(f"`{name}` is for a test; add one, as `test='williams'`")
    check_choice(who, WHO, "choice of systems")
    how = or_default(bootstrap, Bootstrap)
    grid = pair_scores_with_ratings(as_scores(scores), as_ratings(ratings))
    everybody = grid.select(as_names("measures", measures), as_names("rating", rating))
    given = everybody.only(who)
    levels: Sequence[Level] = as_list(by)
    for level in levels:
        check_choice(level, LEVELS, "level")
    kinds: Sequence[Coefficient] = as_list(coefficients) or (("pearson",) if way.test else USUAL)
    for kind in kinds:
        check_choice(kind, COEFFICIENTS, "coefficient")
    differences = None
    with Workers(jobs=jobs).executor() as executor:
        correlations = stats.correlate_with_ratings(
            given, levels=levels, coefficients=kinds, how=how, executor=executor
        )
        _warn_of_undefined(correlations)
        if way.test:
            differences = tuple(
                stats.compare_correlations(
                    given, way, levels=levels, coefficients=kinds, how=how, executor=executor
                )
            )
    found = Correlations(
        correlations=tuple(correlations),
        differences=differences,
        judged=everybody,
        who=who,
        bootstrap=how,
        trials=way.trials,
    )
    return TableResult(found, VIEW)


def _warn_of_undefined(correlations: Sequence[Correlated]) -> None:
    """Say once for each measure, rating and level why there is no correlation."""
    undefined = [one for one in correlations if one.why]
    for one in {(o.measure, o.part, o.rating, o.level): o for o in undefined}.values():
        name = score_label((one.measure, one.part))
        warn(
            f"{name}, {one.rating}, {one.level} level: undefined, {one.why}",
            kind="undefined-correlation",
        )
