"""Oracles: exact and greedy on DUC-like topics, timelines of real articles, greedy's growth.

DUC-like: 250 to 400 news sentences, four references of 100 words. Real sentences come from
CHRONOSCORE_DATA; without it they are invented, and there is no table of timelines.
"""

import os
import random
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.texts import Newsroom
from chronoscore.core import Summary, Timeline, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.measures import parse_measure_text
from chronoscore.oracles.hard import hard_instance, most_dominated
from chronoscore.oracles.summaries import Oracle, oracle
from chronoscore.oracles.timelines import timeline_oracles
from chronoscore.text.preparation import Limit

PLOT = Path(__file__).with_name("oracles.svg")
BUDGET = Limit(100, "words")
TOPICS = 8
GROWTH = (250, 500, 1000, 2000, 4000, 8000)
METHODS = ("greedy", "greedy-chop", "exact", "exact-chop")
TIMELINES = ("agreement", "align", "align+", "align+m1", "align.r", "align+m1.r", "align(n=2)")


def main() -> str:
    """Measure, plot, and say it in Markdown."""
    # The first call loads scipy; nobody pays for that twice.
    oracle(invented(20, 0), parse_measure_text("rouge(n=1)"), budget=BUDGET)
    sections = [summaries(), hardness(), timelines(), growth()]
    return "\n".join(["## Oracles", "", *(line for part in sections for line in part)])


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of this process and its threads, and what came of them."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def topics() -> tuple[list[Topic], str]:
    """DUC-like topics, real if there is data."""
    sizes = [250 + 150 * number // (TOPICS - 1) for number in range(TOPICS)]
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return [invented(size, seed) for seed, size in enumerate(sizes)], "invented sentences"
    collections = real(Path(data))
    found = []
    for seed, size in enumerate(sizes):
        topic = collections[seed % len(collections)]
        rng = random.Random(seed)
        sentences = [s.text for d in topic.documents for s in d.sentences]
        long = [text for text in sentences if len(text.split()) > 4]
        gold = [text for timeline in topic.timelines for text in timeline.sentences]
        references = []
        for _ in range(4):
            words: list[str] = []
            while sum(len(text.split()) for text in words) < 100:
                words.append(rng.choice(gold))
            references.append(Summary(tuple(words)))
        found.append(made(rng.sample(long, size), references))
    return found, "real sentences (references drawn from timelines)"


def real(data: Path) -> list[Topic]:
    """The real topics that have articles."""
    from chronoscore.formats.corpora import collections

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(collections.load(data / "timeline17" / "articles", Timeline))
    return sorted(found, key=lambda topic: sum(len(d.sentences) for d in topic.documents))


def invented(size: int, seed: int) -> Topic:
    """As many invented sentences, and four references about the same."""
    room = Newsroom(seed=seed)
    texts = room.write(np.zeros(size, dtype=np.int64), 20)
    references = room.write(np.zeros(4, dtype=np.int64), 100)
    return made([" ".join(text) for text in texts], [Summary(tuple(text)) for text in references])


def made(sentences: list[str], references: list[Summary]) -> Topic:
    document = Document(
        id="d", sentences=tuple(Sentence(str(n), text) for n, text in enumerate(sentences))
    )
    return Topic(id="t", summaries=tuple(references), documents=(document,))


def summaries() -> list[str]:
    """Every method on every topic."""
    given, what = topics()
    lines = [
        f"{len(given)} DUC-like topics, 250 to 400 {what}, 4 references, 100 words, stemmed; "
        "CPU seconds of the whole call, texts read and the result scored by the measure.",
        "",
        "| | method | median s | slowest s | mean recall | mean bound |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for n in (1, 2):
        for method in METHODS:
            runs = [timed(lambda t=t, n=n, m=method: solved(t, n, m)) for t in given]  # type: ignore[misc]
            seconds = [run[0] for run in runs]
            value = statistics.mean(run[1].value for run in runs)
            bound = statistics.mean(run[1].bound for run in runs)
            lines.append(
                f"| ROUGE-{n} | {method} | {statistics.median(seconds):.3f} | {max(seconds):.3f} "
                f"| {value:.4f} | {bound:.4f} |"
            )
    return [*lines, ""]


def solved(topic: Topic, n: int, method: str) -> Oracle:
    return oracle(
        topic,
        parse_measure_text(f"rouge(n={n},stem)"),
        budget=BUDGET,
        method=method,  # type: ignore[arg-type]
        seconds=120,
    )


def hardness() -> list[str]:
    """Hard instances of a hundred vertices."""
    lines = [
        "Hard instances, 100 vertices, 24 dominators:",
        "",
        "| n | exact s | exact | of the graph | greedy |",
        "|---:|---:|---:|---:|---:|",
    ]
    for n in (1, 2, 3):
        one = hard_instance(100, n=n)
        seconds, found = timed(lambda one=one: told(one, "exact"))  # type: ignore[misc]
        best = most_dominated(one.graph, one.dominators)
        quick = told(one, "greedy")
        lines.append(
            f"| {n} | {seconds:.1f} | {round(found.value * 100)} | {best} "
            f"| {round(quick.value * 100)} |"
        )
    return [*lines, ""]


def told(one: Any, method: Any) -> Oracle:
    return oracle(one.topic, one.measure, budget=one.budget, method=method, whole_references=True)


def timelines() -> list[str]:
    """The oracle of timelines on real articles."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return []
    lines = [
        "Timelines of real articles (all their sentences, dated by publication); as many dates "
        "and sentences a date as the reference. F unless .r says recall.",
        "",
        "| topic | sentences | measure | attained | bound | CPU s |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for topic in real(Path(data)):
        size = sum(len(document.sentences) for document in topic.documents)
        for text in TIMELINES:
            seconds, found = timed(
                lambda topic=topic, text=text: list(
                    timeline_oracles(topic, parse_measure_text(text))
                )  # type: ignore[misc]
            )
            for one in found:
                lines.append(
                    f"| {topic.id} | {size:,} | {text} | {one.value:.4f} | {one.bound:.4f} "
                    f"| {seconds:.1f} |"
                )
    return [*lines, ""]


def growth() -> list[str]:
    """Greedy on ever more sentences, as a table and a plot."""
    seconds = []
    for size in GROWTH:
        topic = invented(size, 1)
        runs = [timed(lambda t=topic: solved(t, 1, "greedy"))[0] for _ in range(3)]  # type: ignore[misc]
        seconds.append(min(runs))
    plot(seconds)
    cells = " | ".join(f"{one:.3f}" for one in seconds)
    slope = np.polyfit(np.log(GROWTH), np.log(seconds), 1)[0]
    return [
        "Greedy, ROUGE-1, invented sentences of 20 words:",
        "",
        f"| sentences | {' | '.join(f'{size:,}' for size in GROWTH)} |",
        "|---|" + "---:|" * len(GROWTH),
        f"| CPU s | {cells} |",
        "",
        f"Time grows as the number of sentences to the power {slope:.2f}.",
        "",
        f"![CPU seconds of greedy by number of sentences]({PLOT.name})",
        "",
    ]


def plot(seconds: list[float]) -> None:
    """Draw the growth, both axes logarithmic, with a straight line for comparison."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.0, 3.8))
    axes.plot(GROWTH, seconds, marker="o", markersize=4, label="greedy, ROUGE-1")
    linear = [seconds[0] * size / GROWTH[0] for size in GROWTH]
    axes.plot(GROWTH, linear, color="grey", lw=0.9, ls=":", label="linear")
    axes.set(xscale="log", yscale="log", xlabel="sentences", ylabel="CPU seconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(PLOT, metadata={"Date": None})


if __name__ == "__main__":
    print(main())
