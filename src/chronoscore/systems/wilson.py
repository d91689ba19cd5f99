"""A date graph ranked by PageRank, after WILSON (Liao, Wang & Lee 2021)."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from chronoscore.core import Topic
from chronoscore.measures.measure import Array
from chronoscore.systems.material import SourceLine, TopicArticles
from chronoscore.systems.picking import bm25_rank, select_without_repeats
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.timelines import (
    TimelineShape,
    TimelineSystem,
    drop_repeated_sentences,
    group_sentences_by_day,
    select_commonest_days,
)
from chronoscore.systems.vectors import tfidf

Edge: TypeAlias = Literal["count", "gap", "both"]


@dataclass(frozen=True, kw_only=True)
class Wilson(TimelineSystem):
    """Days are cited by later articles: PageRank ranks them, BM25-TextRank their sentences.

    An edge leads from the day of an article to a day that it names and weighs as often as
    it does so, as the days between, or as the product of `both`. Older days gather more
    citations; `recency` below 1 lets the walk restart on late days more often. Only the
    outline of the method is published in its abstract; the constants are ours.
    """

    name: ClassVar[str] = "wilson"
    line: ClassVar[str] = "days by PageRank on who names whom, sentences by TextRank"
    paper: ClassVar[str] = "after Liao, Wang & Lee, EDBT 2021"
    edge: Edge = "both"
    recency: float = 1.0
    likeness: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, recency=0.0001, likeness=0)

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Rank days, then the sentences of each, and pass over what was said before."""
        days = group_sentences_by_day(drop_repeated_sentences(material.relevant), shape)
        ranks = rank_days(
            count_day_references(material, shape), list(days), self.edge, self.recency
        )
        best = select_commonest_days(
            {day: rank for day, rank in ranks.items() if day in days}, shape.dates
        )
        lines = [line for day in sorted(best) for line in days[day]]
        rows = tfidf([line.words for line in lines])
        found: dict[int, list[SourceLine]] = {}
        chosen: list[int] = []
        start = 0
        for day in sorted(best):
            weights = bm25_rank([line.words for line in days[day]])
            order = start + np.argsort(-weights, kind="stable")
            size = shape.sentences
            picked = select_without_repeats(rows, order, size, most=self.likeness, earlier=chosen)
            chosen += picked
            found[day] = [lines[number] for number in sorted(picked)]
            start += len(days[day])
        return found


def count_day_references(material: TopicArticles, shape: TimelineShape) -> Counter[tuple[int, int]]:
    """How often articles of one day name another."""
    return Counter(
        (line.published, day)
        for line in material.lines
        for day in line.mentioned
        if line.published is not None and shape.holds(line.published) and shape.holds(day)
    )


def rank_days(
    named: Counter[tuple[int, int]], days: list[int], edge: Edge, recency: float
) -> dict[int, float]:
    """PageRank of the days."""
    if not days:
        return {}
    known = sorted({*days, *(day for pair in named for day in pair)})
    place = {day: number for number, day in enumerate(known)}
    weights = [
        {"count": count, "gap": abs(a - b), "both": count * abs(a - b)}[edge]
        for (a, b), count in named.items()
    ]
    ends = ([place[b] for _, b in named], [place[a] for a, _ in named])
    graph = csr_array((np.array(weights, dtype=float), ends), shape=(len(known), len(known)))
    restart: Array = recency ** np.array([known[-1] - day for day in known], dtype=float)
    return dict(zip(known, pagerank(graph, restart).tolist(), strict=True))


def pagerank(graph: csr_array, restart: Array, *, damping: float = 0.85) -> Array:
    """Where a walk along the edges (column to row) stays; dead ends restart."""
    restart = restart / (restart.sum() or 1.0)
    out = np.asarray(graph.sum(axis=0)).ravel()
    share = np.divide(1.0, out, out=np.zeros_like(out), where=out > 0)
    ranks = restart
    for _ in range(200):
        fresh = damping * (graph @ (ranks * share) + ranks[out == 0].sum() * restart)
        fresh += (1 - damping) * restart
        done = np.abs(fresh - ranks).sum() < 1e-12
        ranks = fresh
        if done:
            break
    return ranks
