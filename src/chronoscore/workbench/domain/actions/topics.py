"""What managers do with a topic: create it, assign people, open and reopen its steps.

Notes are here too: anybody in a topic writes them, and its managers answer.
"""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from chronoscore.errors import DataError
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions.recording import next_own_id, record_action
from chronoscore.workbench.domain.actions.steps import open_step
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import notes, people
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.workflow import FORBIDDEN, ROLES, TITLES, step_after

MOST_LINES = 1_000
LONGEST_TITLE = 1_000
LARGEST_Z = 100_000


@dataclass
class TopicDraft:
    """A topic ready to be logged: stories with numbered sentences, and anchors in them.

    `imported` is what a judged file says beyond what judging here makes; it is only kept.
    `remark` is what the managers should know about the import.
    """

    name: str
    title: str
    stories: list[dict[str, Any]] = field(default_factory=list)
    anchors: list[dict[str, Any]] = field(default_factory=list)
    imported: dict[str, Any] = field(default_factory=dict)
    remark: str = ""


@require_permission("topic.create")
def create_topic(
    connection: Connection, project: ProjectAccess, key: str, draft: TopicDraft, *, most: str
) -> LogEntry:
    """Create a topic, whose name is new to the project; its stories may be in others too."""
    if not draft.name:
        raise DataError("a topic needs a name of letters and figures; give it one")
    table = tables.topic
    names = connection.execute(select(table.c.name).where(table.c.project == project.id)).scalars()
    if draft.name in set(names):
        raise DataError(f"the project has a topic '{draft.name}'; choose another name")
    if most and not (most.isdecimal() and int(most) <= MOST_LINES):
        raise DataError(f"the number of lines is from 1 to {MOST_LINES}")
    _check_storable(draft)
    fields = ("name", "title", "stories", "anchors", "imported")
    data = {
        "id": fresh_number(connection),
        **{name: getattr(draft, name) for name in fields},
        "most": int(most) if most else int(str(project.settings.get("lines", 0))),
    }
    return record_action(connection, project, "topic.create", data, key)


@require_permission("topic.rename")
def rename(connection: Connection, topic: TopicAccess, key: str, title: str) -> LogEntry:
    """Give a topic another title; its name, of which ids are made, stays."""
    if not title or len(title) > LONGEST_TITLE:
        raise InvalidError(f"a title has 1 to {LONGEST_TITLE:,} characters")
    return record_action(connection, topic, "topic.rename", {"title": title}, key)


@require_permission("topic.archive")
def archive(connection: Connection, topic: TopicAccess, key: str, *, archived: bool) -> LogEntry:
    """Put a topic away, or take it up again; nothing of it is deleted."""
    return record_action(connection, topic, "topic.archive", {"archived": archived}, key)


@require_permission("story.retitle")
def retitle_story(
    connection: Connection, topic: TopicAccess, key: str, story: str, title: str
) -> LogEntry:
    """Give a story another title, before anybody reads it."""
    table = tables.story
    ids = select(table.c.id).where(table.c.topic == topic.id, table.c.id == story)
    if connection.execute(ids).scalar() is None:
        raise InvalidError("no such story")
    if len(title) > LONGEST_TITLE:
        raise InvalidError(f"a title has at most {LONGEST_TITLE:,} characters; shorten it")
    return record_action(connection, topic, "story.retitle", {"story": story, "title": title}, key)


@require_permission("topic.assign")
def assign_role(
    connection: Connection, topic: TopicAccess, key: str, person: int, role: str
) -> LogEntry:
    """Give a member a role in a topic, unless it excludes one that they have."""
    if role not in ROLES[topic.project.workflow]:
        raise InvalidError("no such role")
    if person not in {number for number, _, _ in people.members(connection, topic.project)}:
        raise InvalidError("no such member")
    has = {one.role for one in people.assignments(connection, topic) if one.person == person}
    for pair, reason in FORBIDDEN.items():
        if role in pair and pair - {role} <= has:
            raise ConflictError(reason)
    return record_action(connection, topic, "topic.assign", {"person": person, "role": role}, key)


@require_permission("topic.unassign")
def unassign_role(
    connection: Connection, topic: TopicAccess, key: str, person: int, role: str
) -> LogEntry:
    """Take a role from somebody; what they did stays in the log."""
    has = {(one.person, one.role) for one in people.assignments(connection, topic)}
    if (person, role) not in has:
        raise InvalidError("they do not have this role; look again")
    return record_action(connection, topic, "topic.unassign", {"person": person, "role": role}, key)


@require_permission("step.open")
def open_next(connection: Connection, topic: TopicAccess, key: str) -> LogEntry:
    """Open the step after this one, once nobody is still at work in it."""
    following = step_after(topic.steps, topic.step)
    if topic.step == "draft":
        if not people.step_workers(connection, topic.id, following):
            raise ConflictError(f"nobody works in '{TITLES[following]}'; assign people first")
    elif people.unfinished_workers(connection, topic.id, topic.step):
        raise ConflictError("not everybody has handed in this step; wait or reassign")
    return open_step(connection, topic, key, following, topic.person)


@require_permission("step.reopen")
def reopen_step(
    connection: Connection, topic: TopicAccess, key: str, step: str, reason: str
) -> LogEntry:
    """Go back to a step, as a new version of the topic."""
    if step not in topic.steps[1:-1]:
        raise InvalidError("no such step")
    if not topic.started(step):
        raise ConflictError("this step was never opened; there is nothing to reopen")
    if not reason:
        raise InvalidError("say why the step is reopened")
    data = {"step": step, "reason": reason, "version": topic.version + 1}
    return record_action(connection, topic, "step.reopen", data, key)


@require_permission("topic.estimate")
def set_unchosen(connection: Connection, topic: TopicAccess, key: str, z: str) -> LogEntry:
    """Set by hand how many units nobody chose (z), or leave it to the estimate again."""
    if z and not (z.isdecimal() and int(z) <= LARGEST_Z):
        raise InvalidError(f"z is a number from 0 to {LARGEST_Z:,}, or empty")
    return record_action(connection, topic, "topic.estimate", {"z": float(z) if z else None}, key)


@require_permission("note.add")
def add_note(
    connection: Connection, topic: TopicAccess, key: str, where: str, text: str
) -> LogEntry:
    """Ask or remark something about a place in the topic."""
    if not text:
        raise InvalidError("the note is empty; write something")
    name, _ = next_own_id(connection, topic, "n")
    return record_action(
        connection, topic, "note.add", {"id": name, "place": where, "text": text}, key
    )


@require_permission("note.answer")
def answer_note(
    connection: Connection, topic: TopicAccess, key: str, name: str, text: str
) -> LogEntry:
    """Answer a note and close it."""
    if name not in {note.id for note in notes.topic_notes(connection, topic)}:
        raise InvalidError("no such note")
    return record_action(connection, topic, "note.answer", {"id": name, "answer": text}, key)


def fresh_number(connection: Connection) -> int:
    """A number that no project or topic has; it says how many there are, and nothing else."""
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
