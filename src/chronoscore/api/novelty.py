"""Predict ratings of update summaries from two scores: fit, predict, study."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from chronoscore.api.results import TableResult
from chronoscore.data.ratings import LongTable, as_names, as_ratings, as_scores
from chronoscore.data.values import as_path
from chronoscore.errors import (
    DataError,
    WrongTypeError,
    check_choice,
    check_level,
    describe_type,
    warn,
)
from chronoscore.formats.judgements import coefficients as coefficient_files
from chronoscore.options.correlation import WHO, Fitting, NoveltyStudy, Splits, Who
from chronoscore.options.declare import accepts, or_default, sort_keywords
from chronoscore.reports import plots
from chronoscore.reports.novelty import FITS, PREDICTIONS, STUDIES, Fits
from chronoscore.reports.plots import scatter
from chronoscore.stats import predictions
from chronoscore.stats.scatter import of_predictions, of_scores
from chronoscore.stats.score_grid import ScoreGrid, pair_scores_with_ratings
from chronoscore.stats.study import (
    Predictions,
    Study,
    fit_all,
    pair_update_measures,
    study_rating_regression,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class FitResult(TableResult[Fits]):
    """Fitted coefficients with their intervals."""

    def to_json(self) -> str:
        """The file of coefficients that `predict` and the measure `novelty` read."""
        return coefficient_files.write_fits_as_json(self.data.saved, level=self.data.level)

    def save(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the file of coefficients; another format than JSON must be named."""
        if form is None and as_path(path).suffix.lower() == ".json":
            coefficient_files.save(self.data.saved, as_path(path), level=self.data.level)
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
    check_choice(who, WHO, "choice of systems")
    how = or_default(fitting, Fitting)
    share = check_level(level)
    given = _pair(scores, ratings, measures, rating).only(who)
    fits = fit_all(given, pair_update_measures(given), list(given.ratings), how)
    found = Fits(
        fits=tuple(fits), saved=tuple(predictions.saved_fits(fits, how, share)), level=share
    )
    return FitResult(found, FITS)


def novelty(
    scores: LongTable,
    coefficients: str | PathLike[str] = "tac2008",
    *,
    target: str = "responsiveness",
    measures: str | Sequence[str] = (),
) -> TableResult[Predictions]:
    """Predict ratings from scores with parts `ab` and `bb` that have been computed already.

    `coefficients` is a file that a fit was saved to, or the name of published ones.
    """
    name = str(as_path(coefficients, "name of coefficients"))
    names = as_names("measures", measures)
    if not isinstance(target, str):
        raise WrongTypeError(f"target: {describe_type(target)} is not text; name a rating")
    rows = predictions.predict(as_scores(scores), name, target, names)
    return TableResult(Predictions(target=target, predictions=tuple(rows)), PREDICTIONS)


class StudyResult(TableResult[Sequence[Study]]):
    """The paper's experiments, for each rating."""

    def plot(self, path: str | PathLike[str] | None = None, **_choices: Any) -> "Figure":
        """Draw scores against ratings; in a folder, predictions too, in all formats of plots."""
        groups = {"scores": of_scores, "predictions": of_predictions}
        for name, group in groups.items() if path is not None else ():
            # Drawn again for each file: saving a figure moves its panels a little.
            for ending in plots.ENDINGS:
                figure = scatter.panels(map(group, self.data))
                plots.save(figure, as_path(path) / f"{name}{ending}")
        return scatter.panels(map(of_scores, self.data))


class StudyKeywords(TypedDict, total=False):
    """Further keywords of `study_novelty`, for type checkers."""

    draws: int
    split: Splits
    level: float
    seed: int


@accepts(NoveltyStudy)
def study_novelty(
    scores: LongTable,
    ratings: LongTable,
    *,
    measures: str | Sequence[str] = (),
    rating: str | Sequence[str] = (),
    fitting: Fitting | None = None,
    **design: Unpack[StudyKeywords],
) -> StudyResult:
    """Test whether the prediction follows people better than its base: the paper's experiments.

    Correlations on held-back systems, over draws of systems, and the gap between what is
    predicted of people and what they were given.
    """
    (study,) = sort_keywords(design, NoveltyStudy)
    how = or_default(fitting, Fitting)
    given = predictions.name_by_base(_pair(scores, ratings, measures, rating))
    studies = [study_rating_regression(given, name, study, how) for name in given.ratings]
    lacking = [
        (experiment, f"'{one.rating}': no {experiment}, as {reason}")
        for one in studies
        for experiment, reason in one.missing.items()
    ]
    if not any(one.halves or one.gap for one in studies):
        raise DataError("; ".join(sentence for _, sentence in lacking))
    for experiment, sentence in lacking:
        warn(sentence, kind=f"no-{experiment}")
    return StudyResult(studies, STUDIES)


def _pair(
    scores: LongTable,
    ratings: LongTable,
    measures: str | Sequence[str],
    rating: str | Sequence[str],
) -> ScoreGrid:
    """Scores and ratings side by side, of the measures and ratings that were asked for."""
    grid = pair_scores_with_ratings(as_scores(scores), as_ratings(ratings))
    return grid.select(as_names("measures", measures), as_names("rating", rating))
