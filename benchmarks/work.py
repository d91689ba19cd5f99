"""Whole commands of everyday work, each in a fresh process, on invented timelines.

CPU seconds are those of all threads and children, from starting Python to the last byte of
output; memory is the peak of the process.
"""

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.commands import Cost, measure_in_turns, write_records
from benchmarks.texts import Newsroom
from chronoscore import demo

TURNS = 3
SIX = ("concat", "agreement", "align", "align+", "align+m1", "dates")
ANSWERS = 1_000
WORDS = 25
"""Words of a day in a timeline."""

ENTRIES = 5_000
"""Entries of a long timeline, a sentence each."""

Words = list[str | Path]


class Command(NamedTuple):
    """A command, how it is shown, and what it should take at most."""

    what: str
    shown: str
    words: Words
    asked: str


def main() -> str:
    """Run each command and say it in Markdown."""
    lines = [
        "## Work",
        "",
        f"Whole commands, the median of {TURNS} runs; timelines of invented news, {WORDS} words a "
        "day, one reference a topic.",
        "",
        "| what | command | CPU s | asked for | wall s | peak MB |",
        "|---|---|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as name:
        for command in commands(Path(name)):
            line = [sys.executable, "-m", "chronoscore", *command.words]
            (cost,) = measure_in_turns([line], TURNS)
            lines.append(row(command, cost))
    return "\n".join(lines) + "\n"


def row(command: Command, cost: Cost | None) -> str:
    """A line of the table."""
    start = f"| {command.what} | `{command.shown}` |"
    if cost is None:
        return f"{start} could not run | {command.asked} | | |"
    return f"{start} {cost[0]:.2f} | {command.asked} | {cost[1]:.2f} | {cost[2]:,.0f} |"


def commands(folder: Path) -> Iterator[Command]:
    """The commands; files are written when they are needed."""
    records = folder / "three.jsonl"
    write_records(records, 3)
    yield Command("3 records", "score three.jsonl", ["score", records], "0.3 s")
    corpus = Path(demo.__file__).parent
    outputs = sorted(corpus.glob("runs/*/timelines"))
    words = ["score", *outputs, "--reference", corpus / "corpus"]
    yield Command("the bundled corpus", "score runs/* -r corpus", words, "0.35 s")
    words = ["demo", "--output", folder / "demo"]
    yield Command("the same with a report and an explanation", "demo", words, "")
    page = folder / "page.html"
    six = [word for name in SIX for word in ("-m", name)]
    for systems, asked in ((50, "12 s"), (100, "60 s")):
        gold, runs = write_systems(folder / str(systems), systems=systems, topics=50, dates=10)
        yield Command(
            f"{systems} systems × 50 topics × 6 measures",
            "report runs/* -r gold -m … -o page.html",
            ["report", *runs, "--reference", gold, *six, "-o", page],
            asked,
        )
    gold, runs = write_systems(folder / "topics", systems=50, topics=100, dates=10)
    words = ["compare", *runs, "--reference", gold, "-m", "align+.f"]
    shown = "compare runs/* -r gold -m align+.f"
    yield Command("50 systems × 100 topics", shown, words, "2 s")
    gold, runs = write_systems(folder / "long", systems=1, topics=1, dates=300)
    words = ["explain", *runs, "--reference", gold, "-m", "align+", "-f", "html", "-o", page]
    yield Command("300 days", "explain mine -r gold -m align+ -f html", words, "2 s")
    gold, runs = write_systems(folder / "entries", systems=1, topics=1, dates=ENTRIES)
    words = ["score", *runs, "--reference", gold, "-m", "pairs(unit=entry)"]
    shown = "score mine -r gold -m 'pairs(unit=entry)'"
    yield Command(f"{ENTRIES:,} entries", shown, words, "500 MB")
    answers = write_answers(folder / "answers")
    words = ["convert", answers, "-o", folder / "answers.jsonl"]
    what, shown = f"{ANSWERS:,} answers in Markdown", "convert answers -o answers.jsonl"
    yield Command(what, shown, words, "2 s")
    scores, ratings = write_ratings(folder, systems=30, topics=48)
    words = ["correlate", scores, "--ratings", ratings]
    what, shown = "30 systems × 48 topics × 3 measures", "correlate scores.jsonl --ratings …"
    yield Command(what, shown, words, "2.5 s")


def write_systems(
    folder: Path, *, systems: int, topics: int, dates: int
) -> tuple[Path, list[str | Path]]:
    """Write a reference for each topic and a timeline of each system; the folders of both."""
    rng, room = np.random.default_rng(0), Newsroom()
    gold, runs = folder / "gold", [folder / f"s{number:02}" for number in range(systems)]
    for place in (gold, *runs):
        place.mkdir(parents=True)
        for topic in range(topics):
            days = np.sort(rng.choice(3 * dates, dates, replace=False))
            texts = room.write(topic * 100 + days // 7, WORDS)
            blocks = [
                f"{day_of(day)}\n" + "\n".join(text) + f"\n{'-' * 32}\n"
                for day, text in zip(days.tolist(), texts, strict=True)
            ]
            (place / f"t{topic:03}.txt").write_text("".join(blocks), encoding="utf-8")
    return gold, list(runs)


def day_of(number: int) -> date:
    """A day by its number."""
    return date(2011, 1, 1) + timedelta(number)


def write_answers(folder: Path) -> Path:
    """Write timelines as models answer: greetings, bullets, dates in words."""
    rng, room = np.random.default_rng(1), Newsroom()
    folder.mkdir()
    for number in range(ANSWERS):
        days = np.sort(rng.choice(300, 15, replace=False))
        texts = room.write(number * 50 + days // 7, WORDS)
        entries = [
            f"- **{day_of(day):%B %d, %Y}**: {' '.join(text)}"
            for day, text in zip(days.tolist(), texts, strict=True)
        ]
        answer = "\n".join(["Here is the timeline:", "", *entries, "", "I hope this helps!"])
        (folder / f"a{number:04}.md").write_text(answer + "\n", encoding="utf-8")
    return folder


def write_ratings(folder: Path, *, systems: int, topics: int) -> tuple[Path, Path]:
    """Write scores of three measures and ratings that go along with them."""
    chance = random.Random(2)
    scores, ratings = folder / "scores.jsonl", folder / "ratings.jsonl"
    quality = [chance.random() for _ in range(systems)]
    with scores.open("w", encoding="utf-8") as told, ratings.open("w", encoding="utf-8") as rated:
        for system in range(systems):
            for topic in range(topics):
                pair = {"system": f"s{system}", "topic": f"t{topic}"}
                level = round(4 * quality[system] + chance.random())
                rated.write(json.dumps({**pair, "rating": "overall", "value": level}) + "\n")
                for n in (1, 2, 3):
                    value = quality[system] / n + chance.random() / 5
                    figure = {"measure": f"rouge(n={n})", "part": "r", "value": value}
                    told.write(json.dumps({**pair, **figure}) + "\n")
    return scores, ratings


if __name__ == "__main__":
    print(main())
