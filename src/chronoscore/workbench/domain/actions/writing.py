"""Timeline writers and the unit maker: lines, and units made from them."""

from typing import Annotated

from msgspec import Meta
from sqlalchemy import Connection

from chronoscore.core import When
from chronoscore.errors import DataError, number_with_noun
from chronoscore.workbench.domain import catalog
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.performing import (
    Data,
    next_own_id,
    next_shared_id,
    performs,
)
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.domain.fields import Id, Text
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import Unit, WrittenLine
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.tables import UNIT_FIELDS

LONGEST_LINE = 500
Date = Annotated[str, Meta(max_length=60)]
UnitField = Annotated[str, Meta(max_length=500)]


@performs(catalog.LINE_ADD)
def add_line(connection: Connection, topic: TopicAccess, when: Date, text: Text) -> Data:
    """One dated event of the writer's timeline, while there is room for it."""
    date = _check_line(when, text)
    if topic.most and len(units.own_lines(connection, topic)) >= topic.most:
        most = number_with_noun(topic.most, "line")
        raise ConflictError(f"your timeline has {most}, which is the most it may have")
    name, number = next_own_id(connection, topic, "l")
    return {"id": name, "n": number, "when": date, "text": text}


@performs(catalog.LINE_EDIT)
def edit_line(
    connection: Connection, topic: TopicAccess, line: Id, when: Date, text: Text,
    *, withdraw: bool = False,
) -> Data:  # fmt: skip
    """Change or withdraw one of the writer's own lines."""
    if line not in {one.id for one in units.own_lines(connection, topic)}:
        raise InvalidError("no such line")
    return {"id": line, "when": _check_line(when, text), "text": text, "withdrawn": withdraw}


@performs(catalog.UNIT_ADD)
def make_unit(connection: Connection, topic: TopicAccess, line: list[str]) -> Data:
    """A unit from one or more lines that tell the same; a conflict is shown, not merged."""
    chosen = _lines(connection, topic, line)
    dates = [one.when for one in chosen]
    time = _finest_date(dates)
    _refuse_conflict(_date_conflict([time, *dates]))
    fields = {**dict.fromkeys(UNIT_FIELDS, ""), "action": chosen[0].text, "time": time}
    name, number = next_shared_id(connection, topic, tables.unit, "U")
    return {"id": name, "n": number, "fields": fields, "lines": line}


@performs(catalog.UNIT_EDIT)
def edit_unit(
    connection: Connection, topic: TopicAccess, unit: Id, action: UnitField, agent: UnitField,
    patient: UnitField, time: UnitField, location: UnitField,
) -> Data:  # fmt: skip
    """Fill in a unit's fields."""
    lines = _unit(connection, topic, unit).lines
    if not action:
        raise InvalidError("a unit needs its action; say what happens")
    if time:
        time = _parse_date(time)
        _refuse_conflict(_date_conflict([time, *(line.when for line in lines)]))
    given = {"action": action, "agent": agent, "patient": patient, "time": time}
    return {"id": unit, "fields": {**given, "location": location}}


@performs(catalog.UNIT_PUT)
def put_lines(connection: Connection, topic: TopicAccess, line: list[str], unit: Id) -> Data:
    """Lines tell the same as a unit, unless their dates say otherwise."""
    chosen, into = _lines(connection, topic, line), _unit(connection, topic, unit)
    dates = [into.time, *(one.when for one in (*into.lines, *chosen))]
    _refuse_conflict(_date_conflict([date for date in dates if date]))
    return {"unit": unit, "lines": line, "texts": [one.text for one in chosen]}


@performs(catalog.UNIT_TAKE)
def take_line(connection: Connection, topic: TopicAccess, line: Id, unit: Id) -> Data:
    """A line does not belong to a unit after all."""
    inside = {one.id: one.text for one in _unit(connection, topic, unit).lines}
    if line not in inside:
        raise InvalidError("this line is not in this unit")
    return {"unit": unit, "line": line, "gone": len(inside) == 1, "texts": [inside[line]]}


@performs(catalog.UNIT_MERGE)
def merge_units(connection: Connection, topic: TopicAccess, unit: Id, other: Id) -> Data:
    """Two units are one, unless a field or a date says otherwise."""
    if unit == other:
        raise InvalidError("choose two different units")
    one, two = _unit(connection, topic, unit), _unit(connection, topic, other)
    _refuse_conflict(_unit_conflict(one, two))
    fields = {name: one.fields[name] or two.fields[name] for name in UNIT_FIELDS}
    lines = [line.id for line in two.lines]
    return {"into": unit, "other": other, "fields": fields, "lines": lines}


@performs(catalog.LINE_OMIT)
def omit_lines(
    connection: Connection, topic: TopicAccess, line: list[str], reason: Text
) -> list[Data]:
    """Leave lines out and say why."""
    chosen = _lines(connection, topic, line)
    if not reason:
        raise InvalidError("say why the lines are left out")
    return [{"id": one.id, "reason": reason, "texts": [one.text]} for one in chosen]


def unused_lines(connection: Connection, topic: TopicAccess) -> list[WrittenLine]:
    """Lines that are in no unit and were not left out."""
    return [
        line for line in units.all_lines(connection, topic) if not line.units and not line.omitted
    ]


def _unit_conflict(one: Unit, two: Unit) -> list[str]:
    """What keeps two units apart: a field or a date on which they differ."""
    differences = [
        f"{name}: '{one.fields[name]}' or '{two.fields[name]}'"
        for name in UNIT_FIELDS
        if name not in ("action", "time")
        and one.fields[name]
        and two.fields[name]
        and one.fields[name].casefold() != two.fields[name].casefold()
    ]
    dates = [one.time, two.time, *(line.when for line in (*one.lines, *two.lines))]
    return differences + _date_conflict([date for date in dates if date])


def _date_conflict(dates: list[str]) -> list[str]:
    """The first two dates that share no day."""
    read = [When.parse(date) for date in dates]
    for number, first in enumerate(read):
        for second in read[number + 1 :]:
            if not first.overlaps(second):
                return [f"date: {first} or {second}"]
    return []


def _finest_date(dates: list[str]) -> str:
    """The date that says most exactly when."""
    return str(min((When.parse(date) for date in dates), key=lambda when: when.days))


def _refuse_conflict(conflicts: list[str]) -> None:
    if conflicts:
        what = "; ".join(conflicts)
        raise ConflictError(f"these are not the same event ({what}); keep them apart")


def _check_line(when: str, text: str) -> str:
    """The date of a line, in one spelling; refuses one without date or text."""
    if not when:
        raise InvalidError("a line needs its date; write it as 2010-06-03, 1997-06 or 800 BC")
    date = _parse_date(when)
    if not 1 <= len(text) <= LONGEST_LINE:
        raise InvalidError(f"a line has 1 to {LONGEST_LINE} characters and tells one event")
    return date


def _parse_date(text: str) -> str:
    try:
        return str(When.parse(text))
    except DataError as error:
        raise InvalidError(str(error)) from None


def _lines(connection: Connection, topic: TopicAccess, names: list[str]) -> list[WrittenLine]:
    known = {line.id: line for line in units.all_lines(connection, topic)}
    if not names or any(name not in known for name in names):
        raise InvalidError("choose one or more lines first")
    return [known[name] for name in names]


def _unit(connection: Connection, topic: TopicAccess, name: str) -> Unit:
    for unit in units.list_units(connection, topic.id):
        if unit.id == name:
            return unit
    raise InvalidError("no such unit; choose one")
