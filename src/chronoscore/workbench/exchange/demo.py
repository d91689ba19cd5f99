"""The demo projects: the bundled corpus, with something to do at every step."""

from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from chronoscore.core import Topic
from chronoscore.demo import CORPUS
from chronoscore.formats.judgements import judgement_files
from chronoscore.text.events import tag_events
from chronoscore.workbench.domain import access
from chronoscore.workbench.domain.actions import projects, topics
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import judged_imports, judged_stories
from chronoscore.workbench.exchange.judged_imports import JudgedTopicLog

LINES = 12
NAMES = ("Demo: judge a stream", "Demo: content units")


def load(connection: Connection, person: int) -> tuple[int, int]:
    """Two projects, managed by a person who also judges, writes and matches in them."""
    stream, units = (
        projects.create(connection, person, name, workflow)
        for name, workflow in zip(NAMES, ("stream", "units"), strict=True)
    )
    _judge_ferry(connection, stream, person)
    _identify_theft(connection, stream, person)
    judged_imports.add(
        connection, access.find_project(connection, person, stream), _judged_topic("dam")
    )
    _match_ferry(connection, units, person)
    _write_theft(connection, units, person)
    judged_imports.add(
        connection, access.find_project(connection, person, units), _with_units("dam")
    )
    return stream, units


def _judge_ferry(connection: Connection, project: int, person: int) -> None:
    """A topic whose events were merged: the newcomer links its sentences at once."""
    topic = _judged_topic("ferry")
    assert topic.judgements is not None
    here = _topic(connection, project, person, topic)
    here.events(topic.judgements)
    here.record("topic.assign", {"person": person, "role": "judge"})
    here.record("step.open", {"step": "link"})


def _identify_theft(connection: Connection, project: int, person: int) -> None:
    here = _topic(connection, project, person, _judged_topic("theft"))
    here.record("topic.assign", {"person": person, "role": "judge"})
    here.record("step.open", {"step": "identify"})


def _match_ferry(connection: Connection, project: int, person: int) -> None:
    """A topic whose units were made: the newcomer finds them in the source."""
    topic = _with_units("ferry")
    assert topic.pyramid is not None
    here = _topic(connection, project, person, topic)
    here.lines(topic.pyramid)
    for number, unit in enumerate(topic.pyramid.units, 1):
        here.unit(number, unit)
    here.record("topic.assign", {"person": person, "role": "matcher"})
    here.record("step.open", {"step": "match"})


def _write_theft(connection: Connection, project: int, person: int) -> None:
    here = _topic(connection, project, person, _with_units("theft"))
    here.record("topic.assign", {"person": person, "role": "writer"})
    here.record("step.open", {"step": "write"})


def _topic(connection: Connection, project: int, person: int, topic: Topic) -> JudgedTopicLog:
    here = access.find_project(connection, person, project)
    text = judged_stories.draft(topic)
    text.anchors += _other_anchors(text)
    entry = topics.create(connection, here, token_hex(16), text, most=str(LINES))
    return JudgedTopicLog(connection, here, entry.number_made, "draft")


def _other_anchors(topic: TopicDraft) -> list[dict[str, Any]]:
    """Events that the tagger sees and no unit uses, so that a matcher has to choose."""
    if not topic.anchors:
        return []
    taken: dict[str, list[tuple[int, int]]] = {}
    for anchor in topic.anchors:
        taken.setdefault(anchor["sentence"], []).append((anchor["start"], anchor["stop"]))
    other: list[dict[str, Any]] = []
    for story in topic.stories:
        for name, start, stop in story["sentences"]:
            for event in tag_events(story["text"][start:stop], tagger="rules"):
                spans = taken.get(name, [])
                if all(event.end <= first or last <= event.start for first, last in spans):
                    anchor = {"sentence": name, "start": event.start, "stop": event.end}
                    other.append({"id": f"{name}-e{len(other) + 1}", **anchor})
    return other


def _judged_topic(name: str) -> Topic:
    return _load_topic(CORPUS / name / "judgements.jsonl", name)


def _with_units(name: str) -> Topic:
    """A topic's units, with the sentences that its judgements file has."""
    units, stream = _load_topic(CORPUS / name / "units.jsonl", name), _judged_topic(name)
    return Topic(id=name, title=stream.title, judgements=stream.judgements, pyramid=units.pyramid)


def _load_topic(path: Path, name: str) -> Topic:
    return judgement_files.load(path).topics[name]
