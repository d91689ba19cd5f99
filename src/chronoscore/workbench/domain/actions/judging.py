"""Judges and verifiers: reading, candidate events, marks, verdicts."""

from dataclasses import asdict
from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import Connection

from chronoscore.workbench.domain import catalog, union
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.performing import Data, next_own_id, performs
from chronoscore.workbench.domain.errors import InvalidError, StaleError
from chronoscore.workbench.domain.fields import Id, Text
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import LinkVerdict, Mark
from chronoscore.workbench.domain.union import MarkedItem
from chronoscore.workbench.store.source import TopicSource

MOST_CHANGES = 500
LONGEST_EVENT = 500


class MarkChange(Struct, frozen=True):
    """A new state of a sentence, and the version that it was made from."""

    sentence: str
    base: int
    off: bool
    links: list[tuple[str, Annotated[str, Meta(max_length=60)]]]
    joined: bool


class VerdictChange(Struct, frozen=True):
    """A new verdict on an item of an event, and the version that it was made from."""

    event: str
    item: str
    base: int
    kept: bool | None = None


@performs(catalog.STORY_READ)
def read_story(
    _connection: Connection, _topic: TopicAccess, source: TopicSource, story: Id,
    *, read: bool = True,
) -> Data:  # fmt: skip
    """Note that a story was read, or that it was not."""
    if story not in source.story:
        raise InvalidError("no such story")
    return {"story": story, "read": read}


@performs(catalog.CANDIDATE_ADD)
def add_candidate(
    connection: Connection, topic: TopicAccess, source: TopicSource, sentence: Id, text: Text
) -> Data:
    """Add a candidate event that a judge saw in a sentence."""
    if sentence not in source.by_id:
        raise InvalidError("no such sentence")
    check_event_text(text)
    name, number = next_own_id(connection, topic, "c")
    return {"id": name, "n": number, "text": text, "sentence": sentence}


@performs(catalog.CANDIDATE_EDIT)
def edit_candidate(
    connection: Connection, topic: TopicAccess, candidate: Id, text: Text,
    *, withdraw: bool = False,
) -> Data:  # fmt: skip
    """Reword or withdraw one of the judge's own candidates."""
    if candidate not in {one.id for one in stream.own_candidates(connection, topic)}:
        raise InvalidError("no such candidate")
    check_event_text(text)
    return {"id": candidate, "text": text, "withdrawn": withdraw}


def check_event_text(text: str) -> None:
    """Refuse an event without words, or with too many to be one."""
    if not 1 <= len(text) <= LONGEST_EVENT:
        raise InvalidError(f"an event has 1 to {LONGEST_EVENT} characters; say it in a line")


@performs(catalog.MARK)
def mark_sentences(
    connection: Connection, topic: TopicAccess, source: TopicSource, changes: list[MarkChange],
    undoes: str = "",
) -> Data:  # fmt: skip
    """Keep a judge's decisions about sentences, all of them or none."""
    if not 1 <= len(changes) <= MOST_CHANGES:
        raise InvalidError(f"an entry has 1 to {MOST_CHANGES} changes")
    alive = source.remember(
        # The list of events is frozen as long as the step is open; reopening another changes
        # the version.
        "events", (topic.version, topic.step),
        lambda: {event.id for event in stream.joint_events(connection, topic.id)},
    )  # fmt: skip
    marks = [_mark(change, source, alive) for change in changes]
    names = [change.sentence for change in changes]
    now = stream.own_marks(connection, topic, names, alive)
    before = {name: asdict(now.get(name, Mark())) for name in names}
    if any(before[change.sentence]["version"] != change.base for change in changes):
        raise StaleError("these marks", before)
    return {
        "changes": [
            {"sentence": name, **asdict(mark)} for name, mark in zip(names, marks, strict=True)
        ],
        "before": before,
        **undone_key(undoes),
    }


def _mark(change: MarkChange, source: TopicSource, alive: set[str]) -> Mark:
    """The mark that a change makes of a sentence, if it makes sense."""
    if change.sentence not in source.by_id:
        raise InvalidError("no such sentence")
    if any(event not in alive for event, _ in change.links):
        raise InvalidError("no such event")
    if change.off and change.links:
        raise InvalidError("a sentence is off or linked, not both")
    if change.joined and source.by_id[change.sentence].n == 1:
        raise InvalidError("the first sentence of a story has none before it to join")
    links = tuple(sorted(set(change.links)))
    return Mark(change.off, links, change.joined, change.base + 1)


def undone_key(undoes: str) -> dict[str, str]:
    """Which entry a script undoes by this one, as the log keeps it."""
    return {"undoes": undoes[:100]} if undoes else {}


def undecided_sentences(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> list[str]:
    """The sentences about which the visitor has not decided, of those that are to be judged."""
    marks = stream.own_marks(connection, topic)
    wanted = stream.queue(connection, topic.id) or source.by_id.keys()
    return [
        s.id for s in source.sentences if s.id in wanted and not marks.get(s.id, Mark()).decided
    ]


@performs(catalog.MARK)
def mark_rest_off(connection: Connection, topic: TopicAccess, source: TopicSource) -> Data:
    """Mark every undecided sentence as off, by an explicit entry."""
    marks = stream.own_marks(connection, topic)
    changes = []
    for name in undecided_sentences(connection, topic, source):
        before = marks.get(name, Mark())
        state = {**asdict(before), "off": True, "version": before.version + 1}
        changes.append({"sentence": name, **state})
    return {"changes": changes, "before": {}, "rest": True}


def verifier_items(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> dict[str, list[MarkedItem]]:
    """What the verifier judges, event by event: the union, then what they added."""
    topic.require_step("verify").note_sight("verifier")
    marked = marked_items(connection, topic, source)
    return _with_additions(connection, topic.id, marked)


def marked_items(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> dict[str, list[MarkedItem]]:
    """The union of the judges' marks, which are frozen while the verifier works.

    The judges of a topic may still change; reopening another step changes the version.
    """
    state = (topic.version, topic.step, topic.judges)
    return source.remember("union", state, lambda: _union(connection, topic.id, source))


def all_verifier_items(
    connection: Connection, topic: int, source: TopicSource
) -> dict[str, list[MarkedItem]]:
    """The union and the additions; for the workbench's own use."""
    return _with_additions(connection, topic, _union(connection, topic, source))


def _union(connection: Connection, topic: int, source: TopicSource) -> dict[str, list[MarkedItem]]:
    names = [event.id for event in stream.joint_events(connection, topic)]
    return union.unite(source, stream.all_marks(connection, topic), names)


def _with_additions(
    connection: Connection, topic: int, marked: dict[str, list[MarkedItem]]
) -> dict[str, list[MarkedItem]]:
    items = {event: list(inside) for event, inside in marked.items()}
    for (event, item), verdict in sorted(stream.verifier_verdicts(connection, topic).items()):
        if verdict.added and event in items and item not in {one.id for one in items[event]}:
            items[event].append(MarkedItem(union.item_sentences(item), False, frozenset()))
    return items


@performs(catalog.VERDICT)
def judge_links(
    connection: Connection, topic: TopicAccess, source: TopicSource, changes: list[VerdictChange],
    undoes: str = "",
) -> Data:  # fmt: skip
    """Keep the verifier's verdicts on items, all of them or none."""
    return {**_judge_items(connection, topic, source, changes), **undone_key(undoes)}


@performs(catalog.VERDICT_ADJUDICATE)
def adjudicate(
    connection: Connection, topic: TopicAccess, source: TopicSource, changes: list[VerdictChange]
) -> Data:
    """Decide about items as a manager who knows who marked them; the verifier sees it decided."""
    return _judge_items(connection, topic.require_sight(), source, changes)


def _judge_items(
    connection: Connection, topic: TopicAccess, source: TopicSource, changes: list[VerdictChange]
) -> Data:
    """Every change with its new version, and what was before it."""
    items = marked_items(connection, topic, source)
    marked = source.remember(
        "marked",
        (topic.version, topic.step, topic.judges),
        lambda: {(event, item.id) for event, inside in items.items() for item in inside},
    )
    changes = changes[:MOST_CHANGES]
    now = stream.verifier_verdicts(connection, topic.id, {change.item for change in changes})
    after: list[Data] = []
    before: list[Data] = []
    for change in changes:
        event, item = change.event, change.item
        known = now.get((event, item))
        added = (event, item) not in marked and not (known is not None and known.added)
        _check_item(topic, source, items, change, added=added)
        state = known or LinkVerdict(None, added, 0)
        before.append({"event": event, "item": item, "kept": state.kept, "version": state.version})
        new = {"event": event, "sentence": item, "kept": change.kept, "added": state.added}
        after.append({**new, "version": change.base + 1})
    if any(change.base != old["version"] for change, old in zip(changes, before, strict=True)):
        raise StaleError("these verdicts", before)
    return {"changes": after, "before": before}


def _check_item(
    topic: TopicAccess, source: TopicSource, items: dict[str, list[MarkedItem]],
    change: VerdictChange, *, added: bool,
) -> None:  # fmt: skip
    """Refuse a verdict on what nobody marked, unless the verifier may add it."""
    additions = topic.project.settings.get("additions") and change.item in source.by_id
    if added and not additions:
        raise InvalidError("this sentence was marked by nobody, and additions are closed")
    if change.event not in items:
        raise InvalidError("no such event")
    plain = [one for one in items[change.event] if not one.together]
    if added and any(change.item in one.sentences for one in plain):
        raise InvalidError("this is part of a sentence that is in the list; decide there")


def count_open_items(connection: Connection, topic: TopicAccess, source: TopicSource) -> int:
    """How many items the verifier has still to judge."""
    verdicts = stream.verifier_verdicts(connection, topic.id)
    return sum(
        verdicts.get((event, item.id), LinkVerdict(None, False, 0)).kept is None
        for event, items in verifier_items(connection, topic, source).items()
        for item in items
        if item.marked_by
    )
