"""What managers do with a project: create it, change its settings and its members."""

from secrets import token_hex
from typing import Annotated

from msgspec import Meta
from sqlalchemy import Connection, select

from chronoscore.workbench.domain import access, accounts, catalog, links, recovery
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.accounts import Invitation
from chronoscore.workbench.domain.actions.performing import Data, performs
from chronoscore.workbench.domain.actions.topics import MOST_LINES, fresh_number
from chronoscore.workbench.domain.errors import ConflictError, InvalidError, NotFoundError
from chronoscore.workbench.domain.fields import Id
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import DEFAULTS

Name = Annotated[str, Meta(max_length=120)]


def create(connection: Connection, person: int, name: str, workflow: str, key: str = "") -> int:
    """Create a project, managed by a founder of the workbench; returns its number."""
    founder = accounts.find(connection, person)
    if founder is None or not founder.founder:
        raise NotFoundError
    if workflow not in DEFAULTS or not name:
        raise InvalidError("a project needs a name and a workflow")
    key = key or token_hex(16)
    if (known := log.find(connection, person, key)) is not None:
        return known.number_made
    number = fresh_number(connection)
    data = {"id": number, "name": name, "workflow": workflow, "settings": DEFAULTS[workflow]}
    action = catalog.PROJECT_CREATE.name
    log.append(connection, LogEntry(action=action, data=data, person=person, key=key))
    return number


def join(connection: Connection, link: Invitation, person: int) -> None:
    """Let in a person with an invitation; one who manages the project already still does."""
    member = tables.member
    manages = connection.execute(
        select(member.c.manager).where(member.c.project == link.project, member.c.person == person)
    ).scalar()
    manager = link.manager or bool(manages)
    data = {"person": person, "manager": manager, "invitation": link.digest}
    action = catalog.MEMBER_ADD.name
    log.append(connection, LogEntry(action=action, data=data, person=person, project=link.project))


@performs(catalog.MEMBER_ADD)
def add_known(connection: Connection, project: ProjectAccess, person: int) -> Data:
    """Let in a person who has an account already, without a link."""
    if person not in {number for number, _ in people.known_people(connection, project)}:
        raise InvalidError("no such person")
    return {"person": person, "manager": False}


@performs(catalog.MEMBER_INVITE)
def invite(
    _connection: Connection, _project: ProjectAccess, invitation: Data, *, manager: bool
) -> Data:
    """Make a link that lets one more person in (`links.describe_invitation`)."""
    return {**invitation, "manager": manager}


@performs(catalog.MEMBER_WITHDRAW)
def withdraw(
    connection: Connection, project: ProjectAccess, invitation: Annotated[str, Meta(max_length=64)]
) -> Data:
    """Make an open invitation let nobody in any more."""
    opened = links.open_invitations(connection, project.id)
    label = next((one.label for one in opened if one.digest == invitation), "")
    return {"label": label or "somebody", "digest": invitation}


@performs(catalog.PROJECT_EXPORT)
def export(
    _connection: Connection, _project: ProjectAccess, *, kind: str, topics: list[int]
) -> Data:
    """Keep that a manager has taken out what was decided in topics."""
    return {"kind": kind, "topics": topics}


@performs(catalog.MEMBER_RESET)
def reset_member(
    connection: Connection, project: ProjectAccess, person: int, *, digest: str
) -> Data:
    """Ask for a link by which a member chooses a new password (`recovery`)."""
    members = {number for number, _, _ in people.members(connection, project)}
    if person not in members or not accounts.has_password(connection, person):
        raise InvalidError("no such member")
    if person == project.person:
        raise InvalidError("change your own password on the page of your account")
    member = accounts.find(connection, person)
    if member is not None and member.founder:
        raise ConflictError(
            "a founder's password is reset on the server: chronoscore workbench reset NAME"
        )
    _check_apart(connection, project, person)
    return {**links.describe_reset(person, digest), "request": token_hex(8)}


@performs(catalog.RESET_CONFIRM)
def confirm_reset(connection: Connection, project: ProjectAccess, request: Id) -> Data:
    """Agree, for this project, to a new password that was asked for elsewhere."""
    person = _requested(connection, project, request)
    if person == project.person:
        raise ConflictError("another manager must confirm your own new password")
    _check_apart(connection, project, person)
    return {"person": person, "request": request}


@performs(catalog.RESET_REFUSE)
def refuse_reset(connection: Connection, project: ProjectAccess, request: Id) -> Data:
    """Refuse, for this project, a new password that was asked for elsewhere."""
    return {"person": _requested(connection, project, request), "request": request}


def _requested(connection: Connection, project: ProjectAccess, request: str) -> int:
    for one in recovery.open_requests(connection, project):
        if one.request == request:
            return one.person
    raise InvalidError("no such request; look again")


def _check_apart(connection: Connection, project: ProjectAccess, person: int) -> None:
    """Refuse for the sake of topics that the manager knows; elsewhere the link never works.

    A refusal about another project would tell that the person works there.
    """
    managed = {
        topic.id
        for one in access.list_projects(connection, project.person)
        if one.manager
        for topic in access.list_topics(connection, one)
    }
    if recovery.interests(connection, project.person, project.id, person) & managed:
        raise ConflictError(recovery.TOGETHER)


@performs(catalog.PROJECT_ARCHIVE)
def archive(_connection: Connection, _project: ProjectAccess, *, archived: bool) -> Data:
    """Put a project away, or take it up again; nothing of it is deleted."""
    return {"archived": archived}


@performs(catalog.MEMBER_ADD)
def set_manager(
    connection: Connection, project: ProjectAccess, person: int, *, manager: bool
) -> Data:
    """Make a member a manager, or a manager a plain member; one manager always stays."""
    _check_member(connection, project, person, stays_manager=manager)
    return {"person": person, "manager": manager}


@performs(catalog.MEMBER_REMOVE)
def remove_member(connection: Connection, project: ProjectAccess, person: int) -> Data:
    """Remove a member from a project; one manager always stays."""
    _check_member(connection, project, person, stays_manager=False)
    return {"person": person}


def _check_member(
    connection: Connection, project: ProjectAccess, person: int, *, stays_manager: bool
) -> None:
    members = {number: manager for number, _, manager in people.members(connection, project)}
    if person not in members:
        raise InvalidError("no such member")
    managers = [number for number, manager in members.items() if manager]
    if stays_manager or person not in managers:
        return
    if managers == [person]:
        raise ConflictError("a project keeps at least one manager; name another first")


@performs(catalog.PROJECT_CHANGE)
def change_settings(
    _connection: Connection, project: ProjectAccess, *, name: Name, given: dict[str, str]
) -> Data:
    """Keep a project's name and settings, as they are written in a form."""
    settings: dict[str, object] = {}
    for setting, usual in DEFAULTS[project.workflow].items():
        value = given.get(setting)
        if isinstance(usual, bool):
            settings[setting] = value == "yes"
        elif value is None:
            settings[setting] = project.settings.get(setting, usual)
        elif value.isdecimal() and 0 <= int(value) <= MOST_LINES:
            settings[setting] = int(value)
        else:
            raise InvalidError(f"'{setting}' is a number from 0 to {MOST_LINES}")
    if not name:
        raise InvalidError("a project needs a name")
    return {"name": name, "settings": settings}
