"""Few people, much machine: how often do the intervals hold, and how narrow do they get?

Simulates topics with a known mean and machines of three qualities, prints the coverage of 95 %
intervals and their width as a share of people alone's, and draws the widths to the SVG file
that is named (`python docs/examples/few_people.py docs/images/few-people.svg`). Takes a few
minutes.
"""

import sys
from pathlib import Path

import numpy as np

from chronoscore.reports.plots import COLORS, GRID, save
from chronoscore.stats.ppi import PoweredInterval, powered_mean

TRUTH = 0.4
"""The mean of the people's scores, which are spread as Beta(2, 3)."""
FURTHER = 200
"""Topics that the machine alone judged, in the picture."""
MACHINES = {
    "good machine (r = .96)": (0.0, 1.0, 0.3),
    "fair, biased machine (r = .77)": (0.2, 0.6, 0.5),
    "useless machine (r = 0)": (0.4, 0.0, 1.0),
}
"""By quality: bias, slope, and noise as a share of the people's spread."""


def simulate(
    machine: str, n: int, further: int, interval: PoweredInterval, trials: int, seed: int = 1
) -> tuple[float, float, float]:
    """The coverage, the mean width, and the mean width by people alone."""
    rng = np.random.default_rng(seed)
    bias, slope, noise = MACHINES[machine]
    held, widths, alone = 0, 0.0, 0.0
    for trial in range(trials):
        people = rng.beta(2, 3, n + further)
        told = bias + slope * people + noise * rng.normal(0, 0.2, n + further)
        found = powered_mean(
            people[:n], told[:n], told[n:], interval=interval, times=500, seed=2 * trial
        )
        held += found.low <= TRUTH <= found.high
        widths += found.high - found.low
        alone += found.people_high - found.people_low
    return held / trials, widths / trials, alone / trials


def coverage_table() -> None:
    """Print coverage and relative width for both kinds of intervals."""
    print("interval   n    N  machine                          coverage  width / people alone")
    kinds: list[tuple[PoweredInterval, int]] = [("t", 10_000), ("bootstrap", 2_000)]
    for interval, trials in kinds:
        for n, further in ((5, 100), (10, 20), (10, 100), (20, 100), (50, 200)):
            for machine in MACHINES:
                held, width, alone = simulate(machine, n, further, interval, trials)
                share = width / alone
                print(f"{interval:9} {n:3} {further:4}  {machine:32} {held:8.3f}  {share:8.3f}")


def draw(path: Path) -> None:
    """Plot the width of the interval over the number of topics that people judged."""
    from matplotlib.figure import Figure

    sizes = [5, 6, 8, 10, 14, 20, 30, 40, 60, 80]
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.add_subplot()
    shapes = zip("D^v", ("-", "--", ":"), MACHINES, strict=True)
    alone = [simulate(next(iter(MACHINES)), n, FURTHER, "t", 1500)[2] for n in sizes]
    axes.plot(sizes, alone, color=COLORS[1], marker="s", linewidth=1.6, label="people alone")
    for place, (marker, line, machine) in enumerate(shapes):
        widths = [simulate(machine, n, FURTHER, "t", 1500)[1] for n in sizes]
        axes.plot(
            sizes,
            widths,
            color=COLORS[(0, 2, 3)[place]],
            marker=marker,
            linestyle=line,
            linewidth=1.6,
            label=f"with a {machine}",
        )
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(n) for n in sizes])
    axes.minorticks_off()
    axes.set_ylim(0)
    axes.set_xlabel(f"topics judged by people (n); {FURTHER} further ones by the machine")
    axes.set_ylabel("mean width of the 95 % interval")
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.legend(frameon=False)
    save(figure, path)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
    coverage_table()
