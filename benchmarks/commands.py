"""Whole commands on files of records: from starting Python to the printed table.

Every run is a fresh process; CPU seconds are those of all its threads and children, memory is its
peak. A million records are the 200,000 five times over, under other ids. The peers read the same
file and print the means of their figures; they draw no bootstrap intervals.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.texts import Newsroom

WORDS = 60
SIZES = (1_000, 10_000, 200_000, 1_000_000)
LARGEST_WRITTEN = 200_000
PEER_SHARE = 20_000
"""Records that a peer runs; its time is scaled up by the record."""

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
    """Measure and say it in Markdown."""
    lines = [
        "## Whole commands",
        "",
        f"`score FILE.jsonl` with ROUGE-1, 2 and L, 1,000 bootstrap draws; {WORDS} words a text, "
        "invented. Goals: 200,000 records in 8 CPU seconds and 0.6 GB, a million in 45 and 0.8 GB.",
        "",
        "| records | who | CPU s | wall s | peak MB | records per CPU s |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder / "base.jsonl", LARGEST_WRITTEN)
        for size in SIZES:
            path = resize(folder, size)
            for jobs in (1, 2):
                command = [sys.executable, "-m", "chronoscore", "score", path, "--jobs", str(jobs)]
                lines.append(row(size, f"chronoscore --jobs {jobs}", measure(command)))
            for peer in ("rouge-score-rs", "rouge-rust"):
                count = min(size, PEER_SHARE)
                script = [sys.executable, "-c", PEER, peer, path, str(count)]
                lines.append(row(size, f"{peer}, {count:,} run", measure(script), count))
    return "\n".join(lines) + "\n"


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


def resize(folder: Path, size: int) -> Path:
    """A file with this many of the records, or with all of them several times."""
    path = folder / f"records{size}.jsonl"
    with path.open("w", encoding="utf-8") as target:
        for copy in range(-(-size // LARGEST_WRITTEN)):
            with (folder / "base.jsonl").open(encoding="utf-8") as source:
                for line, _ in zip(source, range(size), strict=False):
                    target.write(line.replace('"id": "a', f'"id": "{copy}-', 1))
    return path


def measure(command: Sequence[str | Path]) -> tuple[float, float, float] | None:
    """CPU seconds, wall seconds and peak megabytes of a command; none if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    wall = time.perf_counter() - start
    return None if status else (used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def row(size: int, who: str, cost: tuple[float, float, float] | None, done: int = 0) -> str:
    """A line of the table."""
    if cost is None:
        return f"| {size:,} | {who} | could not run | | | |"
    scale = size / done if done else 1
    cpu, wall, peak = cost[0] * scale, cost[1] * scale, cost[2]
    return f"| {size:,} | {who} | {cpu:.3g} | {wall:.3g} | {peak:,.0f} | {size / cpu:,.0f} |"


if __name__ == "__main__":
    print(main())
