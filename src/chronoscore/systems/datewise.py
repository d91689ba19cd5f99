"""DATEWISE: choose days first, then sentences for each (Gholipour Ghalandari & Ifrim 2020)."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from chronoscore.core import Topic
from chronoscore.systems.material import SourceLine, TopicArticles
from chronoscore.systems.picking import find_knee_of_curve
from chronoscore.systems.system import check_system_parameters
from chronoscore.systems.timelines import (
    CentroidPicker,
    TimelineShape,
    TimelineSystem,
    articles_by_day,
    select_commonest_days,
)
from chronoscore.systems.vectors import Sparse, sum_vectors

Rank: TypeAlias = Literal["both", "mentions", "published"]


@dataclass(frozen=True, kw_only=True)
class Datewise(TimelineSystem):
    """Rank days by how much is written about them, and summarize each from two sides.

    A day's sentences are those that name it, and those without a day among the first
    `opening` ones of articles that appear from it to `later` days after. The ones kept are
    near the words that both sides share; of these the nearest to their centroid are taken.
    The original ranks days by a trained regression; here `rank` counts articles, mentions,
    or, without training, the sum of `both` after scaling.
    """

    name: ClassVar[str] = "datewise"
    line: ClassVar[str] = "days most written and spoken of, sentences from both sides"
    paper: ClassVar[str] = "Gholipour Ghalandari & Ifrim, ACL 2020"
    as_news_tls: ClassVar[bool] = True
    rank: Rank = "both"
    opening: int = 5
    later: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_system_parameters(self, opening=1, later=0)

    def choose(
        self, topic: Topic, material: TopicArticles, shape: TimelineShape
    ) -> dict[int, list[SourceLine]]:
        """Go down the ranks until enough days have a sentence."""
        picker = CentroidPicker(material)
        counted = weigh_days(material, shape, self.rank)
        naming: dict[int, list[int]] = {}
        opening: dict[int, list[int]] = {}
        for number, line in enumerate(picker.lines):
            for day in line.named:
                naming.setdefault(day, []).append(number)
            if not line.named and line.published is not None and line.place < self.opening:
                opening.setdefault(line.published, []).append(number)
        found: dict[int, list[SourceLine]] = {}
        for day in select_commonest_days(counted, len(counted)):
            if len(found) == shape.dates:
                break
            near = [n for d in range(day, day + self.later + 1) for n in opening.get(d, ())]
            chosen = picker.pick(
                _candidate_sentences(picker.rows, near, naming.get(day, [])), shape
            )
            if chosen:
                found[day] = chosen
        return found


def weigh_days(material: TopicArticles, shape: TimelineShape, rank: Rank) -> dict[int, float]:
    """How much each day counts."""
    published = articles_by_day(material, shape)
    named = Counter(day for line in material.lines for day in line.named if shape.holds(day))
    sides = {"both": (published, named), "mentions": (named,), "published": (published,)}[rank]
    found: dict[int, float] = {}
    for side in sides:
        length = float(np.sqrt(sum(n * n for n in side.values()))) or 1.0
        for day, count in side.items():
            found[day] = found.get(day, 0.0) + count / length
    return found


def _candidate_sentences(rows: Sparse, near: list[int], naming: list[int]) -> list[int]:
    """Sentences that resemble, above the knee of the curve, the words that both sides share."""
    if not (near and naming):
        return [*near, *naming]
    means = [sum_vectors(rows[side]) / len(side) for side in (near, naming)]
    shared = np.where((means[0] > 0) & (means[1] > 0), means[0] + means[1], 0.0)
    pool = [*naming, *near]
    likeness = rows[pool] @ shared
    bar = find_knee_of_curve(likeness)
    kept = [one for one, like in zip(pool, likeness.tolist(), strict=True) if like > bar]
    return kept or pool
