"""What managers do with a project: create it, change its settings and its members."""

from secrets import token_hex
from typing import Annotated

from msgspec import Meta
from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts, catalog, links
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions.performing import Data, performs
from chronoscore.workbench.domain.actions.topics import MOST_LINES, fresh_number
from chronoscore.workbench.domain.errors import ConflictError, InvalidError, NotFoundError
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


def join(connection: Connection, project: int, person: int, *, manager: bool) -> None:
    """Let in a person with an invitation; one who manages the project already still does."""
    member = tables.member
    manages = connection.execute(
        select(member.c.manager).where(member.c.project == project, member.c.person == person)
    ).scalar()
    data = {"person": person, "manager": manager or bool(manages)}
    action = catalog.MEMBER_ADD.name
    log.append(connection, LogEntry(action=action, data=data, person=person, project=project))


@performs(catalog.MEMBER_ADD)
def add_known(connection: Connection, project: ProjectAccess, person: int) -> Data:
    """Let in a person who has an account already, without a link."""
    if person not in {number for number, _ in people.known_people(connection, project)}:
        raise InvalidError("no such person")
    return {"person": person, "manager": False}


@performs(catalog.MEMBER_RESET)
def reset_member(
    connection: Connection, project: ProjectAccess, person: int, *, digest: str
) -> Data:
    """Let a member choose a new password by a link.

    The link opens the whole account. So a manager who makes one must not get in by it where
    they have no business: other founders, and managers of projects that they do not manage.
    """
    members = {number for number, _, _ in people.members(connection, project)}
    if person not in members or not accounts.has_password(connection, person):
        raise InvalidError("no such member")
    if person == project.person:
        raise InvalidError("change your own password on the page of your account")
    if not people.may_reset(connection, project.person, person):
        raise ConflictError("they manage more than you do; ask a founder for a link")
    links.keep_reset(connection, person, digest)
    return {"person": person}


@performs(catalog.PROJECT_ARCHIVE)
def archive(connection: Connection, project: ProjectAccess, *, archived: bool) -> Data:
    """Put a project away, or take it up again; nothing of it is deleted."""
    if archived:
        accounts.cancel_invitations(connection, project.id)
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
    # They may have kept a link that would let them in again.
    accounts.cancel_invitations(connection, project.id)


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
