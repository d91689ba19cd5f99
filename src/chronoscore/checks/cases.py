"""A timeline to be altered, and which of its places are: seeded, and by how large a share."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from chronoscore.core import Document, Entry, Timeline

Place = TypeVar("Place")
Rewrite: TypeAlias = Callable[[str, random.Random], str]
"""Gives a sentence in another form, or as it is where nothing in it can be altered."""


@dataclass(frozen=True)
class Case:
    """A timeline, what else is known of its topic, and how much of it is altered."""

    timeline: Timeline
    same_topic: Sequence[Timeline] = ()
    """All timelines of the topic, with this one."""
    other_topics: Sequence[Timeline] = ()
    articles: Sequence[Document] = ()
    language: str = "english"
    share: float = 0.5
    seed: str = "1"

    def random(self, *place: object) -> random.Random:
        """Numbers that depend on the seed and the place alone, whatever else is altered."""
        return random.Random("/".join([self.seed, *map(str, place)]))

    def choose(self, places: Sequence[Place]) -> list[Place]:
        """The share of places that are altered, in order; a larger share has all of a smaller one.

        >>> case = Case(Timeline(()), share=0.3)
        >>> len(case.choose("abcdefg")), case.choose("")
        (3, [])
        """
        order = list(range(len(places)))
        self.random("places").shuffle(order)
        # Rounding noise must not add a place: 0.3 of ten places are three.
        count = math.ceil(round(self.share * len(places), 9))
        return [places[number] for number in sorted(order[:count])]


def rewrite_sentences(case: Case, rewrite: Rewrite) -> Timeline | None:
    """Rewrite a share of the sentences that can be altered; nothing where none can."""
    entries = case.timeline.entries
    rewritten = {
        (place, number): rewrite(sentence, case.random(entry.when, number))
        for place, entry in enumerate(entries)
        for number, sentence in enumerate(entry.sentences)
    }
    able = [at for at, text in rewritten.items() if text != entries[at[0]].sentences[at[1]]]
    chosen = set(case.choose(able))
    if not chosen:
        return None
    return Timeline(
        tuple(
            Entry(
                entry.when,
                tuple(
                    rewritten[place, number] if (place, number) in chosen else sentence
                    for number, sentence in enumerate(entry.sentences)
                ),
            )
            for place, entry in enumerate(entries)
        )
    )


def replace_entries(
    case: Case, change: Callable[[Entry, random.Random], Iterable[Entry]]
) -> Timeline | None:
    """Put other entries in the place of a share of those that can be altered.

    Texts that come to the same date are joined.
    """
    entries = case.timeline.entries
    changed = [tuple(change(entry, case.random(entry.when))) for entry in entries]
    able = [place for place, new in enumerate(changed) if new != (entries[place],)]
    chosen = set(case.choose(able))
    if not chosen:
        return None
    kept = [
        one
        for place, entry in enumerate(entries)
        for one in (changed[place] if place in chosen else (entry,))
    ]
    return Timeline.of([(entry.when, entry.sentences) for entry in kept])
