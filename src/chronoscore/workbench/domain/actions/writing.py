"""Timeline writers and the unit maker: lines, and units made from them."""

from sqlalchemy import Connection

from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions.recording import (
    next_own_id,
    next_shared_id,
    record_action,
)
from chronoscore.workbench.domain.errors import ConflictError, InvalidError
from chronoscore.workbench.domain.permissions import require_permission
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import Unit, WrittenLine
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.tables import UNIT_FIELDS

LONGEST_LINE = 500


@require_permission("line.add")
def add_line(
    connection: Connection, topic: TopicAccess, key: str, when: str, text: str
) -> LogEntry:
    """One dated event of the writer's timeline, while there is room for it."""
    _check_line(when, text)
    if topic.most and len(units.own_lines(connection, topic)) >= topic.most:
        raise ConflictError(f"your timeline has {topic.most} lines, which is the most it may have")
    name, number = next_own_id(connection, topic, "l")
    data = {"id": name, "n": number, "when": str(When.parse(when)), "text": text}
    return record_action(connection, topic, "line.add", data, key)


@require_permission("line.edit")
def edit_line(
    connection: Connection, topic: TopicAccess, key: str, name: str, when: str, text: str,
    *, withdrawn: bool = False,
) -> LogEntry:  # fmt: skip
    """Change or withdraw one of the writer's own lines."""
    if name not in {line.id for line in units.own_lines(connection, topic)}:
        raise InvalidError("no such line")
    _check_line(when, text)
    date = str(When.parse(when))
    data = {"id": name, "when": date, "text": text, "withdrawn": withdrawn}
    return record_action(connection, topic, "line.edit", data, key)


@require_permission("unit.add")
def make_unit(
    connection: Connection, topic: TopicAccess, key: str, lines: list[str], fields: dict[str, str]
) -> LogEntry:
    """A unit from one or more lines that tell the same; a conflict is shown, not merged."""
    chosen = _lines(connection, topic, lines)
    given = {**dict.fromkeys(UNIT_FIELDS, ""), **fields}
    given["action"] = given["action"] or chosen[0].text
    given["time"] = _checked_time(given["time"]) or _finest_date([line.when for line in chosen])
    _refuse_conflict(_date_conflict([given["time"], *(line.when for line in chosen)]))
    name, number = next_shared_id(connection, topic, tables.unit, "U")
    data = {"id": name, "n": number, "fields": given, "lines": lines}
    return record_action(connection, topic, "unit.add", data, key)


@require_permission("unit.edit")
def edit_unit(
    connection: Connection, topic: TopicAccess, key: str, name: str, fields: dict[str, str]
) -> LogEntry:
    """Fill in a unit's fields."""
    unit = _unit(connection, topic, name)
    given = {**unit.fields, **fields}
    if not given["action"]:
        raise InvalidError("a unit needs its action; say what happens")
    given["time"] = _checked_time(given["time"])
    if given["time"]:
        _refuse_conflict(_date_conflict([given["time"], *(line.when for line in unit.lines)]))
    return record_action(connection, topic, "unit.edit", {"id": name, "fields": given}, key)


@require_permission("unit.put")
def put_lines(
    connection: Connection, topic: TopicAccess, key: str, lines: list[str], name: str
) -> LogEntry:
    """Lines tell the same as a unit, unless their dates say otherwise."""
    chosen, unit = _lines(connection, topic, lines), _unit(connection, topic, name)
    dates = [unit.time, *(line.when for line in (*unit.lines, *chosen))]
    _refuse_conflict(_date_conflict([date for date in dates if date]))
    data = {"unit": name, "lines": lines, "texts": [line.text for line in chosen]}
    return record_action(connection, topic, "unit.put", data, key)


@require_permission("unit.take")
def take_line(
    connection: Connection, topic: TopicAccess, key: str, line: str, name: str
) -> LogEntry:
    """A line does not belong to a unit after all."""
    inside = {one.id: one.text for one in _unit(connection, topic, name).lines}
    if line not in inside:
        raise InvalidError("this line is not in this unit")
    data = {"unit": name, "line": line, "gone": len(inside) == 1, "texts": [inside[line]]}
    return record_action(connection, topic, "unit.take", data, key)


@require_permission("unit.merge")
def merge_units(
    connection: Connection, topic: TopicAccess, key: str, into: str, other: str
) -> LogEntry:
    """Two units are one, unless a field or a date says otherwise."""
    if into == other:
        raise InvalidError("choose two different units")
    one, two = _unit(connection, topic, into), _unit(connection, topic, other)
    _refuse_conflict(_unit_conflict(one, two))
    fields = {name: one.fields[name] or two.fields[name] for name in UNIT_FIELDS}
    lines = [line.id for line in two.lines]
    data = {"into": into, "other": other, "fields": fields, "lines": lines}
    return record_action(connection, topic, "unit.merge", data, key)


@require_permission("line.omit")
def omit_lines(
    connection: Connection, topic: TopicAccess, key: str, lines: list[str], reason: str
) -> LogEntry:
    """Leave lines out and say why."""
    chosen = _lines(connection, topic, lines)
    if not reason:
        raise InvalidError("say why the lines are left out")
    for line in chosen:
        data = {"id": line.id, "reason": reason, "texts": [line.text]}
        entry = record_action(connection, topic, "line.omit", data, f"{key}:{line.id}")
    return entry


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


def _check_line(when: str, text: str) -> None:
    if not when:
        raise InvalidError("a line needs its date; write it as 2010-06-03, 1997-06 or 800 BC")
    try:
        When.parse(when)
    except DataError as error:
        raise InvalidError(str(error)) from None
    if not 1 <= len(text) <= LONGEST_LINE:
        raise InvalidError(f"a line has 1 to {LONGEST_LINE} characters and tells one event")


def _checked_time(time: str) -> str:
    try:
        return str(When.parse(time)) if time else ""
    except DataError as error:
        raise InvalidError(str(error)) from None


def _lines(connection: Connection, topic: TopicAccess, names: list[str]) -> list[WrittenLine]:
    known = {line.id: line for line in units.all_lines(connection, topic)}
    if not names or any(name not in known for name in names):
        raise InvalidError("choose one or more lines first")
    return [known[name] for name in names]


def _unit(connection: Connection, topic: TopicAccess, name: str) -> Unit:
    for unit in units.units(connection, topic.id):
        if unit.id == name:
            return unit
    raise InvalidError("no such unit; choose one")
