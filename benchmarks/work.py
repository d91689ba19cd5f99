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

import numpy as np

from benchmarks.commands import Cost, measure_in_turns, write_records
from benchmarks.texts import Newsroom

TURNS = 3
SIX = ("concat", "agreement", "align", "align+", "align+m1", "dates")
ANSWERS = 1_000
WORDS = 25
"""Words of a day in a timeline."""

ASKED = {
    "score": 0.3,
    "demo": 0.35,
    "report": 12,
    "compare": 2,
    "explain": 2,
    "convert": 2,
    "correlate": 2.5,
}
"""CPU seconds that a command should take at most."""

Command = list[str | Path]


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
        for what, shown, command in commands(Path(name)):
            (cost,) = measure_in_turns([[sys.executable, "-m", "chronoscore", *command]], TURNS)
            lines.append(row(what, shown, cost))
    return "\n".join(lines) + "\n"


def row(what: str, shown: str, cost: Cost | None) -> str:
    """A line of the table."""
    asked = ASKED[shown.split()[0]]
    if cost is None:
        return f"| {what} | `{shown}` | could not run | {asked} | | |"
    return f"| {what} | `{shown}` | {cost[0]:.2f} | {asked} | {cost[1]:.2f} | {cost[2]:,.0f} |"


def commands(folder: Path) -> Iterator[tuple[str, str, Command]]:
    """What is done, how it is shown, and the command; files are written when they are needed."""
    records = folder / "three.jsonl"
    write_records(records, 3)
    yield "3 records", "score three.jsonl", ["score", records]
    yield "the bundled corpus", "demo", ["demo", "--output", folder / "demo"]
    page = folder / "page.html"
    gold, runs = write_systems(folder / "fifty", systems=50, topics=50, dates=10)
    six = [word for name in SIX for word in ("-m", name)]
    given = [*runs, "--reference", gold, *six, "-o", page]
    what = "50 systems × 50 topics × 6 measures"
    yield what, "report runs/* -r gold -m … -o page.html", ["report", *given]
    gold, runs = write_systems(folder / "hundred", systems=50, topics=100, dates=10)
    given = [*runs, "--reference", gold, "-m", "align+.f"]
    yield "50 systems × 100 topics", "compare runs/* -r gold -m align+.f", ["compare", *given]
    gold, runs = write_systems(folder / "long", systems=1, topics=1, dates=300)
    given = [*runs, "--reference", gold, "-m", "align+", "-f", "html", "-o", page]
    yield "300 days", "explain mine -r gold -m align+ -f html", ["explain", *given]
    answers = write_answers(folder / "answers")
    what, shown = f"{ANSWERS:,} answers in Markdown", "convert answers -o answers.jsonl"
    yield what, shown, ["convert", answers, "-o", folder / "answers.jsonl"]
    scores, ratings = write_ratings(folder, systems=30, topics=48)
    what, shown = "30 systems × 48 topics × 3 measures", "correlate scores.jsonl --ratings …"
    yield what, shown, ["correlate", scores, "--ratings", ratings]


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
