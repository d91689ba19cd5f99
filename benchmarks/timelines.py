"""Timelines against tilse 0.2.1, and their growth to thousands of dates.

The peer runs in a virtual environment of its own, made on the first run inside ours; its
Perl needs XML::Parser (Debian: libxml-parser-perl). Without real data in CHRONOSCORE_DATA
the same comparison is made on invented timelines.
"""

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from datetime import date, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.texts import Newsroom

HERE = Path(__file__).parent
PLOT = HERE / "timelines.svg"
PEER = Path(sys.prefix) / "peer-tilse"
NAMES = ("concat", "agreement", "align", "align+", "align+m1")
MEASURES = [f"{name}(n={n})" for name in NAMES for n in (1, 2)]
THEIRS = {
    "concat": "concat",
    "agreement": "agreement",
    "align": "align_date_costs",
    "align+": "align_date_content_costs",
    "align+m1": "align_date_content_costs_many_to_one",
}
PEERS = {"original": ("Perl back end", 500), "reimpl": ("Python re-implementation", 20)}
"""The peer's back ends, and how many times slower they are asked to be."""
GROWTH = (250, 500, 1000, 2000, 3500, 5000)
PEER_GROWTH = (50, 100, 200)

Days = dict[str, list[str]]
Pair = dict[str, Any]


def main() -> str:
    """Measure, plot, and say it in Markdown."""
    pairs, what = real_pairs()
    # The one in the middle of three, each in a fresh process.
    ours = sorted((own(pairs, MEASURES, "tilse") for _ in range(3)), key=itemgetter("seconds"))[1]
    lines = [
        "## Timelines",
        "",
        f"{what}, all five measures on ROUGE-1 and ROUGE-2; CPU seconds.",
        "",
        "| | seconds | ratio | asked for | largest difference of F where no tie can matter |",
        "|---|---:|---:|---:|---:|",
        f"| chronoscore, `score(…, compat='tilse')`, first call | {ours['seconds']:.2f} | | | |",
        f"| the same with the start of Python | {ours['process']:.2f} | | | |",
    ]
    for back, (label, asked) in PEERS.items():
        peer = theirs(pairs, back)
        who = f"tilse 0.2.1, `evaluate_all(…)`, {label}"
        if peer is None:
            lines.append(f"| {who} | could not be run here | | {asked}× | |")
            continue
        ratio = f"{peer['seconds'] / ours['seconds']:,.0f}×"
        gap = f"{largest_gap(ours, peer):.1e}"
        lines.append(f"| {who} | {peer['seconds']:.1f} | {ratio} | {asked}× | {gap} |")
    return "\n".join([*lines, "", *growth()]) + "\n"


def real_pairs() -> tuple[list[Pair], str]:
    """Two real systems on 19 real timelines, or as many invented ones."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        written = [invented(60, 400, seed) for seed in range(38)]
        return written, "38 pairs of invented timelines (no CHRONOSCORE_DATA)"
    root = Path(data) / "timeline17"
    pairs = []
    for system in sorted((root / "systems").iterdir()):
        for gold in sorted((root / "gold").glob("*/*.txt")):
            topic = gold.parent.name.removeprefix("tl17-")
            name = gold.stem.removesuffix(".co.uk")
            (file,) = system.glob(f"*_{topic}_{name}.txt")
            pairs.append({"system": days(file), "references": [days(gold)]})
    return pairs, f"Two real systems × {len(pairs) // 2} real timelines"


def days(file: Path) -> Days:
    """A timeline as the peer reads it, the last of repeated blocks winning."""
    from chronoscore.formats.timelines import timeline_files

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        timeline = timeline_files.load(file, repeated="last")
    return {str(entry.when): list(entry.sentences) for entry in timeline}


def invented(dates: int, span: int, seed: int = 0) -> Pair:
    """A system and a reference of so many dates within so many days, on related events."""
    rng = np.random.default_rng(seed)
    newsroom = Newsroom(seed=seed)
    first = date(1990, 1, 1)
    sides = []
    for _ in range(2):
        chosen = np.sort(rng.choice(span, dates, replace=False))
        dated = [str(first + timedelta(int(day))) for day in chosen]
        sides.append(dict(zip(dated, newsroom.write(chosen // 7, 40), strict=True)))
    return {"system": sides[0], "references": [sides[1]]}


def own(pairs: Sequence[Pair], measures: Sequence[str], compat: str | None = None) -> Any:
    """Our scores, time and memory, in a process of their own."""
    job = {"pairs": pairs, "measures": measures, "compat": compat}
    return run([sys.executable, str(HERE / "own_job.py")], job)


def theirs(pairs: Sequence[Pair], back: str) -> Any | None:
    """The peer's scores and time; nothing where it cannot be installed or run."""
    python = PEER / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(PEER)], check=True)
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "--no-deps", "tilse==0.2.1"], check=True)
            subprocess.run([*pip, "numpy", "scipy", "nltk"], check=True)
        return run([str(python), str(HERE / "tilse_job.py")], {"pairs": pairs, "back": back})
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"tilse ({back}): {error}", file=sys.stderr)
        return None


def run(command: list[str], job: Any) -> Any:
    """Hand a job to a process and take its answer."""
    text = json.dumps(job)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def largest_gap(ours: Any, peer: Any) -> float:
    """The largest difference of any F where both aligned alike; solvers settle ties differently."""
    gaps: list[float] = []
    for measure, rows in zip(MEASURES, ours["scores"], strict=True):
        name, n = measure[:-5], measure[-2]
        if name in ("align", "align+"):
            continue
        for figure, told in zip(rows, peer["scores"], strict=True):
            gaps.append(abs(figure - told[THEIRS[name]][f"rouge_{n}"]["f_score"]))
    return max(gaps)


def growth() -> list[str]:
    """Time and memory of one pair of ever longer timelines, as a table and a plot."""
    lines = [
        "One timeline against another of the same length, invented texts of 40 words a day, dates "
        "drawn from 2.5 times as many days. CPU seconds of one call of `score` with each measure "
        "on ROUGE-1 alone and with all five on ROUGE-1 and -2; peak memory of the "
        "process that did the last.",
        "",
        f"| dates | {' | '.join(NAMES)} | all, R1 and R2 | MB |",
        "|---:|" + "---:|" * (len(NAMES) + 2),
    ]
    curves: dict[str, list[float]] = {name: [] for name in (*NAMES, "all")}
    for dates in GROWTH:
        pair = [invented(dates, int(2.5 * dates))]
        for name in NAMES:
            curves[name].append(own(pair, [f"{name}(n=1)"])["seconds"])
        whole = own(pair, MEASURES)
        curves["all"].append(whole["seconds"])
        cells = " | ".join(f"{curves[name][-1]:.2f}" for name in (*NAMES, "all"))
        lines.append(f"| {dates:,} | {cells} | {whole['megabytes']:,.0f} |")
    peer = [theirs([invented(dates, int(2.5 * dates))], "reimpl") for dates in PEER_GROWTH]
    told = [found["seconds"] for found in peer if found]
    plot(curves, told)
    said = ", ".join(f"{s:.1f} s at {d} dates" for d, s in zip(PEER_GROWTH, told, strict=False))
    if told:
        lines += ["", f"The peer's Python re-implementation takes {said}."]
    return [*lines, "", f"![CPU seconds by number of dates]({PLOT.name})"]


def plot(curves: dict[str, list[float]], peer: list[float]) -> None:
    """Draw the growth, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.5, 4.2))
    for name, seconds in curves.items():
        label, width = ("all five, R1 and R2", 2) if name == "all" else (name, 1)
        axes.plot(GROWTH, seconds, marker="o", markersize=3, label=label, lw=width)
    if peer:
        axes.plot(PEER_GROWTH[: len(peer)], peer, "ks--", markersize=3, label="tilse, Python")
    axes.axhline(60, color="grey", lw=0.8, ls=":")
    axes.set(xscale="log", yscale="log", xlabel="dates on either side", ylabel="CPU seconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(PLOT)


if __name__ == "__main__":
    print(main())
