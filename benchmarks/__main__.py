"""Run the benchmarks: `python -m benchmarks [NAME …]`.

With no names all of them run. Results are printed, and put into RESULTS.md in place of the
last ones of the same name, with the day, the machine and the versions; `--print` leaves the
file alone.
"""

import argparse
import os
import tempfile
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from platform import python_version

from benchmarks.contest import run
from benchmarks.report import installed, merged, processor, section
from benchmarks.suite import SUITE, Benchmark

# Benchmarks that measure other things than pairs: each module's `main` gives Markdown.
PAGES = {
    "coverage": "how often intervals hold the truth and tests err, in simulated corpora",
    "runs": "intervals over topics with runs nested in them, and the power of paired tests",
    "planted": "whether diff names defects that were planted in outputs",
    "commands": "whole commands on files of records, with peak memory",
    "work": "whole commands of everyday work, from a small input to a report on 50 systems",
    "timelines": "real timelines beside tilse, and growth to 5,000 dates",
    "table2": "what the timeline paper's Table 2 leaves open: the date removed, the day added",
    "damages": "which measure notices what is false, and which punishes what is harmless",
    "streams": "111,200 updates, and the curve of a million sentences",
    "oracles": "greedy and exact, hard instances, timelines of real articles",
    "systems": "each system on 500 articles and 15,000 sentences",
    "figures": "the systems on real timelines whose articles are at hand",
    "ranking": "whether the ranking of days in datewise can be trained outside timeline17",
    "meaning": "which similarity finds the judged nuggets of TREC-TS 2014",
    "falsehood": "which errors planted in what people wrote are found by contradictions",
    "dates": "how fast dates are found in the articles of timeline17",
    "judge": "a machine judge whose answers are all in the cache",
    "next": "how many human judgements are saved by drawing what the machine doubts",
    "workbench": "a hundred judges, and 50,000 sentences in a browser",
}
RESULTS = Path(__file__).with_name("RESULTS.md")


def measured(benchmark: Benchmark, repeats: int) -> str:
    """Write the texts, let all contenders work, and give the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        benchmark.write(folder)
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        costs = run(benchmark.contenders, folder, repeats=repeats or benchmark.repeats)
    return section(benchmark, costs, megabytes)


def page(name: str) -> str:
    """Let a module of this folder measure, and give its tables the heading that all have."""
    versions = ", ".join(f"{one} {installed(one)}" for one in ("chronoscore", "numpy", "scipy"))
    load = f"load average {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else ""
    start = time.monotonic()
    written: str = import_module(f"benchmarks.{name}").main()
    minutes = (time.monotonic() - start) / 60
    today = datetime.now(tz=UTC).date().isoformat()
    where = ", ".join(filter(None, [f"Python {python_version()}", processor(), load]))
    stamp = f"Run on {today} in {minutes:.1f} minutes: {where}; {versions}."
    _, _, tables = written.strip().partition("\n")
    return "\n".join([f"## {name}: {PAGES[name]}", "", stamp, "", tables.strip(), ""])


def main() -> None:
    """Run what was asked for."""
    suite = {benchmark.name: benchmark for benchmark in SUITE}
    known = [*suite, *PAGES]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--print", action="store_true", help="leave RESULTS.md as it is")
    parser.add_argument("--repeats", type=int, default=0, help="turns of each contender of pairs")
    told = parser.parse_args()
    names = told.names
    for name in names:
        if name not in known:
            parser.error(f"unknown benchmark '{name}'; known are {', '.join(known)}")
    for name in names or known:
        result = measured(suite[name], told.repeats) if name in suite else page(name)
        print(result, flush=True)
        if told.print:
            continue
        written = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
        RESULTS.write_text(merged(written, {name: result}, known), encoding="utf-8")


if __name__ == "__main__":
    main()
