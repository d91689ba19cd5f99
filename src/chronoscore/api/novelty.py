"""Predict ratings of update summaries from two scores: fit, predict, study."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, get_args

from chronoscore.api.arguments import options_or_default, text_list
from chronoscore.api.predictions import name_scores_by_base, predict_rows, saved_fits
from chronoscore.api.ratings import LongTable, as_scores, pair_rating_arguments
from chronoscore.api.results import Result, Section, as_path, save_result_plot
from chronoscore.core import Row
from chronoscore.errors import (
    ChronoscoreWarning,
    WrongTypeError,
    check_choice,
    check_level,
    check_whole,
    describe_type,
)
from chronoscore.formats.judgements import coefficients as coefficient_files
from chronoscore.formats.judgements.coefficients import SavedFit
from chronoscore.reports import plots, scatter
from chronoscore.reports.correlation import coefficient_panels, coefficient_table, study_tables
from chronoscore.reports.novelty import measure_rows, prediction_panel, prediction_table
from chronoscore.stats.protocol import SPLITS
from chronoscore.stats.robust import Fitting
from chronoscore.stats.score_grid import Who
from chronoscore.stats.study import (
    Fitted,
    Study,
    fit_all,
    pair_update_measures,
    study_rating_regression,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Splits: TypeAlias = Literal["halves", "disjoint", "both"]


@dataclass(frozen=True, kw_only=True)
class FitResult(Result):
    """Fitted coefficients with their intervals."""

    fits: tuple[Fitted, ...]
    fitting: Fitting
    level: float

    def saved(self) -> list[SavedFit]:
        """The fits in the form of their file."""
        return saved_fits(self.fits, self.fitting, self.level)

    def rows(self) -> Sequence[Row]:
        """A record for each measure and rating."""
        return [
            {
                "measure": one.measure,
                "base": one.base,
                "rating": one.target,
                "constant": one.constant,
                "earlier": one.earlier,
                "update": one.update,
                "systems": one.systems,
                "correlation": nan if one.correlation is None else one.correlation,
            }
            for one in self.saved()
        ]

    def sections(self) -> Sequence[Section]:
        """The layout of the paper's Table 2."""
        return [("", coefficient_table(self.fits, self.level))]

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw the coefficients with their intervals, a panel for each rating."""
        from chronoscore.reports.panel_plots import dot_plot

        figure = dot_plot(coefficient_panels(self.fits, self.level))
        return save_result_plot(figure, path)

    def to_json(self) -> str:
        """The file of coefficients that `predict` and the measure `novelty` read."""
        return coefficient_files.write_fits_as_json(self.saved(), level=self.level)

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the file of coefficients; another format than JSON must be named."""
        if form is None and as_path(path).suffix.lower() == ".json":
            coefficient_files.save(self.saved(), as_path(path), level=self.level)
        else:
            super().save(path, form)


def fit_novelty(
    scores: LongTable,
    ratings: LongTable,
    *,
    measures: str | Sequence[str] = (),
    rating: str | Sequence[str] = (),
    who: Who = "machines",
    fitting: Fitting | None = None,
    level: float = 0.95,
) -> FitResult:
    """Fit coefficients to scores and ratings by robust regression."""
    check_choice(who, get_args(Who), "choice of systems")
    how = options_or_default(fitting, Fitting)
    share = check_level(level)
    given = pair_rating_arguments(scores, ratings, measures=measures, rating=rating).only(who)
    fits = fit_all(given, pair_update_measures(given), list(given.ratings), how)
    return FitResult(fits=tuple(fits), fitting=how, level=share)


@dataclass(frozen=True, kw_only=True)
class PredictionResult(Result):
    """Predicted ratings of every system on every topic, in the form of scores."""

    title: ClassVar[str] = "Predictions"

    target: str
    predictions: tuple[Row, ...]

    def rows(self) -> Sequence[Row]:
        """A record for each system, topic and measure, with part `n`."""
        return self.predictions

    def sections(self) -> Sequence[Section]:
        """Each system's mean prediction."""
        return [("", prediction_table(self.predictions, self.target))]

    def plot(self, path: str | PathLike[str] | None = None) -> "Figure":
        """Draw each system's mean prediction."""
        from chronoscore.reports.panel_plots import dot_plot

        figure = dot_plot([prediction_panel(self.predictions, self.target)])
        return save_result_plot(figure, path)


def novelty(
    scores: LongTable,
    coefficients: str | PathLike[str] = "tac2008",
    *,
    target: str = "responsiveness",
    measures: str | Sequence[str] = (),
) -> PredictionResult:
    """Predict ratings from scores with parts `ab` and `bb` that have been computed already.

    `coefficients` is a file that a fit was saved to, or the name of published ones.
    """
    name = str(as_path(coefficients, "name of coefficients"))
    names = text_list("measures", measures)
    if not isinstance(target, str):
        raise WrongTypeError(f"target: {describe_type(target)} is not text; name a rating")
    rows = predict_rows(as_scores(scores), name, target, names)
    return PredictionResult(target=target, predictions=tuple(rows))


@dataclass(frozen=True)
class StudyResult(Result):
    """The paper's experiments, for each rating."""

    title: ClassVar[str] = "Novelty study"

    studies: tuple[Study, ...]

    def rows(self) -> Sequence[Row]:
        """A record for each figure of each experiment."""
        return [
            {"measure": measure, "rating": one.rating, **row}
            for one in self.studies
            for number, measure in enumerate(one.measures)
            for row in measure_rows(one, number)
        ]

    def sections(self) -> Sequence[Section]:
        """All tables that the data allowed."""
        return [("", table) for table in study_tables(self.studies)]

    def plot(self, folder: str | Path) -> None:
        """Draw scores and predictions against ratings into a folder."""
        for ending in plots.ENDINGS:
            scatter.save_panels(scatter.score_panels(self.studies), Path(folder, f"scores{ending}"))
            scatter.save_panels(
                scatter.prediction_panels(self.studies), Path(folder, f"predictions{ending}")
            )


def study_novelty(
    scores: LongTable,
    ratings: LongTable,
    *,
    measures: str | Sequence[str] = (),
    rating: str | Sequence[str] = (),
    split: Splits = "both",
    draws: int = 1000,
    fitting: Fitting | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> StudyResult:
    """Test whether the prediction follows people better than its base: the paper's experiments.

    Correlations on held-back systems, over draws of systems, and the gap between what is
    predicted of people and what they were given.
    """
    check_whole(draws, "draws")
    check_whole(seed, "seed", least=0)
    check_choice(split, (*SPLITS, "both"), "split")
    how, share = options_or_default(fitting, Fitting), check_level(level)
    given = name_scores_by_base(
        pair_rating_arguments(scores, ratings, measures=measures, rating=rating)
    )
    studies = [
        study_rating_regression(
            given,
            name,
            splits=SPLITS if split == "both" else (split,),
            times=draws,
            level=share,
            seed=seed,
            how=how,
        )
        for name in given.ratings
    ]
    for message in (message for one in studies for message in one.missing):
        warnings.warn(message, ChronoscoreWarning, stacklevel=2)
    return StudyResult(tuple(studies))
