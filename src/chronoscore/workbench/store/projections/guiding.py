"""What follows from guiding people: guidelines, deadlines, comments."""

from sqlalchemy import Connection, insert

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import (
    add_topic_row,
    applies,
    put_rows,
    take_rows,
)


@applies("guideline.write", tables.guideline)
def write_guideline(connection: Connection, entry: LogEntry) -> None:
    """A new version of what people should know before they begin."""
    row = {name: entry.data[name] for name in ("step", "version", "text")}
    by = {"project": entry.project, "person": entry.person, "time": entry.time}
    connection.execute(insert(tables.guideline).values({**row, **by}))


@applies("guideline.read", tables.guideline_read)
def read_guideline(connection: Connection, entry: LogEntry) -> None:
    """A member has read a version."""
    row = {name: entry.data[name] for name in ("step", "version")}
    by = {"project": entry.project, "person": entry.person, "time": entry.time}
    put_rows(connection, tables.guideline_read, [{**row, **by}])


@applies("topic.deadline", tables.deadline, administrative=True)
def set_deadline(connection: Connection, entry: LogEntry) -> None:
    """The day by which a step should be handed in, or none any more."""
    key = {"topic": entry.topic, "step": entry.data["step"]}
    if entry.data["day"]:
        put_rows(connection, tables.deadline, [{**key, "day": entry.data["day"]}])
    else:
        take_rows(connection, tables.deadline, key)


@applies("comment.add", tables.comment)
def add_comment(connection: Connection, entry: LogEntry) -> None:
    """Something said about a sentence, after the work was handed in."""
    whose = {"person": entry.person, "time": entry.time}
    add_topic_row(connection, tables.comment, entry, "id", "sentence", "text", **whose)
