"""Few people, much machine: how narrow do intervals get?

Simulates topics with a known mean and machines of three qualities, and draws the widths of 95 %
intervals to the SVG file that is named (`python docs/examples/few_people.py
docs/images/few-people.svg`). `python -m benchmarks coverage` simulates how often they hold.
"""

import sys
from pathlib import Path

import numpy as np

from chronoscore.reports.plots import COLORS, GRID, save
from chronoscore.stats.ppi import powered_mean

FURTHER = 200
"""Topics that the machine alone judged, in the picture."""
MACHINES = {
    "good machine (r = .96)": (0.0, 1.0, 0.3),
    "fair, biased machine (r = .77)": (0.2, 0.6, 0.5),
    "useless machine (r = 0)": (0.4, 0.0, 1.0),
}
"""By quality: bias, slope, and noise as a share of the people's spread."""


def simulate(machine: str, n: int, trials: int = 1500) -> tuple[float, float]:
    """The mean width of the interval, and by people alone."""
    rng = np.random.default_rng(1)
    bias, slope, noise = MACHINES[machine]
    widths, alone = 0.0, 0.0
    for _ in range(trials):
        people = rng.beta(2, 3, n + FURTHER)
        told = bias + slope * people + noise * rng.normal(0, 0.2, n + FURTHER)
        found = powered_mean(people[:n], told[:n], told[n:], bounds=(0.0, 1.0))
        widths += found.high - found.low
        alone += found.people_high - found.people_low
    return widths / trials, alone / trials


def draw(path: Path) -> None:
    """Plot the width of the interval over the number of topics that people judged."""
    from matplotlib.figure import Figure

    sizes = [5, 6, 8, 10, 14, 20, 30, 40, 60, 80]
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.add_subplot()
    shapes = zip("D^v", ("-", "--", ":"), MACHINES, strict=True)
    alone = [simulate(next(iter(MACHINES)), n)[1] for n in sizes]
    axes.plot(sizes, alone, color=COLORS[1], marker="s", linewidth=1.6, label="people alone")
    for place, (marker, line, machine) in enumerate(shapes):
        widths = [simulate(machine, n)[0] for n in sizes]
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
    draw(Path(sys.argv[1]))
