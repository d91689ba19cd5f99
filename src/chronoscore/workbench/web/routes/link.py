"""Link: every sentence of the stream is off, or linked to events; blind."""

import msgspec
from starlette.responses import Response

from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import judging
from chronoscore.workbench.domain.keys import EVENT_KEYS, keys_of
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.domain.queries.stream import Mark
from chronoscore.workbench.store import log
from chronoscore.workbench.web.visit import RefusedError, Visit, route


def link(visit: Visit) -> Response:
    """The screen; its script fetches the stream and the judge's own marks."""
    with reading_topic(visit) as (connection, place):
        place.visible("link")
        source = visit.desk.library.source(connection, place.id)
        events = stream.events(connection, place.id)
        entries, seconds = people.own_work(connection, place, "link")
    return visit.page(
        "link.html", place=place, source=source, events=events, entries=entries, seconds=seconds,
        keys=keys_of("link", visit.someone.keys), event_keys=EVENT_KEYS,
        frozen=place.frozen("link"),
    )  # fmt: skip


def stream_data(visit: Visit) -> Response:
    """The stream, the events, and the visitor's own marks; nobody else's."""
    with reading_topic(visit) as (connection, place):
        place.visible("link")
        source = visit.desk.library.source(connection, place.id)
        marks = stream.own_marks(connection, place)
        events = stream.events(connection, place.id)
        entries, seconds = people.own_work(connection, place, "link")
        latest = log.latest(connection, topic=place.id, person=place.person, limit=log.UNDO_STEPS)
    mine = {
        "marks": {name: judging.shown(mark) for name, mark in marks.items()},
        "events": [{"id": event.id, "text": event.text} for event in events],
        "entry": entries,
        "seconds": seconds,
        "hints": bool(place.project.settings.get("hints", True)),
        "frozen": place.frozen("link"),
        "undo": log.undoable(latest, "mark"),
    }
    body = b'{"stories":' + source.json + b',"mine":' + msgspec.json.encode(mine) + b"}"
    return Response(body, media_type="application/json")


def plain(visit: Visit) -> Response:
    """The same, story by story, for browsers without script."""
    with reading_topic(visit) as (connection, place):
        place.visible("link")
        source = visit.desk.library.source(connection, place.id)
        marks = stream.own_marks(connection, place)
        events = stream.events(connection, place.id)
    asked = visit.request.query_params.get("story", "")
    story = source.story.get(asked, source.stories[0])
    return visit.page(
        "link_plain.html", place=place, source=source, story=story, events=events,
        marks={s.id: marks.get(s.id, Mark()) for s in story.sentences},
        frozen=place.frozen("link"),
    )  # fmt: skip


def save_plain(visit: Visit) -> Response:
    """Keep the decisions about the sentences of one story."""
    with writing_topic(visit) as (connection, place):
        place.visible("link")
        source = visit.desk.library.source(connection, place.id)
        story = source.story.get(visit.id("story"))
        if story is None:
            raise RefusedError(400, "no such story")
        now = stream.own_marks(connection, place, [s.id for s in story.sentences])
        changes = []
        for sentence in story.sentences:
            old = now.get(sentence.id, Mark())
            off = visit.text(f"off:{sentence.id}") == "yes"
            groups = dict(old.links)
            links = [] if off else [
                [event, groups.get(event, "")] for event in visit.texts(f"link:{sentence.id}")
            ]  # fmt: skip
            joined = visit.text(f"join:{sentence.id}") == "yes"
            if (off, sorted(links), joined) != (
                old.off, sorted(list(link) for link in old.links), old.joined,
            ):  # fmt: skip
                base = visit.text(f"base:{sentence.id}", most=10)
                changes.append(
                    {
                        "sentence": sentence.id,
                        "off": off,
                        "links": links,
                        "joined": joined,
                        "base": int(base) if base.isdecimal() else -1,
                    }
                )
        if changes:
            result = judging.mark(connection, place, source, {"changes": changes}, visit.key)
            if "conflict" in result:
                raise RefusedError(409, "another tab changed these marks; open the page again")
    following = source.stories[min(story.n, len(source.stories) - 1)].id
    return visit.go(f"/t/{place.id}/link/plain?story={following}")


ROUTES = [
    route("/t/{topic:int}/link", link),
    route("/t/{topic:int}/link.json", stream_data, json=True),
    route("/t/{topic:int}/link/plain", plain),
    route("/t/{topic:int}/link/plain", save_plain, "POST"),
]
