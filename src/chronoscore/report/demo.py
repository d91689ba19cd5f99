"""The demo's report: every part of the toolkit on the bundled corpus."""

import warnings

from chronoscore import demo
from chronoscore.core import ChronoscoreWarning
from chronoscore.measures import parse
from chronoscore.report import comparison
from chronoscore.report.chart import interval_chart
from chronoscore.report.scores import score_table
from chronoscore.report.tables import Table
from chronoscore.scoring import score
from chronoscore.stats.corpus import Resampling, averages

Section = tuple[str, "Table | str"]

SUMMARY_MEASURES = ("rouge(n=1,stem).f", "rouge(n=2,stem).f", "rouge-l(stem).f", "rouge-su(stem).f")


def demo_report(seed: int) -> list[Section]:
    """All sections, as headings with a table or a drawing."""
    return [*summaries(seed)]


def summaries(seed: int) -> list[Section]:
    """Original and update summaries scored by ROUGE, and which systems differ."""
    how = Resampling(seed=seed)
    collection, runs = demo.summaries()
    scores = score(collection, runs, [parse(text) for text in SUMMARY_MEASURES])
    figures = averages(scores, how)
    with warnings.catch_warnings():
        # Six texts cannot carry fifteen corrected tests; the table's notes say what marks mean.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        found = comparison.compare_all(scores, how)
    table = score_table(
        scores,
        figures,
        how,
        marks=comparison.marks(scores, found),
        notes=comparison.explained(found, how),
        lettered=True,
    )
    first = scores.measures[1]
    shown = [figure for figure in figures if figure.measure == first]
    return [
        ("Summaries: ROUGE against four people", table),
        (f"{first} with its interval", interval_chart(str(first), shown)),
    ]
