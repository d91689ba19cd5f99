"""Predicted ratings: fitted coefficients, predictions, and the study of how well they do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log, nan
from typing import TYPE_CHECKING

import numpy as np

from chronoscore.core import Row
from chronoscore.formats.judgements.coefficients import SavedFit
from chronoscore.reports.plots import panels
from chronoscore.reports.plots.panels import DotPanel, Dots
from chronoscore.reports.tables import (
    Cell,
    Cells,
    Table,
    format_level,
    format_number,
    interval_cell,
    p_text,
)
from chronoscore.reports.views import View
from chronoscore.stats.protocol import Redrawing
from chronoscore.stats.statistic import Numbers
from chronoscore.stats.study import EARLIER, UPDATE, Fitted, Predictions, Study, format_log_p_value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCORES = {"earlier": EARLIER, "update": UPDATE, "novelty": "n"}


@dataclass(frozen=True, kw_only=True)
class Fits:
    """Fitted coefficients, also in the form of their file; intervals have the level."""

    fits: tuple[Fitted, ...]
    saved: tuple[SavedFit, ...]
    level: float


def fit_rows(found: Fits) -> Iterator[Row]:
    """A record for each measure and rating."""
    for one in found.saved:
        yield {
            "measure": one.measure,
            "base": one.base,
            "rating": one.target,
            "constant": one.constant,
            "earlier": one.earlier,
            "update": one.update,
            "systems": one.systems,
            "correlation": nan if one.correlation is None else one.correlation,
        }


def fit_table(fits: Sequence[Fitted], level: float = 0.95) -> Table:
    """Fitted coefficients with their intervals, as the paper's Table 2."""
    rows: list[Cells] = []
    for one in fits:
        bounds = zip(one.fit.coefficients, *one.fit.interval(level), strict=True)
        rows.append(
            (
                one.measure,
                one.rating,
                *(interval_cell(*three) for three in bounds),
                f"{float(one.fit.scale):.4f}",
                format_number(one.correlation, ".3f"),
                str(one.systems),
            )
        )
    columns = ("measure", "rating", "constant", "R(AB)", "R(BB)", "scale", "r", "systems")
    note = (
        f"[low, high]: {format_level(level)} interval by Student's t; scale: the spread about the "
        "fit, outliers aside; r: of fitted and given ratings"
    )
    return Table.of("coefficients", columns, rows, [note])


def draw_fits(found: Fits) -> "Figure":
    """The coefficients with their intervals, a panel for each rating."""
    drawn = []
    for rating in dict.fromkeys(one.rating for one in found.fits):
        chosen = [one for one in found.fits if one.rating == rating]
        bounds = [one.fit.interval(found.level) for one in chosen]
        series = [
            Dots(
                name,
                [float(one.fit.coefficients[place]) for one in chosen],
                [(float(low[place]), float(high[place])) for low, high in bounds],
            )
            for place, name in enumerate(("constant", "R(AB)", "R(BB)"))
        ]
        drawn.append(DotPanel(rating, [one.measure for one in chosen], series))
    return panels.dots(drawn)


def prediction_table(found: Predictions) -> Table:
    """Each system's mean prediction."""
    rows = [(system, *map(format_number, means)) for system, means in found.means().items()]
    title, note = f"predicted {found.target}", "mean over topics of the prediction"
    return Table.of(title, ("system", *found.measures), rows, [note])


def draw_predictions(found: Predictions) -> "Figure":
    """Each system's mean prediction."""
    means = found.means()
    series = [
        Dots(name, [round(values[place], 4) for values in means.values()])
        for place, name in enumerate(found.measures)
    ]
    return panels.dots([DotPanel(f"predicted {found.target}", [*means], series)])


def study_rows(studies: Sequence[Study]) -> Iterator[Row]:
    """A record for each figure of each experiment."""
    for study in studies:
        # Tests are of all measures together.
        tests = (
            [("sign", study.gap.sign_p()), ("wilcoxon", study.gap.rank_p())] if study.gap else []
        )
        for number, measure in enumerate(study.measures):
            for row in _measure_rows(study, number, tests):
                yield {"measure": measure, "rating": study.rating, **row}


def _measure_rows(study: Study, number: int, tests: Sequence[tuple[str, Numbers]]) -> Iterator[Row]:
    """One measure's experiments."""
    count = len(study.machines.systems)
    for name, value in study.halves._asdict().items() if study.halves else ():
        yield _flat_record("held back", "", SCORES[name], value[number], n=count // 2)
    for drawn in study.redrawn:
        for name, value in drawn.medians._asdict().items():
            yield _flat_record("redrawn", drawn.split, SCORES[name], value[number], n=count)
        low, high = drawn.interval
        yield _flat_record(
            "redrawn",
            drawn.split,
            "n-bb",
            float(drawn.median_difference[number]),
            low=float(low[number]),
            high=float(high[number]),
            log_p=float(drawn.log_p[number]),
            n=count,
        )
    if study.gap:
        people = len(study.people.systems)
        of_update, of_novelty = (float(value[number]) for value in study.gap.medians)
        yield _flat_record("gap", "", "bb", of_update, n=people)
        yield _flat_record("gap", "", "n", of_novelty, n=people)
        change = of_novelty - of_update
        for way, p in tests:
            yield _flat_record("gap", way, "n-bb", change, log_p=log(p[number]), n=people)


def _flat_record(
    experiment: str,
    way: str,
    score: str,
    value: float,
    *,
    low: float = nan,
    high: float = nan,
    log_p: float = nan,
    n: int,
) -> dict[str, str | float]:
    """One flat record; a p too small for a number still has its logarithm."""
    return {
        "experiment": experiment,
        "way": way,
        "score": score,
        "value": float(value),
        "low": low,
        "high": high,
        "p": exp(log_p),
        "log10_p": log_p / log(10),
        "n": n,
    }


def study_tables(studies: Sequence[Study]) -> list[Table]:
    """All tables that the data allowed."""
    drawn = []
    if any(one.halves for one in studies):
        drawn.append(halves_table(studies))
    splits = max((len(one.redrawn) for one in studies), default=0)
    drawn += [redrawing_table(studies, place) for place in range(splits)]
    if any(one.gap for one in studies):
        drawn.append(gap_table(studies))
    return drawn


def halves_table(studies: Sequence[Study]) -> Table:
    """The paper's Table 3: correlations on the half of the systems that was held back."""
    columns: list[str] = []
    figures: list[list[float]] = []
    for study in studies:
        if study.halves:
            columns += [f"{study.rating} {measure}" for measure in study.measures]
            figures += np.stack(study.halves, axis=-1).tolist()
    rows: list[Cells] = [
        (
            name,
            *(
                Cell(format_number(three[n], ".3f"), best=three[n] == max(three))
                for three in figures
            ),
        )
        for n, name in enumerate(("R(AB)", "R(BB)", "N"))
    ]
    sizes = dict.fromkeys(str(len(s.machines.systems)) for s in studies if s.halves)
    note = (
        f"Pearson; a random half of {' and '.join(sizes)} machine systems was used for fitting, "
        "the other half for testing"
    )
    title = "correlation on systems that were held back"
    return Table.of(title, ("score", *columns), rows, [note])


def redrawing_table(studies: Sequence[Study], place: int) -> Table:
    """The paper's Table 4: median correlations over draws of systems, for one way to split."""
    done = [one for one in studies if one.redrawn]
    rows: list[Cells] = []
    for study in done:
        drawn = study.redrawn[place]
        low, high = drawn.interval
        for number, measure in enumerate(study.measures):
            medians = [float(value[number]) for value in drawn.medians]
            middle = float(drawn.median_difference[number])
            rows.append(
                (
                    measure,
                    study.rating,
                    *(Cell(format_number(m, ".3f"), best=m == max(medians)) for m in medians),
                    format_log_p_value(float(drawn.log_p[number])),
                    interval_cell(middle, low[number], high[number], "+.3f"),
                )
            )
    return Table.of(
        f"median correlation over draws of systems, {done[0].redrawn[place].split} split",
        ("measure", "rating", "R(AB)", "R(BB)", "N", "p", "N – R(BB)"),
        rows,
        _redrawing_notes(done[0].redrawn[place]),
    )


def _redrawing_notes(drawn: Redrawing) -> tuple[str, ...]:
    """What the columns of Table 4 mean, and which to trust."""
    times = drawn.samples.update.shape[-1]
    shared = (
        f"{drawn.leakage:.1%} of the tested draws are systems that were also used for fitting"
        if drawn.leakage
        else "no tested system was used for fitting"
    )
    return (
        f"{times} draws with replacement, half for fitting, half for testing; {shared}",
        "p: Mann-Whitney on the draws' correlations of R(BB) and N, as published; it shrinks "
        "with the number of draws and ignores that they are paired",
        f"N – R(BB): median of the paired difference with its {format_level(drawn.level)} "
        "interval, which shows whether N follows people better",
    )


def gap_table(studies: Sequence[Study]) -> Table:
    """The paper's Table 5: how far predictions fall from what people were rated."""
    rows: list[Cells] = []
    people = 0
    for study in studies:
        if study.gap is None:
            continue
        people = max(people, len(study.people.systems))
        of_update, of_novelty = study.gap.medians
        signs, ranked = study.gap.sign_p(), study.gap.rank_p()
        closer = study.gap.closer.tolist()
        for number, measure in enumerate(study.measures):
            pair = (float(of_update[number]), float(of_novelty[number]))
            rows.append(
                (
                    measure,
                    study.rating,
                    *(Cell(format_number(value, ".3f"), best=value == min(pair)) for value in pair),
                    f"{closer[number]} of {study.gap.people}",
                    p_text(float(signs[number])),
                    p_text(float(ranked[number])),
                )
            )
    return Table.of(
        "median gap between predicted and given ratings of people",
        ("measure", "rating", "R gap", "N gap", "N closer", "p (sign)", "p (Wilcoxon)"),
        rows,
        [f"predictions fitted on machines only; {people} people; both tests exact and two-sided"],
    )


FITS: View[Fits] = View(
    rows=fit_rows, tables=lambda found: [fit_table(found.fits, found.level)], draw=draw_fits
)
PREDICTIONS: View[Predictions] = View(
    title="Predictions",
    rows=lambda found: found.predictions,
    tables=lambda found: [prediction_table(found)],
    draw=draw_predictions,
)
STUDIES: View[Sequence[Study]] = View(title="Novelty study", rows=study_rows, tables=study_tables)
