"""The stories and sentences of a topic that was judged elsewhere, under their own ids."""

from collections.abc import Iterator, Mapping
from typing import Any

from chronoscore.core import Judgements, Topic
from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import files
from chronoscore.workbench.exchange.stories import LONGEST_STORY, safe_id


def draft(topic: Topic, **facts: Any) -> TopicDraft:
    """A judged topic's text, ready to be logged, and what judging here does not make.

    `facts` are further things that its file says about it.
    """
    judged = topic.judgements
    if judged is None or not judged.sentences:
        raise DataError(f"topic '{topic.id}' has no sentences; add its stories to the file")
    known = {story.id: story for story in judged.stories}
    stories = sorted(_stories(topic.id, judged), key=lambda story: str(story["time"]))
    return TopicDraft(
        safe_id(topic.id),
        topic.title or topic.id,
        stories,
        anchors=_anchors(topic),
        imported={
            "pooled": judged.pooled,
            "events": {
                e.id: {"time": e.time, "importance": e.importance, "origin": e.origin}
                for e in judged.events
            },
            "digests": {safe_id(name): one.digest for name, one in known.items() if one.digest},
            "abstentions": [[one.sentence, one.author, one.reason] for one in judged.abstentions],
            "spans": [
                [link.sentence, link.event, *link.span] for link in judged.links if link.span
            ],
            **facts,
        },
    )


def _stories(topic: str, judged: Judgements) -> Iterator[dict[str, Any]]:
    parts = judged.parts
    known = {story.id: story for story in judged.stories}
    for name, inside in _by_story(judged).items():
        sentences = [one for head in inside for one in (head, *parts.get(head, ()))]
        _check_sentences(topic, sentences, judged.texts)
        text, spans = _lay_out(sentences, judged)
        story = known.get(name)
        time = story.time if story else _leading_time(name)
        yield {
            "id": safe_id(name) or "story",
            "time": "" if time is None else clock.format_seconds(time),
            "title": story.title if story else name,
            "publisher": "",
            "text": text,
            "sentences": spans,
        }


def _lay_out(names: list[str], judged: Judgements) -> tuple[str, list[tuple[str, int, int]]]:
    """A story's text, each sentence where the file says it stands, or one after another."""
    written, spans, at = [], [], 0
    for name in names:
        text, place = judged.texts[name], judged.places.get(name)
        fits = place is not None and place.start >= at and place.end - place.start == len(text)
        if place is None or not fits or place.end > LONGEST_STORY:
            break
        written += [" " * (place.start - at), text]
        spans.append((name, place.start, place.end))
        at = place.end
    else:
        return "".join(written), spans
    spans, at = [], 0
    for name in names:
        spans.append((name, at, at + len(judged.texts[name])))
        at += len(judged.texts[name]) + 1
    return "\n".join(judged.texts[name] for name in names), spans


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
                f"sentence '{files.shown_name(name)}' has a + or & in its id; rename it",
                place=f"topic '{topic}'",
            )
        if name not in texts:
            raise DataError(
                f"the text of sentence '{files.shown_name(name)}' was left out; "
                "import a file with texts",
                place=f"topic '{topic}'",
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
