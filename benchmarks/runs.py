"""Several runs of one prompt, and the smallest difference that topics can detect, by simulation.

Every corpus is averaged by the function that `score` calls; only the counts of its runs are drawn
instead of read off texts. The truth is the figure of very many topics with one run each.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import TypeAlias

import numpy as np

from benchmarks.coverage import CORPORA, announce, share, table
from chronoscore.measures import Measure, average_over_topics, parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats import power, student
from chronoscore.stats.corpus import averages

SIZES = (5, 10, 20, 50)
POWER_SIZES = (5, 6, 7, 8, 10, 12, 20, 50)
MANY = 1_000_000
CENTERS = {"mild": (-0.3, 0.6), "skewed": (-2.5, 1.0), "near 1": (2.5, 1.0)}
"""Of each shape: the center and the spread of topics on the logit scale."""
LEVEL = 0.95
Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int]], Array]


def counts(
    shape: str, rng: np.random.Generator, size: tuple[int, int, int], noise: float, shared: float
) -> Array:
    """Counts of corpora × topics × runs; `shared` is what a run has in common on all topics."""
    center, spread = CENTERS[shape]
    corpora, topics, runs = size
    latent = center + spread * rng.standard_normal((corpora, topics, 1))
    latent = latent + noise * rng.standard_normal((2, *size))
    latent = latent + shared * rng.standard_normal((corpora, 1, runs))
    precision, recall = 1 / (1 + np.exp(-latent))
    wanted, offered = np.exp(rng.normal(5, 0.5, (2, corpora, topics, 1)))
    return np.stack(
        [recall * wanted, wanted + 0 * recall, precision * offered, offered + 0 * recall], axis=-1
    )


def covered(
    shape: str, rule: Averaging, runs: int, topics: int, noise: float, shared: float
) -> float:
    """The share of corpora whose interval over topics holds the truth."""
    measure = parse_measure_text("rouge1.f")
    rng = np.random.default_rng(topics * 100 + runs)
    truth = true_figure(measure, shape, rule, noise, shared)
    tallies = counts(shape, rng, (CORPORA, topics, runs), noise, shared)
    names = tuple(f"{number:04}" for number in range(topics))
    systems = tuple(map(str, range(CORPORA)))
    named = dict.fromkeys(systems, tuple(map(str, range(runs))))
    scores = Scores(systems, names, {measure: tallies}, "simulated", named)
    found = averages(scores, Resampling(rule=rule))
    return float(np.mean([one.low <= truth <= one.high for one in found]))


def true_figure(
    measure: Measure, shape: str, rule: Averaging, noise: float, shared: float
) -> float:
    """The figure of very many topics, each with a run of its own."""
    drawn = counts(shape, np.random.default_rng(0), (MANY, 1, 1), noise, shared)
    figures = average_over_topics(measure, drawn[:, 0, 0], rule)
    return float(figures[measure.parts.index("f")])


def coverage_rows() -> Iterator[list[str]]:
    """Coverage of intervals over topics with runs nested in them."""
    rules: tuple[Averaging, ...] = ("mean", "of-means", "micro")
    for rule, shape, (noise, runs) in product(rules, CENTERS, ((0.3, 5), (0.9, 2), (0.9, 5))):
        cells = [covered(shape, rule, runs, n, noise, 0.0) for n in SIZES]
        announce(f"{rule}, {shape}, {runs} runs, {noise:g}")
        yield [rule, shape, str(runs), f"{noise:g}", *map(share, cells)]


def shared_rows() -> Iterator[list[str]]:
    """The same where a run is better or worse on all topics alike."""
    for shared, runs in product((0.1, 0.3), (2, 5)):
        cells = [covered("mild", "mean", runs, n, 0.3, shared) for n in SIZES]
        announce(f"shared {shared:g}, {runs} runs")
        yield [f"{shared:g}", str(runs), *map(share, cells)]


def normal(rng: np.random.Generator, size: tuple[int, int]) -> Array:
    """Differences as the method has them in mind."""
    return rng.standard_normal(size)


def heavy(rng: np.random.Generator, size: tuple[int, int]) -> Array:
    """Differences with heavy tails: Student's t with 5 degrees of freedom."""
    return rng.standard_t(5, size) / np.sqrt(5 / 3)


def mixed(rng: np.random.Generator, size: tuple[int, int]) -> Array:
    """Three topics in four hardly differ, the others much."""
    apart = rng.standard_normal(size) * np.where(rng.random(size) < 0.25, 1.9, 0.36)
    return apart / np.sqrt(0.25 * 1.9**2 + 0.75 * 0.36**2)


def power_of(draw: Draw, topics: int) -> tuple[float, float]:
    """How often the paired t test and the randomization test find the smallest difference."""
    rng = np.random.default_rng(topics)
    shift = power.noncentrality(LEVEL, topics - 1) / np.sqrt(topics)
    differences = draw(rng, (CORPORA, topics)) + shift
    errors = differences.std(axis=1, ddof=1) / np.sqrt(topics)
    ratios = differences.mean(axis=1) / errors
    by_t = np.abs(ratios) >= student.quantile(LEVEL, topics - 1)
    if topics <= 13:
        signs = ((np.arange(2**topics)[:, np.newaxis] >> np.arange(topics)) & 1) * 2 - 1.0
    else:
        signs = np.concatenate([np.ones((1, topics)), rng.choice([-1.0, 1.0], size=(1999, topics))])
    found = 0
    for block in np.array_split(differences, 20):
        sums = np.abs(block @ signs.T)
        p = (sums >= np.abs(block.sum(axis=1))[:, np.newaxis] - 1e-12).mean(axis=1)
        found += int(np.count_nonzero(p <= 1 - LEVEL))
    return float(by_t.mean()), found / len(differences)


def power_rows() -> Iterator[list[str]]:
    """The power of both tests at the difference that is called detectable."""
    for name, draw in (("normal", normal), ("heavy tails", heavy), ("a quarter differs", mixed)):
        outcomes = [power_of(draw, n) for n in POWER_SIZES]
        announce(f"power, {name}")
        for test, cells in zip(("t", "swaps"), zip(*outcomes, strict=True), strict=True):
            yield [name, test, *map(share, cells)]


def main() -> str:
    """All tables."""
    sizes = [str(n) for n in SIZES]
    return "\n\n".join(
        [
            "# Several runs, and what topics can detect",
            f"Shares of {CORPORA:,} corpora whose 95 % interval holds the truth, by number of "
            "topics; each topic's value is the mean over its runs, which differ by *noise* on the "
            "logit scale (topics: .6 mild, 1 others).",
            table(["rule", "scores", "runs", "noise", *sizes], coverage_rows()),
            "The same if a run is better or worse on all topics alike, by *shared* on the logit "
            "scale, as a model that is trained again: mild scores, mean, noise .3.",
            table(["shared", "runs", *sizes], shared_rows()),
            "How often two tests at p ≤ .05 find the smallest detectable difference (power .8), by "
            "number of topics and the shape of their differences.",
            table(["differences", "test", *map(str, POWER_SIZES)], power_rows()),
        ]
    )
