"""Reading content units: lines, units, anchors, matchings."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, or_, select

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import tables


@dataclass(frozen=True)
class WrittenLine:
    """A dated line of a writer's timeline."""

    id: str
    person: int
    writer: str
    n: int
    when: str
    text: str
    omitted: str
    units: tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """A content unit; it weighs as much as it has writers."""

    id: str
    n: int
    action: str
    agent: str
    patient: str
    time: str
    location: str
    sampled: bool
    lines: tuple[WrittenLine, ...]

    @property
    def writers(self) -> frozenset[int]:
        """Who chose it; a person counts once."""
        return frozenset(line.person for line in self.lines)

    @property
    def fields(self) -> dict[str, str]:
        """Its five fields by name."""
        return {name: getattr(self, name) for name in tables.UNIT_FIELDS}


@dataclass(frozen=True)
class AnchorSpan:
    """A span of a sentence; `manual` ones were added by a matcher."""

    id: str
    sentence: str
    start: int
    stop: int
    manual: bool


@dataclass(frozen=True)
class UnitMatching:
    """How a matcher says a unit is expressed: a tree of anchors and groups."""

    tree: dict[str, Any]
    done: bool
    version: int


NOTHING = UnitMatching({"members": []}, done=False, version=0)


def own_lines(connection: Connection, topic: TopicAccess) -> list[WrittenLine]:
    """The visitor's own timeline."""
    return _lines(connection, topic.id, topic.person)


def all_lines(connection: Connection, topic: TopicAccess) -> list[WrittenLine]:
    """Everybody's lines by date: only for the unit maker, and only once all have handed in."""
    if not topic.over("write"):
        raise NotFoundError
    if topic.works_in("make"):
        topic.note_sight("maker")
    else:
        topic.require_sight()
    return _lines(connection, topic.id)


def list_units(connection: Connection, topic: int) -> list[Unit]:
    """The units of a topic with their lines."""
    table = tables.unit
    inside: dict[str, list[WrittenLine]] = {}
    for line in _lines(connection, topic):
        for name in line.units:
            inside.setdefault(name, []).append(line)
    rows = connection.execute(
        select(table).where(table.c.topic == topic, table.c.gone.is_(False)).order_by(table.c.n)
    )
    return [
        Unit(
            row.id, row.n, row.action, row.agent, row.patient, row.time, row.location, row.sampled,
            tuple(inside.get(row.id, ())),
        )
        for row in rows
    ]  # fmt: skip


def units_to_match(connection: Connection, topic: TopicAccess, step: str) -> list[Unit]:
    """The units that the visitor matches in a step: all, or the sample."""
    return [unit for unit in list_units(connection, topic.id) if step == "match" or unit.sampled]


def anchors(connection: Connection, topic: TopicAccess) -> list[AnchorSpan]:
    """The anchors that the visitor may use: the given ones and their own."""
    return anchors_of(connection, topic.id, {topic.person})


def anchors_of(connection: Connection, topic: int, people_: set[int] | None) -> list[AnchorSpan]:
    """The given anchors and those that these people (or all) added; for own use."""
    table = tables.anchor
    query = select(table).where(table.c.topic == topic)
    if people_ is not None:
        query = query.where(or_(table.c.by.is_(None), table.c.by.in_(people_)))
    return [
        AnchorSpan(row.id, row.sentence, row.start, row.stop, row.by is not None)
        for row in connection.execute(query.order_by(table.c.sentence, table.c.start))
    ]


def own_matchings(
    connection: Connection, topic: TopicAccess, unit: str | None = None
) -> dict[str, UnitMatching]:
    """The visitor's own matchings by unit, of all units or of one."""
    return _matchings(connection, topic.id, topic.person, unit)


def matchings_by_role(
    connection: Connection, topic: TopicAccess
) -> dict[str, dict[str, UnitMatching]]:
    """The first and the second matcher's work: never for visitors who must stay blind."""
    return all_matchings(connection, topic.require_sight().id)


def all_matchings(connection: Connection, topic: int) -> dict[str, dict[str, UnitMatching]]:
    """Matchings by the role of their matcher; for the workbench's own use."""
    by_role: dict[str, dict[str, UnitMatching]] = {"matcher": {}, "rematcher": {}}
    for one in people.all_assignments(connection, topic):
        if one.role in by_role:
            for unit, matching in _matchings(connection, topic, one.person).items():
                by_role[one.role].setdefault(unit, matching)
    return by_role


def adjudicated_trees(connection: Connection, topic: int) -> dict[str, UnitMatching]:
    """The trees that managers chose where the matchers differ, those taken back included."""
    return _matchings(connection, topic, tables.DECIDED)


def _matchings(
    connection: Connection, topic: int, person: int, unit: str | None = None
) -> dict[str, UnitMatching]:
    table = tables.matching
    query = select(table).where(table.c.topic == topic, table.c.person == person)
    if unit is not None:
        query = query.where(table.c.unit == unit)
    rows = connection.execute(query)
    return {row.unit: UnitMatching(json.loads(row.tree), row.done, row.version) for row in rows}


def _lines(connection: Connection, topic: int, person: int | None = None) -> list[WrittenLine]:
    table = tables.line
    query = select(table).where(table.c.topic == topic, table.c.withdrawn.is_(False))
    if person is not None:
        query = query.where(table.c.person == person)
    rows: Sequence[Any] = connection.execute(query.order_by(table.c.person, table.c.n)).all()
    names = accounts.names(connection, {row.person for row in rows})
    units_of: dict[str, list[str]] = {}
    contribution = tables.contribution
    for pair in connection.execute(
        select(contribution).where(contribution.c.topic == topic).order_by(contribution.c.unit)
    ):
        units_of.setdefault(pair.line, []).append(pair.unit)
    return [
        WrittenLine(
            row.id, row.person, names[row.person], row.n, row.when, row.text, row.omitted,
            tuple(units_of.get(row.id, ())),
        )
        for row in rows
    ]  # fmt: skip
