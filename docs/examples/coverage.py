"""How often do intervals hold, and tests err? Simulate data with a known truth and count.

Prints the false alarms of tests of two correlations, the coverage of the coefficients of a
robust fit, and that of bootstrap intervals of correlations at every level, for each thing
that may be drawn anew. Takes some minutes.
"""

from dataclasses import replace

import numpy as np

from chronoscore.options.correlation import INTERVALS, LEVELS, REDRAWN, Bootstrap
from chronoscore.stats.correlation import correlation
from chronoscore.stats.correlation_intervals import (
    correlation_samples,
    interval_about,
)
from chronoscore.stats.correlation_tests import permutation_test, williams_test
from chronoscore.stats.robust import robust_fit

ALPHA = np.array([0.9, -5.5, 21.0])


def fits(points: int, draws: int = 2000, odd: int = 0) -> np.ndarray:
    """The share of fits whose interval holds each coefficient."""
    rng = np.random.default_rng(1)
    x = rng.random((draws, points, 2)) * [0.06, 0.09] + 0.02
    y = ALPHA[0] + x @ ALPHA[1:] + 0.15 * rng.standard_normal((draws, points))
    y[:, :odd] += 3
    low, high = robust_fit(x, y).interval()
    return ((low <= ALPHA) & (high >= ALPHA)).mean(axis=0)


class World:
    """Systems of normal quality; scores and ratings see it through noise on every topic."""

    def __init__(self, systems: int, topics: int, seed: int) -> None:
        self.size = (systems, topics)
        self.rng = np.random.default_rng(seed)
        self.quality = self.rng.standard_normal((systems, 1))
        self.bias = 0.6 * self.rng.standard_normal((systems, 1))

    def judged(self, times: int = 1, *, fresh: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Scores and ratings on new topics, of new systems if they are to be fresh."""
        quality, bias = self.quality, self.bias
        if fresh:
            quality = self.rng.standard_normal((times, self.size[0], 1))
            bias = 0.6 * self.rng.standard_normal((times, self.size[0], 1))
        noise = 2.0 * self.rng.standard_normal((2, times, *self.size))
        return quality + bias + noise[0], quality + noise[1]

    def expected(self, level: str, times: int, *, fresh: bool) -> float:
        """The mean correlation on other data of the same size."""
        judged = self.judged(times, fresh=fresh)
        return float(correlation(*judged, level=level, coefficient="pearson").mean())


def intervals(systems: int, topics: int, level: str, redrawn: str, worlds: int = 300) -> str:
    """The share of worlds in which each kind of interval holds the expected correlation."""
    overall = World(systems, topics, 0).expected(level, 1000, fresh=True)
    held = dict.fromkeys(INTERVALS, 0)
    for seed in range(worlds):
        world = World(systems, topics, seed)
        x, z = (side[0] for side in world.judged())
        value = float(correlation(x, z, level=level, coefficient="pearson"))
        truth = world.expected(level, 100, fresh=False) if redrawn == "inputs" else overall
        how = Bootstrap(redrawn=redrawn, times=500, seed=seed)
        samples = correlation_samples(x, z, how, level=level)[0]
        for kind in INTERVALS:
            low, high = interval_about(value, samples, replace(how, kind=kind))
            held[kind] += low <= truth <= high
    return ", ".join(f"{kind} {count / worlds:.3f}" for kind, count in held.items())


def false_alarms(systems: int, topics: int, bias: float, worlds: int = 300) -> str:
    """How often each test tells two measures apart that follow people equally well."""
    found = dict.fromkeys([*(f"perm-{name}" for name in REDRAWN), "williams"], 0)
    for seed in range(worlds):
        rng = np.random.default_rng(seed)
        quality = rng.standard_normal((systems, 1))
        x, y, z = quality + 2.0 * rng.standard_normal((3, systems, topics))
        # What a measure sees in some systems and people do not.
        x, y = (side + bias * rng.standard_normal((systems, 1)) for side in (x, y))
        for name in REDRAWN:
            test = permutation_test(x, y, z, swapped=name, trials=199, seed=seed)
            found[f"perm-{name}"] += test.p <= 0.05
        pairs = ((x, z), (y, z), (x, y))
        r = [float(correlation(*pair, coefficient="pearson")) for pair in pairs]
        found["williams"] += williams_test(*r, systems).p <= 0.05
    return ", ".join(f"{name} {count / worlds:.3f}" for name, count in found.items())


def main() -> None:
    """Print all tables."""
    for systems, topics in ((12, 10), (30, 20), (58, 48)):
        for bias in (0.0, 0.6):
            alarms = false_alarms(systems, topics, bias)
            print(f"tests, {systems} x {topics}, bias {bias}: {alarms}", flush=True)
    for points, odd in ((12, 0), (29, 0), (58, 0), (58, 3)):
        print(f"fit, {points} systems, {odd} odd:", fits(points, odd=odd).round(3))
    for systems, topics in ((12, 10), (58, 48)):
        for level in LEVELS:
            for redrawn in REDRAWN:
                shares = intervals(systems, topics, level, redrawn)
                print(f"{systems} x {topics}, {level}, {redrawn}: {shares}", flush=True)


if __name__ == "__main__":
    main()
