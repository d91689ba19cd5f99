"""Judged streams from the rows of a judgements file: stories, sentences, events, links."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chronoscore.core import Abstention, Event, Judgements, Link, Place, Story
from chronoscore.formats.judgements import rows as rows
from chronoscore.formats.judgements.row_checks import RowChecks


@dataclass
class StreamDraft:
    """A topic's judgements while they are being read."""

    stories: dict[str, tuple[rows.StoryRow, float | None, list[str]]] = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    joined: dict[str, str] = field(default_factory=dict)
    abstentions: list[Abstention] = field(default_factory=list)
    confidences: dict[str, dict[str, float]] = field(default_factory=dict)


class LinkReader:
    """Adds rows to their topics as they come; a link that comes too early waits."""

    def __init__(self, checks: RowChecks, texts: bool) -> None:
        self.checks = checks
        self.texts = texts
        self.drafts: dict[str, StreamDraft] = {}
        self.stories: dict[str, tuple[str, ...]] = {}
        self.sentences: dict[str, tuple[str, ...]] = {}
        self.events: dict[str, str] = {}
        self.linked: set[tuple[str, str, str]] = set()
        self.origins: list[tuple[int, str]] = []
        self.waiting: list[tuple[int, rows.LinkRow]] = []
        self.abstentions: list[tuple[int, rows.AbstentionRow]] = []

    def draft(self, topic: str) -> StreamDraft:
        """What a topic has so far."""
        if topic not in self.drafts:
            self.drafts[topic] = StreamDraft()
        return self.drafts[topic]

    def take_story(self, number: int, row: rows.StoryRow) -> None:
        """Open a story of a topic; two topics may have the same one."""
        topic = self.checks.topic(row.topic, number)
        self.checks.unique("story", row.id, number, topic=topic)
        time = self.checks.time(number, row.time)
        self.draft(topic).stories[row.id] = (row, time, [])
        self.stories[row.id] = (*self.stories.get(row.id, ()), topic)

    def take_sentence(self, number: int, row: rows.SentenceRow) -> None:
        """Add a sentence to its story and topic."""
        topic = self.topic_of(number, row)
        self.checks.unique("sentence", row.id, number, topic=topic)
        draft = self.draft(topic)
        if row.join:
            draft.joined[row.id] = self.head(number, row, topic)
        else:
            draft.sentences.append(row.id)
            if row.story:
                draft.stories[row.story][2].append(row.id)
        if span := self.checks.span(number, row.start, row.end):
            draft.places[row.id] = Place(row.story, *span)
        if self.texts and row.text is not None:
            draft.texts[row.id] = row.text
        if row.confidence:
            draft.confidences[row.id] = row.confidence
        self.sentences[row.id] = (*self.sentences.get(row.id, ()), topic)

    def topic_of(self, number: int, row: rows.SentenceRow) -> str:
        """The topic of a sentence: the one it names, or that of its story."""
        if not row.story:
            return self.checks.topic(row.topic, number)
        self.checks.known("story", row.story, self.stories, number)
        topics = self.stories[row.story]
        if row.topic in topics:
            return row.topic
        if len(topics) > 1:
            raise self.checks.fail(
                number, f"story '{row.story}' is in {len(topics)} topics; name the sentence's topic"
            )
        return topics[0]

    def head(self, number: int, row: rows.SentenceRow, topic: str) -> str:
        """The sentence that a part belongs to: the one it names, or the one before."""
        draft = self.draft(topic)
        before = draft.sentences[-1:] if row.join is True else [str(row.join)]
        if not before or topic not in self.sentences.get(before[0], ()):
            raise self.checks.fail(
                number,
                f"sentence '{row.id}' is joined to none before it; fix join or leave it out",
            )
        return draft.joined.get(before[0], before[0])

    def take_event(self, number: int, row: rows.EventRow) -> None:
        """Add an event to its topic."""
        self.checks.unique("event", row.id, number)
        topic = self.checks.topic(row.topic, number)
        time = self.checks.time(number, row.time)
        self.draft(topic).events.append(Event(row.id, row.text, time, row.importance, row.from_))
        self.events[row.id] = topic
        if row.from_:
            self.origins.append((number, row.from_))

    def take_link(self, number: int, row: rows.LinkRow) -> None:
        """Link a sentence to an event, now or, where they come later, at the end."""
        if row.event not in self.events or row.sentence not in self.sentences:
            self.waiting.append((number, row))
            return
        topic = self.events[row.event]
        if topic not in self.sentences[row.sentence]:
            raise self.checks.fail(
                number,
                f"sentence '{row.sentence}' and event '{row.event}' are of different topics; "
                "link within one",
            )
        key = (row.sentence, row.event, row.group)
        if key in self.linked:
            raise self.checks.fail(
                number,
                f"sentence '{row.sentence}' is linked to event '{row.event}' already; link it once",
            )
        self.linked.add(key)
        link = Link(
            sentence=row.sentence,
            event=row.event,
            marked_by=tuple(row.marked_by),
            kept=row.verdict not in ("dropped", "drop"),
            group=row.group,
            span=self.checks.span(number, row.start, row.end),
        )
        self.draft(topic).links.append(link)

    def take_abstention(self, number: int, row: rows.AbstentionRow) -> None:
        """Keep an abstention until all sentences are known."""
        self.abstentions.append((number, row))

    def add_abstention(self, number: int, row: rows.AbstentionRow) -> None:
        """Note that a judge abstained on a sentence."""
        self.checks.known("sentence", row.sentence, self.sentences, number)
        topics = self.sentences[row.sentence]
        topic = row.topic or topics[0]
        if topic not in topics or (len(topics) > 1 and not row.topic):
            raise self.checks.fail(
                number,
                f"sentence '{row.sentence}' is in {' and '.join(topics)}; name one of these topics",
            )
        self.draft(topic).abstentions.append(Abstention(row.sentence, row.author, row.reason))

    def sources(self) -> set[str]:
        """Everything that an anchor may lie in."""
        return {*self.stories, *self.sentences}

    def places(self, topic: str) -> Mapping[str, Place]:
        """Where a topic's sentences stand in their stories."""
        return self.draft(topic).places

    def judgements(self) -> dict[str, Judgements]:
        """The judgements of each topic that has any; what could not be checked before is now."""
        for number, row in self.waiting:
            self.checks.known("sentence", row.sentence, self.sentences, number)
            self.checks.known("event", row.event, self.events, number)
            self.take_link(number, row)
        for number, abstention in self.abstentions:
            self.add_abstention(number, abstention)
        for number, sentence in self.origins:
            self.checks.known("sentence", sentence, self.sentences, number)
        return {
            topic: Judgements(
                sentences=tuple(draft.sentences),
                events=tuple(draft.events),
                links=tuple(draft.links),
                stories=tuple(
                    Story(
                        id=row.id,
                        sentences=tuple(sentences),
                        time=time,
                        title=row.title,
                        digest=row.sha256,
                    )
                    for row, time, sentences in draft.stories.values()
                ),
                texts=draft.texts,
                places=draft.places,
                joined=draft.joined,
                abstentions=tuple(draft.abstentions),
                pooled=self.checks.topics[topic].pooled,
                judges=tuple(self.checks.topics[topic].judges),
                confidences=draft.confidences,
            )
            for topic, draft in self.drafts.items()
            if draft.sentences or draft.events
        }
