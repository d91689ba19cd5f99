"""The demo's report: every part of the toolkit on the bundled corpus."""

import warnings
from collections.abc import Sequence
from typing import TypeAlias

from chronoscore import demo
from chronoscore.core import Collection, Run
from chronoscore.errors import ChronoscoreWarning
from chronoscore.measures import Measure, parse
from chronoscore.report import agreement, comparison
from chronoscore.report.chart import interval_chart
from chronoscore.report.demo_oracles import oracle_sections
from chronoscore.report.demo_systems import system_sections
from chronoscore.report.scores import score_table
from chronoscore.report.tables import Table
from chronoscore.scoring import score
from chronoscore.stats.corpus import Resampling, averages
from chronoscore.stats.judged_corpora import study_streams, study_units

Section: TypeAlias = tuple[str, Table | str]

ROUGE = ("rouge(n=1,stem).f", "rouge(n=2,stem).f", "rouge-l(stem).f", "rouge-su(gap=4,stem).f")
TIMELINES = ("concat.f", "agreement.f", "align+.f", "align+m1.f", "dates.f")
STREAMS = ("nu@10.recall", "nu(strict)@10.precision", "pyramid@20")
NOVELTY = ("novelty(base=rouge(n=2))",)


def demo_report(seed: int) -> list[Section]:
    """All sections, as headings with a table or a drawing."""
    how = Resampling(seed=seed)
    return [
        *compared("Summaries: ROUGE against four people", ROUGE, demo.all_summaries(), how, 1),
        *compared("Timelines: aligned with references", TIMELINES, demo.all_timelines(), how, 2),
        *scored("Streams: judged events and content units", STREAMS, demo.judged_streams(), how),
        *scored("Updates: what people would say", NOVELTY, demo.update_summaries(), how),
        *oracle_sections(),
        *system_sections(seed),
        *agreed(),
    ]


def compared(
    heading: str,
    texts: Sequence[str],
    data: tuple[Collection, list[Run]],
    how: Resampling,
    drawn: int,
) -> list[Section]:
    """A table with significance marks, and a chart of one of its measures."""
    scores = score(*data, parsed(texts))
    figures = averages(scores, how)
    with warnings.catch_warnings():
        # So few topics cannot carry fifteen corrected tests; the notes say what marks mean.
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
    measure = scores.measures[drawn]
    shown = [figure for figure in figures if figure.measure == measure]
    chart = interval_chart(str(measure), shown)
    return [(heading, table), (f"{measure} with its interval", chart)]


def scored(
    heading: str, texts: Sequence[str], data: tuple[Collection, list[Run]], how: Resampling
) -> list[Section]:
    """A table of averages."""
    scores = score(*data, parsed(texts))
    return [(heading, score_table(scores, averages(scores, how), how))]


def parsed(texts: Sequence[str]) -> list[Measure]:
    """The measures that the demo names."""
    return [parse(text) for text in texts]


def agreed() -> list[Section]:
    """How far the judges and the writers of units agree."""
    collection, _ = demo.judged_streams()
    units = [study_units(topic, topic.pyramid) for topic in collection if topic.pyramid]
    return [
        ("Agreement of the judges", agreement.topic_table(study_streams(collection))),
        ("Agreement of the writers", agreement.unit_table(units)),
    ]
