"""Measure measures: every measure against every rating, and measures against each other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations, starmap
from math import isnan, nan
from typing import Literal, TypeVar

import numpy as np

from chronoscore.core.scores import Row
from chronoscore.errors import UsageError, did_you_mean
from chronoscore.options.correlation import (
    LEVELS,
    Bootstrap,
    Coefficient,
    CorrelationTest,
    Level,
    Redrawn,
    Test,
)
from chronoscore.progress import track
from chronoscore.stats.correlation import (
    USUAL,
    arrange_for_correlation,
    correlation,
    pearson,
    why_correlation_undefined,
)
from chronoscore.stats.correlation_intervals import correlation_samples, interval_about
from chronoscore.stats.correlation_tests import permutation_test, williams_test
from chronoscore.stats.score_grid import MeasurePart, ScoreGrid, score_label
from chronoscore.stats.significance import holm
from chronoscore.stats.statistic import Numbers

Found = TypeVar("Found")
SWAPS: Mapping[str, Redrawn] = {
    "perm-both": "both",
    "perm-systems": "systems",
    "perm-inputs": "inputs",
}


@dataclass(frozen=True, kw_only=True)
class Correlated:
    """How far one measure follows one rating.

    `n` counts systems at the system level, topics whose coefficients were averaged at the
    summary level, and summaries at the global level. Where `value` is nan, `why` says why.
    """

    measure: str
    part: str
    rating: str
    level: Level
    coefficient: Coefficient
    value: float
    low: float = nan
    high: float = nan
    n: int
    why: str = ""

    def row(self) -> Row:
        """A flat record."""
        return {key: value for key, value in asdict(self).items() if key != "why"}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two measures' correlations with the same rating, and how sure their difference is."""

    measure: str
    part: str
    other: str
    other_part: str
    rating: str
    level: Level
    coefficient: Coefficient
    difference: float
    low: float
    high: float
    test: Test
    p: float
    adjusted: float = nan
    n: int
    sides: Literal[1, 2] = 2

    def row(self) -> Row:
        """A flat record."""
        return asdict(self)


def correlate_with_ratings(
    given: ScoreGrid,
    *,
    levels: Sequence[Level] = (),
    coefficients: Sequence[Coefficient] = USUAL,
    how: Bootstrap | None = None,
    executor: Executor | None = None,
) -> list[Correlated]:
    """Correlate every measure with every rating at every level, with bootstrap intervals."""
    how = how or Bootstrap()
    tasks: list[tuple[MeasurePart, str, Level]] = []
    for rating in given.ratings:
        for scored in given.scores:
            given.common(scored, rating)
            levels_here = _possible_levels(given, scored, rating, levels)
            tasks += [(scored, rating, level) for level in levels_here]
    work = partial(_correlate_level, given, coefficients=coefficients, how=how)
    done = _run_tasks(work, tasks, executor)
    return [one for found in track("correlating", done, len(tasks)) for one in found]


def _run_tasks(
    work: Callable[..., Found], tasks: Sequence[tuple[object, ...]], executor: Executor | None
) -> Iterator[Found]:
    """The results of all tasks in order, here or wherever the executor runs them."""
    if executor is None:
        return starmap(work, tasks)
    return executor.map(work, *zip(*tasks, strict=True))


def _possible_levels(
    given: ScoreGrid, scored: MeasurePart, rating: str, asked: Sequence[Level]
) -> list[Level]:
    """The levels that scores and ratings allow: whole systems have the system level only."""
    whole = min(given.scores[scored].shape[1], given.ratings[rating].shape[1]) == 1
    if not whole:
        return list(asked or LEVELS)
    for level in asked:
        if level != "system" and len(given.topics) > 1:
            raise UsageError(
                f"rating '{rating}' is of whole systems and has no {level} level; "
                "leave out `by` or rate topics"
            )
    return ["system"]


def _correlate_level(
    given: ScoreGrid,
    scored: MeasurePart,
    rating: str,
    level: Level,
    coefficients: Sequence[Coefficient],
    how: Bootstrap,
) -> list[Correlated]:
    """All coefficients of one measure and one rating at one level, from the same draws."""
    scores, ratings = given.scores[scored], given.ratings[rating]
    why = why_correlation_undefined(scores, ratings, level)
    nothing_drawn = how.redrawn == "inputs" and scores.shape[1] == 1
    if not why and not nothing_drawn:
        samples = correlation_samples(scores, ratings, how, level=level, coefficients=coefficients)
    found = []
    for place, name in enumerate(coefficients):
        value = float(correlation(scores, ratings, level=level, coefficient=name))
        low = high = nan
        if not why and not nothing_drawn:
            low, high = np.clip(interval_about(value, samples[place], how), -1.0, 1.0).tolist()
        found.append(
            Correlated(
                measure=scored[0],
                part=scored[1],
                rating=rating,
                level=level,
                coefficient=name,
                value=value,
                low=low,
                high=high,
                n=_count_points(scores, ratings, level),
                why=why,
            )
        )
    return found


def _count_points(scores: Numbers, ratings: Numbers, level: Level) -> int:
    """How many systems, topics or summaries went into the figure."""
    x, y = arrange_for_correlation(scores, ratings, level)
    if level == "summary":
        return int(np.count_nonzero(~np.isnan(pearson(x, y))))
    return int(np.count_nonzero(~np.isnan(x) & ~np.isnan(y)))


def compare_correlations(
    given: ScoreGrid,
    way: CorrelationTest,
    *,
    levels: Sequence[Level] = (),
    coefficients: Sequence[Coefficient] = ("pearson",),
    how: Bootstrap | None = None,
    executor: Executor | None = None,
) -> list[Difference]:
    """Test every pair of measures, or each against the baseline; Holm corrects each family."""
    how = how or Bootstrap()
    williams = way.test == "williams"
    if williams and (tuple(coefficients) != ("pearson",) or set(levels) - {"system"}):
        raise UsageError(
            "Williams's test is of Pearson's coefficient at the system level; "
            "choose those, or a perm- test"
        )
    if way.signed and not williams:
        raise UsageError(f"'{way.test}' compares signed correlations anyway; leave out `signed`")
    pairs = _pair_measures(list(given.scores), way.baseline)
    if way.one_sided and way.baseline is None:
        pairs += [(other, one) for one, other in pairs]
    found: list[Difference] = []
    for rating in given.ratings:
        for scored in given.scores:
            given.common(scored, rating)
        asked: Sequence[Level] = ("system",) if williams else levels
        for level in _possible_levels(given, pairs[0][0], rating, asked):
            for name in coefficients:
                tasks = [(pair, rating, level, name) for pair in pairs]
                work = partial(_test_pair, given, way=way, how=how)
                doing = f"testing {rating}, {level}, {name}"
                family = [*track(doing, _run_tasks(work, tasks, executor), len(pairs))]
                adjusted = holm([one.p for one in family])
                found += [
                    replace(one, adjusted=float(p)) for one, p in zip(family, adjusted, strict=True)
                ]
    return found


def _pair_measures(
    measures: list[MeasurePart], baseline: str | None
) -> list[tuple[MeasurePart, MeasurePart]]:
    """Which measures are compared."""
    if len(measures) < 2:
        raise UsageError("one measure cannot be compared; give the scores of another")
    if baseline is None:
        return list(combinations(measures, 2))
    labels = {score_label(scored): scored for scored in measures}
    if baseline not in labels:
        raise UsageError(f"unknown baseline '{baseline}'; {did_you_mean(baseline, labels)}")
    return [(scored, labels[baseline]) for scored in measures if score_label(scored) != baseline]


def _test_pair(
    given: ScoreGrid,
    pair: tuple[MeasurePart, MeasurePart],
    rating: str,
    level: Level,
    coefficient: Coefficient,
    way: CorrelationTest,
    how: Bootstrap,
) -> Difference:
    """One pair's difference on the cells that both have, with its interval and p."""
    assert way.test is not None
    one, other, ratings = _shared_cells(*(given.scores[s] for s in pair), given.ratings[rating])
    figures = [correlation(s, ratings, level=level, coefficient=coefficient) for s in (one, other)]
    # Whether a measure rises or falls with quality does not matter to Williams's test.
    turned = way.test == "williams" and not way.signed
    signs = [-1.0 if turned and figure < 0 else 1.0 for figure in figures]
    r, other_r = (sign * float(figure) for sign, figure in zip(signs, figures, strict=True))
    difference = r - other_r
    low = high = p = nan
    if not isnan(difference):
        draws = [
            sign * correlation_samples(s, ratings, how, level=level, coefficients=[coefficient])[0]
            for sign, s in zip(signs, (one, other), strict=True)
        ]
        low, high = interval_about(difference, draws[0] - draws[1], how)
        if way.test == "williams":
            between = float(correlation(one, other, level=level, coefficient=coefficient))
            between = abs(between) if turned else between
            size = _count_points(one, ratings, level)
            p = williams_test(r, other_r, between, size, one_sided=way.one_sided).p
        else:
            p = permutation_test(
                one,
                other,
                ratings,
                swapped=SWAPS[way.test],
                level=level,
                coefficient=coefficient,
                trials=way.trials,
                seed=how.seed,
                one_sided=way.one_sided,
            ).p
    (measure, part), (against, against_part) = pair
    return Difference(
        measure=measure,
        part=part,
        other=against,
        other_part=against_part,
        rating=rating,
        level=level,
        coefficient=coefficient,
        difference=difference,
        low=low,
        high=high,
        test=way.test,
        sides=1 if way.one_sided else 2,
        p=p,
        n=_count_points(one, ratings, level),
    )


def _shared_cells(*arrays: Numbers) -> list[Numbers]:
    """The arrays with nan wherever any of them has nan."""
    together = np.broadcast_arrays(*arrays)
    lacking = np.any([np.isnan(array) for array in together], axis=0)
    return [np.where(lacking, np.nan, array) for array in together]
