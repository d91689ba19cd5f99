"""What follows from judging a stream: candidates, events, marks, verdicts."""

from sqlalchemy import Connection, insert

from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import Entry, written
from chronoscore.workbench.store.projections.rows import change, put, take


def read_story(connection: Connection, entry: Entry) -> None:
    """A judge has read a story, or wants to read it again."""
    key = {"topic": entry.topic, "person": entry.person, "story": entry.data["story"]}
    if entry.data["read"]:
        put(connection, tables.reading, [key])
    else:
        take(connection, tables.reading, key)


def add_candidate(connection: Connection, entry: Entry) -> None:
    """An event that one judge sees in the stream."""
    data = entry.data
    connection.execute(
        insert(tables.candidate).values(
            topic=entry.topic,
            id=data["id"],
            person=entry.person,
            n=data["n"],
            text=data["text"],
            sentence=data["sentence"],
            withdrawn=False,
            omitted="",
        )
    )


def edit_candidate(connection: Connection, entry: Entry) -> None:
    """New words for it, or its withdrawal or return."""
    data = entry.data
    values = {"text": data["text"], "withdrawn": data["withdrawn"]}
    change(connection, tables.candidate, _named(entry, data["id"]), values)


def omit_candidate(connection: Connection, entry: Entry) -> None:
    """Those who merge leave a candidate out and say why."""
    key = _named(entry, entry.data["id"])
    change(connection, tables.candidate, key, {"omitted": entry.data["reason"]})
    take(connection, tables.merged, {"topic": entry.topic, "candidate": entry.data["id"]})


def add_event(connection: Connection, entry: Entry) -> None:
    """An event of the joint list, made of candidates."""
    data = entry.data
    connection.execute(
        insert(tables.event).values(
            topic=entry.topic, id=data["id"], n=data["n"], text=data["text"], omitted="", gone=False
        )
    )
    _join(connection, entry, data["id"])


def put_candidates(connection: Connection, entry: Entry) -> None:
    """Further candidates say the same as an event."""
    _join(connection, entry, entry.data["event"])


def take_candidate(connection: Connection, entry: Entry) -> None:
    """A candidate leaves an event; an event that is left without any is gone."""
    data = entry.data
    key = {"topic": entry.topic, "candidate": data["candidate"], "event": data["event"]}
    take(connection, tables.merged, key)
    if data["gone"]:
        change(connection, tables.event, _named(entry, data["event"]), {"gone": True})


def edit_event(connection: Connection, entry: Entry) -> None:
    """A new name, or a reason to leave it out (none brings it back)."""
    data = entry.data
    values = {"text": data["text"], "omitted": data["omitted"]}
    change(connection, tables.event, _named(entry, data["id"]), values)


def mark(connection: Connection, entry: Entry) -> None:
    """A judge's decisions about sentences: all of an entry's changes, or none."""
    rows = [
        {
            "topic": entry.topic,
            "person": entry.person,
            "sentence": new["sentence"],
            "off": new["off"],
            "links": written(new["links"]),
            "joined": new["joined"],
            "version": new["version"],
        }
        for new in entry.data["changes"]
    ]
    put(connection, tables.mark, rows)


def judge_links(connection: Connection, entry: Entry) -> None:
    """The verifier keeps or drops links, or adds some."""
    names = ("event", "sentence", "kept", "added", "version")
    rows = [
        {"topic": entry.topic, **{name: new[name] for name in names}}
        for new in entry.data["changes"]
    ]
    put(connection, tables.verdict, rows)


def _named(entry: Entry, name: str) -> dict[str, object]:
    return {"topic": entry.topic, "id": name}


def _join(connection: Connection, entry: Entry, event: str) -> None:
    for candidate in entry.data["candidates"]:
        key = {"topic": entry.topic, "candidate": candidate, "event": event}
        put(connection, tables.merged, [key])
        change(connection, tables.candidate, _named(entry, candidate), {"omitted": ""})


ACTIONS = {
    "story.read": read_story,
    "candidate.add": add_candidate,
    "candidate.edit": edit_candidate,
    "candidate.omit": omit_candidate,
    "event.add": add_event,
    "event.put": put_candidates,
    "event.take": take_candidate,
    "event.edit": edit_event,
    "mark": mark,
    "verdict": judge_links,
}
