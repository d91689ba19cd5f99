"""Guiding people: guidelines and who has read them, deadlines, comments on sentences."""

from datetime import date

from sqlalchemy import Connection

from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions.recording import next_own_id, record_action
from chronoscore.workbench.domain.errors import InvalidError, StaleError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import guiding
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import STEPS

LONGEST_GUIDELINE = 200_000


@require_permission("guideline.write")
def write_guideline(
    connection: Connection, project: ProjectAccess, key: str, step: str, text: str, *, base: int
) -> LogEntry:
    """Write the next version of a step's guidelines, or of those for the whole project."""
    _check_step(project, step)
    if len(text) > LONGEST_GUIDELINE:
        raise InvalidError(f"guidelines have at most {LONGEST_GUIDELINE:,} characters")
    newest = guiding.newest_guidelines(connection, project.id).get(step)
    version = newest.version if newest else 0
    if base != version:
        raise StaleError("the guidelines", {"version": version})
    if not text and not newest:
        raise InvalidError("the guidelines are empty; write something")
    data = {"step": step, "version": version + 1, "text": text}
    return record_action(connection, project, "guideline.write", data, key)


@require_permission("guideline.read")
def read_guideline(
    connection: Connection, project: ProjectAccess, key: str, step: str, version: int
) -> LogEntry:
    """Note that the visitor has read the newest version."""
    newest = guiding.newest_guidelines(connection, project.id).get(step)
    if newest is None or newest.version != version:
        raise InvalidError("there is a newer version; read that one")
    return record_action(
        connection, project, "guideline.read", {"step": step, "version": version}, key
    )


@require_permission("topic.deadline")
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
    return record_action(connection, topic, "topic.deadline", {"step": step, "day": day}, key)


@require_permission("comment.add")
def add_comment(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, sentence: str,
    text: str,
) -> LogEntry:  # fmt: skip
    """Say something about a sentence to those who may see the discussion."""
    if sentence not in source.by_id:
        raise InvalidError("no such sentence")
    if not text:
        raise InvalidError("the comment is empty; write something")
    name, _ = next_own_id(connection, topic, "d")
    data = {"id": name, "sentence": sentence, "text": text}
    return record_action(connection, topic, "comment.add", data, key)


def _check_step(project: ProjectAccess, step: str) -> None:
    if step and step not in STEPS[project.workflow][1:-1]:
        raise InvalidError("no such step")
