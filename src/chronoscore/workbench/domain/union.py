"""Two judges' marks put together: what the verifier sees, without who said it.

Sentence parts that any judge joined count as one item, and a judge who marked one part marked
all of them. A group is an item of its own: its sentences express the event only together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.store.source import TopicSource

Marks = Mapping[int, Mapping[str, Mark]]


@dataclass(frozen=True)
class MarkedItem:
    """Sentences that are kept or dropped for an event as one."""

    sentences: tuple[str, ...]
    together: bool
    marked_by: frozenset[int]

    @property
    def id(self) -> str:
        """A name that the same sentences always get."""
        return ("&" if self.together else "") + "+".join(self.sentences)


def item_sentences(item: str) -> tuple[str, ...]:
    """The sentences that an item's name stands for."""
    return tuple(item.removeprefix("&").split("+"))


def joined_parts(source: TopicSource, marks: Marks) -> dict[str, str]:
    """For each part that some judge joined, the sentence before it."""
    parts = {name for own in marks.values() for name, mark in own.items() if mark.joined}
    before: dict[str, str] = {}
    for story in source.stories:
        for first, second in zip(story.sentences, story.sentences[1:], strict=False):
            if second.id in parts:
                before[second.id] = first.id
    return before


def joined_blocks(source: TopicSource, before: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Every sentence with all the parts that it belongs to."""
    found: dict[str, tuple[str, ...]] = {}
    run: list[str] = []
    for sentence in source.sentences:
        if sentence.id not in before:
            run = []
        run.append(sentence.id)
        block = tuple(run)
        for part in block:
            found[part] = block
    return found


def unite(source: TopicSource, marks: Marks, events: Sequence[str]) -> dict[str, list[MarkedItem]]:
    """Each event's items in the order of the stream."""
    block_of = joined_blocks(source, joined_parts(source, marks))
    found: dict[str, dict[tuple[tuple[str, ...], bool], set[int]]] = {e: {} for e in events}
    for judge, own in marks.items():
        groups: dict[tuple[str, str], set[str]] = {}
        for name, mark in own.items():
            for event, group in mark.links:
                if event not in found or name not in block_of:
                    continue
                if group:
                    groups.setdefault((event, group), set()).update(block_of[name])
                else:
                    found[event].setdefault((block_of[name], False), set()).add(judge)
        for (event, _), names in groups.items():
            ordered = tuple(sorted(names, key=lambda name: source.by_id[name].place))
            # What is left of a group after all but one went is a plain link.
            together = len({block_of[name] for name in ordered}) > 1
            found[event].setdefault((ordered, together), set()).add(judge)
    return {
        event: sorted(
            (
                MarkedItem(names, together, frozenset(who))
                for (names, together), who in items.items()
            ),
            key=lambda item: ([source.by_id[name].place for name in item.sentences], item.together),
        )
        for event, items in found.items()
    }
