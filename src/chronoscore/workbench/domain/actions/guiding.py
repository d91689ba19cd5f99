"""Guiding people: guidelines and who has read them, deadlines, comments on sentences."""

from datetime import date

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions.recording import own_name, record
from chronoscore.workbench.domain.errors import InvalidError, StaleError
from chronoscore.workbench.domain.permissions import permitted
from chronoscore.workbench.domain.queries import guiding
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import STEPS

LONGEST_GUIDELINE = 200_000


@permitted("guideline.write")
def write_guideline(
    connection: Connection, project: ProjectAccess, key: str, step: str, text: str, *, base: int
) -> LogEntry:
    """Write the next version of a step's guidelines, or of those for the whole project."""
    _check_step(project, step)
    if len(text) > LONGEST_GUIDELINE:
        raise InvalidError(f"guidelines have at most {LONGEST_GUIDELINE:,} characters")
    newest = guiding.newest(connection, project.id).get(step)
    version = newest.version if newest else 0
    if base != version:
        raise StaleError("the guidelines", {"version": version})
    if not text and not newest:
        raise InvalidError("the guidelines are empty; write something")
    data = {"step": step, "version": version + 1, "text": text}
    return record(connection, project, "guideline.write", data, key)


@permitted("guideline.read")
def read_guideline(
    connection: Connection, project: ProjectAccess, key: str, step: str, version: int
) -> LogEntry:
    """Note that the visitor has read the newest version."""
    newest = guiding.newest(connection, project.id).get(step)
    if newest is None or newest.version != version:
        raise InvalidError("there is a newer version; read that one")
    return record(connection, project, "guideline.read", {"step": step, "version": version}, key)


@permitted("topic.deadline")
def set_deadline(
    connection: Connection, topic: TopicAccess, key: str, step: str, day: str
) -> LogEntry:
    """Say by which day a step should be handed in; an empty day takes the deadline away."""
    if step not in topic.steps[1:-1]:
        raise InvalidError("no such step")
    if day:
        try:
            day = date.fromisoformat(day).isoformat()
        except ValueError:
            raise InvalidError("write the day as 2031-03-12") from None
    return record(connection, topic, "topic.deadline", {"step": step, "day": day}, key)


@permitted("comment.add")
def add_comment(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, sentence: str,
    text: str,
) -> LogEntry:  # fmt: skip
    """Say something about a sentence to those who may see the discussion."""
    if sentence not in source.by_id:
        raise InvalidError("no such sentence")
    if not text:
        raise InvalidError("the comment is empty; write something")
    name, _ = own_name(connection, topic, "d")
    data = {"id": name, "sentence": sentence, "text": text}
    return record(connection, topic, "comment.add", data, key)


def _check_step(project: ProjectAccess, step: str) -> None:
    if step and step not in STEPS[project.workflow][1:-1]:
        raise InvalidError("no such step")
