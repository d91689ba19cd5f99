"""What a visitor may see and do: membership, roles, and blindness.

Every query that could show one person's work to another asks a `Place` first. A manager
sees everything, except in a topic where they work themselves: there they are as blind as
anybody until the topic is final.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.workflow import STEPS, TITLES, WORKER
from chronoscore.workbench.web.visit import RefusedError, Visit, not_here

BLINDING = frozenset({"judge", "verifier", "writer", "matcher", "rematcher"})
"""Roles whose holder must not know what others decided."""

BLIND_WORK = ("story.read", "candidate.add", "mark", "verdict", "line.add", "match", "anchor.add")
"""What only holders of these roles do."""


@dataclass(frozen=True, kw_only=True)
class ProjectPlace:
    """A project as one visitor stands to it."""

    id: int
    name: str
    workflow: str
    settings: dict[str, Any]
    person: int
    manager: bool

    def managed(self) -> "ProjectPlace":
        """The same, for managers only; others learn nothing from the refusal."""
        if not self.manager:
            raise not_here()
        return self


@dataclass(frozen=True, kw_only=True)
class Place:
    """A topic as one visitor stands to it."""

    id: int
    name: str
    title: str
    step: str
    version: int
    most: int
    z: float | None
    project: ProjectPlace
    person: int
    roles: frozenset[str]
    submitted: frozenset[str]
    merges: bool
    worked: bool = False

    @property
    def manager(self) -> bool:
        """Whether the visitor manages the project."""
        return self.project.manager

    @property
    def unblinded(self) -> bool:
        """Whether the visitor may know who decided what in this topic."""
        at_work = bool(self.roles & BLINDING) or self.worked
        return self.manager and (self.step in ("draft", "final") or not at_work)

    def over(self, step: str) -> bool:
        """Whether all have handed in this step; the other workflow's steps never are."""
        steps = STEPS[self.project.workflow]
        return step in steps and steps.index(self.step) > steps.index(step)

    def works_in(self, step: str) -> bool:
        """Whether the visitor has the role that this step needs."""
        return WORKER.get(step) in self.roles or (step == "merge" and self.merges)

    def visible(self, step: str) -> "Place":
        """The same, if the visitor may open this step's screen."""
        if step not in STEPS[self.project.workflow] or not self.works_in(step):
            raise not_here()
        if not self.over(step) and self.step != step:
            raise RefusedError(409, f"the step '{TITLES[step]}' is not open yet; come back later")
        return self

    def frozen(self, step: str) -> bool:
        """Whether the visitor's work in this step can be changed no more, or not yet."""
        return self.step != step or step in self.submitted

    def writable(self, step: str) -> "Place":
        """The same, if the visitor may still change their work in this step."""
        self.visible(step)
        if self.frozen(step):
            raise RefusedError(
                409, "this was handed in and is frozen; ask a manager to reopen the step"
            )
        return self

    def managed(self) -> "Place":
        """The same, for managers only."""
        self.project.managed()
        return self


def project_place(connection: Connection, person: int, number: int) -> ProjectPlace:
    """A project that the person belongs to; any other is not there at all."""
    project, member = tables.project, tables.member
    row = connection.execute(
        select(project, member.c.manager)
        .join(member, member.c.project == project.c.id)
        .where(project.c.id == number, member.c.person == person)
    ).one_or_none()
    if row is None:
        raise not_here()
    return ProjectPlace(
        id=row.id,
        name=row.name,
        workflow=row.workflow,
        settings=json.loads(row.settings),
        person=person,
        manager=row.manager,
    )


def topic_place(connection: Connection, person: int, number: int) -> Place:
    """A topic of such a project, if the person works in it or manages it."""
    row = connection.execute(select(tables.topic).where(tables.topic.c.id == number)).one_or_none()
    if row is None:
        raise not_here()
    project = project_place(connection, person, row.project)
    assignment, submission = tables.assignment, tables.submission
    assigned = connection.execute(
        select(assignment.c.person, assignment.c.role).where(assignment.c.topic == number)
    ).all()
    roles = frozenset(one.role for one in assigned if one.person == person)
    if not project.manager and not roles:
        raise not_here()
    submitted = connection.execute(
        select(submission.c.step).where(submission.c.topic == number, submission.c.person == person)
    ).scalars()
    return Place(
        id=row.id,
        name=row.name,
        title=row.title,
        step=row.step,
        version=row.version,
        most=row.most,
        z=row.z,
        project=project,
        person=person,
        roles=roles,
        submitted=frozenset(submitted),
        merges="judge" in roles and not any(one.role == "merger" for one in assigned),
        worked=project.manager and _worked(connection, person, number),
    )


@contextmanager
def reading_topic(visit: Visit) -> Iterator[tuple[Connection, Place]]:
    """A consistent view of the database, and the topic of the address."""
    with visit.database.reading() as connection:
        yield connection, topic_place(connection, visit.someone.id, visit.number("topic"))


@contextmanager
def writing_topic(visit: Visit) -> Iterator[tuple[Connection, Place]]:
    """The only write transaction of the moment, and the topic of the address."""
    with visit.database.writing() as connection:
        yield connection, topic_place(connection, visit.someone.id, visit.number("topic"))


def _worked(connection: Connection, person: int, topic: int) -> bool:
    """Whether somebody did blind work here, in whatever role: giving it back opens no eyes."""
    log = tables.log
    query = (
        select(log.c.seq)
        .where(log.c.topic == topic, log.c.person == person, log.c.action.in_(BLIND_WORK))
        .limit(1)
    )
    return connection.execute(query).scalar() is not None
