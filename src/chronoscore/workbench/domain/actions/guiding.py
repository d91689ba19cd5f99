"""Guiding people: guidelines and who has read them, deadlines, comments on sentences."""

from datetime import date
from typing import Annotated

from msgspec import Meta
from sqlalchemy import Connection

from chronoscore.workbench.domain import catalog
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.actions.performing import Data, next_own_id, performs
from chronoscore.workbench.domain.errors import InvalidError, StaleError
from chronoscore.workbench.domain.fields import Id, Text, Word
from chronoscore.workbench.domain.queries import guiding
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import STEPS

LONGEST_GUIDELINE = 200_000
LongText = Annotated[str, Meta(max_length=LONGEST_GUIDELINE)]


@performs(catalog.GUIDELINE_WRITE)
def write_guideline(
    connection: Connection, project: ProjectAccess, step: Word, text: LongText, *, base: int
) -> Data:
    """Write the next version of a step's guidelines, or of those for the whole project."""
    if step and step not in STEPS[project.workflow][1:-1]:
        raise InvalidError("no such step")
    if len(text) > LONGEST_GUIDELINE:
        raise InvalidError(f"guidelines have at most {LONGEST_GUIDELINE:,} characters")
    newest = guiding.newest_guidelines(connection, project.id).get(step)
    version = newest.version if newest else 0
    if base != version:
        raise StaleError("the guidelines", {"version": version})
    if not text and not newest:
        raise InvalidError("the guidelines are empty; write something")
    return {"step": step, "version": version + 1, "text": text.replace("\r\n", "\n")}


@performs(catalog.GUIDELINE_READ)
def read_guideline(connection: Connection, project: ProjectAccess, step: str, version: int) -> Data:
    """Note that the visitor has read the newest version."""
    newest = guiding.newest_guidelines(connection, project.id).get(step)
    if newest is None or newest.version != version:
        raise InvalidError("there is a newer version; read that one")
    return {"step": step, "version": version}


@performs(catalog.TOPIC_DEADLINE)
def set_deadline(_connection: Connection, topic: TopicAccess, step: Word, day: Word) -> Data:
    """Say by which day a step should be handed in; an empty day takes the deadline away."""
    if step not in topic.steps[1:-1]:
        raise InvalidError("no such step")
    if day:
        try:
            day = date.fromisoformat(day).isoformat()
        except ValueError:
            raise InvalidError("write the day as 2031-03-12") from None
    return {"step": step, "day": day}


@performs(catalog.COMMENT_ADD)
def add_comment(
    connection: Connection, topic: TopicAccess, source: TopicSource, sentence: Id, text: Text
) -> Data:
    """Say something about a sentence to those who may see the discussion."""
    if sentence not in source.by_id:
        raise InvalidError("no such sentence")
    if not text:
        raise InvalidError("the comment is empty; write something")
    name, _ = next_own_id(connection, topic, "d")
    return {"id": name, "sentence": sentence, "text": text}
