"""What follows from judging a stream: candidates, events, marks, verdicts."""

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


def read_story(connection: Connection, entry: LogEntry) -> None:
    """A judge has read a story, or wants to read it again."""
    key = {"topic": entry.topic, "person": entry.person, "story": entry.data["story"]}
    if entry.data["read"]:
        put_rows(connection, tables.reading, [key])
    else:
        take_rows(connection, tables.reading, key)


def add_candidate(connection: Connection, entry: LogEntry) -> None:
    """An event that one judge sees in the stream."""
    state = {"person": entry.person, "withdrawn": False, "omitted": ""}
    add_topic_row(connection, tables.candidate, entry, "id", "n", "text", "sentence", **state)


def edit_candidate(connection: Connection, entry: LogEntry) -> None:
    """New words for it, or its withdrawal or return."""
    data = entry.data
    values = {"text": data["text"], "withdrawn": data["withdrawn"]}
    change_rows(connection, tables.candidate, topic_row_key(entry, data["id"]), values)


def omit_candidate(connection: Connection, entry: LogEntry) -> None:
    """Those who merge leave a candidate out and say why."""
    key = topic_row_key(entry, entry.data["id"])
    change_rows(connection, tables.candidate, key, {"omitted": entry.data["reason"]})
    take_rows(connection, tables.merged, {"topic": entry.topic, "candidate": entry.data["id"]})


def add_event(connection: Connection, entry: LogEntry) -> None:
    """An event of the joint list, made of candidates."""
    add_topic_row(connection, tables.event, entry, "id", "n", "text", omitted="", gone=False)
    _join(connection, entry, entry.data["id"])


def put_candidates(connection: Connection, entry: LogEntry) -> None:
    """Further candidates say the same as an event."""
    _join(connection, entry, entry.data["event"])


def take_candidate(connection: Connection, entry: LogEntry) -> None:
    """A candidate leaves an event; an event that is left without any is gone."""
    data = entry.data
    key = {"topic": entry.topic, "candidate": data["candidate"], "event": data["event"]}
    take_rows(connection, tables.merged, key)
    if data["gone"]:
        change_rows(connection, tables.event, topic_row_key(entry, data["event"]), {"gone": True})


def edit_event(connection: Connection, entry: LogEntry) -> None:
    """A new name, or a reason to leave it out (none brings it back)."""
    data = entry.data
    values = {"text": data["text"], "omitted": data["omitted"]}
    change_rows(connection, tables.event, topic_row_key(entry, data["id"]), values)


def mark(connection: Connection, entry: LogEntry) -> None:
    """A judge's decisions about sentences: all of an entry's changes, or none."""
    names = ("sentence", "off", "joined", "version")
    whose = {"topic": entry.topic, "person": entry.person}
    rows = [
        {**whose, **{name: new[name] for name in names}, "links": log_json(new["links"])}
        for new in entry.data["changes"]
    ]
    put_rows(connection, tables.mark, rows)


def judge_links(connection: Connection, entry: LogEntry) -> None:
    """The verifier keeps or drops links, or adds some."""
    names = ("event", "sentence", "kept", "added", "version")
    rows = [
        {"topic": entry.topic, **{name: new[name] for name in names}}
        for new in entry.data["changes"]
    ]
    put_rows(connection, tables.verdict, rows)


def _join(connection: Connection, entry: LogEntry, event: str) -> None:
    for candidate in entry.data["candidates"]:
        key = {"topic": entry.topic, "candidate": candidate, "event": event}
        put_rows(connection, tables.merged, [key])
        change_rows(connection, tables.candidate, topic_row_key(entry, candidate), {"omitted": ""})


ACTIONS = {
    "story.read": Projection(read_story, (tables.reading,)),
    "candidate.add": Projection(add_candidate, (tables.candidate,)),
    "candidate.edit": Projection(edit_candidate, (tables.candidate,)),
    "candidate.omit": Projection(omit_candidate, (tables.candidate, tables.merged)),
    "event.add": Projection(add_event, (tables.event, tables.merged, tables.candidate)),
    "event.put": Projection(put_candidates, (tables.merged, tables.candidate)),
    "event.take": Projection(take_candidate, (tables.merged, tables.event)),
    "event.edit": Projection(edit_event, (tables.event,)),
    "mark": Projection(mark, (tables.mark,)),
    "verdict": Projection(judge_links, (tables.verdict,)),
    "verdict.adjudicate": Projection(judge_links, (tables.verdict,)),
}
