"""What follows from building content units: lines, units, anchors, matchings."""

from sqlalchemy import Connection, insert

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import Entry, written
from chronoscore.workbench.store.projections.rows import change, put, take


def add_line(connection: Connection, entry: Entry) -> None:
    """A dated line of one writer's timeline."""
    data = entry.data
    connection.execute(
        insert(tables.line).values(
            topic=entry.topic,
            id=data["id"],
            person=entry.person,
            n=data["n"],
            when=data["when"],
            text=data["text"],
            withdrawn=False,
            omitted="",
        )
    )


def edit_line(connection: Connection, entry: Entry) -> None:
    """Another date or other words, or its withdrawal or return."""
    values = {name: entry.data[name] for name in ("when", "text", "withdrawn")}
    change(connection, tables.line, _named(entry, entry.data["id"]), values)


def omit_line(connection: Connection, entry: Entry) -> None:
    """The unit maker leaves a line out and says why."""
    name = entry.data["id"]
    change(connection, tables.line, _named(entry, name), {"omitted": entry.data["reason"]})
    take(connection, tables.contribution, {"topic": entry.topic, "line": name})


def add_unit(connection: Connection, entry: Entry) -> None:
    """A content unit, made from lines."""
    data = entry.data
    connection.execute(
        insert(tables.unit).values(
            topic=entry.topic,
            id=data["id"],
            n=data["n"],
            gone=False,
            sampled=False,
            **{name: data["fields"][name] for name in tables.UNIT_FIELDS},
        )
    )
    _put(connection, entry, data["id"])


def edit_unit(connection: Connection, entry: Entry) -> None:
    """Other values for its fields."""
    values = {name: entry.data["fields"][name] for name in tables.UNIT_FIELDS}
    change(connection, tables.unit, _named(entry, entry.data["id"]), values)


def put_lines(connection: Connection, entry: Entry) -> None:
    """Lines join a unit."""
    _put(connection, entry, entry.data["unit"])


def take_line(connection: Connection, entry: Entry) -> None:
    """A line leaves its unit; a unit that is left without any is gone."""
    key = {"topic": entry.topic, "unit": entry.data["unit"], "line": entry.data["line"]}
    take(connection, tables.contribution, key)
    if entry.data["gone"]:
        change(connection, tables.unit, _named(entry, entry.data["unit"]), {"gone": True})


def merge_units(connection: Connection, entry: Entry) -> None:
    """Two units turn out to be one: the first takes the other's lines."""
    data = entry.data
    values = {name: data["fields"][name] for name in tables.UNIT_FIELDS}
    change(connection, tables.unit, _named(entry, data["into"]), values)
    change(connection, tables.unit, _named(entry, data["other"]), {"gone": True})
    take(connection, tables.contribution, {"topic": entry.topic, "unit": data["other"]})
    _put(connection, entry, data["into"])


def add_anchor(connection: Connection, entry: Entry) -> None:
    """A span of the source that no software had found."""
    data = entry.data
    connection.execute(
        insert(tables.anchor).values(
            topic=entry.topic,
            id=data["id"],
            sentence=data["sentence"],
            start=data["start"],
            stop=data["stop"],
            by=entry.person,
        )
    )


def match(connection: Connection, entry: Entry) -> None:
    """How one matcher says a unit is expressed by the source."""
    data = entry.data
    row = {
        "topic": entry.topic,
        "person": entry.person,
        "unit": data["unit"],
        "tree": written(data["tree"]),
        "done": data["done"],
        "version": data["version"],
    }
    put(connection, tables.matching, [row])


def sample(connection: Connection, entry: Entry) -> None:
    """The units that are matched a second time."""
    change(connection, tables.unit, {"topic": entry.topic}, {"sampled": False})
    for name in entry.data["units"]:
        change(connection, tables.unit, _named(entry, name), {"sampled": True})


def _named(entry: Entry, name: str) -> dict[str, object]:
    return {"topic": entry.topic, "id": name}


def _put(connection: Connection, entry: Entry, unit: str) -> None:
    for name in entry.data["lines"]:
        key = {"topic": entry.topic, "unit": unit, "line": name}
        put(connection, tables.contribution, [key])
        change(connection, tables.line, _named(entry, name), {"omitted": ""})


ACTIONS = {
    "line.add": add_line,
    "line.edit": edit_line,
    "line.omit": omit_line,
    "unit.add": add_unit,
    "unit.edit": edit_unit,
    "unit.put": put_lines,
    "unit.take": take_line,
    "unit.merge": merge_units,
    "anchor.add": add_anchor,
    "match": match,
    "unit.sample": sample,
}
