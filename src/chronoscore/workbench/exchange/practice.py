"""A topic for practice made of a judged one, lists of sentences, and what machines judged."""

from dataclasses import replace

from sqlalchemy import Connection

from chronoscore.core import Topic
from chronoscore.errors import DataError
from chronoscore.formats.judgements import draw_files
from chronoscore.workbench.domain import access, corpora
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import practice, topics
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.exchange import files, judged_imports
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.exchange.judged_imports import is_judgements
from chronoscore.workbench.store.source import TopicSource


def make_topic(connection: Connection, topic: TopicAccess, source: TopicSource, key: str) -> int:
    """A draft with a final topic's stories and events, whose kept links are the answers."""
    if (
        topic.require_unblinded().step != "final"
        or topic.project.workflow != "stream"
        or topic.practice
    ):
        raise ConflictError("practice is made of a final stream; finish the topic first")
    topic.require_sight()
    draft = TopicDraft(
        name=f"{topic.name}-practice",
        title=f"Practice: {topic.title}",
        stories=[
            {
                **{name: getattr(story, name) for name in ("id", "time", "title", "publisher")},
                "text": story.text,
                "sentences": [[s.id, s.start, s.stop] for s in story.sentences],
            }
            for story in source.stories
        ],
    )
    entry = topics.create(connection, topic.project, key, draft, most="")
    here = access.find_topic(connection, topic.person, entry.number_made)
    if not here.practice:
        judged = corpora.build_topic(connection, topic.id, source).judgements
        assert judged is not None
        short = {event.id: event.id.removeprefix(f"{topic.name}-") for event in judged.events}
        events = tuple(replace(event, id=short[event.id]) for event in judged.events)
        links = tuple(replace(link, event=short[link.event]) for link in judged.links)
        whole = replace(judged, events=events, links=links)
        practice.set_answers(connection, here, f"{key}:answers", whole)
    return here.id


def add_machine(
    connection: Connection, topic: TopicAccess, source: TopicSource, file: File, key: str
) -> list[str]:
    """Keep what the judges of a file linked, as machines; returns their names."""
    if not is_judgements(file):
        raise DataError(
            "is not a judgements file; write one with chronoscore judge", place=file.name
        )
    judged = _same_topic(file, topic)
    assert judged.judgements is not None
    links: dict[str, dict[str, list[str] | None]] = {}
    for one in judged.judgements.abstentions:
        links.setdefault(one.author, {})[one.sentence] = None
    for link in judged.judgements.links:
        for judge in link.marked_by or (file.name,):
            own = links.setdefault(judge, {})
            own[link.sentence] = [*(own.get(link.sentence) or ()), link.event]
    if not links:
        raise DataError(f"links nothing in topic '{topic.name}'", place=file.name)
    for number, (judge, own) in enumerate(sorted(links.items())):
        practice.add_machine(connection, topic, f"{key}:{number}", judge, own, source)
    return sorted(links)


def set_queue(
    connection: Connection, topic: TopicAccess, source: TopicSource, file: File, key: str
) -> None:
    """Let judges decide about the sentences of a list of `judge next`."""
    with files.write_to_folder([File("next.jsonl", file.raw)], file.name) as folder:
        drawn = draw_files.load(folder / "next.jsonl")
    if drawn.of_nuggets:
        raise DataError(
            "is a list of nuggets; give one of sentences, drawn from judge link", place=file.name
        )
    wanted = list(drawn.chances_of(topic.name, ""))
    practice.set_queue(connection, topic, key, wanted, source)


def _same_topic(file: File, topic: TopicAccess) -> Topic:
    topics = [one.topic for one in judged_imports.read(file)]
    found = [one for one in topics if one.judgements is not None]
    same = [one for one in found if one.id == topic.name]
    if not same:
        names = ", ".join(one.id for one in found) or "none"
        raise DataError(f"has no topic '{topic.name}' (its topics: {names})", place=file.name)
    return same[0]
