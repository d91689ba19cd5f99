"""Score the content-unit baselines on documents."""

from dataclasses import replace
from typing import Any

from chronoscore.api.arguments import check_optional
from chronoscore.api.results import TableResult
from chronoscore.api.sources import Sources, as_documented_collection, as_topics_with_documents
from chronoscore.core import Topic
from chronoscore.data.values import are_paths, as_list, as_paths
from chronoscore.errors import UsageError, check_whole
from chronoscore.reports.systems import BASELINE_SCORES
from chronoscore.scoring import Progress
from chronoscore.systems import sources
from chronoscore.systems.unit_scores import BaselineScores, baseline_scores
from chronoscore.systems.units import source_article_with_sections


def unit_baselines(
    documents: Sources,
    units: Any,
    *,
    n: int | None = None,
    runs: int = 100,
    seed: int = 1,
    progress: Progress | None = None,
) -> TableResult[BaselineScores]:
    """Score all content-unit baselines on documents, and test each pair.

    `units` are files of content units, or topics that hold some; `n` is the number of events
    to choose, and `runs` how often random baselines are run.
    """
    check_optional(n, "n")
    check_whole(runs, "runs")
    if not as_list(units):
        raise UsageError("unit-baselines are scored; give content units with `units`")
    texts = sources.load_tagged_sources(as_paths(documents)) if are_paths(documents) else []
    topics = [Topic(id=text.id) for text in texts] or as_topics_with_documents(documents)
    if are_paths(units):
        topics = sources.source_topics_with_units(topics, as_paths(units, "file of content units"))
    else:
        topics = sources.source_topics_with_pyramids(topics, as_documented_collection(units))
    articles = [source_article_with_sections(source) for source in (texts or topics)]
    if texts:
        articles = [
            replace(article, length=topic.pyramid.length if topic.pyramid else None)
            for article, topic in zip(articles, topics, strict=True)
        ]
    scores = baseline_scores(
        topics, n=n, runs=runs, seed=seed, articles=articles, progress=progress
    )
    return TableResult(scores, BASELINE_SCORES)
