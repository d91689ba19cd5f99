"""How often do 95 % intervals hold, and paired tests err? Corpora are drawn from a known truth.

Every corpus is scored by the functions that `score` and `compare` call; only the counts of its
topics are drawn instead of read off texts. The truth is the figure of two million topics.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import TypeAlias

import numpy as np

from chronoscore.measures import (
    Measure,
    average_over_topics,
    parse_measure_text,
    topic_contributions,
)
from chronoscore.measures.measure import SHARE, Array
from chronoscore.options import Averaging, Resampling
from chronoscore.scoring import Scores
from chronoscore.stats.compare import SystemPair, compare_pairs
from chronoscore.stats.corpus import averages
from chronoscore.stats.corpus_tests import statistic_of
from chronoscore.stats.ppi import powered_mean

CORPORA = 4000
SIZES = (5, 10, 20, 50, 200)
PAIR_SIZES = (5, 10, 20)
PEOPLE = (5, 8, 10, 20, 40)
FURTHER = 100
POWERED = ("people and machine", "people alone", "equal systems rejected", "left 0 to 1")
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
    truth = true_figures(measure, draw, rule)[place]
    found = averages(scores_of(measure, draw(rng, (CORPORA, topics))), how)
    return float(np.mean([one.low <= truth <= one.high for one in found]))


@lru_cache(maxsize=2)
def true_figures(measure: Measure, draw: Callable[..., Array], rule: Averaging) -> Array:
    """The figures of very many topics."""
    return average_over_topics(measure, draw(np.random.default_rng(0), (MANY,)), rule)


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
    noise = rng.standard_normal((5, *size))
    latent = center + spread * (np.sqrt(alike) * noise[0] + np.sqrt(1 - alike) * noise[1:3])
    latent[0] += shift
    # Recall is alike and not the same.
    both = np.stack([latent, latent + 0.3 * noise[3:]])
    precision, recall = 1 / (1 + np.exp(-both)) * (rng.random((2, *size)) > zeros)
    wanted, offered = np.exp(rng.normal(5, 0.5, (2, *size)))
    columns = recall * wanted, wanted + 0 * recall, precision * offered, offered + 0 * recall
    return np.stack(columns, axis=-1)


def differences(shape: str, alike: float, rule: Averaging, topics: int) -> list[float]:
    """Coverage of the difference of systems that differ, and how often tests reject equal ones."""
    measure = parse_measure_text("rouge1.f")
    truth = true_difference(measure, shape, alike, rule)
    rng = np.random.default_rng(topics)

    def compared(shift: float, trials: int) -> list[SystemPair]:
        drawn = two_systems(shape, rng, (CORPORA, topics), shift, alike)
        records = topic_contributions(measure, np.concatenate(drawn), rule)
        pairs = [(number, CORPORA + number) for number in range(CORPORA)]
        names = [str(number) for number in range(2 * CORPORA)]
        every, figure = np.ones(topics, dtype=np.bool_), statistic_of(measure, "f", rule)
        how = Resampling(rule=rule)
        return [*compare_pairs(records, every, names, pairs, figure, how, trials=trials)]

    different, equal = compared(0.5, 1), compared(0.0, 999)
    return [
        float(np.mean([one.low <= truth <= one.high for one in different])),
        float(np.mean([one.p <= 0.05 for one in equal])),
        # The paired t test rejects where 0 is outside of the interval.
        float(np.mean([not one.low <= 0 <= one.high for one in equal])),
    ]


@lru_cache(maxsize=2)
def true_difference(measure: Measure, shape: str, alike: float, rule: Averaging) -> float:
    """The difference of two systems on very many topics."""
    many = two_systems(shape, np.random.default_rng(0), (MANY,), 0.5, alike)
    one, other = average_over_topics(measure, many, rule)[:, 2]
    return float(one - other)


def mirrored(rule: Averaging, topics: int) -> list[float]:
    """How often equal F is called different where one system is precise and the other complete.

    By the randomization test, by the paired t test, and by both, as `compare` calls it.
    """
    measure, rng = parse_measure_text("rouge1.f"), np.random.default_rng(topics)
    size = CORPORA, topics
    high, low = (1 / (1 + np.exp(-rng.normal(center, 0.5, (2, *size)))) for center in (2.2, 0.0))
    wanted, offered = np.exp(rng.normal(5, 0.5, (2, 2, *size)))
    recall, precision = np.stack([low[0], high[1]]), np.stack([high[0], low[1]])
    columns = recall * wanted, wanted, precision * offered, offered
    drawn = np.concatenate(np.stack(columns, axis=-1))
    records = topic_contributions(measure, drawn, rule)
    pairs = [(number, CORPORA + number) for number in range(CORPORA)]
    names = [str(number) for number in range(2 * CORPORA)]
    every, figure = np.ones(topics, dtype=np.bool_), statistic_of(measure, "f", rule)
    found = [
        *compare_pairs(records, every, names, pairs, figure, Resampling(rule=rule), trials=999)
    ]
    swaps = np.array([one.p <= 0.05 for one in found])
    t = np.array([not one.low <= 0 <= one.high for one in found])
    return [float(swaps.mean()), float(t.mean()), float((swaps & t).mean())]


def mirrored_rows() -> Iterator[list[str]]:
    """The size of tests where the two systems are unlike and their F is equal."""
    rules: Sequence[Averaging] = ("mean", "of-means", "micro")
    for rule in rules:
        outcomes = [mirrored(rule, n) for n in PAIR_SIZES]
        announce(f"mirrored, {rule}")
        yield [rule, *(share(one) for kind in zip(*outcomes, strict=True) for one in kind)]


def noisy(people: Array, noise: Array) -> Array:
    """A machine that sees what people see, through noise."""
    return people + 0.06 * noise


def useless(people: Array, noise: Array) -> Array:
    """A machine that knows nothing of the topic."""
    return 0.4 + 0.2 * noise + 0 * people


def biased(people: Array, noise: Array) -> Array:
    """A machine that is too lenient, and noisy."""
    return 0.2 + 0.6 * people + 0.1 * noise


def stepped(people: Array, noise: Array) -> Array:
    """A machine that says good or bad."""
    return (people + 0.05 * noise > 0.5).astype(float)


MACHINES: Mapping[str, tuple[Draw, Callable[[Array, Array], Array]]] = {
    "good": (lambda rng, size: rng.beta(2, 3, size), noisy),
    "useless": (lambda rng, size: rng.beta(2, 3, size), useless),
    "biased": (lambda rng, size: rng.beta(2, 3, size), biased),
    "step": (lambda rng, size: rng.beta(2, 3, size), stepped),
    "scores near 0": (lambda rng, size: rng.beta(0.5, 9.5, size), noisy),
    "70 % zeros": (lambda rng, size: rng.beta(2, 3, size) * (rng.random(size) > 0.7), noisy),
}
"""How people score, and what the machine makes of it."""


def powered(machine: str, topics: int) -> list[float]:
    """How often people and machine together, and people alone, hold the mean; and the p of none."""
    draw, judge = MACHINES[machine]
    truth = float(draw(np.random.default_rng(0), (MANY,)).mean())
    rng = np.random.default_rng(topics)
    outcomes = []
    for _ in range(CORPORA):
        people = draw(rng, (2, topics + FURTHER))
        told = judge(people, rng.standard_normal(people.shape))
        found = powered_mean(people[0, :topics], told[0, :topics], told[0, topics:], bounds=SHARE)
        gap, machine_gap = people[0] - people[1], told[0] - told[1]
        equal = powered_mean(gap[:topics], machine_gap[:topics], machine_gap[topics:])
        outcomes.append(
            [
                found.low <= truth <= found.high,
                found.people_low <= truth <= found.people_high,
                equal.p <= 0.05,
                found.outside,
            ]
        )
    shares: list[float] = np.mean(outcomes, axis=0).tolist()
    return shares


def powered_rows() -> Iterator[list[str]]:
    """Prediction-powered figures: coverage, people alone's, and the size of the test."""
    for machine in MACHINES:
        kinds = zip(*(powered(machine, n) for n in PEOPLE), strict=True)
        announce(f"prediction-powered, {machine}")
        for what, cells in zip(POWERED, kinds, strict=True):
            yield [machine, what, *map(share, cells)]


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
        own = partial(draw, shares)
        cells = [covered(name, rule, part, own, n, Resampling(rule=rule)) for n in SIZES]
        announce(f"{label}, {shape}")
        yield [label, shape, *map(share, cells)]


def bootstrap_rows() -> Iterator[list[str]]:
    """Coverage of the percentile bootstrap, for comparison."""
    how = Resampling(interval="bootstrap", times=500)
    for shape, shares in SHAPES.items():
        own = partial(counts, shares)
        cells = [covered("rouge1", "mean", "f", own, n, how) for n in SIZES[:3]]
        announce(f"bootstrap, {shape}")
        yield [shape, *map(share, cells)]


def difference_rows() -> Iterator[list[str]]:
    """Coverage of differences, and the size of two tests."""
    settings: Sequence[tuple[Averaging, float]] = (
        ("mean", 0.0),
        ("mean", 0.7),
        ("of-means", 0.7),
        ("micro", 0.7),
    )
    for (rule, alike), shape in product(settings, SHAPES):
        outcomes = [differences(shape, alike, rule, n) for n in PAIR_SIZES]
        announce(f"differences, {rule}, {shape}, {alike:g}")
        by_kind = [share(one) for kind in zip(*outcomes, strict=True) for one in kind]
        yield [rule, shape, share(alike) if alike else "0", *by_kind]


def announce(what: str) -> None:
    """Say on standard error what is done."""
    print(f"  {what}", file=sys.stderr, flush=True)


def main() -> str:
    """All tables."""
    sizes = [str(n) for n in SIZES]
    tests = [f"{what} {n}" for what in ("held", "swaps", "t") for n in PAIR_SIZES]
    both = [f"{what} {n}" for what in ("swaps", "t", "both") for n in PAIR_SIZES]
    return "\n\n".join(
        [
            "# Coverage of 95 % intervals",
            f"Shares of {CORPORA:,} corpora whose interval holds the truth, by number of topics.",
            table(["figure", "scores", *sizes], figure_rows()),
            "The percentile bootstrap of the mean:",
            table(["scores", *sizes[:3]], bootstrap_rows()),
            "Differences of two systems whose scores correlate: shares of intervals that hold the "
            "truth, and of equal systems that are called different at p ≤ .05 by the "
            "randomization test (swaps) and by the paired t test.",
            table(["rule", "scores", "correlation", *tests], difference_rows()),
            "The same where one system is precise (.9) and finds half, and the other the reverse:",
            table(["rule", *both], mirrored_rows()),
            f"Prediction-powered means of n topics, with {FURTHER} further ones by the machine: "
            "shares of intervals that hold the truth, of equal systems that are called different, "
            "and of estimates that are replaced as they left the range from 0 to 1.",
            table(["machine", "share", *map(str, PEOPLE)], powered_rows()),
        ]
    )
