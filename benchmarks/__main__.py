"""Run the benchmarks: `python -m benchmarks [NAME …]`.

With no names all of them run. Results are printed, and put into RESULTS.md in place of the
last ones of the same name.
"""

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from benchmarks.contest import run
from benchmarks.report import merged, section
from benchmarks.suite import SUITE, Benchmark

# Benchmarks with a page of their own: each module's `main` measures and gives Markdown.
PAGES = ("timelines", "streams", "oracles", "systems")
RESULTS = Path(__file__).with_name("RESULTS.md")


def measured(benchmark: Benchmark) -> str:
    """Write the texts, let all contenders work, and give the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        benchmark.write(folder)
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        costs = run(benchmark.contenders, folder, repeats=benchmark.repeats)
    return section(benchmark, costs, megabytes)


def page(name: str) -> str:
    """Let a module of this folder measure and write for itself."""
    written: str = import_module(f"benchmarks.{name}").main()
    return written.rstrip("\n") + "\n"


def main() -> None:
    """Run what was asked for."""
    known: dict[str, Callable[[], str]] = {
        benchmark.name: partial(measured, benchmark) for benchmark in SUITE
    }
    known |= {name: partial(page, name) for name in PAGES}
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    names = parser.parse_args().names
    for name in names:
        if name not in known:
            parser.error(f"unknown benchmark '{name}'; known are {', '.join(known)}")
    for name in names or known:
        result = known[name]()
        print(result, flush=True)
        written = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
        RESULTS.write_text(merged(written, {name: result}, list(known)), encoding="utf-8")


if __name__ == "__main__":
    main()
