"""A page about scores: averages, a chart for each measure, the comparison."""

import warnings
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronoscore.api.results import Section
from chronoscore.formats.io.files import write_text
from chronoscore.reports.chart import interval_chart
from chronoscore.reports.comparison import main_parts
from chronoscore.reports.page import page
from chronoscore.reports.scores import heading

if TYPE_CHECKING:
    from chronoscore.api.scores import ScoreResult


def write_report(result: "ScoreResult", path: Path) -> Path:
    """Write the page and return where it is."""
    sections: list[Section] = [("Averages", content) for _, content in result.sections()]
    for measure in result.scores.measures:
        for part in main_parts(measure):
            shown = [a for a in result.averages if (a.measure, a.part) == (measure, part)]
            name = heading(measure, part)
            sections.append((name, interval_chart(name, shown)))
    if len(result.systems) > 1:
        with warnings.catch_warnings():
            # The page shows every p, so it need not warn that none can be small enough.
            warnings.simplefilter("ignore")
            _, pairs = result.compare().tables()
        sections.append(("Every pair of systems", pairs))
    write_text(path, page("Scores", sections))
    return path


def report(
    systems: Any,
    references: Any = None,
    measures: Any = None,
    *,
    path: str | PathLike[str] = "report.html",
    **options: Any,
) -> Path:
    """Score systems and write one page about it; takes what `score` takes, and `path`."""
    from chronoscore.api.scoring import score

    return score(systems, references, measures, **options).report(path)
