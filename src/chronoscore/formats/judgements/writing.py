"""Judged corpora as rows again, in the order in which they are best read."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from chronoscore.core import Anchor, Group, Judgements, Link, Pyramid, Topic
from chronoscore.formats.io import clock
from chronoscore.formats.judgements import rows as rows
from chronoscore.formats.judgements.unit_rows import writers_behind

Order: TypeAlias = Callable[[Iterable[str]], list[str]]
"""The order in which people are numbered."""


@dataclass(frozen=True)
class JudgementsWriter:
    """What is written: with texts or without, with people's names or without."""

    texts: bool
    anonymous: bool
    judges: Mapping[str, str]
    writers: Mapping[str, str]
    shared: frozenset[str]
    """Stories that stand in several topics, so that their sentences must say in which."""
    estimate: int | None
    """The z of the header, if it is that of all topics."""
    pyramids: int
    """How many topics have units."""

    @classmethod
    def of(
        cls, topics: Iterable[Topic], *, texts: bool, anonymous: bool, order: Order | None = None
    ) -> "JudgementsWriter":
        """Number judges and writers where names are to be hidden; as a rule in order of names."""
        judges: set[str] = set()
        writers: set[str] = set()
        stories: Counter[str] = Counter()
        estimates: set[int | None] = set()
        pyramids = 0
        for topic in topics:
            if topic.judgements:
                stories.update(story.id for story in topic.judgements.stories)
                judges |= topic.judgements.authors
            if topic.pyramid:
                estimates.add(topic.pyramid.unchosen)
                pyramids += bool(topic.pyramid.units)
                writers |= writers_behind(topic.pyramid.units, topic.pyramid.lines)
                writers |= {*topic.pyramid.writers}
        shared = frozenset(story for story, count in stories.items() if count > 1)
        return cls(
            texts,
            anonymous,
            _name_people((order or sort_people)(judges), "j", anonymous),
            _name_people((order or sort_people)(writers), "w", anonymous),
            shared,
            estimates.pop() if len(estimates) == 1 else None,
            pyramids,
        )

    def topic(self, topic: Topic) -> Iterator[rows.JudgementsRow]:
        """A topic and all that was judged about it."""
        yield rows.TopicRow(
            id=topic.id,
            title=topic.title,
            length=topic.pyramid.length if topic.pyramid else None,
            pooled=bool(topic.judgements and topic.judgements.pooled),
            judges=self.judges_without_links(topic.judgements) if topic.judgements else [],
            writers=self.writers_without_lines(topic.pyramid) if topic.pyramid else [],
            z=topic.pyramid.unchosen if topic.pyramid and self.estimate is None else None,
        )
        if topic.judgements:
            yield from self.stream(topic.id, topic.judgements)
        if topic.pyramid:
            yield from self.pyramid(topic.id, topic.pyramid)

    def judges_without_links(self, judged: Judgements) -> list[str]:
        """All judges of a topic, unless its links name them."""
        linking = {judge for link in judged.links for judge in link.marked_by}
        return [] if linking.issuperset(judged.judges) else self.ids(judged.judges, self.judges)

    def writers_without_lines(self, pyramid: Pyramid) -> list[str]:
        """All writers of one topic among several, unless its lines and units name them."""
        behind = writers_behind(pyramid.units, pyramid.lines)
        told = self.pyramids == 1 or behind.issuperset(pyramid.writers)
        return [] if told else self.ids(pyramid.writers, self.writers)

    def ids(self, people: Iterable[str], ids: Mapping[str, str]) -> list[str]:
        """What people are called in the file."""
        return sort_people(ids[name] for name in people)

    def stream(self, topic: str, judged: Judgements) -> Iterator[rows.JudgementsRow]:
        """Stories, sentences, events and links."""
        parts = judged.parts
        told: set[str] = set()
        for story in judged.stories:
            yield rows.StoryRow(
                id=story.id,
                topic=topic,
                time=None if story.time is None else clock.format_seconds(story.time),
                title=story.title if self.texts else "",
                sha256=story.digest,
            )
            where = topic if story.id in self.shared else ""
            for n, sentence in enumerate(story.sentences, 1):
                told.add(sentence)
                yield self.sentence(sentence, judged, story=story.id, topic=where, n=n)
                for part in parts.get(sentence, ()):
                    yield self.sentence(part, judged, story=story.id, topic=where, join=sentence)
        for sentence in judged.sentences:
            if sentence not in told:
                yield self.sentence(sentence, judged, topic=topic)
                for part in parts.get(sentence, ()):
                    yield self.sentence(part, judged, topic=topic, join=sentence)
        for event in judged.events:
            yield rows.EventRow(
                id=event.id,
                topic=topic,
                text=event.text,
                from_=event.origin,
                time=None if event.time is None else clock.format_seconds(event.time),
                importance=event.importance,
            )
        yield from map(self.link, judged.links)
        for abstention in judged.abstentions:
            yield rows.AbstentionRow(
                sentence=abstention.sentence,
                author=self.judges[abstention.author],
                topic=topic,
                reason=abstention.reason,
            )

    def sentence(
        self,
        sentence: str,
        judged: Judgements,
        *,
        story: str = "",
        topic: str = "",
        n: int | None = None,
        join: str = "",
    ) -> rows.SentenceRow:
        """One sentence, or a part of one."""
        place = judged.places.get(sentence)
        return rows.SentenceRow(
            id=sentence,
            story=story,
            topic=topic,
            n=n,
            start=place.start if place else None,
            end=place.end if place else None,
            join=join or False,
            text=judged.texts.get(sentence) if self.texts else None,
            confidence={
                self.judges[author]: sure
                for author, sure in judged.confidences.get(sentence, {}).items()
                if author in self.judges
            },
        )

    def link(self, link: Link) -> rows.LinkRow:
        """One link; what only the verifier saw is an addition."""
        start, end = link.span or (None, None)
        marked_by = [self.judges[judge] for judge in link.marked_by]
        return rows.LinkRow(
            sentence=link.sentence,
            event=link.event,
            # As they come, they could be in the order of their names.
            marked_by=sort_people(marked_by) if self.anonymous else marked_by,
            verdict="dropped" if not link.kept else "kept" if link.marked_by else "added",
            group=link.group,
            start=start,
            end=end,
        )

    def pyramid(self, topic: str, pyramid: Pyramid) -> Iterator[rows.JudgementsRow]:
        """Lines, units, anchors and groups; the writers stand before all topics."""
        for line in pyramid.lines:
            yield rows.LineRow(
                id=line.id,
                writer=self.writers[line.writer],
                when=str(line.when) if line.when else "",
                text=line.text if self.texts else "",
                topic=topic,
            )
        for unit in pyramid.units:
            # Who stands behind a unit is read off its lines wherever these say it all.
            told = {line.writer for line in pyramid.lines if line.id in set(unit.lines)}
            yield rows.UnitRow(
                id=unit.id,
                topic=topic,
                action=unit.text,
                agent=unit.agent,
                patient=unit.patient,
                time=unit.time,
                location=unit.location,
                lines=list(unit.lines),
                writers=sorted(self.writers[w] for w in unit.writers - told),
                weight=unit.weight,
            )
        for anchor in pyramid.anchors.values():
            yield rows.AnchorRow(
                id=anchor.id, source=anchor.source, start=anchor.start, end=anchor.end
            )
        for unit in pyramid.units:
            if unit.group.members:
                yield from _group_rows(unit.id, unit.group)


def _group_rows(unit: str, root: Group) -> Iterator[rows.GroupRow]:
    """A unit's groups, the root first, numbered from the top."""
    queue: list[tuple[str, Group]] = [(f"{unit}-g1", root)]
    count = 1
    for name, group in queue:
        members = []
        for member, share in group.members:
            if isinstance(member, Anchor):
                members.append(rows.Member(member.id, share))
                continue
            count += 1
            queue.append((f"{unit}-g{count}", member))
            members.append(rows.Member(queue[-1][0], share))
        yield rows.GroupRow(hcu=unit, members=members, id=name, root=group is root)


def _name_people(people: list[str], letter: str, anonymous: bool) -> dict[str, str]:
    """People by number, or by their own names."""
    return {
        name: f"{letter}{number}" if anonymous else name for number, name in enumerate(people, 1)
    }


def are_numbered(people: Iterable[str]) -> bool:
    """Whether people have numbers (j2, j10) and no names."""
    return all(re.fullmatch(r"[a-z](\d+)", name) for name in people)


def sort_people(people: Iterable[str]) -> list[str]:
    """People by name; those who are numbered already (j2, j10) by number."""
    names = sorted(people)
    if are_numbered(names):
        return sorted(names, key=lambda name: (name[0], int(name[1:])))
    return names
