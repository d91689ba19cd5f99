"""Managers at work: members, settings, topics."""

from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, func, select

from chronoscore.errors import DataError
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import Place, ProjectPlace
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.exchange.imports import TopicDraft
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.workflow import DEFAULTS
from chronoscore.workbench.web.visit import RefusedError

MOST_LINES = 1_000
LONGEST_TITLE = 1_000


def create_project(
    connection: Connection, person: int, name: str, workflow: str, key: str = ""
) -> int:
    """A new project, managed by who makes it; gives its number."""
    key = key or token_hex(16)
    if (known := log.found(connection, person, key)) is not None:
        return log.made(known)
    number = _fresh_number(connection)
    data = {"id": number, "name": name, "workflow": workflow, "settings": DEFAULTS[workflow]}
    log.append(connection, Entry(action="project.create", data=data, person=person, key=key))
    return number


def join(connection: Connection, project: int, person: int, *, manager: bool) -> None:
    """A person accepted an invitation; who manages the project already still does."""
    member = tables.member
    manages = connection.execute(
        select(member.c.manager).where(member.c.project == project, member.c.person == person)
    ).scalar()
    data = {"person": person, "manager": manager or bool(manages)}
    log.append(connection, Entry(action="member.add", data=data, person=person, project=project))


def change_member(
    connection: Connection, project: ProjectPlace, person: int, change: str, key: str
) -> None:
    """Make a member a manager or not, or remove them; one manager always stays."""
    members = {number: manager for number, _, manager in people.members(connection, project)}
    if person not in members or change not in ("manager", "member", "remove"):
        raise RefusedError(400, "no such member")
    managers = [number for number, manager in members.items() if manager]
    if change != "manager" and managers == [person]:
        raise RefusedError(409, "a project keeps at least one manager; name another first")
    action = "member.remove" if change == "remove" else "member.add"
    data: dict[str, Any] = {"person": person}
    if change != "remove":
        data["manager"] = change == "manager"
    _record(connection, project, action, data, key)
    if person in managers and change != "manager":
        # They may have kept a link that would let them in again.
        accounts.cancel_invitations(connection, project.id)


def change_settings(
    connection: Connection, project: ProjectPlace, *, name: str, given: dict[str, str], key: str
) -> None:
    """Keep a project's name and settings, as they are written in a form."""
    settings: dict[str, object] = {}
    for setting, usual in DEFAULTS[project.workflow].items():
        value = given[setting]
        if isinstance(usual, bool):
            settings[setting] = value == "yes"
        elif value.isdecimal() and 0 <= int(value) <= MOST_LINES:
            settings[setting] = int(value)
        else:
            raise RefusedError(400, f"'{setting}' is a number from 0 to {MOST_LINES}")
    if not name:
        raise RefusedError(400, "a project needs a name")
    _record(connection, project, "project.change", {"name": name, "settings": settings}, key)


def add_topic(
    connection: Connection, project: ProjectPlace, draft: TopicDraft, *, most: str, key: str
) -> int:
    """Log a topic, whose name is new to the project; its stories may be in others too."""
    project.managed()
    if (known := log.found(connection, project.person, key)) is not None:
        return log.made(known)
    if not draft.name:
        raise DataError("a topic needs a name of letters and figures; give it one")
    topic = tables.topic
    names = connection.execute(select(topic.c.name).where(topic.c.project == project.id)).scalars()
    if draft.name in set(names):
        raise DataError(f"the project has a topic '{draft.name}'; choose another name")
    if most and not (most.isdecimal() and int(most) <= MOST_LINES):
        raise DataError(f"the number of lines is from 1 to {MOST_LINES}")
    _check_storable(draft)
    lines = int(most) if most else int(str(project.settings.get("lines", 0)))
    data = {"id": _fresh_number(connection), **draft.data, "most": lines}
    return log.made(_record(connection, project, "topic.create", data, key))


def waiting_for(connection: Connection, place: Place) -> int:
    """How many people the current step still waits for; never for who is blind here."""
    if not place.unblinded:
        return 0
    return len(people.still_working(connection, place.id, place.step))


def _fresh_number(connection: Connection) -> int:
    """A number that no project or topic has; it tells how many there are, and nothing else."""
    taken = [
        connection.execute(select(func.max(table.c.id))).scalar() or 0
        for table in (tables.project, tables.topic)
    ]
    return int(max(taken)) + 1


def _check_storable(draft: TopicDraft) -> None:
    """Refuse what not every database can keep, or no page could show."""
    for story in draft.stories:
        shown = [story[name] for name in ("id", "time", "title", "publisher")]
        if any(len(text) > LONGEST_TITLE for text in shown):
            raise DataError(
                f"story '{story['id'][:80]}': its id, time, title or publisher is longer than "
                f"{LONGEST_TITLE:,} characters; shorten it"
            )
        if "\0" in story["text"] or any("\0" in text for text in shown):
            raise DataError(f"story '{story['id']}': holds a NUL character; remove it")


def _record(
    connection: Connection, project: ProjectPlace, action: str, data: dict[str, Any], key: str
) -> Entry:
    return log.append(
        connection,
        Entry(action=action, data=data, person=project.person, project=project.id, key=key),
    )
