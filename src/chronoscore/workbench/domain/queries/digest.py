"""Work that is waiting: for the first page, and as a feed."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from chronoscore.errors import number_with_noun
from chronoscore.workbench.domain import access, accounts
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.formatting import quote
from chronoscore.workbench.domain.queries import guiding, notes, people
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.workflow import TITLES


@dataclass(frozen=True)
class DigestItem:
    """Something that waits: for the visitor, or (with names) for others."""

    text: str
    where: str
    project: str
    due: str = ""
    since: float = 0.0
    names: tuple[str, ...] = ()


def collect(connection: Connection, person: int) -> list[DigestItem]:
    """Everything that waits for a person, and for others in the topics that they manage.

    In a topic where a manager works themselves, others stay hidden from them.
    """
    topics = [
        topic
        for project in access.list_projects(connection, person)
        if not project.archived
        for topic in access.list_topics(connection, project)
        if not topic.put_away
    ]
    days = guiding.deadlines(connection, topics)
    opened = _opened(connection, topics)
    items = []
    for topic in topics:
        due, since = days.get((topic.id, topic.step), ""), opened.get(topic.id, 0.0)
        name, project = quote(topic.title), topic.project.name
        if topic.has_work:
            where = f"/t/{topic.id}/{topic.step}"
            items.append(DigestItem(f"{TITLES[topic.step]}: {name}", where, project, due, since))
        if topic.manager:
            items += _managed(connection, topic, due, since)
    return sorted(items, key=lambda item: (bool(item.names), item.due or "~", item.since))


def _managed(
    connection: Connection, topic: TopicAccess, due: str, since: float
) -> list[DigestItem]:
    name, project = quote(topic.title), topic.project.name
    if not topic.unblinded:
        return []
    items = []
    if topic.step == "draft":
        text = f"{name} is a draft: give roles and open its first step"
        items.append(DigestItem(text, f"/t/{topic.id}", project, due, since))
    asked = sum(not note.done for note in notes.topic_notes(connection, topic))
    if asked:
        text = f"{name}: {number_with_noun(asked, 'note waits', 'notes wait')} for an answer"
        items.append(DigestItem(text, f"/p/{topic.project.id}/notes", project))
    waiting = [
        one
        for one in people.unfinished_workers(connection, topic.id, topic.step)
        if one != topic.person
    ]
    if waiting and topic.step not in ("draft", "final"):
        names = accounts.names(connection, set(waiting))
        text = f"{TITLES[topic.step]}: {name}"
        people_ = tuple(sorted(names[one] for one in waiting))
        items.append(DigestItem(text, f"/t/{topic.id}", project, due, since, people_))
    return items


def _opened(connection: Connection, topics: list[TopicAccess]) -> dict[int, float]:
    """When the current step of each topic was opened."""
    log = tables.log
    rows = connection.execute(
        select(log.c.topic, func.max(log.c.time))
        .where(
            log.c.topic.in_([topic.id for topic in topics]),
            log.c.action.in_(("step.open", "step.reopen")),
        )
        .group_by(log.c.topic)
    )
    return {int(topic): float(opened) for topic, opened in rows}
