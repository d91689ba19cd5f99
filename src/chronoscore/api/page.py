"""A page about scores: averages, a chart for each measure, the comparison."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from chronoscore.api.results import Section
from chronoscore.formats.io.files import write_text
from chronoscore.report.chart import interval_chart
from chronoscore.report.comparison import main_parts
from chronoscore.report.page import page
from chronoscore.report.scores import heading

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
