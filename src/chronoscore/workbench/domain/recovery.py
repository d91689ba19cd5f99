"""New passwords by link: who may ask for one, who must agree, and when a link works.

A link opens a whole account, with all its projects. So it works only while a manager of every
project of that person agrees, each of whom works with them in no topic that is not final, and came
to manage through nobody who does.
Links made on the server, by who can read the database anyway, need no consent.
"""

import time
from dataclasses import dataclass

from sqlalchemy import Connection, select, union

from chronoscore.workbench.domain import access, accounts, catalog, sight
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.catalog import WORK, Action
from chronoscore.workbench.domain.links import ResetLink, describe_reset
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry

UNCONFIRMED = "this link does not work yet: it must still be confirmed; try again later"
TOGETHER = (
    "you both work in a topic that is not final, or they and a manager do through whom you manage; "
    "another manager can do this, or the operator by 'chronoscore workbench reset'"
)


@dataclass(frozen=True)
class OpenRequest:
    """A new password of a member that waits for consent in a project."""

    request: str
    person: int
    name: str
    expires: float


def topics_of(connection: Connection, person: int) -> set[int]:
    """The topics that are not final in which a person has a role, or has worked."""
    assignment, entry, topic = tables.assignment, tables.log, tables.topic
    mine = union(
        select(assignment.c.topic).where(assignment.c.person == person),
        select(entry.c.topic).where(entry.c.person == person, entry.c.action.in_(WORK)),
    )
    # Practice stays open for newcomers, and its answers are known.
    unfinished = (topic.c.step != "final") & (topic.c.answers == "")
    query = select(topic.c.id).where(topic.c.id.in_(mine), unfinished)
    return set(connection.execute(query).scalars())


def work_together(connection: Connection, one: int, other: int) -> set[int]:
    """The topics that are not final in which both work: neither may open the other's account."""
    return topics_of(connection, one) & topics_of(connection, other)


def interests(connection: Connection, manager: int, project: int, person: int) -> set[int]:
    """The topics for whose sake a manager must not open a person's account.

    Those in which they work together, or in which somebody does through whom the manager came to
    manage the project: a second account, or a friend's, is soon invited.
    """
    makers = managers_behind(connection, manager, project) - {person}
    return set[int]().union(*(work_together(connection, one, person) for one in makers))


def managers_behind(connection: Connection, manager: int, project: int) -> set[int]:
    """A manager, who made them one or invited them, who made those managers, and so on."""
    made: set[tuple[int | None, int]] = {
        (entry.person, entry.data["person"])
        for entry in log.read(connection, actions=[catalog.MEMBER_ADD.name], project=project)
        if entry.data["manager"]
    }
    table = tables.invitation
    invited = select(table.c.by, table.c.used_by).where(table.c.project == project, table.c.manager)
    made |= {(row.by, row.used_by) for row in connection.execute(invited) if row.used_by}
    found: set[int] = set()
    fresh = {manager}
    while fresh:
        found |= fresh
        fresh = {by for by, whom in made if whom in fresh and by is not None} - found
    return found


def projects_of(connection: Connection, person: int) -> list[int]:
    """The projects that a person belongs to, archived ones too."""
    member = tables.member
    query = select(member.c.project).where(member.c.person == person).order_by(member.c.project)
    return list(connection.execute(query).scalars())


def announce(connection: Connection, entry: LogEntry) -> None:
    """Tell the other projects of a person that a new password was asked for.

    Where the same manager manages, that is the consent of that project as well.
    """
    data = {name: entry.data[name] for name in ("person", "request")}
    for number in projects_of(connection, data["person"]):
        if number == entry.project:
            continue
        if entry.person is not None and _manages(connection, entry.person, number):
            _log(connection, catalog.RESET_CONFIRM, number, data, person=entry.person)
        else:
            _log(connection, catalog.RESET_ASK, number, data)


def make_server_link(connection: Connection, person: int, digest: str) -> None:
    """Let a link of the server choose a new password; all projects of the person are told."""
    everywhere: list[int | None] = [*projects_of(connection, person)]
    link = describe_reset(person, digest)
    for number in everywhere or [None]:
        _log(connection, catalog.ACCOUNT_RESET, number, link)


def open_requests(connection: Connection, project: ProjectAccess) -> list[OpenRequest]:
    """What waits for consent in a project, for its managers."""
    project.require_manager()
    reset, member, recovery = tables.reset, tables.member, tables.recovery
    given = select(recovery.c.request).where(recovery.c.project == project.id)
    here = select(member.c.person).where(member.c.project == project.id)
    rows = connection.execute(
        select(reset)
        .where(
            reset.c.request.is_not(None),
            reset.c.expires > time.time(),
            reset.c.person.in_(here),
            reset.c.request.not_in(given),
        )
        .order_by(reset.c.expires)
    ).all()
    names = accounts.names(connection, {row.person for row in rows})
    return [OpenRequest(row.request, row.person, names[row.person], row.expires) for row in rows]


def own_request(connection: Connection, person: int) -> str | None:
    """The open request for a person's own new password, which they may refuse."""
    reset = tables.reset
    mine = (reset.c.person == person) & (reset.c.expires > time.time())
    return connection.execute(select(reset.c.request).where(mine)).scalar()


def refuse_own(connection: Connection, person: int) -> None:
    """The person did not ask for a new password: the link opens nothing, and all projects know."""
    request = own_request(connection, person)
    if request:
        for number in projects_of(connection, person):
            data = {"person": person, "request": request}
            _log(connection, catalog.RESET_REFUSE, number, data, person=person)


def is_confirmed(connection: Connection, link: ResetLink) -> bool:
    """Whether a link works now: all whose consent it needs have given it, and still may."""
    if link.request is None:
        return True
    person = accounts.find(connection, link.person)
    projects = projects_of(connection, link.person)
    if person is None or person.founder or link.by is None or link.project not in projects:
        return False
    recovery = tables.recovery
    rows = connection.execute(select(recovery).where(recovery.c.request == link.request))
    agreed = {row.project: row.person for row in rows}
    return all(
        number in agreed
        and _manages(connection, agreed[number], number)
        and not interests(connection, agreed[number], number, link.person)
        for number in projects
    )


def finish(connection: Connection, link: ResetLink) -> None:
    """All projects of a person know of the new password.

    Who asked for the link may have used it themselves, and so have seen what the person decided.
    """
    for number in projects_of(connection, link.person):
        _log(connection, catalog.RESET_DONE, number, {"person": link.person})
    if link.by is not None:
        known = {
            topic.id
            for one in access.list_projects(connection, link.by)
            for topic in access.list_topics(connection, one)
        }
        topics = topics_of(connection, link.person) & known
        sight.keep(connection, link.by, {(topic, sight.MANAGER) for topic in topics})


def _manages(connection: Connection, person: int, project: int) -> bool:
    projects = access.list_projects(connection, person)
    return any(one.id == project and one.manager for one in projects)


def _log(
    connection: Connection, action: Action, project: int | None, data: dict[str, object],
    *, person: int | None = None,
) -> None:  # fmt: skip
    entry = LogEntry(action=action.name, data=data, project=project, person=person)
    log.append(connection, entry)
