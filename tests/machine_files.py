"""Small judged streams and nuggets by invented people and machines, written as files."""

import json
import random
from pathlib import Path

import numpy as np

from data_files import write_judgements, write_lines

PEOPLE = ("ann", "bob", "cat")
SYSTEMS = ("s0.jsonl", "s1.jsonl", "s2.jsonl", "s3.jsonl")
POWERED = ("--judgements", "people.jsonl", "--machine", "machine.jsonl", "--ppi")
"""Files of a `Corpus`: its systems, and the options that name its judgements."""


def rows_of(said):
    """The records that a command printed as JSON Lines."""
    return [json.loads(line) for line in said.out.splitlines()]


def topic_rows(topic: str, sentences: int, events: int = 3) -> list[dict]:
    """A topic with one story and events of two degrees of importance."""
    return [
        {"kind": "topic", "id": topic},
        {"kind": "story", "id": f"{topic}-story", "topic": topic},
        *(
            {
                "kind": "sentence",
                "id": f"{topic}-{n}",
                "story": f"{topic}-story",
                "text": "word " * (3 + n % 7) + f"{topic} {n}",
            }
            for n in range(sentences)
        ),
        *(
            {"kind": "event", "id": f"{topic}-e{n}", "topic": topic, "importance": 1 + n % 2}
            for n in range(events)
        ),
    ]


def link(topic: str, sentence: int, event: int, *marked_by: str, verdict: str = "") -> dict:
    """A link of a topic made by `topic_rows`."""
    row = {
        "kind": "link",
        "sentence": f"{topic}-{sentence}",
        "event": f"{topic}-e{event}",
        "marked_by": list(marked_by),
    }
    return {**row, "verdict": verdict} if verdict else row


class Corpus:
    """Topics that people judged, and these and further ones as a machine did."""

    def __init__(self, judged: int = 8, further: int = 12, sentences: int = 20, seed: int = 1):
        draw = random.Random(seed)
        self.people: list[dict] = []
        self.machine: list[dict] = []
        self.together: list[dict] = []
        """The same with the machine as one more author of the people's file."""
        self.runs: dict[str, list[dict]] = {f"s{n}": [] for n in range(4)}
        cells = [(s, e) for s in range(sentences) for e in range(3)]
        for number in range(judged + further):
            topic = f"t{number}"
            truth = {cell for cell in cells if draw.random() < 0.2}
            views = {name: self.view(draw, cells, truth, 0.15) for name in (*PEOPLE, "model")}
            base = topic_rows(topic, sentences)
            if number < judged:
                links = [
                    link(topic, *cell, *(n for n in PEOPLE if cell in views[n]),
                         verdict="kept" if cell in truth else "dropped")
                    for cell in cells if any(cell in views[n] for n in PEOPLE)
                ]  # fmt: skip
                self.people += [*base, *links]
            authors = ("model",) if number >= judged else (*PEOPLE, "model")
            self.together += base
            for cell in cells:
                marked = [n for n in authors if cell in views[n]]
                only_machine = marked == ["model"]
                if marked:
                    verdict = "kept" if cell in truth else "dropped"
                    # Nobody verified what the machine alone said.
                    row = link(topic, *cell, *marked, verdict="" if only_machine else verdict)
                    if number >= judged or not only_machine:
                        self.together.append(row)
                    elif number < judged:
                        self.together.append({**row, "verdict": "dropped"})
            self.machine += [
                *base,
                *(link(topic, *c, "model") for c in cells if c in views["model"]),
            ]
            for rank, run in enumerate(self.runs.values()):
                good = {s for s, _ in truth}
                chosen = [
                    s for s in range(sentences) if draw.random() < (0.2 + 0.2 * rank * (s in good))
                ] or [0]
                run += (
                    {"topic": topic, "sentence": f"{topic}-{s}", "score": 1 - place / 100}
                    for place, s in enumerate(chosen)
                )

    @staticmethod
    def view(draw, cells, truth, error):
        """What somebody links who is wrong now and then."""
        return {c for c in cells if (c in truth) == (draw.random() >= error * 0.4)}

    def write(self, folder: Path) -> None:
        """All as files: people.jsonl, machine.jsonl, together.jsonl and a file for each system."""
        write_judgements(folder / "people.jsonl", self.people)
        write_judgements(folder / "machine.jsonl", self.machine)
        write_judgements(folder / "together.jsonl", self.together)
        for name, run in self.runs.items():
            write_lines(folder / f"{name}.jsonl", run)


def nugget(topic: str, name: str, importance: str = "vital") -> dict:
    """A nugget."""
    text = f"what {name} says"
    return {"kind": "nugget", "topic": topic, "id": name, "text": text, "importance": importance}


def assign(topic: str, system: str, name: str, label: str, author: str) -> dict:
    """How far an output supports a nugget."""
    return {
        "kind": "assignment", "topic": topic, "system": system, "nugget": name,
        "label": label, "author": author,
    }  # fmt: skip


def nugget_rows(topics, systems=("a", "b", "c", "d"), authors=("ann", "bob", "cat"), error=0.15):
    """Nuggets, and how far outputs support them by authors who err now and then."""
    rng = np.random.default_rng(7)
    rows, labels = [], ("none", "partial", "support")
    for topic in topics:
        rows += [nugget(topic, f"n{n}", "vital" if n % 2 else "okay") for n in range(5)]
        for rank, system in enumerate(systems):
            for n in range(5):
                truth = int(rng.choice(3, p=[0.7 - 0.15 * rank, 0.2, 0.1 + 0.15 * rank]))
                for author in authors:
                    label = truth if rng.random() > error else int(rng.integers(3))
                    rows.append(assign(topic, system, f"n{n}", labels[label], author))
    return rows
