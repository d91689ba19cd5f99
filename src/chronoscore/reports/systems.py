"""Systems in tables: which there are, and how the content-unit baselines do."""

import math
from collections.abc import Iterator, Mapping

from chronoscore.core import Row
from chronoscore.reports.tables import Cell, Table
from chronoscore.reports.views import View
from chronoscore.systems import SYSTEMS, System
from chronoscore.systems.unit_scores import BaselineScores
from chronoscore.systems.units import BASELINES


def table(kinds: Mapping[str, type[System] | System]) -> Table:
    """Systems with what they make and where they come from, then presets of them."""
    rows = [
        (name, kind.makes.__name__.lower(), kind.line, kind.paper) for name, kind in kinds.items()
    ]
    for name, (whole, chosen) in SYSTEMS.presets.items():
        settings = ", ".join(f"{key}={value}" for key, value in chosen.items()) or "as it is"
        makes = SYSTEMS.find(whole).makes.__name__.lower()
        rows.append((name, makes, f"{whole}: {settings}", ""))
    return Table.of("", ("system", "makes", "how", "source"), rows)


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
        rows.append((number, BASELINES[number][0], Cell(figure, best=mean == best)))
    notes = [f"average pyramid scores over {len(scores.articles)} articles"]
    if starred:
        notes.append("* without the articles that have too few events with dates")
    return Table.of("Baseline results", ("ID", "Method", "Scores"), rows, notes)


def baseline_pair_table(scores: BaselineScores) -> Table:
    """The p of Wilcoxon's signed-rank test for each pair; marked where it is below .05."""
    rows = []
    for row, number in enumerate(scores.baselines):
        cells: list[Cell | str] = [number]
        for column in range(len(scores.baselines)):
            p = float(scores.p[row, column])
            blank = column >= row or math.isnan(p)
            cells.append("" if blank else Cell(f"{p:.4f}", marks="" if p >= 0.05 else "*"))
        rows.append(cells)
    note = "two-sided p over articles that both have; * below .05, not corrected for many tests"
    return Table.of("Wilcoxon signed-rank tests", ("", *scores.baselines), rows, [note])


def baseline_rows(scores: BaselineScores) -> Iterator[Row]:
    """A record for each baseline and article."""
    for number, values in zip(scores.baselines, scores.values, strict=True):
        for article, value in zip(scores.articles, values.tolist(), strict=True):
            yield {"baseline": number, "topic": article, "value": value}


LIST: View[Mapping[str, type[System] | System]] = View(tables=lambda kinds: [table(kinds)])
BASELINE_SCORES: View[BaselineScores] = View(
    rows=baseline_rows, tables=lambda scores: [baseline_table(scores), baseline_pair_table(scores)]
)
