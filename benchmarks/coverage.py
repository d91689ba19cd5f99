"""How often do 95 % intervals hold, and paired tests err? Corpora are drawn from a known truth.

Every corpus is scored by the functions that `score` and `compare` call; only the counts of its
topics are drawn instead of read off texts. The truth is the figure of two million topics.
"""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TypeAlias

import numpy as np

from chronoscore.errors import ChronoscoreWarning
from chronoscore.measures import Measure, average_over_topics, parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats.compare import SystemPair
from chronoscore.stats.corpus import averages
from chronoscore.stats.corpus_tests import compare_systems

CORPORA = 4000
SIZES = (5, 10, 20, 50, 200)
PAIR_SIZES = (5, 10, 20)
MANY = 2_000_000
Size: TypeAlias = tuple[int, ...]
Draw: TypeAlias = Callable[[np.random.Generator, Size], Array]


def mild(rng: np.random.Generator, size: Size) -> Array:
    """Shares about .42."""
    return rng.beta(5, 7, size)


def skewed(rng: np.random.Generator, size: Size) -> Array:
    """Shares about .1, most of them below."""
    return rng.beta(1, 9, size)


def many_zeros(rng: np.random.Generator, size: Size) -> Array:
    """Two topics in five have nothing, the others about .29."""
    return rng.beta(2, 5, size) * (rng.random(size) > 0.4)


def near_one(rng: np.random.Generator, size: Size) -> Array:
    """Shares about .9, most of them above."""
    return rng.beta(9, 1, size)


SHAPES: Mapping[str, Draw] = {
    "mild": mild,
    "skewed": skewed,
    "many zeros": many_zeros,
    "near 1": near_one,
}


def shares(draw: Draw, rng: np.random.Generator, size: Size) -> tuple[Array, Array]:
    """Precision and recall of each topic, which are alike but not the same."""
    first, second = draw(rng, size), draw(rng, size)
    return first, np.where(rng.random(size) < 0.5, first, second)


def counts(draw: Draw, rng: np.random.Generator, size: Size) -> Array:
    """Found, wanted, kept and offered words of texts whose lengths differ by half."""
    precision, recall = shares(draw, rng, size)
    wanted, offered = np.exp(rng.normal(5, 0.5, (2, *size)))
    return np.stack([recall * wanted, wanted, precision * offered, offered], axis=-1)


def left_out(draw: Draw, rng: np.random.Generator, size: Size) -> Array:
    """Sums of P, R and F over four references, each left out once."""
    precision, recall = shares(draw, rng, size)
    noise = rng.uniform(0.8, 1.0, (2, 4, *size))
    p, r = precision * noise[0], recall * noise[1]
    f = np.divide(2 * p * r, p + r, out=np.zeros_like(p), where=p + r > 0)
    return np.stack([p.sum(axis=0), r.sum(axis=0), f.sum(axis=0), np.full(size, 4.0)], axis=-1)


def events(draw: Draw, rng: np.random.Generator, size: Size) -> Array:
    """Events mentioned and all, and sentences retrieved, which may mention several."""
    share = draw(rng, size)
    wanted = rng.integers(8, 40, size)
    found = rng.binomial(wanted, share).astype(float)
    offered = rng.integers(5, 30, size).astype(float)
    return np.stack([found, wanted.astype(float), found, offered], axis=-1)


def units(draw: Draw, rng: np.random.Generator, size: Size) -> Array:
    """Weight of the units found, and the most that was asked for, which may be less."""
    possible = rng.integers(20, 60, size).astype(float)
    return np.stack([draw(rng, size) * possible * rng.uniform(0.8, 1.4, size), possible], axis=-1)


FIGURES: Sequence[tuple[str, str, Averaging, str, Callable[..., Array]]] = (
    ("mean", "rouge1", "mean", "f", counts),
    ("of means", "rouge1", "of-means", "f", counts),
    ("micro", "rouge1", "micro", "f", counts),
    ("jackknifed references", "rouge(n=1,jackknife)", "mean", "f", left_out),
    ("nu.recall", "nu", "mean", "recall", events),
    ("nu.f", "nu", "mean", "f", events),
    ("pyramid", "pyramid", "mean", "score", units),
)
"""What a row is called, its measure, averaging rule and part, and how its counts are drawn."""


def scores_of(measure: Measure, tallies: Array) -> Scores:
    """Tallies as scores, a system for each corpus."""
    systems = tuple(map(str, range(len(tallies))))
    topics = tuple(f"{number:04}" for number in range(tallies.shape[1]))
    return Scores(systems, topics, {measure: tallies}, "simulated")


def covered(
    name: str, rule: Averaging, part: str, draw: Callable[..., Array], topics: int, how: Resampling
) -> float:
    """The share of corpora whose interval holds the truth; none counts as one that does not."""
    rng = np.random.default_rng(topics)
    measure = parse_measure_text(f"{name}.{part}")
    place = measure.parts.index(part)
    truth = average_over_topics(measure, draw(np.random.default_rng(0), (MANY,)), rule)[place]
    found = averages(scores_of(measure, draw(rng, (CORPORA, topics))), how)
    return float(np.mean([one.low <= truth <= one.high for one in found]))


def two_systems(
    shape: str, rng: np.random.Generator, size: Size, shift: float, alike: float
) -> Array:
    """Counts of two systems, systems × topics × columns; a hard topic is hard for both."""
    center, spread, zeros = {
        "mild": (-0.3, 0.6, 0.0),
        "skewed": (-2.5, 1.0, 0.0),
        "many zeros": (-1.0, 0.8, 0.4),
        "near 1": (2.5, 1.0, 0.0),
    }[shape]
    noise = rng.standard_normal((3, *size))
    shared, own = noise[0], noise[1:]
    latent = center + spread * (np.sqrt(alike) * shared + np.sqrt(1 - alike) * own)
    latent[0] += shift
    share = 1 / (1 + np.exp(-latent)) * (rng.random((2, *size)) > zeros)
    wanted, offered = np.exp(rng.normal(5, 0.5, (2, *size)))
    return np.stack(
        [share * wanted, wanted + 0 * share, share * offered, offered + 0 * share], axis=-1
    )


def _compared(measure: Measure, tallies: Array, how: Resampling, trials: int) -> SystemPair:
    """The only pair of a corpus of two systems."""
    with warnings.catch_warnings():
        # Five topics cannot differ significantly by swaps, which is said every time.
        warnings.simplefilter("ignore", ChronoscoreWarning)
        scores = scores_of(measure, tallies)
        found = compare_systems(scores, measure, "f", how, trials=trials)
    return found.pairs[0]


def differences(shape: str, alike: float, rule: Averaging, topics: int) -> list[float]:
    """Coverage of the difference of systems that differ, and how often tests reject equal ones."""
    measure = parse_measure_text("rouge1.f")
    how = Resampling(rule=rule)
    many = two_systems(shape, np.random.default_rng(0), (MANY,), 0.5, alike)
    values = average_over_topics(measure, many, rule)[:, 2]
    truth = values[0] - values[1]
    rng = np.random.default_rng(topics)
    outcomes = []
    for _ in range(CORPORA):
        pair = _compared(measure, two_systems(shape, rng, (topics,), 0.5, alike), how, 1)
        equal = _compared(measure, two_systems(shape, rng, (topics,), 0.0, alike), how, 999)
        # The paired t test rejects where 0 is outside of the interval.
        outcomes.append(
            [pair.low <= truth <= pair.high, equal.p <= 0.05, not equal.low <= 0 <= equal.high]
        )
    shares: list[float] = np.mean(outcomes, axis=0).tolist()
    return shares


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, the first columns of words."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def share(value: float) -> str:
    """A share as it is printed."""
    return f"{value:.3f}".lstrip("0")


def figure_rows() -> Iterator[list[str]]:
    """Coverage of corpus figures, by what they are and by the shape of scores."""
    for (label, name, rule, part, draw), (shape, shares) in product(FIGURES, SHAPES.items()):
        cells = [
            covered(name, rule, part, partial(draw, shares), n, Resampling(rule=rule))
            for n in SIZES
        ]
        announce(f"{label}, {shape}")
        yield [label, shape, *map(share, cells)]


def bootstrap_rows() -> Iterator[list[str]]:
    """Coverage of the percentile bootstrap, for comparison."""
    how = Resampling(interval="bootstrap", times=500)
    for shape, shares in SHAPES.items():
        cells = [covered("rouge1", "mean", "f", partial(counts, shares), n, how) for n in SIZES[:4]]
        announce(f"bootstrap, {shape}")
        yield [shape, *map(share, cells)]


def difference_rows() -> Iterator[list[str]]:
    """Coverage of differences, and the size of two tests."""
    for rule, shape, alike in product(("mean", "of-means", "micro"), SHAPES, (0.0, 0.7)):
        outcomes = [differences(shape, alike, rule, n) for n in PAIR_SIZES]
        announce(f"differences, {rule}, {shape}, {alike:g}")
        held, swapped, student = zip(*outcomes, strict=True)
        yield [
            rule,
            shape,
            share(alike) if alike else "0",
            *map(share, [*held, *swapped, *student]),
        ]


def announce(what: str) -> None:
    """Say on standard error what is done."""
    print(f"  {what}", file=sys.stderr, flush=True)


def main() -> str:
    """All tables."""
    sizes = [str(n) for n in SIZES]
    tests = [f"{what} {n}" for what in ("held", "swaps", "t") for n in PAIR_SIZES]
    return "\n\n".join(
        [
            "# Coverage of 95 % intervals",
            f"Shares of {CORPORA:,} corpora whose interval holds the truth, by number of topics.",
            table(["figure", "scores", *sizes], figure_rows()),
            "The percentile bootstrap of the mean:",
            table(["scores", *sizes[:4]], bootstrap_rows()),
            "Differences of two systems whose scores correlate: shares of intervals that hold the "
            "truth, and of equal systems that are called different at p ≤ .05 by the "
            "randomization test (swaps) and by the paired t test.",
            table(["rule", "scores", "correlation", *tests], difference_rows()),
        ]
    )
