"""Everything the toolkit computes on the bundled corpus, section by section."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from chronoscore import demo
from chronoscore.api.results import Section
from chronoscore.core import Collection, Run, Timeline, Topic
from chronoscore.data import source_files, sources
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import collections
from chronoscore.measures import parse_measure_text
from chronoscore.options import Resampling
from chronoscore.oracles.ceilings import Ceilings, ceilings
from chronoscore.oracles.timelines import timeline_oracles
from chronoscore.reports import agreement, comparison
from chronoscore.reports import demo as report
from chronoscore.reports.chart import interval_chart
from chronoscore.reports.scores import score_table, system_letters
from chronoscore.reports.systems import baseline_table
from chronoscore.reports.tables import Table
from chronoscore.scoring import score
from chronoscore.stats.corpus import averages
from chronoscore.stats.corpus_tests import compare_parts
from chronoscore.stats.streams import study_streams
from chronoscore.stats.teams import study_units
from chronoscore.systems import parse_system
from chronoscore.systems.projection import projection_effect
from chronoscore.systems.unit_scores import baseline_scores
from chronoscore.text.preparation import Limit

ROUGE = ("rouge(n=1,stem).f", "rouge(n=2,stem).f", "rouge-l(stem).f", "rouge-su(gap=4,stem).f")
TIMELINES = ("concat.f", "agreement.f", "align+.f", "align+m1.f", "dates.f")
STREAMS = ("nu@10.recall", "nu(strict)@10.precision", "pyramid@20")
NOVELTY = ("novelty(base=rouge(n=2))",)

BUDGET = Limit(100, "words")
CEILING_MEASURE = parse_measure_text("rouge(n=2,stem)")
SECONDS = 10.0

TIMELINE_SYSTEMS = (
    "datewise", "martschat-markert", "wilson", "pubcount", "clust", "chieu-lee", "random",
)  # fmt: skip
RANKING_SYSTEMS = ("useful-novel", "useful", "novel", "stream-position", "stream-random")
RUNS = 20
"""Runs of random baselines: enough for a demonstration, quick enough to wait for."""


def sections(seed: int) -> list[Section]:
    """All sections, as headings with a table or a drawing."""
    how = Resampling(seed=seed)
    streams, updates = demo.demo_streams(), demo.demo_update_summaries()
    found = _summary_ceilings()
    topics = source_files.load_topics([demo.CORPUS])
    judges, writers = _agreement_tables(streams[0])
    return [
        *_comparison_sections(
            "Summaries: ROUGE against four people", ROUGE, demo.demo_summaries(), how, ROUGE[1]
        ),
        *_comparison_sections(
            "Timelines: aligned with references",
            TIMELINES,
            demo.demo_timelines(),
            how,
            TIMELINES[2],
        ),
        ("Streams: judged events and content units", _averages_table(*streams, STREAMS, how)),
        ("Updates: what people would say", _averages_table(*updates, NOVELTY, how)),
        (
            "Ceilings: what people, extractive systems and any text reach",
            report.ceiling_chart(found, CEILING_MEASURE),
        ),
        ("Summaries as shares of the ceilings", _shares(found)),
        ("The best timelines that the articles' sentences can make", _oracles()),
        ("Baselines: timelines made from the articles", _timeline_systems(topics, how)),
        ("Baselines: what projection does to update summaries", _projection_table(topics)),
        ("Baselines: sentences ranked as they come in", _ranking_systems(topics, how)),
        ("Baselines: content units chosen by place alone", _unit_baselines(topics, seed)),
        ("Agreement of the judges", judges),
        ("Agreement of the writers", writers),
    ]


def _comparison_sections(
    heading: str,
    measures: Sequence[str],
    data: tuple[Collection, list[Run]],
    how: Resampling,
    charted: str,
) -> list[Section]:
    """A table with significance marks, and a chart of one of its measures."""
    scores = score(*data, [parse_measure_text(text) for text in measures])
    figures = averages(scores, how)
    with warnings.catch_warnings():
        # So few topics cannot carry fifteen corrected tests; the notes say what marks mean.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        found = compare_parts(scores, how)
    letters = system_letters(scores.systems)
    table = score_table(
        scores,
        figures,
        how,
        marks=comparison.significance_marks(letters, found),
        notes=comparison.mark_notes(found, how),
        letters=letters,
    )
    measure = parse_measure_text(charted)
    chart = interval_chart(str(measure), [one for one in figures if one.measure == measure])
    return [(heading, table), (f"{measure} with its interval", chart)]


def _averages_table(
    collection: Collection, runs: Sequence[Run], measures: Sequence[str], how: Resampling
) -> Table:
    """Averages with their intervals."""
    scores = score(collection, runs, [parse_measure_text(text) for text in measures])
    return score_table(scores, averages(scores, how), how)


def _agreement_tables(collection: Collection) -> tuple[Table, Table]:
    """How far the judges, and the writers of units, agree."""
    units = [study_units(topic, topic.pyramid) for topic in collection if topic.pyramid]
    return agreement.topic_table(study_streams(collection)), agreement.unit_table(units)


def _summary_ceilings() -> list[Ceilings]:
    """The three ceilings of each set of summaries, from the half of the articles it is about."""
    found = []
    for topic in collections.load(demo.CORPUS):
        half = len(topic.documents) // 2
        first = topic.id.endswith("-original")
        own = replace(topic, documents=topic.documents[:half] if first else topic.documents[half:])
        found.append(
            ceilings(own, CEILING_MEASURE, budget=BUDGET, method="exact-chop", seconds=SECONDS)
        )
    return found


def _shares(found: list[Ceilings]) -> Table:
    """Every system's mean recall within the budget, over each of the mean ceilings."""
    collection, runs = demo.demo_summaries()
    measure = replace(CEILING_MEASURE, limit=BUDGET, part="r")  # type: ignore[call-arg]
    recall = score(collection, runs, [measure]).average(measure, "mean")[:, 1].tolist()
    systems = dict(zip([run.system for run in runs], recall, strict=True))
    return report.share_table(str(measure), BUDGET, systems, found)


def _oracles() -> Table:
    """The oracles of each reference timeline by two measures."""
    pairs = [
        (topic.id, one, other)
        for topic in collections.load(demo.CORPUS, Timeline)
        for one, other in zip(
            timeline_oracles(topic, parse_measure_text("agreement")),
            timeline_oracles(topic, parse_measure_text("align+")),
            strict=True,
        )
    ]
    return report.oracle_table(pairs)


def _timeline_systems(topics: Sequence[Topic], how: Resampling) -> Table:
    """Timeline systems, as long as the references."""
    known = sources.with_reference_files(topics, [demo.CORPUS])
    return _run_and_score(known, TIMELINE_SYSTEMS, ("align+m1(n=1).f", "dates.f"), how)


def _ranking_systems(topics: Sequence[Topic], how: Resampling) -> Table:
    """On-line rankings, judged by new events."""
    judged, _ = demo.demo_streams()
    known = [
        replace(judged.topics[one.id], documents=one.documents)
        for one in topics
        if one.id in judged.topics
    ]
    return _run_and_score(known, RANKING_SYSTEMS, ("nu@20.recall", "u@20.precision"), how)


def _run_and_score(
    topics: Sequence[Topic], names: Sequence[str], measures: Sequence[str], how: Resampling
) -> Table:
    """Run systems on topics, and score them."""
    collection = Collection({topic.id: topic for topic in topics}, "demo")
    runs = [Run(name, {one.id: parse_system(name)(one) for one in topics}) for name in names]
    return _averages_table(collection, runs, measures, how)


def _unit_baselines(topics: Sequence[Topic], seed: int) -> Table:
    """The content-unit baselines, as the paper's Table 3."""
    with warnings.catch_warnings():
        # Nine topics have no units, and the table stars what is without some articles.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        known = sources.with_unit_files(topics, [demo.CORPUS])
        return baseline_table(baseline_scores(known, runs=RUNS, seed=seed))


def _projection_table(topics: Sequence[Topic]) -> Table:
    """CLASSY with and without projection, against old and new references."""
    updates, _ = demo.demo_update_summaries()
    known = [
        replace(one, summaries=updates.topics[one.id].summaries)
        for one in topics
        if one.id in updates.topics
    ]
    return report.effect_table(projection_effect(known))
