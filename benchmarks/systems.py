"""Systems on a large topic: 500 articles, 15,000 sentences, each in a process of its own."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from benchmarks.texts import Newsroom
from chronoscore.core import Document, Sentence, Timeline, Topic, When

ARTICLES, SENTENCES, DAYS = 500, 30, 250
SECONDS, MEGABYTES = 30.0, 2048.0
"""What a timeline system may take."""
SYSTEMS = (
    "datewise(dates=50,sentences=2)",
    "clust(dates=50,sentences=2)",
    "martschat-markert(dates=50,sentences=2)",
    "martschat-markert(dates=50,sentences=2,constraint=tls,content=1,time=0)",
    "chieu-lee(dates=50)",
    "wilson(dates=50,sentences=2)",
    "pubcount(dates=50,sentences=2)",
    "lead(dates=50,sentences=2)",
    "random(dates=50,sentences=2)",
    "classy",
    "projected-classy",
    "icsisum",
    "lin-bilmes",
    "useful-novel",
    "useful-novel(novelty=nearest)",
    "useful-novel(novelty=cosine)",
)


TOGETHER = SYSTEMS[:3] + SYSTEMS[4:7]
"""Systems that are run in one call, as each is alone."""
SHARE = 1.5
"""What they may take together, as a multiple of the slowest alone."""


def topic(seed: int = 1) -> Topic:
    """Invented articles; a third of the sentences name a day, mostly a recent one."""
    rng = np.random.default_rng(seed)
    days = np.sort(rng.integers(0, DAYS, ARTICLES))
    texts = Newsroom(seed=seed).write(days // 5, 20 * SENTENCES)
    first = date(2010, 1, 1)
    documents = []
    for number, (day, text) in enumerate(zip(days.tolist(), texts, strict=True)):
        named = [
            f"On {first + timedelta(day - int(rng.exponential(6))):%d %B %Y} {sentence}"
            if rng.random() < 1 / 3
            else sentence
            for sentence in text
        ]
        documents.append(
            Document(
                id=f"a{number}",
                sentences=tuple(
                    Sentence(f"a{number}-s{n:02}", said) for n, said in enumerate(named, 1)
                ),
                when=When.of(first + timedelta(day)),
            )
        )
    return Topic(id="large", documents=tuple(documents))


def job(name: str) -> None:
    """Run one system here and say what it took."""
    import warnings

    from chronoscore import summarize
    from chronoscore.systems import parse_system

    warnings.simplefilter("ignore")
    given = topic()
    start, before = time.process_time(), peak()
    if name == "together":
        summarize(given, TOGETHER)
        print(json.dumps({"seconds": time.process_time() - start, "megabytes": peak()}))
        return
    found = parse_system(name)(given)
    size = len(found) if isinstance(found, Timeline) else len(getattr(found, "sentences", ()))
    took = {"seconds": time.process_time() - start, "megabytes": peak(), "before": before}
    print(json.dumps(took | {"size": size}))


def peak() -> float:
    """Most memory that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> str:
    """Measure all systems, and say it in Markdown."""
    lines = [
        "## Systems",
        "",
        f"One invented topic of {ARTICLES} articles and {ARTICLES * SENTENCES:,} sentences, words "
        "and dates found in the text included; CPU seconds and peak memory of the process. A "
        f"timeline system may take {SECONDS:.0f} s and {MEGABYTES:,.0f} MB.",
        "",
        "| system | seconds | MB | |",
        "|---|---:|---:|---|",
    ]
    alone = {name: measure(name) for name in SYSTEMS}
    for name, took in alone.items():
        kept = took["seconds"] <= SECONDS and took["megabytes"] <= MEGABYTES
        timeline = name.partition("(")[0] in (one.partition("(")[0] for one in SYSTEMS[:9])
        verdict = ("kept" if kept else "missed") if timeline else ""
        figures = f"{took['seconds']:.1f} | {took['megabytes']:,.0f}"
        lines.append(f"| `{name}` | {figures} | {verdict} |")
    return "\n".join([*lines, "", describe_together(alone)]) + "\n"


def measure(name: str) -> dict[str, float]:
    """Run a job in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.systems", name]
    home = Path(__file__).parents[1]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=home)
    took: dict[str, float] = json.loads(done.stdout)
    return took


def describe_together(alone: Mapping[str, Mapping[str, float]]) -> str:
    """Six systems in one call, whose documents are read and tagged once, against each alone."""
    seconds = measure("together")["seconds"]
    slowest = max(TOGETHER, key=lambda name: alone[name]["seconds"])
    share = seconds / alone[slowest]["seconds"]
    names = ", ".join(name.partition("(")[0] for name in TOGETHER)
    return (
        f"All of {names} in one call of `summarize`: {seconds:.1f} CPU seconds, {share:.2f} times "
        f"the slowest alone (`{slowest}`, {alone[slowest]['seconds']:.1f} s); at most {SHARE:g} is "
        f"asked for: {'kept' if share <= SHARE else 'missed'}."
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        job(sys.argv[1])
    else:
        print(main())
