"""Managers at work: members, settings, topics."""

from typing import Any

from sqlalchemy import Connection, select

from chronoscore.core import DataError
from chronoscore.workbench import log, tables
from chronoscore.workbench.access import Place, ProjectPlace
from chronoscore.workbench.imports import TopicDraft
from chronoscore.workbench.log import Entry
from chronoscore.workbench.queries import people
from chronoscore.workbench.web import RefusedError
from chronoscore.workbench.workflow import DEFAULTS

MOST_LINES = 1_000


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


def change_settings(
    connection: Connection, project: ProjectPlace, *, name: str, given: dict[str, str], key: str
) -> None:
    """Keep a project's name and settings, as they are written in a form."""
    settings: dict[str, object] = {}
    for setting, usual in DEFAULTS[project.workflow].items():
        value = given[setting]
        if isinstance(usual, bool):
            settings[setting] = value == "yes"
        elif value.isdigit() and 0 <= int(value) <= MOST_LINES:
            settings[setting] = int(value)
        else:
            raise RefusedError(400, f"'{setting}' is a number from 0 to {MOST_LINES}")
    if not name:
        raise RefusedError(400, "a project needs a name")
    _record(connection, project, "project.change", {"name": name, "settings": settings}, key)


def add_topic(
    connection: Connection, project: ProjectPlace, draft: TopicDraft, *, most: str, key: str
) -> int:
    """Log a topic; its name, and its stories' names, are new to the project."""
    project.managed()
    if (known := log.found(connection, project.person, key)) is not None:
        return known.seq
    topic, story = tables.topic, tables.story
    mine = select(topic.c.id).where(topic.c.project == project.id)
    names = set(
        connection.execute(select(topic.c.name).where(topic.c.project == project.id)).scalars()
    )
    if draft.name in names:
        raise DataError(f"the project has a topic '{draft.name}'; choose another name")
    taken = set(connection.execute(select(story.c.id).where(story.c.topic.in_(mine))).scalars())
    for one in draft.stories:
        if one["id"] in taken:
            raise DataError(f"the project has a story '{one['id']}'; give it another id")
    if most and not (most.isdigit() and int(most) <= MOST_LINES):
        raise DataError(f"the number of lines is from 1 to {MOST_LINES}")
    lines = int(most) if most else int(str(project.settings.get("lines", 0)))
    return _record(connection, project, "topic.create", {**draft.data, "most": lines}, key).seq


def waiting_for(connection: Connection, place: Place) -> int:
    """How many people the current step still waits for; managers only."""
    if not place.manager:
        return 0
    done = people.submitted(connection, place.id, place.step)
    return sum(p not in done for p in people.workers(connection, place.id, place.step))


def _record(
    connection: Connection, project: ProjectPlace, action: str, data: dict[str, Any], key: str
) -> Entry:
    return log.append(
        connection,
        Entry(action=action, data=data, person=project.person, project=project.id, key=key),
    )
