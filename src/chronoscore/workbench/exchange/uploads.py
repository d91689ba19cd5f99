"""From files to topics, whatever kind of files they are."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from chronoscore.core import Topic
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import trects
from chronoscore.formats.corpora.trects_tables import TopicNuggets, load_updates
from chronoscore.text.events import tag_events
from chronoscore.workbench.domain import access
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions import topics
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import judged_imports, judged_stories, stories
from chronoscore.workbench.exchange.files import File, unpack, write_to_folder
from chronoscore.workbench.exchange.judged_imports import JudgedTopic
from chronoscore.workbench.exchange.stories import StoryDraft
from chronoscore.workbench.store import tables

T = TypeVar("T")
Drafts = Sequence[TopicDraft | JudgedTopic]
"""Stories to be judged, or topics that were judged elsewhere."""

TREC_TABLES = {"nuggets.tsv", "matches.tsv", *trects.UPDATES}


def _is_trec(files: Iterable[File]) -> bool:
    """Whether these are the tables of TREC's Temporal Summarization track."""
    names = {PurePosixPath(file.name).name for file in files}
    return {"nuggets.tsv", "matches.tsv"} <= names


def _is_updates(file: File) -> bool:
    """Whether this is a table of TREC's updates."""
    return file.raw.startswith(b"query_id\tupdate_id\t") and b"update_text" in file.raw[:200]


def _trec_topics(files: Iterable[File]) -> list[Topic]:
    """The judged topics of TREC-TS tables; what the reader warns about is ignored."""
    tables = [
        File(PurePosixPath(file.name).name, file.raw)
        for file in files
        if PurePosixPath(file.name).name in TREC_TABLES
    ]
    with write_to_folder(tables, "TREC-TS") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        return list(trects.load(folder))


def _trec_streams(file: File) -> list[Topic]:
    """The topics of a table of updates that nobody has judged yet."""
    with write_to_folder([File("updates.tsv", file.raw)], file.name) as folder:
        updates = load_updates(folder / "updates.tsv", {})
    return [
        Topic(id=name, judgements=trects.build_trects_topic(TopicNuggets(), rows, {}, {}))
        for name, rows in updates.items()
    ]


@dataclass(frozen=True)
class UploadReading:
    """How files are read: for which workflow, under which name, and how much at most.

    `titles`: a first line without a full stop is a title. `lenient`: files that cannot be read
    are left out, and stand in `bad`.
    """

    workflow: str
    name: str
    title: str
    largest: int
    titles: bool = True
    lenient: bool = False
    bad: list[str] = field(default_factory=list)

    def refuse_bad(self, found: bool) -> None:
        """Refuse all files if some cannot be read, unless these may be left out and others not."""
        if self.bad and not (self.lenient and found):
            raise DataError("; ".join(self.bad))


def read(reading: UploadReading, files: list[File]) -> Drafts:
    """Read files of any kind that we know; this may take a while and writes nothing."""
    unpacked = list(unpack(files, reading.largest, reading.bad))
    if _is_trec(unpacked):
        reading.refuse_bad(bool(unpacked))
        return [JudgedTopic(topic) for topic in _trec_topics(unpacked)]
    updates = [file for file in unpacked if _is_updates(file)]
    if updates:
        streams = _read_each(reading, updates, _trec_streams)
        return [judged_stories.draft(topic) for topic in streams]
    if any(map(judged_imports.is_judgements, unpacked)):
        return _read_each(reading, unpacked, judged_imports.read)
    return [_read_stories(reading, unpacked)]


def _read_each(
    reading: UploadReading, files: list[File], read_one: Callable[[File], list[T]]
) -> list[T]:
    """What the files hold; those that cannot be read are listed."""
    found: list[T] = []
    for file in files:
        try:
            found += read_one(file)
        except DataError as error:
            reading.bad.append(str(error))
    reading.refuse_bad(bool(found))
    return found


def _read_stories(reading: UploadReading, files: list[File]) -> TopicDraft:
    """A topic of all stories in the files, with anchors where units are matched to them."""

    def read_one(file: File) -> list[StoryDraft]:
        drafts = stories.read(file, titles=reading.titles)
        for draft in drafts:
            stories.check_story_length(draft)
        return drafts

    drafts = _read_each(reading, files, read_one)
    if reading.workflow == "units":
        drafts = [_with_anchors(draft) for draft in drafts]
    return stories.number_sentences(reading.name, reading.title, drafts)


def add_topics(
    connection: Connection, project: ProjectAccess, drafts: Drafts, *, most: str, key: str
) -> list[int]:
    """Log the topics that were read; returns their numbers."""
    project.require_manager()
    judged = [one for one in drafts if isinstance(one, JudgedTopic)]
    if judged and _is_empty(connection, project):
        judged_imports.adopt_settings(connection, project, judged[0].settings)
    try:
        return [
            _add_stories(connection, project, one, most, f"{key}:{number}")
            if isinstance(one, TopicDraft)
            else judged_imports.add(connection, project, one)
            for number, one in enumerate(drafts)
        ]
    except IntegrityError:
        raise DataError("two things in the files get the same id; give each its own") from None


def _is_empty(connection: Connection, project: ProjectAccess) -> bool:
    query = select(tables.topic.c.id).where(tables.topic.c.project == project.id).limit(1)
    return connection.execute(query).scalar() is None


def _add_stories(
    connection: Connection, project: ProjectAccess, draft: TopicDraft, most: str, key: str
) -> int:
    """Log a topic to be judged; what was left out of it becomes a note for the managers."""
    number = topics.create(connection, project, key, draft, most=most).number_made
    if draft.remark:
        topic = access.find_topic(connection, project.person, number)
        topics.add_note(connection, topic, f"{key}:note", "import", draft.remark)
    return number


def _with_anchors(draft: StoryDraft) -> StoryDraft:
    """Mark the events of a text that came without marks."""
    if draft.anchors:
        return draft
    events = tag_events(draft.text, tagger="rules")
    anchors = tuple((f"e{n}", event.start, event.end) for n, event in enumerate(events, 1))
    return replace(draft, anchors=anchors)
