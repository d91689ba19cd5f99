"""Those who merge: from all judges' candidates to one list of events."""

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.actions.judging import check_event_text
from chronoscore.workbench.domain.actions.recording import next_name, record
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import Candidate, EventRow
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.web.visit import RefusedError


def same_event(
    connection: Connection, place: Place, candidates: list[str], text: str, key: str
) -> Entry:
    """These candidates are one event; its words are given, or the first candidate's."""
    place.writable("merge")
    known = _chosen(connection, place, candidates)
    words = text or known[candidates[0]].text
    check_event_text(words)
    if (done := log.found(connection, place.person, key)) is not None:
        return done
    name, number = next_name(connection, place, tables.event, "E")
    data = {"id": name, "n": number, "text": words, "candidates": candidates}
    return record(connection, place, "event.add", data, key)


def add_to(
    connection: Connection, place: Place, candidates: list[str], event: str, key: str
) -> Entry:
    """These candidates say (also) what an event says; a candidate in two events is split."""
    place.writable("merge")
    known = _chosen(connection, place, candidates)
    _event(connection, place, event)
    texts = [known[name].text for name in candidates]
    data = {"event": event, "candidates": candidates, "texts": texts}
    return record(connection, place, "event.put", data, key)


def take_out(connection: Connection, place: Place, candidate: str, event: str, key: str) -> Entry:
    """A candidate does not belong to an event after all."""
    place.writable("merge")
    _event(connection, place, event)
    everyone = stream.all_candidates(connection, place)
    inside = {one.id: one.text for one in everyone if event in one.events}
    if candidate not in inside:
        raise RefusedError(400, "this candidate is not in this event")
    data = {
        "event": event,
        "candidate": candidate,
        "gone": len(inside) == 1,
        "texts": [inside[candidate]],
    }
    return record(connection, place, "event.take", data, key)


def rename(connection: Connection, place: Place, event: str, text: str, key: str) -> Entry:
    """Say an event in other words."""
    place.writable("merge")
    old = _event(connection, place, event)
    check_event_text(text)
    data = {"id": event, "text": text, "omitted": old.omitted}
    return record(connection, place, "event.edit", data, key)


def omit_event(connection: Connection, place: Place, event: str, reason: str, key: str) -> Entry:
    """Leave an event out and say why; without a reason it comes back."""
    place.writable("merge")
    old = _event(connection, place, event)
    if not reason and not old.omitted:
        raise RefusedError(400, "say why the event is left out")
    data = {"id": event, "text": old.text, "omitted": reason}
    return record(connection, place, "event.edit", data, key)


def omit_candidates(
    connection: Connection, place: Place, candidates: list[str], reason: str, key: str
) -> None:
    """Leave candidates out and say why."""
    place.writable("merge")
    known = _chosen(connection, place, candidates)
    if not reason:
        raise RefusedError(400, "say why the candidates are left out")
    for name in candidates:
        data = {"id": name, "reason": reason, "texts": [known[name].text]}
        record(connection, place, "candidate.omit", data, f"{key}:{name}")


def unassigned(connection: Connection, place: Place) -> list[Candidate]:
    """Candidates that are in no event and were not left out."""
    everyone = stream.all_candidates(connection, place)
    return [one for one in everyone if not one.events and not one.omitted]


def _chosen(connection: Connection, place: Place, names: list[str]) -> dict[str, Candidate]:
    known = {one.id: one for one in stream.all_candidates(connection, place)}
    if not names:
        raise RefusedError(400, "choose one or more candidates first")
    if any(name not in known for name in names):
        raise RefusedError(400, "no such candidate")
    return known


def _event(connection: Connection, place: Place, name: str) -> EventRow:
    for event in stream.events(connection, place.id, omitted=True):
        if event.id == name:
            return event
    raise RefusedError(400, "no such event; choose one")
