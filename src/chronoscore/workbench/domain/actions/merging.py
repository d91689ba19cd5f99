"""Merging: from all judges' candidates to one list of events."""

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.judging import check_event_text
from chronoscore.workbench.domain.actions.recording import next_shared_id, record_action
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import CandidateEvent, TopicEvent
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry


@require_permission("event.add")
def merge_candidates(
    connection: Connection, topic: TopicAccess, key: str, candidates: list[str], text: str
) -> LogEntry:
    """Make one event of these candidates, in the words given or the first candidate's."""
    chosen = _choose(connection, topic, candidates)
    words = text or chosen[0].text
    check_event_text(words)
    name, number = next_shared_id(connection, topic, tables.event, "E")
    data = {"id": name, "n": number, "text": words, "candidates": candidates}
    return record_action(connection, topic, "event.add", data, key)


@require_permission("event.put")
def add_to_event(
    connection: Connection, topic: TopicAccess, key: str, candidates: list[str], event: str
) -> LogEntry:
    """Add candidates to an event; a candidate may be part of two events."""
    chosen = _choose(connection, topic, candidates)
    _find_event(connection, topic, event)
    texts = [candidate.text for candidate in chosen]
    data = {"event": event, "candidates": candidates, "texts": texts}
    return record_action(connection, topic, "event.put", data, key)


@require_permission("event.take")
def take_from_event(
    connection: Connection, topic: TopicAccess, key: str, candidate: str, event: str
) -> LogEntry:
    """Take a candidate out of an event."""
    _find_event(connection, topic, event)
    everyone = stream.all_candidates(connection, topic)
    inside = {one.id: one.text for one in everyone if event in one.events}
    if candidate not in inside:
        raise InvalidError("this candidate is not in this event")
    data = {"event": event, "candidate": candidate, "gone": len(inside) == 1}
    texts = [inside[candidate]]
    return record_action(connection, topic, "event.take", {**data, "texts": texts}, key)


@require_permission("event.edit")
def rename_event(
    connection: Connection, topic: TopicAccess, key: str, event: str, text: str
) -> LogEntry:
    """Say an event in other words."""
    old = _find_event(connection, topic, event)
    check_event_text(text)
    data = {"id": event, "text": text, "omitted": old.omitted}
    return record_action(connection, topic, "event.edit", data, key)


@require_permission("event.edit")
def omit_event(
    connection: Connection, topic: TopicAccess, key: str, event: str, reason: str
) -> LogEntry:
    """Leave an event out and say why; without a reason it comes back."""
    old = _find_event(connection, topic, event)
    if not reason and not old.omitted:
        raise InvalidError("say why the event is left out")
    data = {"id": event, "text": old.text, "omitted": reason}
    return record_action(connection, topic, "event.edit", data, key)


@require_permission("candidate.omit")
def omit_candidates(
    connection: Connection, topic: TopicAccess, key: str, candidates: list[str], reason: str
) -> LogEntry:
    """Leave candidates out and say why."""
    chosen = _choose(connection, topic, candidates)
    if not reason:
        raise InvalidError("say why the candidates are left out")
    for one in chosen:
        data = {"id": one.id, "reason": reason, "texts": [one.text]}
        entry = record_action(connection, topic, "candidate.omit", data, f"{key}:{one.id}")
    return entry


def unassigned_candidates(connection: Connection, topic: TopicAccess) -> list[CandidateEvent]:
    """Candidates that are in no event and were not left out."""
    everyone = stream.all_candidates(connection, topic)
    return [one for one in everyone if not one.events and not one.omitted]


def _choose(connection: Connection, topic: TopicAccess, names: list[str]) -> list[CandidateEvent]:
    known = {one.id: one for one in stream.all_candidates(connection, topic)}
    if not names:
        raise InvalidError("choose one or more candidates first")
    if any(name not in known for name in names):
        raise InvalidError("no such candidate")
    return [known[name] for name in names]


def _find_event(connection: Connection, topic: TopicAccess, name: str) -> TopicEvent:
    for event in stream.joint_events(connection, topic.id, omitted=True):
        if event.id == name:
            return event
    raise InvalidError("no such event; choose one")
