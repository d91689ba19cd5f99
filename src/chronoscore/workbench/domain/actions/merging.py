"""Merging: from all judges' candidates to one list of events."""

from sqlalchemy import Connection

from chronoscore.workbench.domain import catalog
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.judging import check_event_text
from chronoscore.workbench.domain.actions.performing import Data, next_shared_id, performs
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.fields import Id, Text
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import CandidateEvent, TopicEvent
from chronoscore.workbench.store import tables


@performs(catalog.EVENT_ADD)
def merge_candidates(
    connection: Connection, topic: TopicAccess, candidate: list[str], text: Text
) -> Data:
    """Make one event of these candidates, in the words given or the first candidate's."""
    chosen = _choose(connection, topic, candidate)
    words = text or chosen[candidate[0]]
    check_event_text(words)
    name, number = next_shared_id(connection, topic, tables.event, "E")
    return {"id": name, "n": number, "text": words, "candidates": candidate}


@performs(catalog.EVENT_PUT)
def add_to_event(
    connection: Connection, topic: TopicAccess, candidate: list[str], event: Id
) -> Data:
    """Add candidates to an event; a candidate may be part of two events."""
    chosen = _choose(connection, topic, candidate)
    _find_event(connection, topic, event)
    return {"event": event, "candidates": candidate, "texts": list(chosen.values())}


@performs(catalog.EVENT_TAKE)
def take_from_event(connection: Connection, topic: TopicAccess, candidate: Id, event: Id) -> Data:
    """Take a candidate out of an event."""
    _find_event(connection, topic, event)
    everyone = stream.all_candidates(connection, topic)
    inside = {one.id: one.text for one in everyone if event in one.events}
    if candidate not in inside:
        raise InvalidError("this candidate is not in this event")
    data = {"event": event, "candidate": candidate, "gone": len(inside) == 1}
    return {**data, "texts": [inside[candidate]]}


@performs(catalog.EVENT_SPLIT)
def take_apart(connection: Connection, topic: TopicAccess, event: Id) -> Data:
    """Take an event apart; its candidates are assigned again."""
    old = _find_event(connection, topic, event)
    return {"event": event, "texts": [old.text]}


@performs(catalog.EVENT_EDIT)
def rename_event(connection: Connection, topic: TopicAccess, event: Id, text: Text) -> Data:
    """Say an event in other words."""
    old = _find_event(connection, topic, event)
    check_event_text(text)
    return {"id": event, "text": text, "omitted": old.omitted}


@performs(catalog.EVENT_EDIT)
def omit_event(connection: Connection, topic: TopicAccess, event: Id, reason: Text) -> Data:
    """Leave an event out and say why; without a reason it comes back."""
    old = _find_event(connection, topic, event)
    if not reason and not old.omitted:
        raise InvalidError("say why the event is left out")
    return {"id": event, "text": old.text, "omitted": reason}


@performs(catalog.CANDIDATE_OMIT)
def omit_candidates(
    connection: Connection, topic: TopicAccess, candidate: list[str], reason: Text
) -> list[Data]:
    """Leave candidates out and say why."""
    chosen = _choose(connection, topic, candidate)
    if not reason:
        raise InvalidError("say why the candidates are left out")
    return [{"id": one, "reason": reason, "texts": [words]} for one, words in chosen.items()]


def unassigned_candidates(connection: Connection, topic: TopicAccess) -> list[CandidateEvent]:
    """Candidates that are in no event and were not left out."""
    everyone = stream.all_candidates(connection, topic)
    return [one for one in everyone if not one.events and not one.omitted]


def _choose(connection: Connection, topic: TopicAccess, names: list[str]) -> dict[str, str]:
    """The words of the candidates that were chosen, in their order."""
    if not names:
        raise InvalidError("choose one or more candidates first")
    known = stream.texts_of_candidates(connection, topic, names)
    if any(name not in known for name in names):
        raise InvalidError("no such candidate")
    return {name: known[name] for name in names}


def _find_event(connection: Connection, topic: TopicAccess, name: str) -> TopicEvent:
    for event in stream.joint_events(connection, topic.id, omitted=True):
        if event.id == name:
            return event
    raise InvalidError("no such event; choose one")
