"""Judges and verifiers at work: reading, candidate events, marks, verdicts."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.actions.recording import acknowledged, own_name, record, wanted
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import Mark, Verdict
from chronoscore.workbench.domain.union import Item, sentences_of, union
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.web.visit import RefusedError

MOST_CHANGES = 500
LONGEST_EVENT = 500


@dataclass(frozen=True)
class Change:
    """A new state of a sentence, and the version that it was made from."""

    sentence: str
    base: int
    off: bool
    links: stream.Links
    joined: bool


def read_story(
    connection: Connection, place: Place, source: Source, story: str, read: bool, key: str
) -> Entry:
    """Note that a story was read."""
    place.writable("identify")
    if story not in source.story:
        raise RefusedError(400, "no such story")
    return record(connection, place, "story.read", {"story": story, "read": read}, key)


def add_candidate(
    connection: Connection, place: Place, source: Source, sentence: str, text: str, key: str
) -> Entry:
    """A candidate event that a judge saw in a sentence."""
    place.writable("identify")
    if sentence not in source.by_id:
        raise RefusedError(400, "no such sentence")
    check_event_text(text)
    if (known := log.found(connection, place.person, key)) is not None:
        return known
    name, number = own_name(connection, place, "c")
    data = {"id": name, "n": number, "text": text, "sentence": sentence}
    return record(connection, place, "candidate.add", data, key)


def edit_candidate(
    connection: Connection, place: Place, name: str, text: str, withdrawn: bool, key: str
) -> Entry:
    """Reword or withdraw one of the judge's own candidates."""
    place.writable("identify")
    own = {candidate.id for candidate in stream.own_candidates(connection, place)}
    if name not in own:
        raise RefusedError(400, "no such candidate")
    check_event_text(text)
    data = {"id": name, "text": text, "withdrawn": withdrawn}
    return record(connection, place, "candidate.edit", data, key)


def check_event_text(text: str) -> None:
    """Refuse an event without words, or with too many to be one."""
    if not 1 <= len(text) <= LONGEST_EVENT:
        raise RefusedError(400, f"an event has 1 to {LONGEST_EVENT} characters; say it in a line")


def mark(
    connection: Connection, place: Place, source: Source, body: dict[str, Any], key: str
) -> dict[str, Any]:
    """Keep a judge's decisions, or show both versions where another tab was quicker."""
    if (known := log.found(connection, place.person, key)) is not None:
        return acknowledged(connection, place, known)
    place.writable("link")
    alive = {event.id for event in stream.events(connection, place.id)}
    changes = [_change(one, source, alive) for one in wanted(body.get("changes"), list, "changes")]
    if not 1 <= len(changes) <= MOST_CHANGES:
        raise RefusedError(400, f"an entry has 1 to {MOST_CHANGES} changes")
    names = [change.sentence for change in changes]
    now = stream.own_marks(connection, place, names, alive)
    before = {change.sentence: now.get(change.sentence, Mark()) for change in changes}
    if any(before[change.sentence].version != change.base for change in changes):
        return {
            "key": key,
            "conflict": {name: shown(state) for name, state in before.items()},
        }
    entry = record(
        connection,
        place,
        "mark",
        {
            "changes": [
                {
                    "sentence": change.sentence,
                    "off": change.off,
                    "links": [list(link) for link in change.links],
                    "joined": change.joined,
                    "version": change.base + 1,
                }
                for change in changes
            ],
            "before": {name: shown(state) for name, state in before.items()},
            **_undoes(body),
        },
        key,
    )
    return acknowledged(connection, place, entry)


def shown(state: Mark) -> dict[str, Any]:
    """A mark as the browser reads it."""
    return {
        "off": state.off,
        "links": [list(link) for link in state.links],
        "joined": state.joined,
        "version": state.version,
    }


def undecided(connection: Connection, place: Place, source: Source) -> list[str]:
    """The sentences about which the visitor has not decided."""
    marks = stream.own_marks(connection, place)
    return [s.id for s in source.sentences if not marks.get(s.id, Mark()).decided]


def rest_is_off(connection: Connection, place: Place, source: Source, key: str) -> Entry:
    """Everything undecided becomes off, by an explicit entry."""
    place.writable("link")
    marks = stream.own_marks(connection, place)
    rest = undecided(connection, place, source)
    before = {name: shown(marks.get(name, Mark())) for name in rest}
    changes = [
        {**before[name], "sentence": name, "off": True, "version": before[name]["version"] + 1}
        for name in rest
    ]
    data = {"changes": changes, "before": {}, "rest": True}
    return record(connection, place, "mark", data, key)


def items(connection: Connection, place: Place, source: Source) -> dict[str, list[Item]]:
    """What the verifier judges, event by event: the union, then what they added."""
    place.visible("verify")
    return judged_items(connection, place.id, source)


def judged_items(connection: Connection, topic: int, source: Source) -> dict[str, list[Item]]:
    """The union and the additions; for the workbench's own use."""
    names = [event.id for event in stream.events(connection, topic)]
    found = union(source, stream.judged_marks(connection, topic), names)
    for (event, item), verdict in sorted(stream.verdicts(connection, topic).items()):
        if verdict.added and event in found and item not in {one.id for one in found[event]}:
            found[event].append(Item(sentences_of(item), False, frozenset()))
    return found


def judge_links(
    connection: Connection, place: Place, source: Source, body: dict[str, Any], key: str
) -> dict[str, Any]:
    """Keep the verifier's word on items, or show both versions."""
    if (known := log.found(connection, place.person, key)) is not None:
        return acknowledged(connection, place, known)
    place.writable("verify")
    known_items = {
        (event, item.id)
        for event, found in items(connection, place, source).items()
        for item in found
    }
    events = {event.id for event in stream.events(connection, place.id)}
    now = stream.verdicts(connection, place.id)
    changes, before = [], []
    for one in wanted(body.get("changes"), list, "changes")[:MOST_CHANGES]:
        event = wanted(wanted(one, dict, "change").get("event"), str, "event")
        item = wanted(one.get("item"), str, "item")
        kept, base = one.get("kept"), wanted(one.get("base"), int, "base")
        if kept is not None and not isinstance(kept, bool):
            raise RefusedError(400, "'kept' is yes, no or open")
        added = (event, item) not in known_items
        if added and not (place.project.settings.get("additions") and item in source.by_id):
            raise RefusedError(400, "this sentence was marked by nobody, and additions are closed")
        if event not in events:
            raise RefusedError(400, "no such event")
        state = now.get((event, item), Verdict(None, added, 0))
        before.append({"event": event, "item": item, "kept": state.kept, "version": state.version})
        changes.append(
            {
                "event": event,
                "sentence": item,
                "kept": kept,
                "added": state.added,
                "version": base + 1,
            }
        )
    if any(new["version"] != old["version"] + 1 for new, old in zip(changes, before, strict=True)):
        return {"key": key, "conflict": before}
    data = {"changes": changes, "before": before, **_undoes(body)}
    return acknowledged(connection, place, record(connection, place, "verdict", data, key))


def unjudged(connection: Connection, place: Place, source: Source) -> int:
    """How many items the verifier has still to judge."""
    said = stream.verdicts(connection, place.id)
    return sum(
        said.get((event, item.id), Verdict(None, False, 0)).kept is None
        for event, found in items(connection, place, source).items()
        for item in found
        if item.marked_by
    )


def _change(value: object, source: Source, alive: set[str]) -> Change:
    one = wanted(value, dict, "change")
    name = wanted(one.get("sentence"), str, "sentence")
    if name not in source.by_id:
        raise RefusedError(400, "no such sentence")
    links = []
    for link in wanted(one.get("links"), list, "links"):
        event, group = [*wanted(link, list, "link"), None, None][:2]
        if not isinstance(event, str) or event not in alive:
            raise RefusedError(400, "no such event")
        if not isinstance(group, str) or len(group) > 60:
            raise RefusedError(400, "no such group")
        links.append((event, group))
    off = wanted(one.get("off"), bool, "off")
    joined = wanted(one.get("joined"), bool, "joined")
    if off and links:
        raise RefusedError(400, "a sentence is off or linked, not both")
    if joined and source.by_id[name].n == 1:
        raise RefusedError(400, "the first sentence of a story has none before it to join")
    base = wanted(one.get("base"), int, "base")
    return Change(name, base, off, tuple(sorted(set(links))), joined)


def _undoes(body: dict[str, Any]) -> dict[str, str]:
    undone = body.get("undoes")
    return {"undoes": undone[:100]} if isinstance(undone, str) and undone else {}
