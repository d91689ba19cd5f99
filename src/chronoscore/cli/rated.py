"""What `correlate` and `novelty` have in common: judged files in, tables and plots out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from chronoscore.cli.work import ROW_FORMATS, TABLE_FORMATS
from chronoscore.core import Row
from chronoscore.errors import UsageError
from chronoscore.formats.judgements.ratings import load_ratings, load_scores
from chronoscore.report.page import page
from chronoscore.report.scatter import Panel, line_through, save, wrap
from chronoscore.report.tables import Table
from chronoscore.stats.correlation import arrange
from chronoscore.stats.correlation_intervals import Bootstrap
from chronoscore.stats.score_grid import ScoreGrid, label, score_grid, select_names


def judged_files(
    scores: Sequence[Path],
    ratings: Sequence[Path],
    *,
    measures: Sequence[str] = (),
    wanted: Sequence[str] = (),
) -> ScoreGrid:
    """Read both sides, pair them up, and keep the measures and ratings that were asked for."""
    given = score_grid(load_scores(scores), load_ratings(ratings))
    known = {label(scored) for scored in given.scores} | {name for name, _ in given.scores}
    kept = select_names(measures, sorted(known), "measure")
    names = select_names(wanted, given.ratings, "rating")
    return replace(
        given,
        scores={
            scored: values
            for scored, values in given.scores.items()
            if label(scored) in kept or scored[0] in kept
        },
        ratings={name: given.ratings[name] for name in names},
    )


def bootstrap(told: Mapping[str, Any]) -> Bootstrap:
    """How to resample, from the options of the command."""
    if told["resamples"] < 1:
        raise UsageError(f"--resamples {told['resamples']}: write 1 or more")
    return Bootstrap(
        redrawn=told["bootstrap"],
        kind=told["interval"],
        times=told["resamples"],
        level=share(told["confidence"]),
        seed=told["seed"],
    )


def share(confidence: float) -> float:
    """A percentage as a share."""
    if not 0 < confidence < 100:
        raise UsageError(f"--confidence {confidence:g}: write a percentage between 0 and 100")
    return confidence / 100


def printed(form: str, title: str, tables: Sequence[Table], rows: Sequence[Row]) -> str:
    """Rows for programs, tables for people, in the format that was asked for."""
    if form in ROW_FORMATS:
        return ROW_FORMATS[form](rows)
    if form == "html":
        return page(title, [("", table) for table in tables])
    return "\n".join(TABLE_FORMATS[form](table) for table in tables)


def plot(given: ScoreGrid, path: Path) -> None:
    """Draw every measure's means against every rating, people and machines."""
    rows: list[list[Panel]] = []
    for rating, ratings in given.ratings.items():
        panels = []
        for scored, scores in given.scores.items():
            x, y = (side[0] for side in arrange(scores, ratings, "system"))
            there = ~np.isnan(x)
            machine, human = there & ~given.human, there & given.human
            line = line_through(x[machine], y[machine])
            people = (x[human], y[human])
            panels.append(Panel(label(scored), rating, (x[machine], y[machine]), people, line))
        rows += wrap(panels)
    save(rows, path)
