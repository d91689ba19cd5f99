"""What leaves the workbench: a judgements file of the topics that a manager may see."""

from typing import Any

from sqlalchemy import Connection

from chronoscore.core import Topic
from chronoscore.workbench.domain.access import Place, ProjectPlace
from chronoscore.workbench.exchange import corpora
from chronoscore.workbench.store.source import Library


def export(
    connection: Connection, project: ProjectPlace, places: list[Place], library: Library,
    *, finished: bool = False, texts: bool = True, anonymous: bool = True,
) -> bytes:  # fmt: skip
    """All topics in which there is something to export; those where the visitor is blind are not.

    `finished` keeps to final topics.
    """
    project.managed()
    made = ("link", "verify", "final") if project.workflow == "stream" else (
        "match", "rematch", "final",
    )  # fmt: skip
    wanted = [
        place
        for place in places
        if place.unblinded and place.step in made and (place.step == "final" or not finished)
    ]
    topics: list[Topic] = []
    notes: list[dict[str, Any]] = []
    for place in wanted:
        source = library.source(connection, place.id)
        build = corpora.stream_topic if project.workflow == "stream" else corpora.unit_topic
        topics.append(build(connection, place.id, source))
        notes += corpora.omissions(connection, place.id)
    corpora.check_exportable(topics)
    settings = {
        **project.settings,
        "steps": {place.name: place.step for place in wanted},
        "versions": {place.name: place.version for place in wanted},
    }
    return corpora.exported(
        topics, project.workflow, settings, notes, texts=texts, anonymous=anonymous
    )
