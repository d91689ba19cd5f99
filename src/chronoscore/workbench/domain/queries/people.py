"""Who works where, and how far they are."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.workflow import WORKER


@dataclass(frozen=True)
class Assignment:
    """A person with a role in a topic."""

    person: int
    name: str
    role: str


@dataclass(frozen=True)
class StepWork:
    """A person's share of a step."""

    person: int
    name: str
    step: str
    entries: int
    seconds: float
    submitted: float | None


def members(connection: Connection, project: ProjectAccess) -> list[tuple[int, str, bool]]:
    """The people of a project, for its managers."""
    project.require_manager()
    member, person = tables.member, tables.person
    rows = connection.execute(
        select(person.c.id, person.c.name, member.c.manager)
        .join(person, person.c.id == member.c.person)
        .where(member.c.project == project.id)
        .order_by(person.c.name)
    )
    return [(row.id, row.name, row.manager) for row in rows]


def known_people(connection: Connection, project: ProjectAccess) -> list[tuple[int, str]]:
    """People with an account who are not in the project, for its managers.

    A manager knows those of the projects that they manage; a founder knows everybody.
    """
    project.require_manager()
    member, person = tables.member, tables.person
    inside = select(member.c.person).where(member.c.project == project.id)
    query = (
        select(person.c.id, person.c.name)
        .where(person.c.password.is_not(None), person.c.id.not_in(inside))
        .order_by(person.c.name)
    )
    if not _is_founder(connection, project.person):
        mine = select(member.c.project).where(member.c.person == project.person, member.c.manager)
        query = query.where(
            person.c.id.in_(select(member.c.person).where(member.c.project.in_(mine)))
        )
    return [(row.id, row.name) for row in connection.execute(query)]


def _is_founder(connection: Connection, number: int) -> bool:
    person = accounts.find(connection, number)
    return person is not None and person.founder


def assignments(connection: Connection, topic: TopicAccess) -> list[Assignment]:
    """Who has which role in a topic, for its managers."""
    topic.require_manager()
    return all_assignments(connection, topic.id)


def all_assignments(connection: Connection, topic: int) -> list[Assignment]:
    """Who has which role in a topic; for the workbench's own use."""
    assignment, person = tables.assignment, tables.person
    rows = connection.execute(
        select(assignment.c.person, person.c.name, assignment.c.role)
        .join(person, person.c.id == assignment.c.person)
        .where(assignment.c.topic == topic)
        .order_by(assignment.c.role, assignment.c.person)
    )
    return [Assignment(row.person, row.name, row.role) for row in rows]


def people_with_role(connection: Connection, topic: int, role: str) -> set[int]:
    """The people with a role in a topic; for the workbench's own use."""
    return {one.person for one in all_assignments(connection, topic) if one.role == role}


def step_workers(connection: Connection, topic: int, step: str) -> list[int]:
    """The people who must hand in a step; for the workbench's own use."""
    people = people_with_role(connection, topic, WORKER.get(step, ""))
    if step == "merge" and not people:
        people = people_with_role(connection, topic, "judge")
    return sorted(people)


def submissions(connection: Connection, topic: int, step: str) -> dict[int, float]:
    """Who handed in a step, and when; for the workbench's own use."""
    table = tables.submission
    rows = connection.execute(
        select(table.c.person, table.c.time).where(table.c.topic == topic, table.c.step == step)
    )
    return {row.person: row.time for row in rows}


def unfinished_workers(connection: Connection, topic: int, step: str) -> list[int]:
    """Those who have not handed in a step; for the workbench's own use."""
    done = submissions(connection, topic, step)
    return [person for person in step_workers(connection, topic, step) if person not in done]


def count_unfinished_workers(connection: Connection, topic: TopicAccess) -> int:
    """How many people the current step still waits for; 0 for visitors who are blind here."""
    return len(unfinished_workers(connection, topic.id, topic.step)) if topic.unblinded else 0


def work_by_person(connection: Connection, topic: TopicAccess) -> list[StepWork]:
    """Everybody's entries and time in a topic; only the visitor's own where they are blind."""
    activity, submission = tables.activity, tables.submission
    query = (
        select(activity, submission.c.time.label("submitted"))
        .outerjoin(
            submission,
            (submission.c.topic == activity.c.topic)
            & (submission.c.step == activity.c.step)
            & (submission.c.person == activity.c.person),
        )
        .where(activity.c.topic == topic.id)
    )
    if not topic.unblinded:
        query = query.where(activity.c.person == topic.person)
    rows = connection.execute(query).all()
    names = accounts.names(connection, {row.person for row in rows})
    return [
        StepWork(row.person, names[row.person], row.step, row.entries, row.seconds, row.submitted)
        for row in rows
    ]


def own_work(connection: Connection, topic: TopicAccess, step: str) -> tuple[int, float]:
    """The visitor's own number of entries in a step, and their time."""
    table = tables.activity
    row = connection.execute(
        select(table.c.entries, table.c.seconds).where(
            table.c.topic == topic.id, table.c.step == step, table.c.person == topic.person
        )
    ).one_or_none()
    return (0, 0.0) if row is None else (row.entries, row.seconds)
