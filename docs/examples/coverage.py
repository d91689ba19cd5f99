"""How often do intervals hold the truth? Simulate data with a known truth and count.

Prints the coverage of the coefficients of a robust fit, and of bootstrap intervals of
correlations at every level, for each thing that may be drawn anew. Takes about two minutes.
"""

from dataclasses import replace

import numpy as np

from chronoscore.stats.correlation import LEVELS, correlation
from chronoscore.stats.correlation_intervals import (
    KINDS,
    REDRAWN,
    Bootstrap,
    correlation_samples,
    interval_about,
)
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
    held = dict.fromkeys(KINDS, 0)
    for seed in range(worlds):
        world = World(systems, topics, seed)
        x, z = (side[0] for side in world.judged())
        value = float(correlation(x, z, level=level, coefficient="pearson"))
        truth = world.expected(level, 100, fresh=False) if redrawn == "inputs" else overall
        how = Bootstrap(redrawn=redrawn, times=500, seed=seed)
        samples = correlation_samples(x, z, how, level=level)[0]
        for kind in KINDS:
            low, high = interval_about(value, samples, replace(how, kind=kind))
            held[kind] += low <= truth <= high
    return ", ".join(f"{kind} {count / worlds:.3f}" for kind, count in held.items())


def main() -> None:
    """Print both tables."""
    for points, odd in ((12, 0), (29, 0), (58, 0), (58, 3)):
        print(f"fit, {points} systems, {odd} odd:", fits(points, odd=odd).round(3))
    for systems, topics in ((12, 10), (58, 48)):
        for level in LEVELS:
            for redrawn in REDRAWN:
                shares = intervals(systems, topics, level, redrawn)
                print(f"{systems} x {topics}, {level}, {redrawn}: {shares}", flush=True)


if __name__ == "__main__":
    main()
