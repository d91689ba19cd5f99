"""Judged streams: a shared task's updates, and the curve of a very long topic.

Each figure is taken in a fresh process. Without real data in CHRONOSCORE_DATA an invented
stream of the same size takes the place of TREC's.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

GROWTH = (125_000, 250_000, 500_000, 1_000_000)
EVENTS = 10_000
TOPICS, UPDATES, NUGGETS, SAMPLED = 15, 111_200, 1_394, 14_651
HOUR = 3600

Figures = dict[str, Any]


def main() -> str:
    """Measure in fresh processes, and say it in Markdown."""
    official = fresh("official")
    lines = [
        "## Judged streams",
        "",
        f"{official['what']}: CPU seconds (3 are allowed) and peak memory.",
        "",
        "| what is called | seconds | MB |",
        "|---|---:|---:|",
        "| `score(runs, judgements=folder, measures='stream')`, reading and intervals included "
        f"| {official['score']:.2f} | {official['megabytes']:.0f} |",
        "",
        f"Inside: the curve of one invented topic with {EVENTS:,} events, one link for every third "
        "sentence, without the command around it; CPU seconds (5 are allowed for the last), peak "
        "memory with the judgements.",
        "",
        "| sentences | curve | MB | reading the same from JSON Lines |",
        "|---:|---:|---:|---:|",
    ]
    for size in GROWTH:
        held, read = fresh("curve", size), fresh("files", size)
        lines.append(
            f"| {size:,} | {held['curve']:.2f} | {held['megabytes']:.0f} | {read['load']:.2f} |"
        )
    return "\n".join(lines) + "\n"


def fresh(job: str, size: int = 0) -> Figures:
    """Run a job in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.streams", job, str(size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: Figures = json.loads(done.stdout)
    return found


def official(_size: int) -> Figures:
    """Read and score the three runs, or invented ones, in one call of `score`."""
    import chronoscore

    data = os.environ.get("CHRONOSCORE_DATA", "")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(data) / "trec-ts-2014" if data else invented(Path(name))
        runs_file = folder / ("cunlp-updates.ssv.gz" if data else "runs.ssv")
        start = time.process_time()
        result = chronoscore.score(runs_file, judgements=folder, measures="stream")
        seconds = time.process_time() - start
    updates = sum(len(out) for run in result.runs for out in run.outputs.values())
    what = "TREC Temporal Summarization 2014" if data else "An invented stream"
    size = f"{updates:,} updates of {len(result.systems)} runs on {len(result.topics)} topics"
    return {"what": f"{what}, {size}", "score": seconds}


def invented(folder: Path) -> Path:
    """Tables and runs as large as TREC's of 2014."""
    rng = np.random.default_rng(1)
    head = "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text"
    nuggets = [
        f"TS14.{n % TOPICS}\tn{n}\t{rng.integers(0, 500 * HOUR)}\t"
        f"{rng.integers(1, 4)}\t9\ttwo words"
        for n in range(NUGGETS)
    ]
    write(folder / "nuggets.tsv", head, nuggets)
    head = "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text"
    text = "an update of some ten words that tells a thing"
    updates = [f"TS14.{n % TOPICS}\td-{n}\td\t{n}\t46\tNULL\t{text}" for n in range(SAMPLED)]
    write(folder / "updates_sampled.tsv", head, updates)
    head = "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p"
    matches = []
    for n in range(SAMPLED - 1000):
        nugget = int(rng.integers(0, NUGGETS // TOPICS)) * TOPICS + n % TOPICS
        matches.append(f"TS14.{n % TOPICS}\td-{n}\tn{nugget}\t3\t20\t0")
    write(folder / "matches.tsv", head, matches)
    rows = [
        f"{n % TOPICS} team run{n % 3} d {rng.integers(0, 8 * SAMPLED)} "
        f"{rng.integers(0, 500 * HOUR)} {rng.random():.4f}"
        for n in range(UPDATES)
    ]
    (folder / "runs.ssv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def write(path: Path, head: str, rows: list[str]) -> None:
    """Write a table."""
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")


def drawn(size: int) -> tuple[list[str], list[tuple[int, int]], list[float]]:
    """Sentences, links and scores of a long topic."""
    rng = np.random.default_rng(0)
    sentences = rng.integers(0, size, size // 3).tolist()
    events = rng.integers(0, EVENTS, size // 3).tolist()
    links = list(dict.fromkeys(zip(sentences, events, strict=True)))
    return [f"s{number}" for number in range(size)], links, rng.random(size).tolist()


def curve(size: int) -> Figures:
    """Hold a long topic and a ranking of all its sentences, and draw the curve."""
    from chronoscore.core import (
        Collection,
        Event,
        Judgements,
        Link,
        Ranking,
        Run,
        Selection,
        Topic,
    )
    from chronoscore.measures.streams.curves import precision_recall_curves

    ids, links, scores = drawn(size)
    judged = Judgements(
        sentences=tuple(ids),
        events=tuple(Event(f"e{number}") for number in range(EVENTS)),
        links=tuple(Link(sentence=ids[s], event=f"e{e}") for s, e in links),
    )
    ranking = Ranking(tuple(map(Selection, ids, scores)))
    start = time.process_time()
    found = precision_recall_curves(
        Collection({"t": Topic(id="t", judgements=judged)}), [Run("all", {"t": ranking})]
    )
    seconds = time.process_time() - start
    assert found.average().shape == (1, 11)
    return {"curve": seconds}


def files(size: int) -> Figures:
    """Read the same topic and ranking from JSON Lines."""
    from chronoscore.formats.judgements import judgement_files, rankings

    ids, links, scores = drawn(size)
    with tempfile.TemporaryDirectory() as name:
        judged, ranked = Path(name) / "j.jsonl", Path(name) / "r.jsonl"
        rows = ['{"kind":"topic","id":"t"}']
        rows += [f'{{"kind":"sentence","id":"{sentence}"}}' for sentence in ids]
        rows += [f'{{"kind":"event","id":"e{number}"}}' for number in range(EVENTS)]
        rows += [f'{{"kind":"link","sentence":"{ids[s]}","event":"e{e}"}}' for s, e in links]
        judged.write_text("\n".join(rows) + "\n", encoding="utf-8")
        rows = [
            f'{{"topic":"t","sentence":"{sentence}","score":{score}}}'
            for sentence, score in zip(ids, scores, strict=True)
        ]
        ranked.write_text("\n".join(rows) + "\n", encoding="utf-8")
        del rows
        start = time.process_time()
        judgement_files.load(judged)
        rankings.load(ranked)
        return {"load": time.process_time() - start}


JOBS: dict[str, Callable[[int], Figures]] = {"official": official, "curve": curve, "files": files}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        warnings.simplefilter("ignore")
        figures = JOBS[sys.argv[1]](int(sys.argv[2]))
        figures["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        json.dump(figures, sys.stdout)
    else:
        print(main())
