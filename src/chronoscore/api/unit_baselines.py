"""Score the content-unit baselines on documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from chronoscore.api.arguments import check_optional
from chronoscore.api.results import Result, Section
from chronoscore.api.sources import Sources, as_documented_collection, as_topics_with_documents
from chronoscore.api.values import are_path_arguments, as_list, as_paths
from chronoscore.core import Row, Topic
from chronoscore.errors import UsageError, check_whole
from chronoscore.reports.systems import baseline_table, pair_table
from chronoscore.scoring import Progress
from chronoscore.systems import sources
from chronoscore.systems.unit_scores import BaselineScores, baseline_scores
from chronoscore.systems.units import source_article_with_sections


@dataclass(frozen=True)
class BaselineResult(Result):
    """The pyramid scores of the content-unit baselines, and a test of each pair."""

    scores: BaselineScores

    def rows(self) -> Sequence[Row]:
        """A record for each baseline and article."""
        return [
            {"baseline": number, "topic": article, "value": value}
            for number, values in zip(self.scores.baselines, self.scores.values, strict=True)
            for article, value in zip(self.scores.articles, values.tolist(), strict=True)
        ]

    def sections(self) -> Sequence[Section]:
        """The paper's Table 3, and the p of each pair."""
        return [("", baseline_table(self.scores)), ("", pair_table(self.scores))]


def unit_baselines(
    documents: Sources,
    units: Any,
    *,
    n: int | None = None,
    runs: int = 100,
    seed: int = 1,
    progress: Progress | None = None,
) -> BaselineResult:
    """Score all content-unit baselines on documents, and test each pair.

    `units` are files of content units, or topics that hold some; `n` is the number of events
    to choose, and `runs` how often random baselines are run.
    """
    check_optional(n, "n")
    check_whole(runs, "runs")
    if not as_list(units):
        raise UsageError("unit-baselines are scored; give content units with --units")
    texts = (
        sources.load_tagged_sources(as_paths(documents)) if are_path_arguments(documents) else []
    )
    topics = [Topic(id=text.id) for text in texts] or as_topics_with_documents(documents)
    if are_path_arguments(units):
        topics = sources.source_topics_with_units(topics, as_paths(units, "file of content units"))
    else:
        topics = sources.source_topics_with_pyramids(topics, as_documented_collection(units))
    articles = [source_article_with_sections(source) for source in (texts or topics)]
    if texts:
        articles = [
            replace(article, length=topic.pyramid.length if topic.pyramid else None)
            for article, topic in zip(articles, topics, strict=True)
        ]
    return BaselineResult(
        baseline_scores(topics, n=n, runs=runs, seed=seed, articles=articles, progress=progress)
    )
