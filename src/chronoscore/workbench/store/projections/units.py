"""What follows from building content units: lines, units, anchors, matchings."""

from dataclasses import replace

from sqlalchemy import Connection

from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import (
    add_topic_row,
    applies,
    change_rows,
    put_rows,
    take_rows,
    topic_row_key,
)


@applies("line.add", tables.line)
def add_line(connection: Connection, entry: LogEntry) -> None:
    """A dated line of one writer's timeline."""
    state = {"person": entry.person, "withdrawn": False, "omitted": ""}
    add_topic_row(connection, tables.line, entry, "id", "n", "when", "text", **state)


@applies("line.edit", tables.line)
def edit_line(connection: Connection, entry: LogEntry) -> None:
    """Another date or other words, or its withdrawal or return."""
    values = {name: entry.data[name] for name in ("when", "text", "withdrawn")}
    change_rows(connection, tables.line, topic_row_key(entry, entry.data["id"]), values)


@applies("line.omit", tables.line, tables.contribution)
def omit_line(connection: Connection, entry: LogEntry) -> None:
    """The unit maker leaves a line out and says why."""
    name = entry.data["id"]
    change_rows(
        connection, tables.line, topic_row_key(entry, name), {"omitted": entry.data["reason"]}
    )
    take_rows(connection, tables.contribution, {"topic": entry.topic, "line": name})


@applies("unit.add", tables.unit, tables.contribution, tables.line)
def add_unit(connection: Connection, entry: LogEntry) -> None:
    """A content unit, made from lines."""
    fields = {name: entry.data["fields"][name] for name in tables.UNIT_FIELDS}
    add_topic_row(connection, tables.unit, entry, "id", "n", gone=False, sampled=False, **fields)
    _put(connection, entry, entry.data["id"])


@applies("unit.edit", tables.unit)
def edit_unit(connection: Connection, entry: LogEntry) -> None:
    """Other values for its fields."""
    values = {name: entry.data["fields"][name] for name in tables.UNIT_FIELDS}
    change_rows(connection, tables.unit, topic_row_key(entry, entry.data["id"]), values)


@applies("unit.put", tables.contribution, tables.line)
def put_lines(connection: Connection, entry: LogEntry) -> None:
    """Lines join a unit."""
    _put(connection, entry, entry.data["unit"])


@applies("unit.take", tables.contribution, tables.unit)
def take_line(connection: Connection, entry: LogEntry) -> None:
    """A line leaves its unit; a unit that is left without any is gone."""
    key = {"topic": entry.topic, "unit": entry.data["unit"], "line": entry.data["line"]}
    take_rows(connection, tables.contribution, key)
    if entry.data["gone"]:
        change_rows(
            connection, tables.unit, topic_row_key(entry, entry.data["unit"]), {"gone": True}
        )


@applies("unit.merge", tables.unit, tables.contribution, tables.line)
def merge_units(connection: Connection, entry: LogEntry) -> None:
    """Two units turn out to be one: the first takes the other's lines."""
    data = entry.data
    values = {name: data["fields"][name] for name in tables.UNIT_FIELDS}
    change_rows(connection, tables.unit, topic_row_key(entry, data["into"]), values)
    change_rows(connection, tables.unit, topic_row_key(entry, data["other"]), {"gone": True})
    take_rows(connection, tables.contribution, {"topic": entry.topic, "unit": data["other"]})
    _put(connection, entry, data["into"])


@applies("anchor.add", tables.anchor)
def add_anchor(connection: Connection, entry: LogEntry) -> None:
    """A span of the source that no software had found."""
    add_topic_row(
        connection, tables.anchor, entry, "id", "sentence", "start", "stop", by=entry.person
    )


@applies("match", tables.matching)
def match(connection: Connection, entry: LogEntry) -> None:
    """How one matcher says a unit is expressed by the source."""
    row = {name: entry.data[name] for name in ("unit", "done", "version")}
    row |= {
        "topic": entry.topic,
        "person": entry.person,
        "tree": log.to_json(entry.data["tree"]),
    }
    put_rows(connection, tables.matching, [row])


@applies("match.adjudicate", tables.matching, administrative=True)
def adjudicate(connection: Connection, entry: LogEntry) -> None:
    """Which of two matchings of a unit counts."""
    match(connection, replace(entry, person=tables.DECIDED))


@applies("unit.sample", tables.unit)
def sample(connection: Connection, entry: LogEntry) -> None:
    """The units that are matched a second time."""
    change_rows(connection, tables.unit, {"topic": entry.topic}, {"sampled": False})
    for name in entry.data["units"]:
        change_rows(connection, tables.unit, topic_row_key(entry, name), {"sampled": True})


def _put(connection: Connection, entry: LogEntry, unit: str) -> None:
    for name in entry.data["lines"]:
        key = {"topic": entry.topic, "unit": unit, "line": name}
        put_rows(connection, tables.contribution, [key])
        change_rows(connection, tables.line, topic_row_key(entry, name), {"omitted": ""})
