"""A topic as the rest of chronoscore knows it: what is exported, scored and compared."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, select

from chronoscore.core import (
    Event,
    Judgements,
    Link,
    Topic,
)
from chronoscore.core import judging as core
from chronoscore.formats.io import clock
from chronoscore.formats.judgements.writing import sort_people
from chronoscore.workbench.domain import accounts, union
from chronoscore.workbench.domain.actions.judging import all_verifier_items
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.domain.union import MarkedItem
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.source import TopicSource


def build_topic(connection: Connection, number: int, source: TopicSource) -> Topic:
    """A judged stream with every link, kept or dropped, and who marked it."""
    row = connection.execute(select(tables.topic).where(tables.topic.c.id == number)).one()
    marks = stream.all_marks(connection, number)
    before = union.joined_parts(source, marks)
    block_of = union.joined_blocks(source, before)
    heads = {part: block[0] for part, block in block_of.items() if part != block[0]}
    events = stream.joint_events(connection, number)
    imported = json.loads(row.imported)
    names = names_for_export(
        connection, people.people_with_role(connection, number, "judge"), imported
    )
    kept = imported.get("events", {})
    return Topic(
        id=row.name,
        title=row.title,
        judgements=Judgements(
            sentences=tuple(s.id for s in source.sentences if s.id not in heads),
            events=tuple(
                Event(
                    full_id(row.name, event.id),
                    event.text,
                    **{**kept.get(event.id, {}), **({"origin": origin} if origin else {})},
                )
                for event, origin in zip(
                    events, _origins(connection, number, source, events), strict=True
                )
            ),
            links=tuple(_links(connection, number, row.name, source, block_of, imported, names)),
            stories=stories_for_export(source, heads, imported),
            texts={sentence.id: sentence.text for sentence in source.sentences},
            places=sentence_places(source),
            joined=heads,
            abstentions=(
                *(core.Abstention(*one) for one in imported.get("abstentions", ())),
                *_not_asked(json.loads(row.queue or "[]"), source, marks, names),
            ),
            pooled=imported.get("pooled", False),
            judges=tuple(names.values()),
        ),
    )


def _not_asked(
    queue: Collection[str],
    source: TopicSource,
    marks: Mapping[int, Mapping[str, Mark]],
    names: Mapping[int, str],
) -> Iterator[core.Abstention]:
    """Of a topic with a list of what is to be judged: what a judge did not decide is not off."""
    for person, name in names.items() if queue else ():
        own = marks.get(person, {})
        for sentence in source.sentences:
            if not own.get(sentence.id, Mark()).decided:
                yield core.Abstention(sentence.id, name, "not on the list of what is to be judged")


def imported_facts(connection: Connection, number: int) -> dict[str, Any]:
    """What the file that a topic came from says beyond what is done here; often nothing."""
    query = select(tables.topic.c.imported).where(tables.topic.c.id == number)
    facts: dict[str, Any] = json.loads(connection.execute(query).scalar_one())
    return facts


def hours(connection: Connection, number: int) -> float:
    """The time that people spent on a topic, here and where it was imported from."""
    table = tables.activity
    here = select(func.sum(table.c.seconds)).where(table.c.topic == number)
    elsewhere = float(imported_facts(connection, number).get("hours", 0.0))
    return elsewhere + float(connection.execute(here).scalar() or 0.0) / 3600


def topic_name(connection: Connection, number: int) -> str:
    """What a topic is called in files."""
    query = select(tables.topic.c.name).where(tables.topic.c.id == number)
    return str(connection.execute(query).scalar_one())


def names_for_export(
    connection: Connection, numbers: set[int], imported: dict[str, Any]
) -> dict[int, str]:
    """People's names; of those whose work was imported, the names in the file."""
    there = imported.get("people", {})
    here = accounts.names(connection, numbers)
    return {number: there.get(str(number), name) for number, name in here.items()}


def omitted_candidates(connection: Connection, number: int) -> list[dict[str, Any]]:
    """What was left out on purpose, and why."""
    name = topic_name(connection, number)
    omitted: list[dict[str, Any]] = []
    for what, table in (
        ("event", tables.event),
        ("candidate", tables.candidate),
        ("line", tables.line),
    ):
        rows = connection.execute(
            select(table.c.id, table.c.text, table.c.omitted)
            .where(table.c.topic == number, table.c.omitted != "")
            .order_by(table.c.id)
        )
        omitted += [
            {
                "kind": "omitted",
                "what": what,
                "topic": name,
                "id": full_id(name, row.id),
                "text": row.text,
                "reason": row.omitted,
            }
            for row in rows
        ]
    return omitted + [
        json.loads(one) for one in imported_facts(connection, number).get("notes", [])
    ]


def full_id(topic: str, name: str) -> str:
    """An id that no other topic of the file has."""
    return name if name.startswith(f"{topic}-") else f"{topic}-{name}"


def _links(
    connection: Connection, number: int, topic: str, source: TopicSource,
    block_of: dict[str, tuple[str, ...]], imported: dict[str, Any], names: dict[int, str],
) -> list[Link]:  # fmt: skip
    """A link for each sentence and event of the union, and for what the verifier added."""
    spans = {(name, event): (start, end) for name, event, start, end in imported.get("spans", ())}
    verdicts = stream.verifier_verdicts(connection, number)
    links: list[Link] = []
    for event, items in all_verifier_items(connection, number, source).items():
        groups = 0
        for item, kept in _settle(event, items, verdicts, source, block_of):
            groups += item.together
            group = f"{full_id(topic, event)}-g{groups}" if item.together else ""
            for head in dict.fromkeys(block_of[name][0] for name in item.sentences):
                links.append(
                    Link(
                        sentence=head,
                        event=full_id(topic, event),
                        marked_by=tuple(sort_people(names[judge] for judge in item.marked_by)),
                        kept=kept,
                        group=group,
                        span=spans.get((head, event)),
                    )
                )
    return links


def _settle(
    event: str, items: list[MarkedItem], verdicts: Mapping[tuple[str, str], stream.LinkVerdict],
    source: TopicSource, block_of: Mapping[str, tuple[str, ...]],
) -> list[tuple[MarkedItem, bool]]:  # fmt: skip
    """An event's items with what the verifier said; the same after any number of journeys.

    A dropped group loses the sentences that are also items of their own, because the verifier
    has judged them separately. Items that are the same then become one.
    """
    settled: list[tuple[MarkedItem, bool]] = []
    for item in items:
        verdict = verdicts.get((event, item.id))
        # The verifier may have added a part of a sentence; a file only knows whole ones.
        parts = item.sentences if item.together else block_of[item.sentences[0]]
        kept = verdict is None or verdict.kept is not False
        settled.append((replace(item, sentences=parts), kept))
    while (smaller := _leave_out(settled, block_of)) != settled:
        settled = smaller
    merged: dict[tuple[tuple[str, ...], bool], tuple[MarkedItem, bool]] = {}
    for item, kept in settled:
        key = (item.sentences, item.together)
        known, known_kept = merged.get(key, (item, kept))
        both = replace(item, marked_by=item.marked_by | known.marked_by)
        merged[key] = (both, kept or known_kept)
    return sorted(
        merged.values(),
        # What only the verifier saw comes last.
        key=lambda one: (
            not one[0].marked_by,
            [source.by_id[name].place for name in one[0].sentences] if one[0].marked_by else [],
            one[0].together,
        ),
    )


def _leave_out(
    settled: list[tuple[MarkedItem, bool]], block_of: Mapping[str, tuple[str, ...]]
) -> list[tuple[MarkedItem, bool]]:
    """Remove from dropped groups the sentences that are items of their own."""
    alone = {part for item, _ in settled if not item.together for part in item.sentences}
    smaller = []
    for item, kept in settled:
        if item.together and not kept:
            left = tuple(name for name in item.sentences if name not in alone)
            item = replace(item, sentences=left, together=len({block_of[n] for n in left}) > 1)
        if item.sentences:
            smaller.append((item, kept))
    return smaller


def _origins(
    connection: Connection, number: int, source: TopicSource, events: list[stream.TopicEvent]
) -> list[str]:
    """For each event the earliest sentence that a judge saw it in."""
    candidate, merged = tables.candidate, tables.merged
    rows = connection.execute(
        select(merged.c.event, candidate.c.sentence)
        .join(
            candidate,
            (candidate.c.topic == merged.c.topic) & (candidate.c.id == merged.c.candidate),
        )
        .where(merged.c.topic == number)
    )
    first: dict[str, str] = {}
    for event, sentence in rows:
        place = source.by_id[sentence].place
        if event not in first or place < source.by_id[first[event]].place:
            first[event] = sentence
    return [first.get(event.id, "") for event in events]


def stories_for_export(
    source: TopicSource, joined: Collection[str], imported: dict[str, Any]
) -> tuple[core.Story, ...]:
    """The stories, without the parts that were joined to the sentence before them.

    Of an imported story only the sentences are known; the hash is that of its whole text.
    """
    digests = imported.get("digests", {})
    return tuple(
        core.Story(
            id=story.id,
            sentences=tuple(s.id for s in story.sentences if s.id not in joined),
            time=clock.parse_seconds(story.time) if story.time else None,
            title=story.title,
            digest=digests.get(story.id) or hashlib.sha256(story.text.encode()).hexdigest(),
        )
        for story in source.stories
    )


def sentence_places(source: TopicSource) -> dict[str, core.Place]:
    """Where the sentences stand in their stories."""
    return {s.id: core.Place(s.story, s.start, s.stop) for s in source.sentences}
