"""What does `judge next` save? Replay on TREC-TS 2014, with `soft` as the machine.

Items are updates (does it hold any nugget?) or pairs of an update and a nugget (does it hold
this one?), of pairs 3,000 in each topic. The machine says how likely that is: `soft`, put on a
scale of probabilities by a logistic curve that was fitted to the 14 other topics. People are the
judges of the track. In every trial topics are drawn with replacement from the 15, which stand for
all topics there could be; their mean over all items is the truth.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.coverage import announce, share, table
from benchmarks.meaning import judged_pairs
from chronoscore.formats.corpora import trects
from chronoscore.measures.measure import SHARE
from chronoscore.measures.similarity.soft import Soft
from chronoscore.measures.timelines.texts import TextReading
from chronoscore.stats.drawing import draw_systematically, inclusion_chances
from chronoscore.stats.ppi import PoweredMean, powered_mean
from chronoscore.stats.ppi_draws import DrawnTopic, correct_drawn_topics
from chronoscore.text.preparation import Preparation

TRIALS = 600
BUDGETS = {"updates": (50, 100, 150, 300), "pairs": (300, 600, 1000, 2000)}
PAIRS = 3000
HOW = ("people alone", "equal chances", "by doubt")
FEWER = (0.4, 0.6, 0.8)
"""Shares of a budget at which drawing by doubt is tried too, to see which one is as good."""


@dataclass(frozen=True)
class JudgedItems:
    """A topic: what people say of each item, and how likely the machine thinks it."""

    people: np.ndarray
    machine: np.ndarray

    @property
    def doubt(self) -> np.ndarray:
        """How far the machine may be off."""
        found: np.ndarray = np.sqrt(self.machine * (1 - self.machine))
        return found


def main() -> str:
    """Measure, and give Markdown."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# next\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    updates, pairs = load_items(Path(data) / "trec-ts-2014")
    kinds = {"updates": updates, "pairs": pairs}
    heads = ["items", "judged", "drawn", "bias", "error", "held", "width", "by doubt as wide with"]
    return "\n\n".join(
        [
            "# next",
            f"{TRIALS} trials of 15 topics each. Bias and error (root mean square) of the mean "
            "over topics; the share of 95 % intervals over topics that hold the truth and their "
            "width; and the share of the row's budget that is enough for an interval as wide if "
            "items are drawn by doubt.",
            table(heads, [row for kind, topics in kinds.items() for row in rows(kind, topics)]),
        ]
    )


def load_items(folder: Path) -> tuple[list[JudgedItems], list[JudgedItems]]:
    """The updates and the pairs of each topic with the machine's probabilities."""
    reading = TextReading(Preparation(name="perl155", stem=True, stop=True))
    rng = np.random.default_rng(0)
    updates, pairs = [], []
    for topic in trects.load(folder):
        material, lines, columns, labels, known = judged_pairs(topic, reading)
        values = Soft().compare(material, lines, columns, known)
        best = np.sort(values, axis=1)[:, -2:]
        updates.append((labels.any(axis=1).astype(float), best))
        some = rng.choice(labels.size, min(PAIRS, labels.size), replace=False)
        pairs.append((labels.ravel()[some].astype(float), values.ravel()[some, np.newaxis]))
    return calibrated(updates), calibrated(pairs)


def calibrated(topics: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[JudgedItems]:
    """Each topic's probabilities, by a logistic curve of the others."""
    found = []
    for place, (people, values) in enumerate(topics):
        others = [one for number, one in enumerate(topics) if number != place]
        weights = np.concatenate([np.full(len(y), 1 / len(y)) for y, _ in others])
        curve = fit_logistic(
            np.concatenate([x for _, x in others]), np.concatenate([y for y, _ in others]), weights
        )
        found.append(JudgedItems(people, logistic(values, curve)))
    return found


def logistic(values: np.ndarray, curve: np.ndarray) -> np.ndarray:
    """Probabilities by a curve."""
    found: np.ndarray = 1 / (1 + np.exp(-(curve[0] + values @ curve[1:])))
    return found


def fit_logistic(values: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The most likely curve, by Newton's method."""
    design = np.column_stack([np.ones(len(values)), values])
    curve = np.zeros(design.shape[1])
    for _ in range(30):
        p = logistic(values, curve)
        bent = design.T @ ((weights * p * (1 - p))[:, np.newaxis] * design)
        curve += np.linalg.solve(
            bent + 1e-9 * np.eye(len(curve)), design.T @ (weights * (labels - p))
        )
    return curve


def estimate(topics: Sequence[JudgedItems], budget: int, seed: int, how: str) -> PoweredMean:
    """One trial: draw items of topics, judge them, and estimate."""
    none = np.zeros(len(topics))
    if how == "everything":
        values = np.array([topic.people.mean() for topic in topics])
        return powered_mean(values, none, none[:0], alone=values, bounds=SHARE)
    equal = [np.ones(len(topic.people)) for topic in topics]
    doubts = [topic.doubt for topic in topics] if how == "by doubt" else equal
    chances = inclusion_chances(doubts, budget)
    drawn = np.zeros(sum(map(len, chances)), dtype=bool)
    drawn[draw_systematically(np.concatenate(chances), seed)] = True
    parts = np.split(drawn, np.cumsum([len(one) for one in chances])[:-1])
    means = correct_drawn_topics(
        [
            DrawnTopic(topic.people[d], topic.machine[d], p[d], topic.machine)
            for topic, p, d in zip(topics, chances, parts, strict=True)
        ]
    )
    values = means.alone if how == "people alone" else means.values
    return powered_mean(values, none, none[:0], alone=means.alone, bounds=SHARE)


def trials(topics: Sequence[JudgedItems], budget: int, how: str) -> np.ndarray:
    """Value, low and high of every trial."""
    found = []
    for seed in range(TRIALS):
        rng = np.random.default_rng(seed)
        # Within a topic the order is of chance, as `judge next` makes it.
        chosen = []
        for place in rng.integers(0, len(topics), len(topics)):
            order = rng.permutation(len(topics[place].people))
            chosen.append(JudgedItems(topics[place].people[order], topics[place].machine[order]))
        one = estimate(chosen, budget, seed, how)
        found.append((one.value, one.low, one.high))
    return np.array(found)


def rows(kind: str, topics: Sequence[JudgedItems]) -> Iterator[list[str]]:
    """Figures of each budget, drawn alike and by doubt, and of all items."""
    truth = float(np.mean([topic.people.mean() for topic in topics]))
    count = sum(len(topic.people) for topic in topics)
    name = f"{kind} ({count:,})"
    for budget in BUDGETS[kind]:
        found = {how: trials(topics, budget, how) for how in HOW}
        announce(f"{kind}, {budget}")
        fewer = [budget, *(int(one * budget) for one in FEWER)]
        widths = [width_of(found["by doubt"])]
        widths += [width_of(trials(topics, one, "by doubt")) for one in fewer[1:]]
        # Topics alone make an interval so wide, and items add what is inverse to their number.
        slope, least = np.polyfit(1 / np.array(fewer), np.array(widths) ** 2, 1)
        for how, own in found.items():
            enough = slope / (width_of(own) ** 2 - least) / budget
            saved = "" if how == "by doubt" else f"{enough:.0%}"
            yield [name, str(budget), how, *figures(own, truth), saved]
    yield [name, "all", "", *figures(trials(topics, 0, "everything"), truth), ""]


def figures(found: np.ndarray, truth: float) -> list[str]:
    """Bias, error, the share that holds, and the width."""
    error = found[:, 0] - truth
    held = (found[:, 1] <= truth) & (truth <= found[:, 2])
    return [
        f"{error.mean():+.4f}",
        f"{np.sqrt((error**2).mean()):.4f}",
        share(float(held.mean())),
        f"{width_of(found):.4f}",
    ]


def width_of(found: np.ndarray) -> float:
    """The mean width of intervals."""
    return float(np.nanmean(found[:, 2] - found[:, 1]))
