"""What people and machines decided about the same items, as arrays of labels.

An item of a judged stream is a pair of a sentence and an event, which a judge links or does
not; an item of assigned nuggets is a nugget and an output, which supports it, supports it in
part or does not; an item of content units is a unit and words of the source that may tell it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chronoscore.core import Judgements, Place, Pyramid, Topic
from chronoscore.data.judges import was_verified
from chronoscore.data.machines import NUGGET_LABELS, NuggetLabel
from chronoscore.stats.matching import anchor_choices, anchored_units
from chronoscore.stats.statistic import Numbers

Labels: TypeAlias = NDArray[np.int8]
"""The place of each item's label, −1 where there is none."""
NONE = -1
LINK_LABELS = ("not linked", "linked")
UNIT_LABELS = ("not chosen", "chosen")
FEW_VALUES = 4
"""Values up to which each is a group of its own; more are put into three groups."""


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """Which group each item is in, −1 where that is unknown."""

    names: tuple[str, ...]
    codes: Labels


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Labels of the same items by people, by machines and, of links, after verification."""

    labels: tuple[str, ...]
    topics: tuple[str, ...]
    topic: NDArray[np.intp]
    """The place of each item's topic."""
    people: Mapping[str, Labels]
    machines: Mapping[str, Labels]
    verified: Labels | None = None
    groups: Mapping[str, Grouping] = field(default_factory=dict)

    @property
    def positive(self) -> int:
        """The label that precision and recall are about: linked, or full support."""
        return len(self.labels) - 1

    @property
    def are_choices(self) -> bool:
        """Whether these are choices among many candidates, of which hardly any are chosen."""
        return self.labels != NUGGET_LABELS


@dataclass
class Traits:
    """What is known of items, by which they are grouped; nan where it is not known."""

    importance: Numbers
    position: Numbers
    length: Numbers


@dataclass
class TopicBlock:
    """The decisions about one topic, before topics are put one after another."""

    topic: str
    size: int
    people: dict[str, Labels]
    machines: dict[str, Labels]
    verified: Labels | None
    traits: Traits


def link_block(
    topic: str, judged: Judgements, machines: Mapping[str, Judgements], own: frozenset[str]
) -> TopicBlock:
    """All pairs of a sentence and an event of a topic.

    `machines` judged the same topic in files of their own; `own` are the authors of this file
    that are machines. A judge who marked anything in a topic, or abstained, judged all of it.
    """
    sentences = {name: place for place, name in enumerate(judged.sentences)}
    for part, head in judged.joined.items():
        sentences[part] = sentences[head]
    events = {event.id: place for place, event in enumerate(judged.events)}
    size = len(judged.sentences) * len(events)

    def place(links: Iterable[tuple[str, str]]) -> Labels:
        labels = np.zeros(size, dtype=np.int8)
        at = [sentences[sentence] * len(events) + events[event] for sentence, event in links]
        labels[np.array(at, dtype=np.intp)] = 1
        return labels

    def labels_of(author: str, source: Judgements) -> Labels:
        labels = place((k.sentence, k.event) for k in source.links if author in k.marked_by)
        table = labels.reshape(len(judged.sentences), len(events))
        for one in source.abstentions:
            if one.author == author:
                table[sentences[one.sentence]] = NONE
        return labels

    people: dict[str, Labels] = {}
    inside: dict[str, Labels] = {}
    for author in sorted(judged.authors):
        (inside if author in own else people)[author] = labels_of(author, judged)
    for name, source in machines.items():
        inside[name] = labels_of(name, source)
    verified = was_verified(judged, own)
    kept = (
        (k.sentence, k.event)
        for k in judged.kept
        if not k.marked_by or verified or not own.issuperset(k.marked_by)
    )
    traits = Traits(
        np.tile([event.importance for event in judged.events], len(judged.sentences)),
        np.repeat(_positions(judged), len(events)),
        np.repeat([_count_words(judged.texts.get(name)) for name in judged.sentences], len(events)),
    )
    # A topic in which only machines left marks was not judged by people at all.
    only_machines = bool(own & {*inside}) and not people and not verified
    judged_by_people = not only_machines or any(not link.marked_by for link in judged.links)
    return TopicBlock(
        topic, size, people, inside, place(kept) if judged_by_people else None, traits
    )


def _positions(judged: Judgements) -> list[float]:
    """The position of each sentence in its story, from 0 to 1."""
    found: dict[str, float] = {}
    for story in judged.stories:
        last = max(1, len(story.sentences) - 1)
        found |= {name: place / last for place, name in enumerate(story.sentences)}
    return [found.get(name, np.nan) for name in judged.sentences]


def _count_words(text: str | None) -> float:
    """How many words a text has."""
    return float(len(text.split())) if text else np.nan


def nugget_blocks(given: Sequence[NuggetLabel], topics: Mapping[str, Topic]) -> list[TopicBlock]:
    """Every nugget and output of each topic that any judge labeled."""
    items: dict[str, dict[tuple[str, str], int]] = {}
    for one in given:
        own = items.setdefault(one.topic, {})
        own.setdefault((one.system, one.nugget), len(own))
    blocks = {}
    for name, own in items.items():
        topic = topics.get(name)
        events = topic.judgements.events if topic and topic.judgements else ()
        known = {event.id: event for event in events}
        places = {event.id: place / max(1, len(events) - 1) for place, event in enumerate(events)}
        traits = Traits(
            np.array([known[n].importance if n in known else np.nan for _, n in own]),
            np.array([places.get(n, np.nan) for _, n in own]),
            np.array([_count_words(known[n].text) if n in known else np.nan for _, n in own]),
        )
        blocks[name] = TopicBlock(name, len(own), {}, {}, None, traits)
    for one in given:
        block = blocks[one.topic]
        side = block.machines if one.machine else block.people
        blank = np.full(block.size, NONE, dtype=np.int8)
        labels = side.setdefault(one.author, blank)
        if one.label is not None:
            labels[items[one.topic][one.system, one.nugget]] = one.label
    return list(blocks.values())


def unit_block(
    topic: str, people: Mapping[str, Pyramid], machines: Mapping[str, Pyramid]
) -> TopicBlock:
    """Every content unit and sentence (or span of a source) that any matcher listed for it."""
    given = {**people, **machines}
    # A unit that one judge found nowhere counts, unless the judge was not asked about it.
    asked = set.intersection(*({unit.id for unit in one.units} for one in given.values()))
    units = asked & set().union(*(anchored_units(one) for one in given.values()))
    sentences: dict[str, dict[str, Place]] = {}
    for one in given.values():
        for name, place in one.places.items():
            sentences.setdefault(place.source, {})[name] = place
    known = {name for own in sentences.values() for name in own}
    listed = {name: dict(_placed(one, units, sentences, known)) for name, one in given.items()}
    items = {choice: None for own in listed.values() for choice in own}
    labels = {
        name: np.array([own.get(choice, False) for choice in items], dtype=np.int8)
        for name, own in listed.items()
    }
    weights = {unit.id: float(unit.weight) for one in given.values() for unit in one.units}
    blank = np.full(len(items), np.nan)
    traits = Traits(np.array([weights[choice[0]] for choice in items]), blank, blank)
    return TopicBlock(
        topic,
        len(items),
        {name: labels[name] for name in people},
        {name: labels[name] for name in machines},
        None,
        traits,
    )


def _placed(
    pyramid: Pyramid,
    units: set[str],
    sentences: Mapping[str, Mapping[str, Place]],
    known: set[str],
) -> Iterator[tuple[tuple[str, str], bool]]:
    """Units and the sentences that a matcher listed for them, last those that were chosen.

    People mark words and machines whole sentences; they are compared by sentences, if it is
    known where these are.
    """
    found: list[tuple[tuple[str, str], bool]] = []
    for (unit, source, start, end), value in anchor_choices(pyramid, units):
        where = [source] if source in known else [
            name for name, place in sentences.get(source, {}).items()
            if place.start < end and start < place.end
        ] or [f"{source} {start} {end}"]  # fmt: skip
        found += (((unit, name), value > 0) for name in where)
    yield from sorted(found, key=lambda item: item[1])


def join_blocks(blocks: Sequence[TopicBlock], labels: tuple[str, ...]) -> Decisions:
    """Put topics one after another; a judge has no label in a topic not judged."""

    def stacked(parts: Iterator[Labels | None]) -> Labels:
        return np.concatenate(
            [
                np.full(block.size, NONE, dtype=np.int8) if part is None else part
                for block, part in zip(blocks, parts, strict=True)
            ]
        )

    people = sorted({name for block in blocks for name in block.people})
    machines = sorted({name for block in blocks for name in block.machines})
    linked = labels == LINK_LABELS
    return Decisions(
        labels=labels,
        topics=tuple(block.topic for block in blocks),
        topic=np.repeat(np.arange(len(blocks)), [block.size for block in blocks]),
        people={name: stacked(block.people.get(name) for block in blocks) for name in people},
        machines={name: stacked(block.machines.get(name) for block in blocks) for name in machines},
        verified=stacked(block.verified for block in blocks) if linked else None,
        groups=_group_items([block.traits for block in blocks], linked=linked),
    )


def _group_items(traits: Sequence[Traits], *, linked: bool) -> dict[str, Grouping]:
    """Groups of items by importance, position and length, as far as these are known and differ."""
    importance, position, length = (
        np.concatenate([getattr(one, name) for one in traits])
        for name in ("importance", "position", "length")
    )
    thirds = ("first third", "middle third", "last third")
    found = {
        "importance": _by_importance(importance, linked=linked),
        "position": Grouping(names=thirds, codes=_cut(position, np.array([1 / 3, 2 / 3]))),
        "length": group_into_thirds(length, "words"),
    }
    return {
        name: grouping
        for name, grouping in found.items()
        if len(np.unique(grouping.codes[grouping.codes >= 0])) > 1
    }


def _by_importance(values: Numbers, *, linked: bool) -> Grouping:
    """A group for each importance, or three where there are many; nuggets are okay or vital."""
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) > FEW_VALUES:
        return group_into_thirds(values, "")
    names = {1.0: "okay", 2.0: "vital"} if not linked else {}
    codes = np.where(np.isnan(values), NONE, np.searchsorted(distinct, values)).astype(np.int8)
    return Grouping(names=tuple(names.get(v, f"{v:g}") for v in distinct.tolist()), codes=codes)


def group_into_thirds(values: Numbers, unit: str) -> Grouping:
    """Three groups of about the same size, named by the values they hold."""
    known = values[~np.isnan(values)]
    if not len(known):
        return Grouping(names=(), codes=np.full(len(values), NONE, dtype=np.int8))
    edges = np.unique(np.quantile(known, [1 / 3, 2 / 3], method="lower"))
    codes = _cut(values, edges)
    bounds = [
        (values[codes == code].min(), values[codes == code].max()) for code in _used_groups(codes)
    ]
    # Renumbered, as a group may be empty where many values are the same.
    renumbered = np.searchsorted(_used_groups(codes), codes).astype(np.int8)
    renumbered[codes == NONE] = NONE
    return Grouping(
        names=tuple(f"{low:g} to {high:g} {unit}".strip() for low, high in bounds),
        codes=renumbered,
    )


def _used_groups(codes: Labels) -> Labels:
    """The groups that hold anything."""
    found: Labels = np.unique(codes[codes != NONE])
    return found


def _cut(values: Numbers, edges: Numbers) -> Labels:
    """In which stretch between the edges each value lies; an edge belongs to the one below."""
    codes = np.searchsorted(edges, values, side="left")
    return np.where(np.isnan(values), NONE, codes).astype(np.int8)


def contested_decisions(decisions: Decisions, machine: Labels) -> NDArray[np.bool_]:
    """The items that a test can tell judges apart by.

    Of all possible links hardly any are made, and on the others everybody agrees: only pairs
    that a person or the machine linked can tell two judges apart. Of nuggets all count.
    """
    if not decisions.are_choices:
        return np.ones(len(machine), dtype=np.bool_)
    linked: NDArray[np.bool_] = machine == 1
    for labels in decisions.people.values():
        linked = linked | (labels == 1)
    return linked
