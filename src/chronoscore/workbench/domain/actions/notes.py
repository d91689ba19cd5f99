"""Questions and remarks on the way, and the managers' answers."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import Place, ProjectPlace
from chronoscore.workbench.domain.actions.recording import own_name, record
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.web.visit import RefusedError


@dataclass(frozen=True)
class Note:
    """A note as a manager or its author reads it."""

    topic: int
    title: str
    id: str
    person: int
    author: str
    step: str
    place: str
    text: str
    answer: str
    done: bool
    time: float


def add(connection: Connection, place: Place, where: str, text: str, key: str) -> Entry:
    """Ask or remark something about a place in the topic."""
    if not text:
        raise RefusedError(400, "the note is empty; write something")
    if (known := log.found(connection, place.person, key)) is not None:
        return known
    name, _ = own_name(connection, place, "n")
    return record(connection, place, "note.add", {"id": name, "place": where, "text": text}, key)


def answer(connection: Connection, place: Place, name: str, text: str, key: str) -> Entry:
    """A manager answers a note."""
    place.managed()
    if name not in {note.id for note in of_topic(connection, place)}:
        raise RefusedError(400, "no such note")
    return record(connection, place, "note.answer", {"id": name, "answer": text}, key)


def of_topic(connection: Connection, place: Place) -> list[Note]:
    """The visitor's own notes, or everybody's for a manager who is not blind here."""
    table, topic = tables.note, tables.topic
    query = (
        select(table, topic.c.title)
        .join(topic, topic.c.id == table.c.topic)
        .where(table.c.topic == place.id)
        .order_by(table.c.done, table.c.time)
    )
    if not place.unblinded:
        query = query.where(table.c.person == place.person)
    rows = connection.execute(query).all()
    names = accounts.names(connection, {row.person for row in rows})
    return [
        Note(
            row.topic, row.title, row.id, row.person, names[row.person], row.step, row.place,
            row.text, row.answer, row.done, row.time,
        )
        for row in rows
    ]  # fmt: skip


def queue(connection: Connection, project: ProjectPlace, places: list[Place]) -> list[Note]:
    """All notes of a project that its manager may read, open ones first."""
    project.managed()
    found = [note for place in places for note in of_topic(connection, place)]
    return sorted(found, key=lambda note: (note.done, note.time))
