"""Systems on a large topic: 500 articles, 15,000 sentences, each in a process of its own."""

import json
import resource
import subprocess
import sys
import time
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

    from chronoscore.systems import get

    warnings.simplefilter("ignore")
    given = topic()
    start, before = time.process_time(), peak()
    found = get(name)(given)
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
    for name in SYSTEMS:
        command = [sys.executable, "-m", "benchmarks.systems", name]
        home = Path(__file__).parents[1]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=home)
        took = json.loads(done.stdout)
        kept = took["seconds"] <= SECONDS and took["megabytes"] <= MEGABYTES
        timeline = name.partition("(")[0] in (one.partition("(")[0] for one in SYSTEMS[:9])
        verdict = ("kept" if kept else "missed") if timeline else ""
        figures = f"{took['seconds']:.1f} | {took['megabytes']:,.0f}"
        lines.append(f"| `{name}` | {figures} | {verdict} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        job(sys.argv[1])
    else:
        print(main())
