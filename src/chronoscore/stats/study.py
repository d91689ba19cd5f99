"""The paper's whole study of update measures, on any scores that have parts `ab` and `bb`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from chronoscore.core import Row
from chronoscore.errors import DataError, number_with_noun
from chronoscore.options.correlation import Fitting, NoveltyStudy
from chronoscore.progress import track
from chronoscore.stats.correlation import pearson
from chronoscore.stats.protocol import (
    Followed,
    Gap,
    Redrawing,
    Standing,
    bootstrap_regression,
    cross_validation,
    regression_gap_to_people,
)
from chronoscore.stats.robust import Fit
from chronoscore.stats.score_grid import FEWEST, ScoreGrid

EARLIER, UPDATE = "ab", "bb"


@dataclass(frozen=True)
class RatedSystems:
    """Systems by name, with their scores and one rating: (measures, systems)."""

    systems: tuple[str, ...]
    standing: Standing


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """The prediction of one rating by one measure's two scores."""

    measure: str
    rating: str
    fit: Fit
    systems: int
    correlation: float
    """Of the prediction with the rating, on the systems that it was fitted to."""


def pair_update_measures(given: ScoreGrid) -> list[str]:
    """The measures that score against earlier references (`ab`) and the update's (`bb`)."""
    names = dict.fromkeys(name for name, _ in given.scores)
    found = [n for n in names if (n, EARLIER) in given.scores and (n, UPDATE) in given.scores]
    if not found:
        raise DataError(
            "no measure has both parts 'ab' and 'bb'; "
            "score 'novelty(base=…,coefficients=none)' with references of the earlier summary first"
        )
    return found


def _place_systems(given: ScoreGrid, measures: Sequence[str], rating: str) -> RatedSystems:
    """Each system's means over the topics on which it has all scores and the rating."""
    pairs = [(given.scores[m, EARLIER], given.scores[m, UPDATE]) for m in measures]
    values = np.broadcast_arrays(*(grid for pair in pairs for grid in pair), given.ratings[rating])
    lacking = np.any([np.isnan(grid) for grid in values], axis=0)
    kept = np.flatnonzero(~lacking.all(axis=1))
    means = np.array(
        [[float(grid[row][~lacking[row]].mean()) for row in kept] for grid in values]
    ).reshape(len(values), len(kept))
    return RatedSystems(
        tuple(given.systems[row] for row in kept),
        Standing(means[0:-1:2], means[1:-1:2], means[-1]),
    )


def fit_all(
    given: ScoreGrid, measures: Sequence[str], ratings: Sequence[str], how: Fitting | None = None
) -> list[Fitted]:
    """Fit every rating by every measure's two scores."""
    found = []
    for measure in measures:
        for rating in ratings:
            where = _place_systems(given, [measure], rating)
            count = len(where.systems)
            if count < FEWEST:
                raise DataError(
                    f"{number_with_noun(count, 'system has', 'systems have')} '{measure}' scores "
                    f"and '{rating}' ratings; a fit needs at least {FEWEST}"
                )
            one = Standing(
                where.standing.earlier[0], where.standing.update[0], where.standing.rating
            )
            fit = one.fit(how)
            if np.isnan(fit.coefficients).any():
                raise DataError(
                    f"measure '{measure}': its two scores do not tell the systems apart; "
                    "give systems that differ in both"
                )
            r = float(pearson(fit.predict(one.scores), one.rating))
            found.append(
                Fitted(measure=measure, rating=rating, fit=fit, systems=count, correlation=r)
            )
    return found


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """Predicted ratings of every system on every topic, as records in the form of scores."""

    target: str
    predictions: tuple[Row, ...]

    @property
    def measures(self) -> list[str]:
        """The measures that predictions were made from."""
        return list(dict.fromkeys(str(row["measure"]) for row in self.predictions))

    def means(self) -> dict[str, list[float]]:
        """By system: its mean prediction by each measure, nan where there is none."""
        values: dict[str, dict[str, list[float]]] = {}
        for row in self.predictions:
            by_measure = values.setdefault(str(row["system"]), {})
            value = float(row["value"])
            if not isnan(value):
                by_measure.setdefault(str(row["measure"]), []).append(value)
        return {
            system: [float(np.mean(found[m])) if m in found else nan for m in self.measures]
            for system, found in values.items()
        }


@dataclass(frozen=True, kw_only=True)
class Study:
    """The experiments for one rating; what there are too few systems or people for is missing."""

    rating: str
    measures: tuple[str, ...]
    machines: RatedSystems
    people: RatedSystems
    halves: Followed | None
    redrawn: tuple[Redrawing, ...]
    gap: Gap | None
    missing: Mapping[str, str]
    """Why an experiment could not be made, by its name."""


def study_rating_regression(
    given: ScoreGrid,
    rating: str,
    design: NoveltyStudy | None = None,
    how: Fitting | None = None,
) -> Study:
    """Run all experiments: half against half, redrawn systems, and the gap to people."""
    design = design or NoveltyStudy()
    measures = pair_update_measures(given)
    machines = _place_systems(given.only("machines"), measures, rating)
    people = _place_systems(given.only("humans"), measures, rating)
    if len(machines.systems) < FEWEST:
        raise DataError(
            f"{len(machines.systems)} machine systems have scores and '{rating}' ratings; "
            f"give at least {FEWEST}"
        )
    missing: dict[str, str] = {}
    halves: Followed | None = None
    redrawn: tuple[Redrawing, ...] = ()
    try:
        halves = cross_validation(machines.standing, seed=design.seed, how=how)[0]
        redrawn = tuple(
            bootstrap_regression(
                machines.standing,
                split=split,
                times=design.draws,
                level=design.level,
                seed=design.seed,
                how=how,
            )
            for split in track(f"drawing systems, {rating}", design.splits, len(design.splits))
        )
    except DataError as error:
        missing["cross-validation"] = str(error)
    gap: Gap | None = None
    try:
        gap = regression_gap_to_people(machines.standing, people.standing, how)
    except DataError as error:
        missing["gap"] = str(error)
    return Study(
        rating=rating,
        measures=tuple(measures),
        machines=machines,
        people=people,
        halves=halves,
        redrawn=redrawn,
        gap=gap,
        missing=missing,
    )


def format_log_p_value(log_p: float) -> str:
    """A p-value, however small, from its natural logarithm.

    >>> format_log_p_value(-1500.0)
    '3.6e-652'
    """
    if isnan(log_p):
        return "–"
    power = log_p / np.log(10)
    exponent = int(np.floor(power))
    mantissa = 10 ** (power - exponent)
    if round(mantissa, 1) >= 10:
        mantissa, exponent = 1.0, exponent + 1
    return f"{10**power:.4f}" if exponent >= -4 else f"{mantissa:.1f}e{exponent:03d}"
