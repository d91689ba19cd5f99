"""Six defects planted in outputs of the demo's twelve topics: does the sentence name them?

System A is an output with words dropped at random; B is the same output with other words dropped,
and with the defect. The sentence should name the planted cause, and no other.
"""

import random
import sys
from collections.abc import Callable, Mapping
from datetime import date, timedelta

import chronoscore
from chronoscore.core import Timeline
from chronoscore.demo import demo_timelines
from chronoscore.explanations.sentences import named_causes

SEEDS = 200
DROPPED = 0.1
"""The share of words that both systems lack, each others."""
Entries = list[tuple[str, list[str]]]
Outputs = Mapping[str, Entries]
Defect = Callable[[Entries, random.Random, Entries], Entries]


def shift(entries: Entries, days: int) -> Entries:
    """All dates moved by some days."""
    return [(str(date.fromisoformat(when) + timedelta(days=days)), text) for when, text in entries]


def drop_days(entries: Entries, rng: random.Random, _: Entries) -> Entries:
    """Half of the days left out."""
    kept = set(rng.sample(range(len(entries)), (len(entries) + 1) // 2))
    return [entry for place, entry in enumerate(entries) if place in kept]


def halve_text(entries: Entries, rng: random.Random, _: Entries) -> Entries:
    """Every day with half of its words."""
    return [(when, [_sample(text, rng, 0.5)]) for when, text in entries]


def add_days(entries: Entries, rng: random.Random, other: Entries) -> Entries:
    """As many days again, a month after the last, with the texts of another topic."""
    last = date.fromisoformat(entries[-1][0])
    texts = [rng.choice(other)[1] for _ in entries]
    added = [(str(last + timedelta(days=30 + n)), text) for n, text in enumerate(texts)]
    return [*entries, *added]


def take_other_text(entries: Entries, rng: random.Random, other: Entries) -> Entries:
    """The same days with the texts of another topic."""
    return [(when, rng.choice(other)[1]) for when, _ in entries]


DEFECTS: Mapping[str, tuple[Defect, frozenset[str]]] = {
    "a day late": (lambda e, _, __: shift(e, 1), frozenset({"near.day", "another_day"})),
    "wrong year": (lambda e, _, __: shift(e, -365), frozenset({"near.year"})),
    "days dropped": (drop_days, frozenset({"not_said.missing_days"})),
    "half the text": (halve_text, frozenset({"not_said.on_the_day"})),
    "extra days": (add_days, frozenset({"extra.days"})),
    "another topic's text": (take_other_text, frozenset({"not_said.on_the_day", "extra.words"})),
}


def _sample(text: list[str], rng: random.Random, share: float) -> str:
    """Some of the words of a text, in order; at least one."""
    words = " ".join(text).split()
    kept = [word for word in words if rng.random() < share]
    return " ".join(kept or words[:1])


def draw(seed: int, defect: str) -> tuple[set[str], str]:
    """The causes that the sentence names for one planted defect, and the sentence."""
    rng = random.Random(f"{defect} {seed}")
    collection, runs = demo_timelines()
    system = rng.choice([run for run in runs if run.system in ("careful", "extract")])
    entries = {
        topic: [(str(entry.when), list(entry.sentences)) for entry in output]
        for topic, output in system.outputs.items()
        if isinstance(output, Timeline)
    }
    names = list(entries)
    good, bad = {}, {}
    for place, topic in enumerate(names):
        other = entries[names[(place + rng.randrange(1, len(names))) % len(names)]]
        noisy = [[(w, [_sample(t, rng, 1 - DROPPED)]) for w, t in entries[topic]] for _ in "ab"]
        good[topic] = Timeline.of(noisy[0])
        bad[topic] = Timeline.of(DEFECTS[defect][0](noisy[1], rng, other))
    references = {topic.id: list(topic.timelines) for topic in collection}
    result = chronoscore.score({"a": good, "b": bad}, references, "align+")
    found = result.diff("a", "b")
    return {cause.name for cause in named_causes(found.data)}, found.sentence


def main(seeds: int = SEEDS) -> str:
    """A table: how often the planted cause is named, and how often another one."""
    lines = ["| defect | named | another cause named | an example |", "|---|---:|---:|---|"]
    for defect, (_, expected) in DEFECTS.items():
        drawn = [draw(seed, defect) for seed in range(seeds)]
        named = sum(bool(causes & expected) for causes, _ in drawn) / seeds
        others = sum(bool(causes - expected) for causes, _ in drawn) / seeds
        lines.append(f"| {defect} | {named:.1%} | {others:.1%} | {drawn[0][1]} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS))
