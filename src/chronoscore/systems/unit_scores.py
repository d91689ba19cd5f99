"""The content-unit baselines compared: 100 runs of random ones, and a test for each pair."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from chronoscore.core import Topic
from chronoscore.errors import DataError, warn
from chronoscore.measures.measure import Array
from chronoscore.measures.units.pyramid import PyramidMeasure
from chronoscore.stats.significance import signed_rank_test
from chronoscore.systems.units import (
    BASELINES,
    LENGTH,
    SectionedArticle,
    UnitBaseline,
    article_of,
)


@dataclass(frozen=True)
class BaselineScores:
    """Pyramid scores by baseline and article, undefined where a baseline cannot choose enough."""

    baselines: tuple[str, ...]
    articles: tuple[str, ...]
    values: Array
    p: Array
    """Two-sided p of Wilcoxon's signed-rank test for each pair, over articles that both have."""

    @property
    def means(self) -> Array:
        """Over the articles that a baseline has."""
        held = ~np.isnan(self.values)
        sums = np.where(held, self.values, 0.0).sum(axis=1)
        found: Array = np.divide(
            sums, held.sum(axis=1), out=np.full(len(sums), np.nan), where=held.any(axis=1)
        )
        return found


def baseline_scores(
    topics: Sequence[Topic],
    *,
    n: int | None = None,
    runs: int = 100,
    seed: int = 1,
    articles: Sequence[SectionedArticle] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> BaselineScores:
    """Score all baselines on topics with content units.

    `articles` are the tagged texts of the topics, where their documents do not serve. A
    random baseline's score on an article is its mean over the runs.
    """
    sources = articles or [article_of(topic) for topic in topics]
    values = np.full((len(BASELINES), len(topics)), np.nan)
    for column, (topic, article) in enumerate(zip(topics, sources, strict=True)):
        if topic.pyramid is None:
            raise DataError(f"topic '{topic.id}' has no content units; give `units`")
        size = n or article.length or LENGTH
        if progress:
            progress(column, len(topics))
        for row, (_, parameters) in enumerate(BASELINES.values()):
            system = UnitBaseline(n=size).with_parameters(**parameters)
            assert isinstance(system, UnitBaseline)
            if system.dated and article.dated_events < size:
                continue
            times = runs if system.order == "random" else 1
            pairs = [
                (topic, system.with_parameters(seed=seed + turn).select(article))  # type: ignore[attr-defined]
                for turn in range(times)
            ]
            measure = PyramidMeasure(n=size)
            values[row, column] = measure.values(measure.tally(pairs)).mean()
    excluded = int(np.isnan(values).any(axis=0).sum())
    if excluded:
        warn(
            f"{excluded} of {len(topics)} articles have too few events with dates for 1b; "
            "its figures are without them",
            kind="undefined-baseline",
        )
    names = tuple(topic.id for topic in topics)
    return BaselineScores(tuple(BASELINES), names, values, pairwise_p(values))


def pairwise_p(values: Array) -> Array:
    """The p of each pair of baselines."""
    found = np.full((len(values), len(values)), np.nan)
    for a, b in combinations(range(len(values)), 2):
        both = ~np.isnan(values[a]) & ~np.isnan(values[b])
        if both.any():
            found[a, b] = found[b, a] = signed_rank_test(values[a][both], values[b][both])
    return found
