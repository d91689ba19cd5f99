"""Defects planted in outputs of twelve topics: does the sentence name them, and nothing else?

System A is an output with words dropped at random; B is the same output with other words dropped,
and with the defect. The sentence should name the planted cause, and no other; without a defect,
it should name none. Without real data in CHRONOSCORE_DATA only the demo is tried.
"""

import random
import sys
import warnings
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from itertools import combinations
from typing import NamedTuple

import chronoscore
from benchmarks.planted_data import Entries, available, draw_topics
from chronoscore.api.losses import find_difference
from chronoscore.core import Timeline
from chronoscore.explanations.sentences import named_causes

SEEDS = 200
DROPPED = 0.1
"""The share of words that both systems lack, each others."""
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
    "a day late": (
        lambda e, _, __: shift(e, 1),
        frozenset({"near", "near.day", "another_day", "dates"}),
    ),
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


class Drawn(NamedTuple):
    """What `diff` says of one pair of systems."""

    named: set[str]
    blamed: set[str]
    """Those of the named causes that cost B more; it may also gain by what it leaves out."""
    significant: bool
    sentence: str


def draw(
    seed: int, defects: tuple[str, ...], name: str = "demo", dropped: float = DROPPED
) -> Drawn:
    """Plant defects in twelve topics of a set, and ask why B is behind A."""
    rng = random.Random(f"{name} {defects} {seed}")
    topics = draw_topics(name, rng)
    good, bad = {}, {}
    for topic, material in topics.items():
        strangers = [other for other in topics.values() if other.story != material.story]
        lender = rng.choice(strangers).outputs[0]
        noisy = [
            [(when, [_sample(text, rng, 1 - dropped)]) for when, text in material.outputs[0]]
            for _ in "ab"
        ]
        good[topic] = Timeline.of(noisy[0])
        for defect in defects:
            noisy[1] = DEFECTS[defect][0](noisy[1], rng, lender)
        bad[topic] = Timeline.of(noisy[1])
    references = {topic: list(material.references) for topic, material in topics.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = chronoscore.score({"a": good, "b": bad}, references, "align+")
        found = find_difference(result, result.losses().data, ("a", "b"))
    causes = named_causes(found)
    named = {cause.name for cause in causes}
    blamed = {cause.name for cause in causes if cause.net > 0}
    return Drawn(named, blamed, found.significant, found.sentence)


def planted_rows(name: str, seeds: int) -> list[str]:
    """How often a planted cause is named, and how often another one."""
    lines = []
    for defect, (_, expected) in DEFECTS.items():
        drawn = [draw(seed, (defect,), name) for seed in range(seeds)]
        named = sum(bool(one.blamed & expected) for one in drawn) / seeds
        others = sum(bool(one.blamed - expected) for one in drawn) / seeds
        lines.append(f"| {name} | {defect} | {named:.1%} | {others:.1%} | {drawn[0].sentence} |")
    return lines


def paired_row(name: str, seeds: int) -> str:
    """The same for two defects at once, over all pairs of them."""
    both = either = others = count = 0
    for pair in combinations(DEFECTS, 2):
        expected = [DEFECTS[defect][1] for defect in pair]
        for seed in range(seeds):
            blamed = draw(seed, pair, name).blamed
            met = [bool(blamed & causes) for causes in expected]
            both, either = both + all(met), either + any(met)
            others += bool(blamed - frozenset.union(*expected))
            count += 1
    return f"| {name} | {both / count:.1%} | {either / count:.1%} | {others / count:.1%} |"


def sound_row(name: str, seeds: int, dropped: float) -> str:
    """How often a difference between equals is called significant, and a cause is named."""
    drawn = [draw(seed, (), name, dropped) for seed in range(seeds)]
    significant = sum(one.significant for one in drawn) / seeds
    unsure = [one for one in drawn if not one.significant]
    named = sum(bool(one.named) for one in drawn) / seeds
    silent = sum("chance" in one.sentence or "the same" in one.sentence for one in unsure)
    told = silent / max(len(unsure), 1)
    return f"| {name} | {dropped:.0%} | {significant:.1%} | {named:.1%} | {told:.1%} |"


def main(seeds: int = SEEDS, names: list[str] | None = None) -> str:
    """Three tables: one defect, two, and none."""
    names = names or available()
    single = [row for name in names for row in planted_rows(name, seeds)]
    paired = [paired_row(name, max(seeds // 10, 1)) for name in names]
    sound = [sound_row(name, seeds, dropped) for name in names for dropped in (DROPPED, 0.5)]
    return "\n".join(
        [
            "# planted",
            "",
            f"Twelve topics, {seeds} draws of topics and of dropped words for each row.",
            "",
            "| data | defect | named | another cause named | an example |",
            "|---|---|---:|---:|---|",
            *single,
            "",
            f"All pairs of two defects, {max(seeds // 10, 1)} draws of each:",
            "",
            "| data | both named | one of them named | another cause named |",
            "|---|---:|---:|---:|",
            *paired,
            "",
            "No defect: both systems lack words, each others.",
            "",
            "| data | words dropped | significant | a cause named | said to be chance if not |",
            "|---|---:|---:|---:|---:|",
            *sound,
            "",
        ]
    )


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS, sys.argv[2:]))
