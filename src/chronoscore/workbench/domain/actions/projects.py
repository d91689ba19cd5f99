"""What managers do with a project: create it, change its settings and its members."""

from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, select

from chronoscore.workbench.domain import accounts, links
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions.recording import record_action
from chronoscore.workbench.domain.actions.topics import MOST_LINES, fresh_number
from chronoscore.workbench.domain.errors import ConflictError, InvalidError, NotFoundError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import DEFAULTS


def create_project(
    connection: Connection, person: int, name: str, workflow: str, key: str = ""
) -> int:
    """Create a project, managed by a founder of the workbench; returns its number."""
    founder = accounts.person_by_id(connection, person)
    if founder is None or not founder.founder:
        raise NotFoundError
    if workflow not in DEFAULTS or not name:
        raise InvalidError("a project needs a name and a workflow")
    key = key or token_hex(16)
    if (known := log.find_log_entry(connection, person, key)) is not None:
        return log.number_made_by_entry(known)
    number = fresh_number(connection)
    data = {"id": number, "name": name, "workflow": workflow, "settings": DEFAULTS[workflow]}
    log.append_log_entry(
        connection, LogEntry(action="project.create", data=data, person=person, key=key)
    )
    return number


def join_project(connection: Connection, project: int, person: int, *, manager: bool) -> None:
    """Let in a person with an invitation; who manages the project already still does."""
    member = tables.member
    manages = connection.execute(
        select(member.c.manager).where(member.c.project == project, member.c.person == person)
    ).scalar()
    data = {"person": person, "manager": manager or bool(manages)}
    log.append_log_entry(
        connection, LogEntry(action="member.add", data=data, person=person, project=project)
    )


@require_permission("member.add")
def add_known(connection: Connection, project: ProjectAccess, key: str, person: int) -> LogEntry:
    """Let somebody in who has an account already, without a link."""
    if person not in {number for number, _ in people.known_people(connection, project)}:
        raise InvalidError("no such person")
    return record_action(
        connection, project, "member.add", {"person": person, "manager": False}, key
    )


@require_permission("member.reset")
def reset_member(
    connection: Connection, project: ProjectAccess, key: str, person: int, *, digest: str
) -> LogEntry:
    """Let a member choose a new password by a link.

    The link opens the whole account. So whoever may make one must not get in by it where they
    have no business: other founders, and managers of projects that they do not manage.
    """
    members = {number for number, _, _ in people.members(connection, project)}
    if person not in members or not accounts.has_password(connection, person):
        raise InvalidError("no such member")
    if person == project.person:
        raise InvalidError("change your own password on the page of your account")
    if not people.may_reset(connection, project.person, person):
        raise ConflictError("they manage more than you do; ask who set up the workbench for a link")
    entry = record_action(connection, project, "member.reset", {"person": person}, key)
    links.keep_reset(connection, person, digest)
    return entry


@require_permission("project.archive")
def archive(
    connection: Connection, project: ProjectAccess, key: str, *, archived: bool
) -> LogEntry:
    """Put a project away, or take it up again; nothing of it is deleted."""
    if archived:
        accounts.cancel_invitations(connection, project.id)
    return record_action(connection, project, "project.archive", {"archived": archived}, key)


@require_permission("member.add")
def change_member(
    connection: Connection, project: ProjectAccess, key: str, person: int, change: str
) -> LogEntry:
    """Make a member a manager or not, or remove them; one manager always stays."""
    members = {number: manager for number, _, manager in people.members(connection, project)}
    if person not in members or change not in ("manager", "member", "remove"):
        raise InvalidError("no such member")
    managers = [number for number, manager in members.items() if manager]
    if change != "manager" and managers == [person]:
        raise ConflictError("a project keeps at least one manager; name another first")
    action = "member.remove" if change == "remove" else "member.add"
    data: dict[str, Any] = {"person": person}
    if change != "remove":
        data["manager"] = change == "manager"
    entry = record_action(connection, project, action, data, key)
    if person in managers and change != "manager":
        # They may have kept a link that would let them in again.
        accounts.cancel_invitations(connection, project.id)
    return entry


@require_permission("project.change")
def change_settings(
    connection: Connection, project: ProjectAccess, key: str, *, name: str, given: dict[str, str]
) -> LogEntry:
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
    data = {"name": name, "settings": settings}
    return record_action(connection, project, "project.change", data, key)
