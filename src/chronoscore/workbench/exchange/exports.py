"""What leaves the workbench: a judgements file of the topics that a manager may see."""

import hmac
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection

from chronoscore.errors import DataError
from chronoscore.formats.judgements import judgement_files
from chronoscore.formats.judgements.writing import Order, are_numbered, sort_people
from chronoscore.workbench.domain import catalog, corpora, unit_corpora
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import Library, SourceStory


def judgements_file(
    connection: Connection, project: ProjectAccess, topics: list[TopicAccess], library: Library,
    *, finished: bool = False, texts: bool = True, anonymous: bool = True,
) -> bytes:  # fmt: skip
    """All topics in which there is something to export, without archived ones.

    Those where the visitor is blind are left out, too. `finished` keeps to final topics.
    The file is one that `score` and `agree` read.
    """
    chosen = _ready(project, topics, finished=finished)
    build = corpora.build_topic if project.workflow == "stream" else unit_corpora.build_topic
    notes: list[dict[str, Any]] = []
    judged = {}
    for topic in chosen:
        built = build(connection, topic.id, library.source(connection, topic.id))
        judged[built.id] = built
        notes += corpora.omitted_candidates(connection, topic.id)
        notes += unit_corpora.rematched_trees(connection, topic.id)
    settings = {**project.settings, **_standing(connection, chosen)}
    corpus = judgement_files.Corpus(
        topics=judged, workflow=project.workflow, settings=settings, notes=tuple(notes)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgements.jsonl"
        order = _draw_order(connection, project.id) if anonymous else None
        judgement_files.save(corpus, path, texts=texts, anonymous=anonymous, order=order)
        return path.read_bytes()


def _draw_order(connection: Connection, project: int) -> Order:
    """An order of people that tells nothing about their names, the same whenever one exports.

    It follows from a secret of the project: the key under which its first entry was sent. People
    who came from a file without names keep the numbers that they have there.
    """
    made = log.read(connection, actions=[catalog.PROJECT_CREATE.name])
    secret = {entry.number_made: entry.key for entry in made}[project].encode()

    def order(people: Iterable[str]) -> list[str]:
        names = sort_people(people)
        if are_numbered(names):
            return names
        return sorted(names, key=lambda name: hmac.digest(secret, name.encode(), "sha256"))

    return order


def _ready(
    project: ProjectAccess, topics: list[TopicAccess], *, finished: bool
) -> list[TopicAccess]:
    project.require_manager()
    stream = project.workflow == "stream"
    steps = ("link", "verify", "final") if stream else ("match", "rematch", "final")
    chosen = [
        topic
        for topic in topics
        if topic.unblinded
        and not topic.put_away
        and not topic.practice
        and topic.step in steps
        and (topic.step == "final" or not finished)
    ]
    if not chosen:
        raise DataError("no topic can be exported yet; finish one, or ask another manager")
    return [topic.require_sight() for topic in chosen]


def corpus_files(
    connection: Connection, project: ProjectAccess, topics: list[TopicAccess], library: Library,
    *, finished: bool = False, anonymous: bool = True,
) -> dict[str, bytes]:  # fmt: skip
    """A corpus of topics as `summarize` and `score` read it, by the paths of its files.

    A folder for each topic, with its articles and what was judged about them.
    """
    judged = "judgements.jsonl" if project.workflow == "stream" else "units.jsonl"
    files = {}
    for topic in _ready(project, topics, finished=finished):
        source = library.source(connection, topic.id)
        about = {"id": topic.name, "title": topic.title}
        files[f"{topic.name}/topic.json"] = msgspec.json.encode(about) + b"\n"
        files[f"{topic.name}/articles.jsonl"] = b"".join(map(_article, source.stories))
        files[f"{topic.name}/{judged}"] = judgements_file(
            connection, project, [topic], library, anonymous=anonymous
        )
    return files


def _article(story: SourceStory) -> bytes:
    names = ("id", "time", "title", "publisher")
    article = {name: getattr(story, name) for name in names if getattr(story, name)}
    sentences = [sentence.text for sentence in story.sentences]
    return msgspec.json.encode({**article, "sentences": sentences}) + b"\n"


def _standing(connection: Connection, topics: list[TopicAccess]) -> dict[str, dict[str, Any]]:
    """Where each topic stands, in which version, and how long people worked on it.

    Of a topic that was imported, and not touched since, the file says what it said before.
    """
    standing: dict[str, dict[str, Any]] = {"steps": {}, "versions": {}}
    hours = {}
    for topic in topics:
        facts = corpora.imported_facts(connection, topic.id) if topic.version == 1 else {}
        standing["steps"][topic.name] = facts.get("step", topic.step)
        standing["versions"][topic.name] = facts.get("version", topic.version)
        hours[topic.name] = round(corpora.hours(connection, topic.id), 4)
    if any(hours.values()):
        standing["hours"] = hours
    return standing
