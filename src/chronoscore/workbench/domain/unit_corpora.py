"""Content units as the rest of chronoscore knows them: what is exported, scored and compared."""

import json
import re
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from chronoscore.core import Anchor, ContentUnit, Group, Judgements, Line, Pyramid, Topic, When
from chronoscore.workbench.domain import corpora, trees
from chronoscore.workbench.domain.corpora import (
    names_for_export,
    sentence_places,
    stories_for_export,
    topic_name,
)
from chronoscore.workbench.domain.queries import people, units
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.source import TopicSource

_FIGURES = re.compile(r"(\d+)")


def build_topic(
    connection: Connection, number: int, source: TopicSource, *, role: str = ""
) -> Topic:
    """Content units with their lines, and the trees that count, or those of one matcher."""
    row = connection.execute(select(tables.topic).where(tables.topic.c.id == number)).one()
    imported = json.loads(row.imported)
    chosen = [
        replace(unit, lines=tuple(sorted(unit.lines, key=lambda line: _natural(line.id))))
        for unit in units.list_units(connection, number)
    ]
    by_role = units.all_matchings(connection, number)
    matched = by_role[role] if role else _standing(connection, number, by_role)
    anchors = _anchors(connection, number, row.name)
    lines = list({line.id: line for unit in chosen for line in unit.lines}.values())
    writers = sorted(
        {line.person for line in lines} | people.people_with_role(connection, number, "writer")
    )
    names = names_for_export(connection, set(writers), imported)
    groups = {name: _group(matching.tree, anchors) for name, matching in matched.items()}
    return Topic(
        id=row.name,
        title=row.title,
        judgements=_bare_stream(source, imported),
        pyramid=Pyramid(
            tuple(
                _unit(row.name, unit, groups.get(unit.id, Group(members=())), names)
                for unit in chosen
                if unit.lines
            ),
            writers=tuple(names[person] for person in writers),
            lines=tuple(
                Line(
                    id=corpora.full_id(row.name, line.id),
                    writer=names[line.person],
                    when=When.parse(line.when),
                    text=line.text,
                )
                for line in lines
            ),
            places=sentence_places(source),
            length=row.most or None,
            unchosen=None if row.z is None else round(row.z),
        ),
    )


def _standing(
    connection: Connection, number: int, by_role: dict[str, dict[str, units.UnitMatching]]
) -> dict[str, units.UnitMatching]:
    """The first matcher's trees, or what managers decided instead.

    A decision lapses when both matchings that it was made between are others by now.
    """
    standing = dict(by_role["matcher"])
    for name, decision in units.adjudicated_trees(connection, number).items():
        both = [matched[name].tree for matched in by_role.values() if name in matched]
        if decision.done and any(trees.are_same(decision.tree, tree) for tree in both):
            standing[name] = decision
    return standing


def rematched_trees(connection: Connection, number: int) -> list[dict[str, Any]]:
    """The trees that do not count, as rows, with the anchors that those that count do not use.

    They are the second matcher's, and the first one's where a manager decided otherwise.
    """
    name = topic_name(connection, number)
    anchors = _anchors(connection, number, name)
    both = units.all_matchings(connection, number)
    standing = _standing(connection, number, both)
    told = {
        one["anchor"] for m in standing.values() for one in trees.walk(m.tree) if "anchor" in one
    }
    rows = [
        (unit.id, role, both[role][unit.id].tree)
        for unit in units.list_units(connection, number)
        for role in ("rematcher", "matcher")
        if unit.lines and unit.id in both[role]
        and (role == "rematcher" or standing[unit.id] is not both[role][unit.id])
    ]  # fmt: skip
    found = []
    for unit, role, tree in rows:
        used = [one["anchor"] for one in trees.walk(tree) if "anchor" in one]
        own = [anchors[one] for one in used if one not in told]
        told.update(used)
        found.append(
            {
                "kind": "rematch",
                "topic": name,
                "hcu": corpora.full_id(name, unit),
                **({"first": True} if role == "matcher" else {}),
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
        else {"anchor": corpora.full_id(topic, one["anchor"]), "v": one["v"]}
        for one in tree["members"]
    ]
    return {"members": members}


def _natural(name: str) -> list[tuple[int, str]]:
    """What ids are sorted by: figures count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _FIGURES.split(name)]


def _anchors(connection: Connection, number: int, topic: str) -> dict[str, Anchor]:
    return {
        anchor.id: Anchor(
            id=corpora.full_id(topic, anchor.id),
            source=anchor.sentence,
            start=anchor.start,
            end=anchor.stop,
        )
        for anchor in units.anchors_of(connection, number, None)
    }


def _unit(topic: str, unit: units.Unit, group: Group, names: dict[int, str]) -> ContentUnit:
    return ContentUnit(
        id=corpora.full_id(topic, unit.id),
        writers=frozenset(names[person] for person in unit.writers),
        group=group,
        text=unit.action,
        **{name: unit.fields[name] for name in tables.UNIT_FIELDS[1:]},
        lines=tuple(corpora.full_id(topic, line.id) for line in unit.lines),
        contributors=(),
    )


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


def _bare_stream(source: TopicSource, imported: dict[str, Any]) -> Judgements:
    """The source of content units: stories and sentences without events."""
    return Judgements(
        sentences=tuple(sentence.id for sentence in source.sentences),
        events=(),
        links=(),
        stories=stories_for_export(source, (), imported),
        texts={sentence.id: sentence.text for sentence in source.sentences},
        places=sentence_places(source),
    )
