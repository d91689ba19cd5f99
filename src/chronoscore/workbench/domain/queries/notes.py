"""Reading notes: questions and remarks about a topic, with the managers' answers."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.store import tables


@dataclass(frozen=True)
class TopicNote:
    """A note as a manager or its author reads it."""

    topic: int
    title: str
    id: str
    author: str
    step: str
    place: str
    text: str
    answer: str
    done: bool
    time: float


def topic_notes(connection: Connection, topic: TopicAccess) -> list[TopicNote]:
    """The visitor's own notes, or everybody's for a manager who is not blind here."""
    table = tables.note
    query = select(table).where(table.c.topic == topic.id).order_by(table.c.done, table.c.time)
    if not topic.unblinded:
        query = query.where(table.c.person == topic.person)
    rows = connection.execute(query).all()
    names = accounts.names(connection, {row.person for row in rows})
    return [
        TopicNote(
            topic.id, topic.title, row.id, names[row.person], row.step, row.place, row.text,
            row.answer, row.done, row.time,
        )
        for row in rows
    ]  # fmt: skip


def own_places(connection: Connection, topic: TopicAccess) -> list[str]:
    """The places in a topic that the visitor has written notes about."""
    table = tables.note
    query = select(table.c.place).where(table.c.topic == topic.id, table.c.person == topic.person)
    return sorted(set(connection.execute(query).scalars()) - {""})


def project_notes(
    connection: Connection, project: ProjectAccess, topics: list[TopicAccess]
) -> list[TopicNote]:
    """All notes of a project that its manager may read, open ones first."""
    project.require_manager()
    notes = [note for topic in topics for note in topic_notes(connection, topic)]
    return sorted(notes, key=lambda note: (note.done, note.time))
