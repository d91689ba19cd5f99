"""Can datewise's ranking of days be trained on what is at hand outside timeline17?

The original ranks days by a regression on counts of mentions and articles. Of the corpora at hand
only SemEval-2015 task 4 has dated articles and reference timelines: three corpora of thirty
articles with timelines of entities. The regression is trained on two of them and ranks the days
of the third, beside rankings without training.
"""

import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from chronoscore.core import Collection, Topic
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import semeval2015
from chronoscore.measures.measure import Array
from chronoscore.systems.material import SourceLine, prepare_material

COLUMNS = (
    "sentences",
    "sentences afterwards",
    "sentences beforehand",
    "articles",
    "articles afterwards",
    "articles beforehand",
    "published",
)
"""The counts of the original: what names a day, of it what appeared after or before it, and the
articles of the day."""
PENALTIES = (0.1, 1.0, 10.0)
SHORTEST_LINE = 5
"""Words of a line that is no dateline, which would name the day of every article."""
FEWEST_DATES = 5
"""Dates of a timeline that is long enough to be ranked for."""


@dataclass(frozen=True)
class Days:
    """The days that a timeline could have, what is counted of each, and which ones it has."""

    corpus: str
    counts: Array
    chosen: Array
    wanted: int

    @property
    def scaled(self) -> Array:
        """The counts with columns of length 1, as the original has them."""
        lengths = np.linalg.norm(self.counts, axis=0)
        scaled: Array = self.counts / np.where(lengths, lengths, 1)
        return scaled

    def f_of(self, scores: Array) -> float:
        """Date F1 of the best days, earlier ones first among equals."""
        best = np.argsort(-scores, kind="stable")[: self.wanted]
        return float(2 * self.chosen[best].sum() / (len(best) + self.wanted))


def main() -> str:
    """Rank, and give Markdown."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# ranking\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        topics = semeval2015.load(Path(data) / "semeval2015-timelines")
        entities = [days for topic in topics if (days := days_of_entity(topic))]
        corpora = days_of_corpora(topics)
    columns = [figures(corpora), figures(entities)]
    return "\n".join(
        [
            "# ranking",
            "",
            "Date F1 at the length of the reference, mean over timelines: the dates of all "
            f"entities of a corpus ({len(corpora)} timelines, {size(corpora)}), and of each entity "
            f"with at least {FEWEST_DATES} dates, from what names it ({len(entities)} timelines, "
            f"{size(entities)}).",
            "",
            "| ranking | corpora | entities |",
            "|---|---:|---:|",
            *(
                f"| {name} | {columns[0][name]:.3f} | {columns[1][name]:.3f} |"
                for name in columns[0]
            ),
            "",
            *(signs(name, sets) for name, sets in (("corpora", corpora), ("entities", entities))),
            "",
        ]
    )


def size(sets: Sequence[Days]) -> str:
    """How many days there are to choose from."""
    chosen = int(sum(days.chosen.sum() for days in sets))
    return f"{chosen} of {sum(len(days.chosen) for days in sets)} days chosen"


def days_of_corpora(topics: Collection) -> list[Days]:
    """All entities of a corpus as one timeline."""
    groups: dict[str, list[Topic]] = {}
    for topic in topics:
        groups.setdefault(topic.id.split("-")[0], []).append(topic)
    return [
        count_days(name, many[0], {day for one in many for day in gold_days(one)}, lambda _: True)
        for name, many in groups.items()
    ]


def days_of_entity(topic: Topic) -> Days | None:
    """One entity, from the sentences that name it."""
    gold = gold_days(topic)
    if len(gold) < FEWEST_DATES:
        return None
    names = [w for w in re.findall(r"\w+", topic.title.casefold()) if len(w) > 3 or w.isdigit()]
    return count_days(
        topic.id.split("-")[0],
        topic,
        gold,
        lambda line: any(name in line.text.casefold() for name in names),
    )


def gold_days(topic: Topic) -> set[int]:
    """The dates of a topic's reference that are days."""
    return {w.first for one in topic.timelines for w in one.dates if w.grain == "day"}


def count_days(
    corpus: str, topic: Topic, gold: set[int], relevant: Callable[[SourceLine], bool]
) -> Days:
    """Count what the relevant lines name, and the articles that have any."""
    counts: dict[int, Array] = {}

    def add(day: int, published: int, first: int) -> None:
        row = counts.setdefault(day, np.zeros(len(COLUMNS)))
        row[first : first + 3] += (1, day < published, day > published)

    for _, lines in prepare_material(topic).stories():
        told = [line for line in lines if relevant(line)]
        published = lines[0].published
        if published is None or not told:
            continue
        named = [day for line in told if line.length >= SHORTEST_LINE for day in line.named]
        for day in named:
            add(day, published, 0)
        for day in set(named):
            add(day, published, 3)
        counts.setdefault(published, np.zeros(len(COLUMNS)))[6] += 1
    known = sorted(day for day in counts if min(gold) <= day <= max(gold))
    return Days(
        corpus,
        np.array([counts[day] for day in known]),
        np.array([float(day in gold) for day in known]),
        len(gold),
    )


def figures(sets: Sequence[Days]) -> Mapping[str, float]:
    """Date F1 of each ranking."""
    found: dict[str, list[float]] = {}
    for days in sets:
        scaled = days.scaled
        drawn = min(days.wanted, len(days.chosen))
        ranked = {
            "random, expected": 2 * drawn * days.chosen.mean() / (drawn + days.wanted),
            "`published`": days.f_of(scaled[:, 6]),
            "`mentions`": days.f_of(scaled[:, 0]),
            "`both` (the default)": days.f_of(scaled[:, 0] + scaled[:, 6]),
        }
        others = [other for other in sets if other.corpus != days.corpus]
        ranked |= {
            f"trained on the other corpora, penalty {penalty:g}": days.f_of(
                scaled @ train(others, penalty)
            )
            for penalty in PENALTIES
        }
        for name, value in ranked.items():
            found.setdefault(name, []).append(float(value))
    return {name: float(np.mean(values)) for name, values in found.items()}


def train(sets: Sequence[Days], penalty: float) -> Array:
    """Weights of a logistic regression; the penalty is on columns scaled to unit variance."""
    counts = np.vstack([days.scaled for days in sets])
    signs = 2 * np.concatenate([days.chosen for days in sets]) - 1
    spread = counts.std(axis=0)
    spread[spread == 0] = 1
    rows = np.column_stack([counts / spread, np.ones(len(counts))])

    def loss(weights: Array) -> float:
        misses = np.logaddexp(0, -signs * (rows @ weights)).sum()
        return float(misses + penalty / 2 * (weights[:-1] ** 2).sum())

    weights: Array = minimize(loss, np.zeros(rows.shape[1]), method="L-BFGS-B").x
    return weights[:-1] / spread


def signs(name: str, sets: Sequence[Days]) -> str:
    """Which weights change their sign with the corpus that is left out."""
    left_out = sorted({days.corpus for days in sets})
    weights = [train([d for d in sets if d.corpus != one], 1.0) for one in left_out]
    positive = np.array(weights) > 0
    mixed = [c for c, p in zip(COLUMNS, positive.T, strict=True) if p.any() and not p.all()]
    return f"Weights whose sign depends on the corpus left out, {name}: {', '.join(mixed)}."
