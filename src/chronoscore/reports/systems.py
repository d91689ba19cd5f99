"""Systems in tables: which there are, and how the content-unit baselines do."""

import math

from chronoscore.reports.tables import Cell, Table
from chronoscore.systems import PRESETS, systems_by_name
from chronoscore.systems.unit_scores import BaselineScores
from chronoscore.systems.units import BASELINES


def system_table() -> Table:
    """All systems, with what they make and where they come from."""
    rows = [
        (Cell(name), Cell(kind.makes.__name__.lower()), Cell(kind.line), Cell(kind.paper))
        for name, kind in systems_by_name().items()
    ]
    for name, (whole, chosen) in PRESETS.items():
        kind = systems_by_name()[whole]
        settings = ", ".join(f"{key}={value}" for key, value in chosen.items()) or "as it is"
        rows.append(
            (Cell(name), Cell(kind.makes.__name__.lower()), Cell(f"{whole}: {settings}"), Cell(""))
        )
    return Table("", ("system", "makes", "how", "source"), tuple(rows))


def baseline_table(scores: BaselineScores) -> Table:
    """The average pyramid score of each baseline, laid out as the paper's Table 3."""
    rows = []
    means = scores.means
    best = max((mean for mean in means.tolist() if not math.isnan(mean)), default=math.nan)
    starred = False
    for number, mean, values in zip(scores.baselines, means.tolist(), scores.values, strict=True):
        fewer = any(math.isnan(value) for value in values.tolist())
        starred |= fewer
        figure = "–" if math.isnan(mean) else f"{mean:.2f}" + ("*" if fewer else "")
        rows.append((Cell(number), Cell(BASELINES[number][0]), Cell(figure, best=mean == best)))
    notes = [f"average pyramid scores over {len(scores.articles)} articles"]
    if starred:
        notes.append("* without the articles that have too few events with dates")
    return Table("Baseline results", ("ID", "Method", "Scores"), tuple(rows), tuple(notes))


def pair_table(scores: BaselineScores) -> Table:
    """The p of Wilcoxon's signed-rank test for each pair; marked where it is below .05."""
    rows = []
    for row, number in enumerate(scores.baselines):
        cells = [Cell(number)]
        for column in range(len(scores.baselines)):
            p = float(scores.p[row, column])
            blank = column >= row or math.isnan(p)
            cells.append(Cell("" if blank else f"{p:.4f}", marks="" if blank or p >= 0.05 else "*"))
        rows.append(tuple(cells))
    notes = ("two-sided p over articles that both have; * below .05, not corrected for many tests",)
    return Table("Wilcoxon signed-rank tests", ("", *scores.baselines), tuple(rows), notes)
