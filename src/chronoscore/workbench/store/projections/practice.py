"""What follows from practice, lists of sentences, machines that judge, and second decisions."""

from sqlalchemy import Connection, insert

from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import applies, change_rows, put_rows


@applies("topic.practice", tables.topic, tables.event, administrative=True)
def set_answers(connection: Connection, entry: LogEntry) -> None:
    """A topic is for practice: its events are given, and every sentence has an answer."""
    data = entry.data
    change_rows(
        connection,
        tables.topic,
        {"id": entry.topic},
        {"answers": log.to_json(data["answers"])},
    )
    rows = [
        {"topic": entry.topic, "omitted": "", "gone": False, **event} for event in data["events"]
    ]
    connection.execute(insert(tables.event), rows)


@applies("topic.queue", tables.topic, administrative=True)
def set_queue(connection: Connection, entry: LogEntry) -> None:
    """Which sentences are to be judged; a later list replaces an earlier one."""
    queue = {"queue": log.to_json(entry.data["sentences"])}
    change_rows(connection, tables.topic, {"id": entry.topic}, queue)


@applies("machine.add", tables.machine, administrative=True)
def add_machine(connection: Connection, entry: LogEntry) -> None:
    """What a machine linked; the same machine's later work replaces it."""
    row = {"judge": entry.data["judge"], "links": log.to_json(entry.data["links"])}
    put_rows(connection, tables.machine, [{"topic": entry.topic, **row}])


@applies("mark.repeat", tables.repeat)
def repeat(connection: Connection, entry: LogEntry) -> None:
    """A judge's second decisions about sentences."""
    whose = {"topic": entry.topic, "person": entry.person}
    rows = [
        {
            **whose,
            "sentence": one["sentence"],
            "off": one["off"],
            "links": log.to_json(one["links"]),
        }
        for one in entry.data["decisions"]
    ]
    put_rows(connection, tables.repeat, rows)
