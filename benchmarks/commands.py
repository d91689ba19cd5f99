"""Whole commands on files of records: from starting Python to the printed table.

Every run is a fresh process; CPU seconds are those of all its threads and children, memory is its
peak. Files of more than 200,000 records are these several times over, under other ids. Matrix
products run on one thread, so that two jobs are compared with one core; at a million records they
take three turns, and the median counts. The peers read the same file and print the means of their
figures; they give no intervals.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.pairs import write_real
from benchmarks.texts import Newsroom, load

WORDS = 60
SIZES = (1_000, 10_000, 100_000, 200_000, 1_000_000, 10_000_000)
MOST_FOR_TWO = 1_000_000
"""Records up to which two jobs are measured as well."""
LARGEST_WRITTEN = 200_000
PEER_SHARE = 20_000
"""Records that a peer runs; its time is scaled up by the record."""
PLOT = Path(__file__).parents[1] / "docs" / "images" / "scale.svg"

Cost = tuple[float, float, float]
"""CPU seconds, wall seconds, peak megabytes."""

WATCH = """
import os, subprocess, sys, time
start = time.perf_counter()
quiet = subprocess.DEVNULL
process = subprocess.Popen(sys.argv[1:], stdout=quiet, stderr=quiet)
_, status, used = os.wait4(process.pid, 0)
wall = time.perf_counter() - start
print(status, used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)
"""
"""Runs a command from a small process: a child's peak memory begins with that of its parent."""

PEER = """
import json, sys
name, path, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
ours, theirs = [], []
with open(path) as file:
    for line, _ in zip(file, range(limit)):
        record = json.loads(line)
        ours.append(record["system"])
        theirs.append(record["references"][0])
if name == "rouge-rust":
    import fast_rouge
    scores = fast_rouge.score_batch_flat(theirs, ours)
    print(sum(scores.rouge1_recall) / len(ours))
else:
    from rouge_score_rs.rouge_scorer import RougeScorer
    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=False)
    scores = scorer.score_batch(theirs, ours)
    print(sum(one["rouge1"].recall for one in scores) / len(ours))
"""


def main() -> str:
    """Measure, plot, and say it in Markdown."""
    lines = [
        "## Whole commands",
        "",
        f"`score FILE` with ROUGE-1, 2 and L and intervals; {WORDS} words a text, "
        "invented unless said otherwise, JSON Lines unless said otherwise. Goals: 200,000 records "
        "in 8 CPU seconds and 0.6 GB, a million in 45 and 0.8 GB, two jobs 1.7 times as fast.",
        "",
        "| records | who | CPU s | wall s | peak MB | records per CPU s |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    grown: dict[int, float] = {}
    gained = ""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder / "base.jsonl", LARGEST_WRITTEN)
        for size in SIZES:
            path = resize(folder, size)
            commands = [score(path)] + [score(path, "--jobs", "2")] * (size <= MOST_FOR_TWO)
            costs = measure_in_turns(commands, 3 if size == MOST_FOR_TWO else 1)
            for name, cost in zip(["chronoscore", "chronoscore --jobs 2"], costs, strict=False):
                lines.append(row(size, name, cost))
            if costs[0]:
                grown[size] = costs[0][0]
            if size == MOST_FOR_TWO and costs[0] and costs[1]:
                gained = f"{costs[0][1] / costs[1][1]:.2f}"
            lines += peers(path, size)
            if size == LARGEST_WRITTEN:
                lines += other_formats(path)
            path.unlink()
        if os.environ.get("CHRONOSCORE_DATA"):
            path = folder / "real.jsonl"
            write_real_records(path, folder / "real", LARGEST_WRITTEN)
            lines.append(row(LARGEST_WRITTEN, "chronoscore, real text", measure(score(path))))
            lines += peers(path, LARGEST_WRITTEN, ", real text")
    if gained:
        lines += [
            "",
            f"At {MOST_FOR_TWO:,} records two jobs are {gained} times as fast as one.",
        ]
    plot(grown)
    lines += ["", f"![CPU seconds by number of records](../docs/images/{PLOT.name})"]
    return "\n".join(lines) + "\n"


def score(path: Path, *options: str) -> list[str | Path]:
    """The command that scores a file."""
    return [sys.executable, "-m", "chronoscore", "score", path, *options]


def peers(path: Path, size: int, how: str = "") -> list[str]:
    """The lines of the peers for a file."""
    count = min(size, PEER_SHARE)
    return [
        row(size, f"{peer}{how}, {count:,} run", measure(script), count)
        for peer in ("rouge-score-rs", "rouge-rust")
        for script in [[sys.executable, "-c", PEER, peer, path, str(count)]]
    ]


def other_formats(path: Path) -> list[str]:
    """The lines of the same records as CSV, Parquet and packed JSON Lines."""
    import pandas as pd

    frame = pd.read_json(path, lines=True)
    frame["references"] = frame["references"].str[0]
    writers = {
        "records.csv": partial(frame.to_csv, index=False),
        "records.parquet": frame.to_parquet,
        "records.jsonl.zst": partial(
            frame.to_json, orient="records", lines=True, force_ascii=False
        ),
    }
    lines = []
    for name, write in writers.items():
        file = path.with_name(name)
        write(file)
        lines.append(row(len(frame), f"chronoscore, {name[8:]}", measure(score(file))))
        file.unlink()
    return lines


def write_records(path: Path, count: int) -> None:
    """Write records of invented news, an output and a reference on the same topic each."""
    room = Newsroom()
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, count, 2000):
            topics = np.arange(start, min(start + 2000, count))
            pairs = zip(topics, room.write(topics, WORDS), room.write(topics, WORDS), strict=True)
            for topic, ours, theirs in pairs:
                texts = {"system": "\n".join(ours), "references": ["\n".join(theirs)]}
                file.write(json.dumps({"id": f"a{topic}", **texts}) + "\n")


def write_real_records(path: Path, folder: Path, count: int) -> None:
    """Write records of real text, an output and a reference from the same timeline each."""
    folder.mkdir()
    write_real(folder, systems=count, references=1, words=WORDS)
    pairs = zip(load(folder / "systems"), load(folder / "references"), strict=True)
    with path.open("w", encoding="utf-8") as file:
        for number, (ours, theirs) in enumerate(pairs):
            texts = {"system": "\n".join(ours), "references": ["\n".join(theirs)]}
            file.write(json.dumps({"id": f"a{number}", **texts}) + "\n")


def resize(folder: Path, size: int) -> Path:
    """A file with this many of the records, or with all of them several times."""
    path = folder / f"records{size}.jsonl"
    with path.open("w", encoding="utf-8") as target:
        for copy in range(-(-size // LARGEST_WRITTEN)):
            with (folder / "base.jsonl").open(encoding="utf-8") as source:
                for line, _ in zip(source, range(size), strict=False):
                    target.write(line.replace('"id": "a', f'"id": "{copy}-', 1))
    return path


def measure(command: Sequence[str | Path]) -> Cost | None:
    """What a command costs; none if it fails."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", WATCH, *command],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    status, *cost = map(float, done.stdout.split())
    return None if status else (cost[0], cost[1], cost[2])


def measure_in_turns(commands: Sequence[Sequence[str | Path]], times: int) -> list[Cost | None]:
    """What commands cost that take turns: the run with the median wall time of each."""
    runs = [[measure(command) for command in commands] for _ in range(times)]
    columns = [[cost for cost in column if cost] for column in zip(*runs, strict=True)]
    return [
        sorted(column, key=lambda cost: cost[1])[len(column) // 2] if column else None
        for column in columns
    ]


def row(size: int, who: str, cost: Cost | None, done: int = 0) -> str:
    """A line of the table."""
    if cost is None:
        return f"| {size:,} | {who} | could not run | | | |"
    scale = size / done if done else 1
    cpu, wall, peak = cost[0] * scale, cost[1] * scale, cost[2]
    return f"| {size:,} | {who} | {cpu:.3g} | {wall:.3g} | {peak:,.0f} | {size / cpu:,.0f} |"


def plot(grown: dict[int, float]) -> None:
    """Draw the growth, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.8))
    axes.plot(list(grown), list(grown.values()), marker="o", markersize=4)
    axes.set(xscale="log", yscale="log", xlabel="records", ylabel="CPU seconds, whole command")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(PLOT)


if __name__ == "__main__":
    print(main())
