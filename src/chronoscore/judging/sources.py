"""Judging the sentences of a source: which events they tell, which content units they express."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chronoscore.core import (
    Abstention,
    Anchor,
    ContentUnit,
    Group,
    Judgements,
    Link,
    Pyramid,
    Row,
    Topic,
)
from chronoscore.errors import DataError
from chronoscore.formats.io import clock
from chronoscore.formats.judgements import judgement_files
from chronoscore.formats.judgements.judgement_files import Corpus
from chronoscore.judging.jobs import (
    Abstained,
    Job,
    JudgedFile,
    Outcome,
    Settings,
    batches,
)
from chronoscore.judging.questions import Item, ItemQuestion
from chronoscore.judging.rubrics import Rubric

LINK = Rubric(
    "link",
    """
The data have the events of a news topic and, as items, sentences of news stories in order.
Say for each item which events it tells. A sentence tells an event if a reader learns from it that
the event happened, in whatever words. It is not enough that a sentence names the same people or
places, or speaks of the background or the consequences. Many sentences tell no event: their list
is empty.
""",
    choice="events",
    ordered=True,
)
UNITS = Rubric(
    "units",
    """
The data have content units of a topic and, as items, sentences of a source in order. Say for each
item which units it expresses. A sentence expresses a unit if it alone says all that the unit says,
in whatever words. Many sentences express no unit: their list is empty.
""",
    choice="units",
    ordered=True,
)


@dataclass(frozen=True)
class JudgedSource(JudgedFile):
    """Topics with a machine's links or anchors."""

    topics: Mapping[str, Topic]
    workflow: str
    author: str
    notes: tuple[Mapping[str, Any], ...] = ()

    def rows(self) -> Sequence[Row]:
        """A record for each link, anchor and abstention."""
        return [row for topic in self.topics.values() for row in self.topic_rows(topic)]

    def topic_rows(self, topic: Topic) -> Iterator[Row]:
        """The records of one topic."""
        common = {"topic": topic.id, "author": self.author}
        if topic.pyramid is not None:
            for unit in topic.pyramid.units:
                for anchor in unit.group.anchors:
                    yield {**common, "sentence": anchor.source, "unit": unit.id, "reason": ""}
        elif topic.judgements is not None:
            for link in topic.judgements.links:
                yield {**common, "sentence": link.sentence, "event": link.event, "reason": ""}
            for one in topic.judgements.abstentions:
                yield {**common, "sentence": one.sentence, "event": "", "reason": one.reason}

    def save(self, path: Path, settings: Settings) -> None:
        """Write a judgements file; the judge keeps its name."""
        corpus = Corpus(
            topics=self.topics, workflow=self.workflow, settings=settings, notes=self.notes
        )
        judgement_files.save(corpus, path, anonymous=False)


def link_job(topics: Sequence[Topic], *, batch: int, author: str) -> Job:
    """Ask which events each sentence of the topics' stories tells."""
    parts: list[tuple[Topic, ItemQuestion]] = []
    for topic in topics:
        judged = topic.judgements
        if judged is None or not judged.events:
            raise DataError(f"topic '{topic.id}' has no events; give a file with events to link")
        for event in judged.events:
            if not event.text.strip():
                raise DataError(
                    f"event '{event.id}' has no text; add it",
                    place=f"topic '{topic.id}'",
                )
        choices = {event.id: {"text": event.text} for event in judged.events}
        parts += _sentence_questions(LINK, topic, judged, choices, batch)

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedSource:
        found = {topic.id: topic for topic in topics}
        links: dict[str, list[Link]] = {topic.id: [] for topic in topics}
        abstentions: dict[str, list[Abstention]] = {topic.id: [] for topic in topics}
        sure: dict[str, dict[str, dict[str, float]]] = {topic.id: {} for topic in topics}
        for (topic, _), own in zip(parts, outcomes, strict=True):
            for sentence, outcome in own.items():
                if isinstance(outcome, Abstained):
                    abstentions[topic.id].append(Abstention(sentence, author, outcome.reason))
                    continue
                if outcome.confidence is not None:
                    sure[topic.id][sentence] = {author: outcome.confidence}
                links[topic.id] += (
                    Link(sentence=sentence, event=event, marked_by=(author,))
                    for event in outcome.chosen
                )
        for name, topic in found.items():
            assert topic.judgements is not None
            judged = replace(
                topic.judgements,
                links=tuple(links[name]),
                abstentions=tuple(abstentions[name]),
                confidences=sure[name],
                judges=(author,),
            )
            found[name] = Topic(id=name, title=topic.title, judgements=judged)
        return JudgedSource(found, "stream", author)

    return Job(LINK, tuple(question for _, question in parts), finish)


def unit_job(topics: Sequence[Topic], *, batch: int, author: str) -> Job:
    """Ask which content units each sentence of the source expresses."""
    parts: list[tuple[Topic, ItemQuestion]] = []
    for topic in topics:
        if topic.pyramid is None or not topic.pyramid.units:
            raise DataError(f"topic '{topic.id}' has no content units; give a file with units")
        if topic.judgements is None:
            raise DataError(
                f"topic '{topic.id}' has no sentences; give the file of its stories too, "
                "or outputs and `units`"
            )
        choices = {unit.id: {"text": unit_text(unit)} for unit in topic.pyramid.units}
        parts += _sentence_questions(UNITS, topic, topic.judgements, choices, batch)

    def finish(outcomes: Sequence[Mapping[str, Outcome]]) -> JudgedSource:
        sentences: dict[str, dict[str, list[str]]] = {topic.id: {} for topic in topics}
        notes: list[Mapping[str, Any]] = []
        for (topic, _), own in zip(parts, outcomes, strict=True):
            for sentence, outcome in own.items():
                if isinstance(outcome, Abstained):
                    where = {"topic": topic.id, "sentence": sentence, "author": author}
                    notes.append({"kind": "omitted", **where, "reason": outcome.reason})
                    continue
                for unit in outcome.chosen:
                    sentences[topic.id].setdefault(unit, []).append(sentence)
        found = {topic.id: _anchored(topic, sentences[topic.id]) for topic in topics}
        return JudgedSource(found, "units", author, tuple(notes))

    questions = tuple(question for _, question in parts)
    return Job(UNITS, questions, finish, keeps_confidence=False)


def unit_text(unit: ContentUnit) -> str:
    """A unit in words: who did what to whom, and in brackets when and where."""
    told = " ".join(part for part in (unit.agent, unit.text, unit.patient) if part)
    place = ", ".join(part for part in (unit.time, unit.location) if part)
    return f"{told} ({place})" if place else told


def _anchored(topic: Topic, sentences: Mapping[str, Sequence[str]]) -> Topic:
    """A topic whose units are anchored in whole sentences, each worth all of the unit."""
    assert topic.pyramid is not None
    assert topic.judgements is not None
    texts = topic.judgements.texts
    ends = {name: len(texts[name]) for name in texts}
    numbers = {name: number for number, name in enumerate(topic.judgements.sentences, 1)}

    def anchor(sentence: str) -> Anchor:
        name = f"{topic.id}-x{numbers[sentence]}"
        return Anchor(id=name, source=sentence, start=0, end=ends[sentence])

    units = tuple(
        replace(
            unit,
            group=Group(members=tuple((anchor(s), 1.0) for s in sentences.get(unit.id, ()))),
        )
        for unit in topic.pyramid.units
    )
    pyramid: Pyramid = replace(topic.pyramid, units=units, places={})
    return Topic(id=topic.id, title=topic.title, pyramid=pyramid)


def _sentence_questions(
    rubric: Rubric,
    topic: Topic,
    judged: Judgements,
    choices: Mapping[str, Mapping[str, str]],
    batch: int,
) -> list[tuple[Topic, ItemQuestion]]:
    """A topic's sentences in order, so many in a request, each story with its title and time."""
    items = [Item(sentence, shown) for sentence, shown in _shown_sentences(topic, judged)]
    context = {"topic": topic.title or topic.id}
    return [
        (topic, ItemQuestion(rubric, some, context, dict(choices)))
        for some in batches(items, batch)
    ]


def _shown_sentences(topic: Topic, judged: Judgements) -> Iterator[tuple[str, dict[str, str]]]:
    """Each sentence with its parts and, where its story begins, the story's title and time."""
    opens = {story.sentences[0]: story for story in judged.stories if story.sentences}
    parts = judged.parts
    for sentence in judged.sentences:
        text = " ".join(judged.texts.get(one, "") for one in (sentence, *parts.get(sentence, ())))
        if not text.strip():
            raise DataError(
                f"sentence '{sentence}' has no text; give judgements with texts",
                place=f"topic '{topic.id}'",
            )
        shown = {"text": text.strip()}
        if story := opens.get(sentence):
            if story.title:
                shown["story"] = story.title
            if story.time is not None:
                shown["time"] = clock.format_seconds(story.time)
        yield sentence, shown
