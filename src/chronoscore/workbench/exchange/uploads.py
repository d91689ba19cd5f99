"""From files to topics, whatever kind of files they are."""

from collections.abc import Sequence

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from chronoscore.core import Topic
from chronoscore.errors import DataError
from chronoscore.text.events import events_in
from chronoscore.workbench.domain.access import ProjectPlace, topic_place
from chronoscore.workbench.domain.actions import notes
from chronoscore.workbench.domain.actions.managing import add_topic
from chronoscore.workbench.exchange import imports, judged_imports, judged_stories
from chronoscore.workbench.exchange.archives import unpacked
from chronoscore.workbench.exchange.imports import File, StoryDraft, TopicDraft
from chronoscore.workbench.exchange.trec_stories import (
    is_trec,
    is_updates,
    trec_streams,
    trec_topics,
)

Found = Sequence[TopicDraft | Topic]
"""Stories to be judged, or topics that were judged elsewhere."""


def read_files(workflow: str, name: str, title: str, files: list[File], *, largest: int) -> Found:
    """Read files of any kind that we know; this may take a while and writes nothing."""
    found = list(unpacked(files, largest))
    if is_trec(found):
        return trec_topics(found)
    if any(map(is_updates, found)):
        streams = [topic for file in found if is_updates(file) for topic in trec_streams(file)]
        return [judged_stories.draft(topic) for topic in streams]
    if any(judged_imports.is_judgements(file) for file in found):
        return [topic for file in found for topic in judged_imports.judged_topics(file)]
    drafts = [draft for file in found for draft in imports.stories(file)]
    for draft in drafts:
        imports.check_length(draft)
    if workflow == "units":
        drafts = [_with_anchors(draft) for draft in drafts]
    return [imports.numbered(name, title, drafts)]


def add_all(
    connection: Connection, project: ProjectPlace, found: Found, *, most: str, key: str
) -> list[int]:
    """Log the topics that were read; gives their numbers."""
    project.managed()
    try:
        return [
            _add_stories(connection, project, one, most, f"{key}:{number}")
            if isinstance(one, TopicDraft)
            else judged_imports.add(connection, project, one)
            for number, one in enumerate(found)
        ]
    except IntegrityError:
        raise DataError("two things in the files get the same id; give each its own") from None


def _add_stories(
    connection: Connection, project: ProjectPlace, draft: TopicDraft, most: str, key: str
) -> int:
    """Log a topic to be judged; what was left out of it becomes a note for the managers."""
    number = add_topic(connection, project, draft, most=most, key=key)
    if draft.remark:
        place = topic_place(connection, project.person, number)
        notes.add(connection, place, "import", draft.remark, f"{key}:note")
    return number


def _with_anchors(draft: StoryDraft) -> StoryDraft:
    """Mark the events of a text that came without marks."""
    if draft.anchors:
        return draft
    found = events_in(draft.text, tagger="rules")
    anchors = tuple((f"e{n}", event.start, event.end) for n, event in enumerate(found, 1))
    return StoryDraft(
        draft.id, draft.text, draft.time, draft.title, draft.publisher, draft.spans, anchors
    )
