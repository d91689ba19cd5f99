"""What follows from judging a stream: candidates, events, marks, verdicts."""

from sqlalchemy import Connection, update

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


@applies("story.read", tables.reading)
def read_story(connection: Connection, entry: LogEntry) -> None:
    """A judge has read a story, or wants to read it again."""
    key = {"topic": entry.topic, "person": entry.person, "story": entry.data["story"]}
    if entry.data["read"]:
        put_rows(connection, tables.reading, [key])
    else:
        take_rows(connection, tables.reading, key)


@applies("candidate.add", tables.candidate)
def add_candidate(connection: Connection, entry: LogEntry) -> None:
    """An event that one judge sees in the stream."""
    state = {"person": entry.person, "withdrawn": False, "omitted": ""}
    add_topic_row(connection, tables.candidate, entry, "id", "n", "text", "sentence", **state)


@applies("candidate.edit", tables.candidate)
def edit_candidate(connection: Connection, entry: LogEntry) -> None:
    """New words for it, or its withdrawal or return."""
    data = entry.data
    values = {"text": data["text"], "withdrawn": data["withdrawn"]}
    change_rows(connection, tables.candidate, topic_row_key(entry, data["id"]), values)


@applies("candidate.omit", tables.candidate, tables.merged)
def omit_candidate(connection: Connection, entry: LogEntry) -> None:
    """Those who merge leave a candidate out and say why."""
    key = topic_row_key(entry, entry.data["id"])
    change_rows(connection, tables.candidate, key, {"omitted": entry.data["reason"]})
    take_rows(connection, tables.merged, {"topic": entry.topic, "candidate": entry.data["id"]})


@applies("event.add", tables.event, tables.merged, tables.candidate)
def add_event(connection: Connection, entry: LogEntry) -> None:
    """An event of the joint list, made of candidates."""
    add_topic_row(connection, tables.event, entry, "id", "n", "text", omitted="", gone=False)
    _join(connection, entry, entry.data["id"])


@applies("event.put", tables.merged, tables.candidate)
def put_candidates(connection: Connection, entry: LogEntry) -> None:
    """Further candidates say the same as an event."""
    _join(connection, entry, entry.data["event"])


@applies("event.take", tables.merged, tables.event)
def take_candidate(connection: Connection, entry: LogEntry) -> None:
    """A candidate leaves an event; an event that is left without any is gone."""
    data = entry.data
    key = {"topic": entry.topic, "candidate": data["candidate"], "event": data["event"]}
    take_rows(connection, tables.merged, key)
    if data["gone"]:
        change_rows(connection, tables.event, topic_row_key(entry, data["event"]), {"gone": True})


@applies("event.split", tables.merged, tables.event)
def split_event(connection: Connection, entry: LogEntry) -> None:
    """An event is taken apart: its candidates are free again."""
    event = entry.data["event"]
    take_rows(connection, tables.merged, {"topic": entry.topic, "event": event})
    change_rows(connection, tables.event, topic_row_key(entry, event), {"gone": True})


@applies("event.edit", tables.event)
def edit_event(connection: Connection, entry: LogEntry) -> None:
    """A new name, or a reason to leave it out (none brings it back)."""
    data = entry.data
    values = {"text": data["text"], "omitted": data["omitted"]}
    change_rows(connection, tables.event, topic_row_key(entry, data["id"]), values)


@applies("mark", tables.mark)
def mark(connection: Connection, entry: LogEntry) -> None:
    """A judge's decisions about sentences: all of an entry's changes, or none."""
    names = ("sentence", "off", "joined", "version")
    whose = {"topic": entry.topic, "person": entry.person}
    rows = [
        {**whose, **{name: new[name] for name in names}, "links": log.to_json(new["links"])}
        for new in entry.data["changes"]
    ]
    put_rows(connection, tables.mark, rows)


@applies("verdict", tables.verdict)
@applies("verdict.adjudicate", tables.verdict, administrative=True)
def judge_links(connection: Connection, entry: LogEntry) -> None:
    """The verifier keeps or drops links, or adds some."""
    names = ("event", "sentence", "kept", "added", "version")
    rows = [
        {"topic": entry.topic, **{name: new[name] for name in names}}
        for new in entry.data["changes"]
    ]
    put_rows(connection, tables.verdict, rows)


def _join(connection: Connection, entry: LogEntry, event: str) -> None:
    chosen, table = entry.data["candidates"], tables.candidate
    if not chosen:
        return
    rows = [{"topic": entry.topic, "candidate": one, "event": event} for one in chosen]
    put_rows(connection, tables.merged, rows)
    here = (table.c.topic == entry.topic) & table.c.id.in_(chosen)
    connection.execute(update(table).where(here).values(omitted=""))
