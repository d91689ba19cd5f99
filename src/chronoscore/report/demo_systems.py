"""The demo's systems: baselines run on the bundled articles and scored at once."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from chronoscore import demo
from chronoscore.core import Collection, Run, Topic
from chronoscore.errors import ChronoscoreWarning
from chronoscore.measures import parse
from chronoscore.report.scores import score_table
from chronoscore.report.systems import baseline_table
from chronoscore.report.tables import Cell, Table
from chronoscore.scoring import score
from chronoscore.stats.corpus import Resampling, averages
from chronoscore.systems import get, sources
from chronoscore.systems.projection import Effect, projection_effect
from chronoscore.systems.unit_scores import baseline_scores

TIMELINES = ("datewise", "martschat-markert", "wilson", "pubcount", "clust", "chieu-lee", "random")
RANKINGS = ("useful-novel", "useful", "novel", "stream-position", "stream-random")
RUNS = 20
"""Runs of random baselines: enough for a demonstration, quick enough to wait for."""


def system_sections(seed: int) -> list[tuple[str, "Table | str"]]:
    """Sections on timelines, updates, streams and content units."""
    topics = sources.topics([demo.CORPUS])
    how = Resampling(seed=seed)
    return [
        ("Baselines: timelines made from the articles", timelines(topics, how)),
        ("Baselines: what projection does to update summaries", updates(topics, seed)),
        ("Baselines: sentences ranked as they come in", rankings(topics, how)),
        ("Baselines: content units chosen by place alone", units(topics, seed)),
    ]


def timelines(topics: Sequence[Topic], how: Resampling) -> Table:
    """Timeline systems, as long as the references."""
    known = sources.like(topics, [demo.CORPUS])
    runs = [Run(name, {one.id: get(name)(one) for one in known}) for name in TIMELINES]
    return scored(known, runs, ("align+m1(n=1).f", "dates.f"), how)


def rankings(topics: Sequence[Topic], how: Resampling) -> Table:
    """On-line rankings, judged by new events."""
    judged, _ = demo.judged_streams()
    known = [replace(judged.topics[one.id], documents=one.documents) for one in topics]
    runs = [Run(name, {one.id: get(name)(one) for one in known}) for name in RANKINGS]
    return scored(known, runs, ("nu@20.recall", "u@20.precision"), how)


def scored(
    topics: Sequence[Topic], runs: Sequence[Run], measures: Sequence[str], how: Resampling
) -> Table:
    """Runs in a table of scores with intervals."""
    collection = Collection({topic.id: topic for topic in topics}, "demo")
    scores = score(collection, runs, [parse(text) for text in measures])
    return score_table(scores, averages(scores, how), how)


def units(topics: Sequence[Topic], seed: int) -> Table:
    """The content-unit baselines, as the paper's Table 3."""
    known = sources.with_units(topics, [demo.CORPUS])
    with warnings.catch_warnings():
        # The table stars what is without some articles.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return baseline_table(baseline_scores(known, runs=RUNS, seed=seed))


def updates(topics: Sequence[Topic], seed: int) -> Table:
    """CLASSY with and without projection, against old and new references."""
    told, _ = demo.update_summaries()
    known = [replace(one, summaries=told.topics[one.id].summaries) for one in topics]
    return effect_table(projection_effect(known, seed=seed))


def effect_table(effect: Effect) -> Table:
    """R(AB) and R(BB) of both systems, and what changes."""
    rows: list[tuple[Cell, ...]] = [
        (Cell(name), Cell(f"{old:.4f}"), Cell(f"{new:.4f}"))
        for name, (old, new) in zip(
            ("classy", "projected-classy"), effect.means.tolist(), strict=True
        )
    ]
    bounds = zip(effect.change.tolist(), effect.low.tolist(), effect.high.tolist(), strict=True)
    rows.append(
        (
            Cell("change"),
            *(
                Cell(f"{by:+.4f}", interval=f"[{low:+.4f}, {high:+.4f}]")
                for by, low, high in bounds
            ),
        )
    )
    notes = (
        "ROUGE-2 recall against what was known before (AB) and against the update (BB)",
        f"[low, high]: 95% bootstrap interval of the change over {len(effect.topics)} topics",
    )
    return Table("", ("system", "R(AB)", "R(BB)"), tuple(rows), notes)
