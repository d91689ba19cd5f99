"""What follows from building content units: lines, units, anchors, matchings."""

from dataclasses import replace

from sqlalchemy import Connection

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry, log_json
from chronoscore.workbench.store.projections.rows import (
    Projection,
    add_topic_row,
    change_rows,
    put_rows,
    take_rows,
    topic_row_key,
)


def add_line(connection: Connection, entry: LogEntry) -> None:
    """A dated line of one writer's timeline."""
    state = {"person": entry.person, "withdrawn": False, "omitted": ""}
    add_topic_row(connection, tables.line, entry, "id", "n", "when", "text", **state)


def edit_line(connection: Connection, entry: LogEntry) -> None:
    """Another date or other words, or its withdrawal or return."""
    values = {name: entry.data[name] for name in ("when", "text", "withdrawn")}
    change_rows(connection, tables.line, topic_row_key(entry, entry.data["id"]), values)


def omit_line(connection: Connection, entry: LogEntry) -> None:
    """The unit maker leaves a line out and says why."""
    name = entry.data["id"]
    change_rows(
        connection, tables.line, topic_row_key(entry, name), {"omitted": entry.data["reason"]}
    )
    take_rows(connection, tables.contribution, {"topic": entry.topic, "line": name})


def add_unit(connection: Connection, entry: LogEntry) -> None:
    """A content unit, made from lines."""
    fields = {name: entry.data["fields"][name] for name in tables.UNIT_FIELDS}
    add_topic_row(connection, tables.unit, entry, "id", "n", gone=False, sampled=False, **fields)
    _put(connection, entry, entry.data["id"])


def edit_unit(connection: Connection, entry: LogEntry) -> None:
    """Other values for its fields."""
    values = {name: entry.data["fields"][name] for name in tables.UNIT_FIELDS}
    change_rows(connection, tables.unit, topic_row_key(entry, entry.data["id"]), values)


def put_lines(connection: Connection, entry: LogEntry) -> None:
    """Lines join a unit."""
    _put(connection, entry, entry.data["unit"])


def take_line(connection: Connection, entry: LogEntry) -> None:
    """A line leaves its unit; a unit that is left without any is gone."""
    key = {"topic": entry.topic, "unit": entry.data["unit"], "line": entry.data["line"]}
    take_rows(connection, tables.contribution, key)
    if entry.data["gone"]:
        change_rows(
            connection, tables.unit, topic_row_key(entry, entry.data["unit"]), {"gone": True}
        )


def merge_units(connection: Connection, entry: LogEntry) -> None:
    """Two units turn out to be one: the first takes the other's lines."""
    data = entry.data
    values = {name: data["fields"][name] for name in tables.UNIT_FIELDS}
    change_rows(connection, tables.unit, topic_row_key(entry, data["into"]), values)
    change_rows(connection, tables.unit, topic_row_key(entry, data["other"]), {"gone": True})
    take_rows(connection, tables.contribution, {"topic": entry.topic, "unit": data["other"]})
    _put(connection, entry, data["into"])


def add_anchor(connection: Connection, entry: LogEntry) -> None:
    """A span of the source that no software had found."""
    add_topic_row(
        connection, tables.anchor, entry, "id", "sentence", "start", "stop", by=entry.person
    )


def match(connection: Connection, entry: LogEntry) -> None:
    """How one matcher says a unit is expressed by the source."""
    row = {name: entry.data[name] for name in ("unit", "done", "version")}
    row |= {"topic": entry.topic, "person": entry.person, "tree": log_json(entry.data["tree"])}
    put_rows(connection, tables.matching, [row])


def adjudicate(connection: Connection, entry: LogEntry) -> None:
    """Which of two matchings of a unit counts."""
    match(connection, replace(entry, person=tables.DECIDED))


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


ACTIONS = {
    "line.add": Projection(add_line, (tables.line,)),
    "line.edit": Projection(edit_line, (tables.line,)),
    "line.omit": Projection(omit_line, (tables.line, tables.contribution)),
    "unit.add": Projection(add_unit, (tables.unit, tables.contribution, tables.line)),
    "unit.edit": Projection(edit_unit, (tables.unit,)),
    "unit.put": Projection(put_lines, (tables.contribution, tables.line)),
    "unit.take": Projection(take_line, (tables.contribution, tables.unit)),
    "unit.merge": Projection(merge_units, (tables.unit, tables.contribution, tables.line)),
    "anchor.add": Projection(add_anchor, (tables.anchor,)),
    "match": Projection(match, (tables.matching,)),
    "match.adjudicate": Projection(adjudicate, (tables.matching,)),
    "unit.sample": Projection(sample, (tables.unit,)),
}
