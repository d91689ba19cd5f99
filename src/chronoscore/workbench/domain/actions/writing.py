"""Timeline writers and the unit maker: lines, and units made from them."""

from sqlalchemy import Connection

from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.actions.recording import next_name, own_name, record
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import Line, Unit
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.tables import UNIT_FIELDS
from chronoscore.workbench.web.visit import RefusedError

LONGEST_LINE = 500


def add_line(connection: Connection, place: Place, when: str, text: str, key: str) -> Entry:
    """One dated event of the writer's timeline, while there is room for it."""
    place.writable("write")
    if (done := log.found(connection, place.person, key)) is not None:
        return done
    _check_line(when, text)
    if place.most and len(units.own_lines(connection, place)) >= place.most:
        raise RefusedError(409, f"your timeline has {place.most} lines, as many as it may")
    name, number = own_name(connection, place, "l")
    data = {"id": name, "n": number, "when": str(When.parse(when)), "text": text}
    return record(connection, place, "line.add", data, key)


def edit_line(
    connection: Connection, place: Place, name: str, when: str, text: str, key: str,
    *, withdrawn: bool = False,
) -> Entry:  # fmt: skip
    """Change or withdraw one of the writer's own lines."""
    place.writable("write")
    if name not in {line.id for line in units.own_lines(connection, place)}:
        raise RefusedError(400, "no such line")
    _check_line(when, text)
    date = str(When.parse(when))
    data = {"id": name, "when": date, "text": text, "withdrawn": withdrawn}
    return record(connection, place, "line.edit", data, key)


def make_unit(
    connection: Connection, place: Place, lines: list[str], fields: dict[str, str], key: str
) -> Entry:
    """A unit from one or more lines that tell the same; a conflict is shown, not merged."""
    place.writable("make")
    chosen = _lines(connection, place, lines)
    if (done := log.found(connection, place.person, key)) is not None:
        return done
    given = {**dict.fromkeys(UNIT_FIELDS, ""), **fields}
    given["action"] = given["action"] or chosen[0].text
    given["time"] = _checked_time(given["time"]) or finest([line.when for line in chosen])
    _refuse_conflict(date_conflict([given["time"], *(line.when for line in chosen)]))
    name, number = next_name(connection, place, tables.unit, "U")
    data = {"id": name, "n": number, "fields": given, "lines": lines}
    return record(connection, place, "unit.add", data, key)


def edit_unit(
    connection: Connection, place: Place, name: str, fields: dict[str, str], key: str
) -> Entry:
    """Fill in a unit's fields."""
    place.writable("make")
    unit = _unit(connection, place, name)
    given = {**unit.fields, **fields}
    if not given["action"]:
        raise RefusedError(400, "a unit needs its action; say what happens")
    given["time"] = _checked_time(given["time"])
    if given["time"]:
        _refuse_conflict(date_conflict([given["time"], *(line.when for line in unit.lines)]))
    return record(connection, place, "unit.edit", {"id": name, "fields": given}, key)


def put_lines(connection: Connection, place: Place, lines: list[str], name: str, key: str) -> Entry:
    """Lines tell the same as a unit, unless their dates say otherwise."""
    place.writable("make")
    chosen, unit = _lines(connection, place, lines), _unit(connection, place, name)
    dates = [unit.time, *(line.when for line in (*unit.lines, *chosen))]
    _refuse_conflict(date_conflict([date for date in dates if date]))
    data = {"unit": name, "lines": lines, "texts": [line.text for line in chosen]}
    return record(connection, place, "unit.put", data, key)


def take_line(connection: Connection, place: Place, line: str, name: str, key: str) -> Entry:
    """A line does not belong to a unit after all."""
    place.writable("make")
    inside = {one.id: one.text for one in _unit(connection, place, name).lines}
    if line not in inside:
        raise RefusedError(400, "this line is not in this unit")
    data = {"unit": name, "line": line, "gone": len(inside) == 1, "texts": [inside[line]]}
    return record(connection, place, "unit.take", data, key)


def merge_units(connection: Connection, place: Place, into: str, other: str, key: str) -> Entry:
    """Two units are one, unless a field or a date says otherwise."""
    place.writable("make")
    if into == other:
        raise RefusedError(400, "choose two different units")
    one, two = _unit(connection, place, into), _unit(connection, place, other)
    _refuse_conflict(conflict(one, two))
    fields = {name: one.fields[name] or two.fields[name] for name in UNIT_FIELDS}
    lines = [line.id for line in two.lines]
    data = {"into": into, "other": other, "fields": fields, "lines": lines}
    return record(connection, place, "unit.merge", data, key)


def omit_lines(
    connection: Connection, place: Place, lines: list[str], reason: str, key: str
) -> None:
    """Leave lines out and say why."""
    place.writable("make")
    chosen = _lines(connection, place, lines)
    if not reason:
        raise RefusedError(400, "say why the lines are left out")
    for line in chosen:
        data = {"id": line.id, "reason": reason, "texts": [line.text]}
        record(connection, place, "line.omit", data, f"{key}:{line.id}")


def unused_lines(connection: Connection, place: Place) -> list[Line]:
    """Lines that are in no unit and were not left out."""
    return [
        line for line in units.all_lines(connection, place) if not line.units and not line.omitted
    ]


def conflict(one: Unit, two: Unit) -> list[str]:
    """What keeps two units apart: a field or a date on which they differ."""
    found = [
        f"{name}: '{one.fields[name]}' or '{two.fields[name]}'"
        for name in UNIT_FIELDS
        if name not in ("action", "time")
        and one.fields[name]
        and two.fields[name]
        and one.fields[name].casefold() != two.fields[name].casefold()
    ]
    dates = [one.time, two.time, *(line.when for line in (*one.lines, *two.lines))]
    return found + date_conflict([date for date in dates if date])


def date_conflict(dates: list[str]) -> list[str]:
    """The first two dates that share no day."""
    read = [When.parse(date) for date in dates]
    for number, first in enumerate(read):
        for second in read[number + 1 :]:
            if not first.overlaps(second):
                return [f"date: {first} or {second}"]
    return []


def finest(dates: list[str]) -> str:
    """The date that says most exactly when."""
    return str(min((When.parse(date) for date in dates), key=lambda when: when.days))


def _refuse_conflict(found: list[str]) -> None:
    if found:
        raise RefusedError(409, f"these do not tell the same ({'; '.join(found)}); keep them apart")


def _check_line(when: str, text: str) -> None:
    if not when:
        raise RefusedError(400, "a line needs its date; write it as 2010-06-03, 1997-06 or 800 BC")
    try:
        When.parse(when)
    except DataError as error:
        raise RefusedError(400, str(error)) from None
    if not 1 <= len(text) <= LONGEST_LINE:
        raise RefusedError(400, f"a line has 1 to {LONGEST_LINE} characters and tells one event")


def _checked_time(time: str) -> str:
    try:
        return str(When.parse(time)) if time else ""
    except DataError as error:
        raise RefusedError(400, str(error)) from None


def _lines(connection: Connection, place: Place, names: list[str]) -> list[Line]:
    known = {line.id: line for line in units.all_lines(connection, place)}
    if not names or any(name not in known for name in names):
        raise RefusedError(400, "choose one or more lines first")
    return [known[name] for name in names]


def _unit(connection: Connection, place: Place, name: str) -> Unit:
    for unit in units.units(connection, place.id):
        if unit.id == name:
            return unit
    raise RefusedError(400, "no such unit; choose one")
