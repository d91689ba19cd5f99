"""Topics and outputs in which the benchmark `planted` plants defects."""

import os
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import chronoscore
from chronoscore.core import Timeline
from chronoscore.demo import demo_timelines
from chronoscore.formats.timelines.timeline_files import load

Entries = list[tuple[str, list[str]]]
TOPICS = 12
STRETCH = 20
"""Days of a reference that make a topic, where one timeline is long enough for several."""
FEWEST = 4
"""Days that an output has at least, so that something can be planted in it."""
LOOKED_AT = ("tl17-bpoil", "tl17-finan", "tl17-haiti", "tl17-libya", "tl17-syria")
"""Every other story of timeline17 in the order of the alphabet; the rest was held out until the
rules of naming were final."""


class Material(NamedTuple):
    """A topic before anything is planted."""

    story: str
    """What it is about; topics of one story never lend each other texts."""
    references: tuple[Timeline, ...]
    outputs: tuple[Entries, ...]
    """What systems say; one is drawn."""


def read_demo() -> Mapping[str, Material]:
    """The demo's topics with the outputs of its two best systems."""
    collection, runs = demo_timelines()
    kept = [run for run in runs if run.system in ("careful", "extract")]
    return {
        topic.id: Material(
            topic.id,
            tuple(topic.timelines),
            tuple(_entries(run.outputs[topic.id]) for run in kept),
        )
        for topic in collection
    }


def read_references(held_out: bool) -> Mapping[str, Material]:
    """Stretches of the references of timeline17, which are what a system says, too."""
    return {
        name: Material(story, (Timeline.of(part),), (part,))
        for name, story, part in _stretches(held_out)
    }


def read_extracts(held_out: bool) -> Mapping[str, Material]:
    """The same stretches, and what the two systems of SDF-TLS say of that time."""
    found = {}
    for name, story, part in _stretches(held_out):
        made = sorted((_root() / "timeline17" / "systems").glob(f"*/TL17_best*_{name.split()[0]}*"))
        within = [_within(_read(path), part[0][0], part[-1][0]) for path in made]
        outputs = tuple(output for output in within if len(output) >= FEWEST)
        if outputs:
            found[name] = Material(story, (Timeline.of(part),), outputs)
    return found


def _stretches(held_out: bool) -> Iterator[tuple[str, str, Entries]]:
    """The stretches of one half of the stories: name, story, days."""
    for path in sorted((_root() / "timeline17" / "gold").glob("*/*.txt")):
        story = path.parent.name
        if (story in LOOKED_AT) != held_out:
            name = f"{story.removeprefix('tl17-')}_{path.stem}".removesuffix(".co.uk")
            for place, part in enumerate(_cut(_read(path))):
                yield f"{name} {place}", story, part


def _within(entries: Entries, first: str, last: str) -> Entries:
    """The days between two."""
    return [entry for entry in entries if first <= entry[0] <= last]


def read_people() -> Mapping[str, Material]:
    """Stretches of background summaries: one person's is an output, the others' are references."""
    found = {}
    for topic in _load("background-summaries/events"):
        cuts = [_cut(_entries(timeline)) for timeline in topic.timelines]
        for place, (first, *others) in enumerate(zip(*cuts, strict=True)):
            references = tuple(Timeline.of(other) for other in others)
            found[f"{topic.id} {place}"] = Material(topic.id, references, (first,))
    return found


SETS: Mapping[str, Callable[[], Mapping[str, Material]]] = {
    "demo": read_demo,
    "references of timeline17": lambda: read_references(held_out=False),
    "references, held out": lambda: read_references(held_out=True),
    "extracts": lambda: read_extracts(held_out=False),
    "extracts, held out": lambda: read_extracts(held_out=True),
    "background summaries": read_people,
}


def available() -> list[str]:
    """The sets that can be read here: all but the demo need real data."""
    return list(SETS) if os.environ.get("CHRONOSCORE_DATA") else ["demo"]


@cache
def materials(name: str) -> Mapping[str, Material]:
    """All topics of a set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SETS[name]()


def draw_topics(name: str, rng: random.Random) -> Mapping[str, Material]:
    """Twelve topics of a set, each with one output."""
    known = materials(name)
    chosen = rng.sample(sorted(known), TOPICS)
    return {
        topic: known[topic]._replace(outputs=(rng.choice(known[topic].outputs),))
        for topic in chosen
    }


def _root() -> Path:
    return Path(os.environ["CHRONOSCORE_DATA"])


def _load(path: str) -> chronoscore.Collection:
    return chronoscore.load(_root() / path)


def _read(path: Path) -> Entries:
    return _entries(load(path))


def _entries(timeline: object) -> Entries:
    assert isinstance(timeline, Timeline)
    return [(str(entry.when), list(entry.sentences)) for entry in timeline]


def _cut(entries: Entries) -> Sequence[Entries]:
    """Stretches of equal length, none longer than `STRETCH`."""
    count = -(-len(entries) // STRETCH)
    bounds = [len(entries) * place // count for place in range(count + 1)]
    return [entries[a:b] for a, b in pairwise(bounds)]
