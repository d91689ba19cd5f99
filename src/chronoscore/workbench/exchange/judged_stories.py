"""The stories and sentences of a topic that was judged elsewhere, under their own ids."""

from collections.abc import Iterator, Mapping
from typing import Any

from chronoscore.core import Judgements, Topic
from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange.files import label
from chronoscore.workbench.exchange.stories import safe_id


def draft(topic: Topic) -> TopicDraft:
    """A judged topic's text, ready to be logged, and what judging here does not make."""
    judged = topic.judgements
    if judged is None or not judged.sentences:
        raise DataError(f"topic '{topic.id}' has no sentences; add its stories to the file")
    stories = sorted(_stories(topic.id, judged), key=lambda story: str(story["time"]))
    return TopicDraft(
        safe_id(topic.id),
        topic.title or topic.id,
        stories,
        anchors=_anchors(topic),
        imported={
            "pooled": judged.pooled,
            "events": {e.id: {"time": e.time, "importance": e.importance} for e in judged.events},
            "spans": [
                [link.sentence, link.event, *link.span] for link in judged.links if link.span
            ],
        },
    )


def _stories(topic: str, judged: Judgements) -> Iterator[dict[str, Any]]:
    parts = judged.parts
    known = {story.id: story for story in judged.stories}
    for name, inside in _by_story(judged).items():
        sentences = [one for head in inside for one in (head, *parts.get(head, ()))]
        _check_sentences(topic, sentences, judged.texts)
        spans, at = [], 0
        for one in sentences:
            spans.append((one, at, at + len(judged.texts[one])))
            at += len(judged.texts[one]) + 1
        story = known.get(name)
        time = story.time if story else _leading_time(name)
        yield {
            "id": safe_id(name) or "story",
            "time": "" if time is None else clock.format_seconds(time),
            "title": story.title if story else name,
            "publisher": "",
            "text": "\n".join(judged.texts[one] for one in sentences),
            "sentences": spans,
        }


def _by_story(judged: Judgements) -> dict[str, list[str]]:
    """Sentences by their stories; one that no story lists goes by the beginning of its id."""
    inside = {story.id: list(story.sentences) for story in judged.stories}
    listed = {name for names in inside.values() for name in names}
    for name in judged.sentences:
        if name not in listed:
            inside.setdefault(name.rpartition("-")[0] or name, []).append(name)
    return inside


def _check_sentences(topic: str, names: list[str], texts: Mapping[str, str]) -> None:
    for name in names:
        if "+" in name or name.startswith("&"):
            raise DataError(
                f"topic '{topic}': sentence '{label(name)}' has a + or & in its id; rename it"
            )
        if name not in texts:
            raise DataError(
                f"topic '{topic}': the text of sentence '{label(name)}' was left out; "
                "import a file with texts"
            )


def _anchors(topic: Topic) -> list[dict[str, Any]]:
    if topic.pyramid is None:
        return []
    return [
        {"id": a.id, "sentence": a.source, "start": a.start, "stop": a.end}
        for a in topic.pyramid.anchors.values()
    ]


def _leading_time(document: str) -> float | None:
    """TREC's document ids begin with the second at which the document came in."""
    first = document.partition("-")[0]
    return float(first) if first.isdecimal() and len(first) >= 9 else None
