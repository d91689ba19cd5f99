"""Predictions and studies of novelty as tables and flat records."""

from collections.abc import Iterator, Sequence
from math import exp, log, nan

import numpy as np

from chronoscore.core import Row
from chronoscore.reports.panel_plots import DotPanel, Dots
from chronoscore.reports.tables import Cell, Table
from chronoscore.stats.study import EARLIER, UPDATE, Study


def prediction_table(rows: Sequence[Row], target: str) -> Table:
    """Each system's mean prediction."""
    values: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        by_measure = values.setdefault(str(row["system"]), {})
        by_measure.setdefault(str(row["measure"]), []).append(float(row["value"]))
    measures = list(dict.fromkeys(str(row["measure"]) for row in rows))
    drawn = tuple(
        (Cell(system), *(_mean_cell(found.get(measure, [])) for measure in measures))
        for system, found in values.items()
    )
    return Table(
        f"predicted {target}", ("system", *measures), drawn, ("mean over topics of the prediction",)
    )


def prediction_panel(rows: Sequence[Row], target: str) -> DotPanel:
    """The same as a picture."""
    table = prediction_table(rows, target)
    series = [
        Dots(name, [float(row[n].text.replace("–", "nan")) for row in table.rows])
        for n, name in enumerate(table.columns[1:], 1)
    ]
    return DotPanel(table.title, [row[0].text for row in table.rows], series)


def _mean_cell(values: Sequence[float]) -> Cell:
    """The mean of what is defined."""
    defined = [value for value in values if not np.isnan(value)]
    return Cell(f"{np.mean(defined):.4f}" if defined else "–")


def measure_rows(study: Study, number: int) -> Iterator[Row]:
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
            float(np.nanmedian(drawn.differences[number])),
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
        for way, p in (("sign", study.gap.sign_p()), ("wilcoxon", study.gap.rank_p())):
            change = of_novelty - of_update
            yield _flat_record("gap", way, "n-bb", change, log_p=log(p[number]), n=people)


SCORES = {"earlier": EARLIER, "update": UPDATE, "novelty": "n"}


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
