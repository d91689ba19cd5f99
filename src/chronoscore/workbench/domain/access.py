"""What a visitor may see: membership, roles, and blindness.

Every query that could show one person's work to another asks a `TopicAccess` first. A
manager sees everything, except in a topic where they work themselves: there they are as
blind as the others until the topic is final.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import CompoundSelect, Connection, Select, bindparam, literal, select, union_all

from chronoscore.workbench.domain.catalog import BLIND_WORK
from chronoscore.workbench.domain.errors import ClosedError, NotFoundError
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.workflow import BLINDING, PRACTICE, STEPS, TITLES, WORKER


@dataclass(frozen=True, kw_only=True)
class ProjectAccess:
    """A project as one visitor may use it."""

    id: int
    name: str
    workflow: str
    settings: dict[str, Any]
    person: int
    manager: bool
    archived: bool = False
    witnessed: set[tuple[int, str]] = field(default_factory=set, compare=False, repr=False)
    """Topics in which the visitor was shown others' decisions now, and as what (`sight`)."""

    def require_manager(self) -> "ProjectAccess":
        """The same, for managers only; others learn nothing from the refusal."""
        if not self.manager:
            raise NotFoundError
        return self


@dataclass(frozen=True, kw_only=True)
class TopicAccess:
    """A topic as one visitor may use it."""

    id: int
    name: str
    title: str
    step: str
    version: int
    most: int
    z: float | None
    project: ProjectAccess
    person: int
    roles: frozenset[str]
    submitted: frozenset[str]
    merges: bool
    worked: bool = False
    put_away: bool = False
    judges: frozenset[int] = frozenset()
    practice: bool = False

    @property
    def manager(self) -> bool:
        """Whether the visitor manages the project."""
        return self.project.manager

    @property
    def archived(self) -> bool:
        """Whether the topic or its whole project is put away: to be read, not changed."""
        return self.put_away or self.project.archived

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that this topic goes through, in order."""
        return PRACTICE if self.practice else STEPS[self.project.workflow]

    @property
    def unblinded(self) -> bool:
        """Whether the visitor may know who decided what in this topic."""
        return self.manager and (self.step in ("draft", "final") or not self.at_work)

    @property
    def at_work(self) -> bool:
        """Whether the visitor works blind here, or did before they gave the role back."""
        return bool(self.roles & BLINDING) or self.worked

    @property
    def has_work(self) -> bool:
        """Whether the current step waits for the visitor."""
        waits = self.works_in(self.step) and self.step not in self.submitted
        return waits and not self.archived

    @property
    def discusses(self) -> bool:
        """Whether the visitor may talk about sentences: judges and managers, after hand-in.

        What they say tells who marked what, so the verifier waits until the topic is final.
        """
        if not self.over("link"):
            return False
        judges = "judge" in self.roles and "verifier" not in self.roles
        return self.step == "final" or judges or self.unblinded

    def over(self, step: str) -> bool:
        """Whether all have handed in this step; never true of the other workflow's steps."""
        steps = STEPS[self.project.workflow]
        return step in steps and steps.index(self.step) > steps.index(step)

    def started(self, step: str) -> bool:
        """Whether this step was opened."""
        return self.step == step or self.over(step)

    def works_in(self, step: str) -> bool:
        """Whether the visitor has the role that this step needs."""
        return WORKER.get(step) in self.roles or (step == "merge" and self.merges)

    def opens(self, step: str) -> bool:
        """Whether the visitor may open this step's screen."""
        return self.works_in(step) and self.started(step)

    def require_step(self, step: str) -> "TopicAccess":
        """The same, if the visitor may open this step's screen."""
        if step not in STEPS[self.project.workflow] or not self.works_in(step):
            raise NotFoundError
        if not self.started(step):
            raise ClosedError(f"the step '{TITLES[step]}' is not open yet; come back later")
        return self

    def frozen(self, step: str) -> bool:
        """Whether the visitor cannot change their work in this step now."""
        return self.step != step or step in self.submitted or self.archived

    def require_manager(self) -> "TopicAccess":
        """The same, for managers only."""
        self.project.require_manager()
        return self

    def require_unblinded(self) -> "TopicAccess":
        """The same, for managers who may know who is how far."""
        if not self.unblinded:
            raise NotFoundError
        return self

    def require_sight(self) -> "TopicAccess":
        """The same, for managers who may know who decided what; that they do is noted."""
        return self.require_unblinded().note_sight("manager")

    def note_sight(self, role: str) -> "TopicAccess":
        """Note that the visitor sees what others decided; answers to practice are no secret."""
        if not self.practice:
            self.project.witnessed.add((self.id, role))
        return self


def find_project(
    connection: Connection, person: int, number: int, witnessed: set[tuple[int, str]] | None = None
) -> ProjectAccess:
    """A project that the person belongs to; any other does not exist for them."""
    project, member = tables.project, tables.member
    row = connection.execute(
        select(project, member.c.manager)
        .join(member, member.c.project == project.c.id)
        .where(project.c.id == number, member.c.person == person)
    ).one_or_none()
    if row is None:
        raise NotFoundError
    return _project(row, person, witnessed)


def _project(row: Any, person: int, witnessed: set[tuple[int, str]] | None) -> ProjectAccess:
    names = ("id", "name", "workflow", "manager", "archived")
    fields = {name: row._mapping[name] for name in names}
    seen = set() if witnessed is None else witnessed
    settings = json.loads(row.settings)
    return ProjectAccess(**fields, settings=settings, person=person, witnessed=seen)


def find_topic(
    connection: Connection, person: int, number: int, witnessed: set[tuple[int, str]] | None = None
) -> TopicAccess:
    """A topic of such a project, if the person works in it or manages it."""
    which = {"number": number, "visitor": person}
    row = connection.execute(_topic_query(), which).one_or_none()
    if row is None:
        raise NotFoundError
    project = _project(row, person, witnessed)
    rows = connection.execute(_roles_query(), which).all()
    # Nobody's number is 0: such a row is a step that the visitor has handed in.
    submitted = frozenset(role for who, role in rows if not who)
    assigned = [(who, role) for who, role in rows if who]
    roles = frozenset(role for who, role in assigned if who == person)
    if not project.manager and not roles:
        raise NotFoundError
    return TopicAccess(
        **{name: row._mapping[f"topic_{name}"] for name in _TOPIC_COLUMNS},
        project=project,
        person=person,
        roles=roles,
        submitted=submitted,
        judges=frozenset(who for who, role in assigned if role == "judge"),
        merges="judge" in roles and not any(role == "merger" for _, role in assigned),
        worked=project.manager and _worked(connection, person, number),
        put_away=row.topic_archived,
        practice=bool(row.practice),
    )


_TOPIC_COLUMNS = ("id", "name", "title", "step", "version", "most", "z")


@cache
def _topic_query() -> Select[Any]:
    """A topic with its project and the visitor's membership; composed once, for every request."""
    topic, whole, member = tables.topic, tables.project, tables.member
    columns = (*_TOPIC_COLUMNS, "archived")
    return (
        select(
            whole,
            member.c.manager,
            (topic.c.answers != "").label("practice"),
            *(topic.c[one].label(f"topic_{one}") for one in columns),
        )
        .select_from(topic)
        .join(whole, whole.c.id == topic.c.project)
        .join(member, member.c.project == whole.c.id)
        .where(topic.c.id == bindparam("number"), member.c.person == bindparam("visitor"))
    )


@cache
def _roles_query() -> CompoundSelect[Any]:
    """Everybody's roles in a topic, and the steps that the visitor has handed in."""
    assignment, submission = tables.assignment, tables.submission
    here = assignment.c.topic == bindparam("number")
    own = submission.c.person == bindparam("visitor")
    return union_all(
        select(assignment.c.person, assignment.c.role).where(here),
        select(literal(0), submission.c.step).where(submission.c.topic == bindparam("number"), own),
    )


def list_topics(connection: Connection, project: ProjectAccess) -> list[TopicAccess]:
    """The topics of a project that the visitor manages or works in."""
    table = tables.topic
    query = select(table.c.id).where(table.c.project == project.id).order_by(table.c.id)
    topics = []
    for number in connection.execute(query).scalars().all():
        try:
            topics.append(find_topic(connection, project.person, number, project.witnessed))
        except NotFoundError:
            continue
    return topics


def list_projects(connection: Connection, person: int) -> list[ProjectAccess]:
    """The projects that a person belongs to."""
    member = tables.member
    query = select(member.c.project).where(member.c.person == person).order_by(member.c.project)
    numbers = connection.execute(query).scalars().all()
    return [find_project(connection, person, number) for number in numbers]


def watches_only(connection: Connection, person: int) -> bool:
    """Whether a person manages a project, and works blind in no topic that is not final."""
    projects = list_projects(connection, person)
    return any(one.manager for one in projects) and not any(
        topic.step != "final" and topic.at_work
        for one in projects
        for topic in list_topics(connection, one)
    )


def _worked(connection: Connection, person: int, topic: int) -> bool:
    """Whether a person did blind work here in any role: giving the role back changes nothing."""
    log = tables.log
    query = (
        select(log.c.seq)
        .where(log.c.topic == topic, log.c.person == person, log.c.action.in_(BLIND_WORK))
        .limit(1)
    )
    return connection.execute(query).scalar() is not None
