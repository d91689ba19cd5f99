"""What managers do with a topic: create it, assign people, open and reopen its steps.

Notes are here too: everyone in a topic writes them, and its managers answer.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta
from sqlalchemy import Connection, func, select

from chronoscore.errors import DataError
from chronoscore.workbench.domain import catalog, sight
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions.performing import Data, next_own_id, performs
from chronoscore.workbench.domain.actions.steps import draw_sample
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.domain.fields import Id, Text, Word
from chronoscore.workbench.domain.queries import notes, people
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.workflow import BLINDING, ROLES, TITLES, WORKER, step_after

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


@performs(catalog.TOPIC_CREATE)
def create(connection: Connection, project: ProjectAccess, draft: TopicDraft, *, most: str) -> Data:
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
    return {
        "id": fresh_number(connection),
        **{name: getattr(draft, name) for name in fields},
        "most": int(most) if most else int(str(project.settings.get("lines", 0))),
    }


@performs(catalog.TOPIC_RENAME)
def rename(_connection: Connection, _topic: TopicAccess, title: Text) -> Data:
    """Give a topic another title; its name, of which ids are made, stays."""
    if not title or len(title) > LONGEST_TITLE:
        raise InvalidError(f"a title has 1 to {LONGEST_TITLE:,} characters")
    return {"title": title}


@performs(catalog.TOPIC_ARCHIVE)
def archive(_connection: Connection, _topic: TopicAccess, *, archived: bool = False) -> Data:
    """Put a topic away, or take it up again; nothing of it is deleted."""
    return {"archived": archived}


@performs(catalog.STORY_RETITLE)
def retitle_story(connection: Connection, topic: TopicAccess, story: Id, title: Text) -> Data:
    """Give a story another title, before judging begins."""
    table = tables.story
    ids = select(table.c.id).where(table.c.topic == topic.id, table.c.id == story)
    if connection.execute(ids).scalar() is None:
        raise InvalidError("no such story")
    if len(title) > LONGEST_TITLE:
        raise InvalidError(f"a title has at most {LONGEST_TITLE:,} characters; shorten it")
    return {"story": story, "title": title}


@performs(catalog.TOPIC_ASSIGN)
def assign(connection: Connection, topic: TopicAccess, person: int, role: Word) -> Data:
    """Give a member a role in a topic, unless it excludes one that they have."""
    if role not in ROLES[topic.project.workflow]:
        raise InvalidError("no such role")
    if person not in {number for number, _, _ in people.members(connection, topic.project)}:
        raise InvalidError("no such member")
    sight.check_role(connection, topic.id, person, role)
    return {"person": person, "role": role}


@performs(catalog.TOPIC_UNASSIGN)
def unassign(connection: Connection, topic: TopicAccess, person: int, role: Word) -> Data:
    """Take a role from a member; what they did stays in the log."""
    has = {(one.person, one.role) for one in people.assignments(connection, topic)}
    if (person, role) not in has:
        raise InvalidError("they do not have this role; look again")
    return {"person": person, "role": role}


@performs(catalog.STEP_OPEN, then=draw_sample)
def open_next(connection: Connection, topic: TopicAccess) -> Data:
    """Open the step after this one, once nobody is still at work in it."""
    following = step_after(topic.steps, topic.step)
    if topic.step == "draft":
        if not people.step_workers(connection, topic.id, following):
            raise ConflictError(f"nobody works in '{TITLES[following]}'; assign people first")
    elif people.unfinished_workers(connection, topic.id, topic.step):
        raise ConflictError("not everybody has handed in this step; wait or reassign")
    return {"step": following}


@performs(catalog.STEP_REOPEN)
def reopen(connection: Connection, topic: TopicAccess, step: Word, reason: Text) -> Data:
    """Go back to a step, as a new version of the topic.

    What those handed in stays who have seen what others decided while the topic was final.
    """
    if step not in topic.steps[1:-1]:
        raise InvalidError("no such step")
    if not topic.started(step):
        raise ConflictError("this step was never opened; there is nothing to reopen")
    if not reason:
        raise InvalidError("say why the step is reopened")
    kept = sight.find_sighted_workers(connection, topic.id)
    for later in topic.steps[topic.steps.index(step) : -1]:
        workers = people.step_workers(connection, topic.id, later)
        if kept and WORKER[later] in BLINDING and kept.issuperset(workers):
            raise ConflictError(
                f"nobody can work in '{TITLES[later]}': all have seen what others decided in "
                "this topic; give the role to somebody else first"
            )
    data = {"step": step, "reason": reason, "version": topic.version + 1}
    return {**data, "kept": sorted(kept)} if kept else data


@performs(catalog.TOPIC_ESTIMATE)
def set_unchosen(_connection: Connection, _topic: TopicAccess, z: Word) -> Data:
    """Set by hand how many units nobody chose (z), or leave it to the estimate again."""
    if z and not (z.isdecimal() and int(z) <= LARGEST_Z):
        raise InvalidError(f"z is a number from 0 to {LARGEST_Z:,}, or empty")
    return {"z": float(z) if z else None}


@performs(catalog.NOTE_ADD)
def add_note(
    connection: Connection, topic: TopicAccess, place: Annotated[str, Meta(max_length=1_000)],
    text: Text,
) -> Data:  # fmt: skip
    """Ask or remark something about a place in the topic."""
    if not text:
        raise InvalidError("the note is empty; write something")
    name, _ = next_own_id(connection, topic, "n")
    return {"id": name, "place": place, "text": text}


@performs(catalog.NOTE_ANSWER)
def answer_note(connection: Connection, topic: TopicAccess, note: Id, answer: Text) -> Data:
    """Answer a note and close it."""
    if note not in {one.id for one in notes.topic_notes(connection, topic)}:
        raise InvalidError("no such note")
    return {"id": note, "answer": answer}


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
                f"its id, time, title or publisher is longer than "
                f"{LONGEST_TITLE:,} characters; shorten it",
                place=f"story '{story['id'][:80]}'",
            )
        if "\0" in story["text"] or any("\0" in text for text in shown):
            raise DataError("holds a NUL character; remove it", place=f"story '{story['id']}'")
