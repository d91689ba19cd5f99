"""A topic as the rest of chronoscore knows it: what is exported, scored and compared."""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, select

from chronoscore.core import (
    Anchor,
    ContentUnit,
    Event,
    Group,
    Judgements,
    Line,
    Link,
    Pyramid,
    Topic,
    When,
)
from chronoscore.core import judging as core
from chronoscore.formats.io import clock
from chronoscore.formats.judgements.writing import sort_people
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.actions.judging import all_items
from chronoscore.workbench.domain.queries import people, stream, units
from chronoscore.workbench.domain.trees import walk
from chronoscore.workbench.domain.union import blocks, parts_joined
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.source import TopicSource

_FIGURES = re.compile(r"(\d+)")


def stream_topic(connection: Connection, number: int, source: TopicSource) -> Topic:
    """A judged stream with every link, kept or dropped, and who marked it."""
    row = connection.execute(select(tables.topic).where(tables.topic.c.id == number)).one()
    marks = stream.all_marks(connection, number)
    before = parts_joined(source, marks)
    block_of = blocks(source, before)
    heads = {part: block[0] for part, block in block_of.items() if part != block[0]}
    events = stream.events(connection, number)
    imported = json.loads(row.imported)
    names = _names(connection, people.with_role(connection, number, "judge"), imported)
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
            stories=_stories(source, heads, imported),
            texts={sentence.id: sentence.text for sentence in source.sentences},
            places=_places(source),
            joined=heads,
            abstentions=tuple(core.Abstention(*one) for one in imported.get("abstentions", ())),
            pooled=imported.get("pooled", False),
        ),
    )


def unit_topic(
    connection: Connection, number: int, source: TopicSource, *, role: str = "matcher"
) -> Topic:
    """Content units with their lines, and the trees of the first matcher (or the second)."""
    row = connection.execute(select(tables.topic).where(tables.topic.c.id == number)).one()
    imported = json.loads(row.imported)
    chosen = [
        replace(unit, lines=tuple(sorted(unit.lines, key=lambda line: _natural(line.id))))
        for unit in units.units(connection, number)
    ]
    matched = units.all_matchings(connection, number)[role]
    anchors = _anchors(connection, number, row.name)
    lines = list({line.id: line for unit in chosen for line in unit.lines}.values())
    writers = sorted(
        {line.person for line in lines} | people.with_role(connection, number, "writer")
    )
    names = _names(connection, set(writers), imported)
    trees = {name: _group(matching.tree, anchors) for name, matching in matched.items()}
    return Topic(
        id=row.name,
        title=row.title,
        judgements=_bare_stream(source, imported),
        pyramid=Pyramid(
            tuple(
                _unit(row.name, unit, trees.get(unit.id, Group(members=())), names)
                for unit in chosen
                if unit.lines
            ),
            writers=tuple(names[person] for person in writers),
            lines=tuple(
                Line(
                    id=full_id(row.name, line.id),
                    writer=names[line.person],
                    when=When.parse(line.when),
                    text=line.text,
                )
                for line in lines
            ),
            places=_places(source),
            length=row.most or None,
            unchosen=None if row.z is None else round(row.z),
        ),
    )


def rematches(connection: Connection, number: int) -> list[dict[str, Any]]:
    """The second matcher's trees as rows, with the anchors that the first one did not use."""
    name = _name(connection, number)
    anchors = _anchors(connection, number, name)
    both = units.all_matchings(connection, number)
    told = {
        one["anchor"] for m in both["matcher"].values() for one in walk(m.tree) if "anchor" in one
    }
    found = []
    for unit in units.units(connection, number):
        if unit.id not in both["rematcher"] or not unit.lines:
            continue
        tree = both["rematcher"][unit.id].tree
        used = [one["anchor"] for one in walk(tree) if "anchor" in one]
        own = [anchors[one] for one in used if one not in told]
        told.update(used)
        found.append(
            {
                "kind": "rematch",
                "topic": name,
                "hcu": full_id(name, unit.id),
                "tree": _full_tree(name, tree),
                "anchors": [
                    {"id": a.id, "source": a.source, "start": a.start, "end": a.end} for a in own
                ],
            }
        )
    return found


def _full_tree(topic: str, tree: dict[str, Any]) -> dict[str, Any]:
    """A tree whose anchors have the ids that they have in the file."""
    members = [
        {**_full_tree(topic, one), "v": one["v"]}
        if "members" in one
        else {"anchor": full_id(topic, one["anchor"]), "v": one["v"]}
        for one in tree["members"]
    ]
    return {"members": members}


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


def _natural(name: str) -> list[tuple[int, str]]:
    """What ids are sorted by: figures count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _FIGURES.split(name)]


def _name(connection: Connection, number: int) -> str:
    query = select(tables.topic.c.name).where(tables.topic.c.id == number)
    return str(connection.execute(query).scalar_one())


def _names(connection: Connection, numbers: set[int], imported: dict[str, Any]) -> dict[int, str]:
    """People's names; of those whose work was imported, the names in the file."""
    there = imported.get("people", {})
    here = accounts.names(connection, numbers)
    return {number: there.get(str(number), name) for number, name in here.items()}


def _anchors(connection: Connection, number: int, topic: str) -> dict[str, Anchor]:
    return {
        anchor.id: Anchor(
            id=full_id(topic, anchor.id),
            source=anchor.sentence,
            start=anchor.start,
            end=anchor.stop,
        )
        for anchor in units.anchors_of(connection, number, None)
    }


def _unit(topic: str, unit: units.Unit, group: Group, names: dict[int, str]) -> ContentUnit:
    return ContentUnit(
        id=full_id(topic, unit.id),
        writers=frozenset(names[person] for person in unit.writers),
        group=group,
        text=unit.action,
        **{name: unit.fields[name] for name in tables.UNIT_FIELDS[1:]},
        lines=tuple(full_id(topic, line.id) for line in unit.lines),
        contributors=(),
    )


def omissions(connection: Connection, number: int) -> list[dict[str, Any]]:
    """What was left out on purpose, and why."""
    name = _name(connection, number)
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
    verdicts = stream.verdicts(connection, number)
    links: list[Link] = []
    for event, items in all_items(connection, number, source).items():
        alone = {part for item in items if not item.together for part in item.sentences}
        groups = 0
        for item in items:
            verdict = verdicts.get((event, item.id))
            kept = verdict is None or verdict.kept is not False
            group = ""
            if item.together:
                groups += 1
                group = f"{full_id(topic, event)}-g{groups}"
            for head in dict.fromkeys(block_of[name][0] for name in item.sentences):
                if item.together and head in alone and not kept:
                    continue
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


def _group(tree: dict[str, Any], anchors: dict[str, Anchor]) -> Group:
    return Group(
        members=tuple(
            (
                _group(member, anchors) if "members" in member else anchors[member["anchor"]],
                member["v"],
            )
            for member in tree["members"]
        )
    )


def _stories(
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
            time=clock.seconds(story.time) if story.time else None,
            title=story.title,
            digest=digests.get(story.id) or hashlib.sha256(story.text.encode()).hexdigest(),
        )
        for story in source.stories
    )


def _places(source: TopicSource) -> dict[str, core.Place]:
    return {s.id: core.Place(s.story, s.start, s.stop) for s in source.sentences}


def _bare_stream(source: TopicSource, imported: dict[str, Any]) -> Judgements:
    """The source of content units: stories and sentences without events."""
    return Judgements(
        sentences=tuple(sentence.id for sentence in source.sentences),
        events=(),
        links=(),
        stories=_stories(source, (), imported),
        texts={sentence.id: sentence.text for sentence in source.sentences},
        places=_places(source),
    )
