"""What leaves the workbench: a judgements file of the topics that a manager may see."""

import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from chronoscore.errors import DataError
from chronoscore.formats.judgements import judgement_files
from chronoscore.workbench.domain import corpora
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.store.source import Library


def export(
    connection: Connection, project: ProjectAccess, topics: list[TopicAccess], library: Library,
    *, finished: bool = False, texts: bool = True, anonymous: bool = True,
) -> bytes:  # fmt: skip
    """All topics in which there is something to export, without archived ones.

    Those where the visitor is blind are left out, too. `finished` keeps to final topics.
    The file is one that `score` and `agree` read.
    """
    project.managed()
    stream = project.workflow == "stream"
    ready = ("link", "verify", "final") if stream else ("match", "rematch", "final")
    chosen = [
        topic
        for topic in topics
        if topic.unblinded
        and not topic.put_away
        and not topic.practice
        and topic.step in ready
        and (topic.step == "final" or not finished)
    ]
    if not chosen:
        raise DataError("no topic can be exported yet; finish one, or ask another manager")
    build = corpora.stream_topic if stream else corpora.unit_topic
    notes: list[dict[str, Any]] = []
    judged = {}
    for topic in chosen:
        built = build(connection, topic.id, library.source(connection, topic.id))
        judged[built.id] = built
        notes += corpora.omissions(connection, topic.id)
    settings = {
        **project.settings,
        "steps": {topic.name: topic.step for topic in chosen},
        "versions": {topic.name: topic.version for topic in chosen},
    }
    corpus = judgement_files.Corpus(
        topics=judged, workflow=project.workflow, settings=settings, notes=tuple(notes)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgements.jsonl"
        judgement_files.save(corpus, path, texts=texts, anonymous=anonymous)
        return path.read_bytes()
