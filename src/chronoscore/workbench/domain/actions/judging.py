"""Judges and verifiers: reading, candidate events, marks, verdicts."""

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.recording import (
    expect_field_type,
    next_own_id,
    record_action,
    undone_key,
)
from chronoscore.workbench.domain.errors import InvalidError, StaleError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import LinkVerdict, Mark
from chronoscore.workbench.domain.union import Item, sentences_of_item, union_of_marks
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource

MOST_CHANGES = 500
LONGEST_EVENT = 500


@dataclass(frozen=True)
class MarkChange:
    """A new state of a sentence, and the version that it was made from."""

    sentence: str
    base: int
    mark: Mark


@require_permission("story.read")
def read_story(
    connection: Connection,
    topic: TopicAccess,
    key: str,
    source: TopicSource,
    story: str,
    *,
    read: bool,
) -> LogEntry:
    """Note that a story was read, or that it was not."""
    if story not in source.story:
        raise InvalidError("no such story")
    return record_action(connection, topic, "story.read", {"story": story, "read": read}, key)


@require_permission("candidate.add")
def add_candidate(
    connection: Connection,
    topic: TopicAccess,
    key: str,
    source: TopicSource,
    sentence: str,
    text: str,
) -> LogEntry:
    """Add a candidate event that a judge saw in a sentence."""
    if sentence not in source.by_id:
        raise InvalidError("no such sentence")
    check_event_text(text)
    name, number = next_own_id(connection, topic, "c")
    data = {"id": name, "n": number, "text": text, "sentence": sentence}
    return record_action(connection, topic, "candidate.add", data, key)


@require_permission("candidate.edit")
def edit_candidate(
    connection: Connection, topic: TopicAccess, key: str, name: str, text: str, *, withdrawn: bool
) -> LogEntry:
    """Reword or withdraw one of the judge's own candidates."""
    if name not in {candidate.id for candidate in stream.own_candidates(connection, topic)}:
        raise InvalidError("no such candidate")
    check_event_text(text)
    data = {"id": name, "text": text, "withdrawn": withdrawn}
    return record_action(connection, topic, "candidate.edit", data, key)


def check_event_text(text: str) -> None:
    """Refuse an event without words, or with too many to be one."""
    if not 1 <= len(text) <= LONGEST_EVENT:
        raise InvalidError(f"an event has 1 to {LONGEST_EVENT} characters; say it in a line")


@require_permission("mark")
def mark_sentences(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, body: dict[str, Any]
) -> LogEntry:
    """Keep a judge's decisions about sentences, all of them or none."""
    alive = source.remember(
        # The list of events is frozen as long as the step is open; reopening another changes
        # the version.
        "events", (topic.version, topic.step),
        lambda: {event.id for event in stream.joint_events(connection, topic.id)},
    )  # fmt: skip
    given = expect_field_type(body.get("changes"), list, "changes")
    changes = [_parse_change(one, source, alive) for one in given]
    if not 1 <= len(changes) <= MOST_CHANGES:
        raise InvalidError(f"an entry has 1 to {MOST_CHANGES} changes")
    names = [change.sentence for change in changes]
    now = stream.own_marks(connection, topic, names, alive)
    before = {name: now.get(name, Mark()) for name in names}
    states = {name: asdict(state) for name, state in before.items()}
    if any(before[change.sentence].version != change.base for change in changes):
        raise StaleError("these marks", states)
    data = {
        "changes": [{"sentence": one.sentence, **asdict(one.mark)} for one in changes],
        "before": states,
        **undone_key(body),
    }
    return record_action(connection, topic, "mark", data, key)


def undecided_sentences(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> list[str]:
    """The sentences about which the visitor has not decided."""
    marks = stream.own_marks(connection, topic)
    return [s.id for s in source.sentences if not marks.get(s.id, Mark()).decided]


@require_permission("mark")
def mark_rest_off(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource
) -> LogEntry:
    """Mark every undecided sentence as off, by an explicit entry."""
    marks = stream.own_marks(connection, topic)
    changes = []
    for name in undecided_sentences(connection, topic, source):
        before = marks.get(name, Mark())
        state = {**asdict(before), "off": True, "version": before.version + 1}
        changes.append({"sentence": name, **state})
    data = {"changes": changes, "before": {}, "rest": True}
    return record_action(connection, topic, "mark", data, key)


def verifier_items(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> dict[str, list[Item]]:
    """What the verifier judges, event by event: the union, then what they added."""
    topic.visible("verify")
    marked = marked_items(connection, topic, source)
    return _with_additions(connection, topic.id, marked)


def marked_items(
    connection: Connection, topic: TopicAccess, source: TopicSource
) -> dict[str, list[Item]]:
    """The union of the judges' marks, which are frozen while the verifier works.

    Who judges may still change; reopening another step changes the version.
    """
    state = (topic.version, topic.step, topic.judges)
    return source.remember("union", state, lambda: _union(connection, topic.id, source))


def all_verifier_items(
    connection: Connection, topic: int, source: TopicSource
) -> dict[str, list[Item]]:
    """The union and the additions; for the workbench's own use."""
    return _with_additions(connection, topic, _union(connection, topic, source))


def _union(connection: Connection, topic: int, source: TopicSource) -> dict[str, list[Item]]:
    names = [event.id for event in stream.joint_events(connection, topic)]
    return union_of_marks(source, stream.all_marks(connection, topic), names)


def _with_additions(
    connection: Connection, topic: int, marked: dict[str, list[Item]]
) -> dict[str, list[Item]]:
    items = {event: list(inside) for event, inside in marked.items()}
    for (event, item), verdict in sorted(stream.verifier_verdicts(connection, topic).items()):
        if verdict.added and event in items and item not in {one.id for one in items[event]}:
            items[event].append(Item(sentences_of_item(item), False, frozenset()))
    return items


@require_permission("verdict")
def judge_links(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, body: dict[str, Any]
) -> LogEntry:
    """Keep the verifier's verdicts on items, all of them or none."""
    data = _verdicts(connection, topic, source, body)
    return record_action(connection, topic, "verdict", data, key)


@require_permission("verdict.adjudicate")
def adjudicate(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, body: dict[str, Any]
) -> LogEntry:
    """Decide about items as a manager who knows who marked them; the verifier sees it decided."""
    data = _verdicts(connection, topic.sighted(), source, body)
    return record_action(connection, topic, "verdict.adjudicate", data, key)


def _verdicts(
    connection: Connection, topic: TopicAccess, source: TopicSource, body: dict[str, Any]
) -> dict[str, Any]:
    """What an entry says about items: every change with its new version, and what was before."""
    items = marked_items(connection, topic, source)
    marked = source.remember(
        "marked",
        (topic.version, topic.step, topic.judges),
        lambda: {(event, item.id) for event, inside in items.items() for item in inside},
    )
    given = expect_field_type(body.get("changes"), list, "changes")[:MOST_CHANGES]
    named = [
        (
            expect_field_type(expect_field_type(one, dict, "change").get("event"), str, "event"),
            expect_field_type(one.get("item"), str, "item"),
        )
        for one in given
    ]
    now = stream.verifier_verdicts(connection, topic.id, {item for _, item in named})
    changes, before = [], []
    for (event, item), one in zip(named, given, strict=True):
        kept, base = one.get("kept"), expect_field_type(one.get("base"), int, "base")
        if kept is not None and not isinstance(kept, bool):
            raise InvalidError("'kept' is yes, no or open")
        known = now.get((event, item))
        added = (event, item) not in marked and not (known is not None and known.added)
        if added and not (topic.project.settings.get("additions") and item in source.by_id):
            raise InvalidError("this sentence was marked by nobody, and additions are closed")
        if event not in items:
            raise InvalidError("no such event")
        if added and any(item in one.sentences for one in items[event] if not one.together):
            raise InvalidError("this is part of a sentence that is in the list; decide there")
        state = known or LinkVerdict(None, added, 0)
        before.append({"event": event, "item": item, "kept": state.kept, "version": state.version})
        new = {"event": event, "sentence": item, "kept": kept, "added": state.added}
        changes.append({**new, "version": base + 1})
    if any(new["version"] != old["version"] + 1 for new, old in zip(changes, before, strict=True)):
        raise StaleError("these verdicts", before)
    return {"changes": changes, "before": before, **undone_key(body)}


def count_open_items(connection: Connection, topic: TopicAccess, source: TopicSource) -> int:
    """How many items the verifier has still to judge."""
    verdicts = stream.verifier_verdicts(connection, topic.id)
    return sum(
        verdicts.get((event, item.id), LinkVerdict(None, False, 0)).kept is None
        for event, items in verifier_items(connection, topic, source).items()
        for item in items
        if item.marked_by
    )


def _parse_change(value: object, source: TopicSource, alive: set[str]) -> MarkChange:
    one = expect_field_type(value, dict, "change")
    name = expect_field_type(one.get("sentence"), str, "sentence")
    if name not in source.by_id:
        raise InvalidError("no such sentence")
    links = set()
    for link in expect_field_type(one.get("links"), list, "links"):
        event, group = [*expect_field_type(link, list, "link"), None, None][:2]
        if not isinstance(event, str) or event not in alive:
            raise InvalidError("no such event")
        if not isinstance(group, str) or len(group) > 60:
            raise InvalidError("no such group")
        links.add((event, group))
    off = expect_field_type(one.get("off"), bool, "off")
    joined = expect_field_type(one.get("joined"), bool, "joined")
    if off and links:
        raise InvalidError("a sentence is off or linked, not both")
    if joined and source.by_id[name].n == 1:
        raise InvalidError("the first sentence of a story has none before it to join")
    base = expect_field_type(one.get("base"), int, "base")
    return MarkChange(name, base, Mark(off, tuple(sorted(links)), joined, base + 1))
