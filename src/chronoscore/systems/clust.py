"""CLUST: groups of articles about one event, each an entry (Gholipour Ghalandari & Ifrim 2020)."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array, diags_array

from chronoscore.core import Topic
from chronoscore.systems.material import SourceLine, TopicArticles
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.timelines import CentroidPicker, TimelineShape, TimelineSystem
from chronoscore.systems.vectors import Sparse, tfidf


@dataclass(frozen=True, kw_only=True)
class Clust(TimelineSystem):
    """Cluster articles that appear within a day of each other, and rank the clusters.

    A cluster's date is the day that it names most, else that of its first article. Clusters
    are ranked by how often that day is named in all articles, or by their size.
    """

    name: ClassVar[str] = "clust"
    line: ClassVar[str] = "clusters of articles by Markov clustering, one entry each"
    paper: ClassVar[str] = "Gholipour Ghalandari & Ifrim, ACL 2020"
    as_news_tls: ClassVar[bool] = True
    rank: Literal["mentions", "size"] = "mentions"
    gap: int = 1
    inflation: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, gap=0, inflation=1.01)

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Cluster, date, rank, and summarize the best cluster of each day."""
        stories = [lines for _, lines in material.stories()]
        groups = markov_clusters(_article_graph(stories, self.gap), self.inflation)
        picker = CentroidPicker(material)
        named = Counter(day for line in material.lines for day in line.mentioned)
        dated = []
        for group in groups:
            lines = [line for number in group for line in stories[number]]
            day = _day_of(lines, shape)
            if day is not None:
                weight = named[day] if self.rank == "mentions" else len(group)
                numbers = [picker.place[line.id] for line in lines if line.id in picker.place]
                dated.append((-weight, -len(group), day, numbers))
        found: dict[int, list[SourceLine]] = {}
        for _, _, day, numbers in sorted(dated, key=lambda one: one[:3]):
            if len(found) == shape.dates:
                break
            if day not in found and (chosen := picker.pick(numbers, shape)):
                found[day] = chosen
        return found


def _day_of(lines: list[SourceLine], shape: TimelineShape) -> int | None:
    """The day that most sentences name, else the first day of publication."""
    named = Counter(day for line in lines for day in line.mentioned if shape.holds(day))
    if named:
        return min(named, key=lambda day: (-named[day], day))
    return min(
        (n.published for n in lines if n.published and shape.holds(n.published)), default=None
    )


def _article_graph(stories: list[tuple[SourceLine, ...]], gap: int) -> Sparse:
    """Cosines of articles that appeared at most `gap` days apart."""
    rows = tfidf([[word for line in lines for word in line.words] for lines in stories])
    days = [lines[0].published for lines in stories]
    order = sorted(range(len(days)), key=lambda n: (days[n] is None, days[n] or 0))
    first: list[int] = []
    second: list[int] = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            mine, theirs = days[one], days[other]
            if mine is None or theirs is None or theirs - mine > gap:
                break
            first.append(one)
            second.append(other)
    cosines = np.asarray(rows[first].multiply(rows[second]).sum(axis=1)).ravel()
    half = csr_array((cosines, (first, second)), shape=(len(stories), len(stories)))
    return (half + half.T).tocsr()


def markov_clusters(graph: Sparse, inflation: float = 2.0, *, rounds: int = 100) -> list[list[int]]:
    """Let a random walk spread and sharpen until it stands still (van Dongen's MCL)."""
    size = graph.shape[0]
    walk = _columns_to_one(graph + diags_array(np.ones(size)))
    for _ in range(rounds):
        before = walk
        walk = (walk @ walk).tocsr()
        walk.data = walk.data**inflation
        walk = _columns_to_one(_prune(_columns_to_one(walk)))
        if abs(walk - before).max() < 1e-6:
            break
    from scipy.sparse.csgraph import connected_components

    count, labels = connected_components(walk, directed=False)
    found: list[list[int]] = [[] for _ in range(count)]
    for number, label in enumerate(labels.tolist()):
        found[label].append(number)
    return found


def _prune(walk: Sparse, least: float = 1e-3) -> Sparse:
    """Drop what is nearly nothing, but never the whole of a column."""
    coo = walk.tocoo()
    rows, columns = coo.coords
    best = np.zeros(walk.shape[1])
    np.maximum.at(best, columns, coo.data)
    kept = (coo.data >= least) | (coo.data >= best[columns])
    return csr_array((coo.data[kept], (rows[kept], columns[kept])), shape=walk.shape)


def _columns_to_one(walk: Sparse) -> Sparse:
    """Scale columns to a sum of 1."""
    sums = np.asarray(walk.sum(axis=0)).ravel()
    return (
        walk @ diags_array(np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0))
    ).tocsr()
