"""Verify: a third person keeps or drops what the judges marked, not knowing who did."""

from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import judging
from chronoscore.workbench.domain.keys import keys_of
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.domain.queries.stream import Verdict
from chronoscore.workbench.domain.union import Item
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.web.visit import RefusedError, Visit, route

NEIGHBOURS = 1
MOST_LISTED = 2_000
"""Sentences that are offered in a list; in longer streams one is named by its number."""


def verify(visit: Visit) -> Response:
    """The union of one event's marks, each with its context."""
    with reading_topic(visit) as (connection, place):
        place.visible("verify")
        source = visit.desk.library.source(connection, place.id)
        items = judging.items(connection, place, source)
        events = stream.events(connection, place.id)
        said = stream.verdicts(connection, place.id)
        entries, seconds = people.own_work(connection, place, "verify")
        latest = log.latest(connection, topic=place.id, person=place.person, limit=log.UNDO_STEPS)
    open_ = Verdict(None, False, 0)
    states = {
        (event, item.id): said.get((event, item.id), open_)
        for event, found in items.items()
        for item in found
    }
    left = {
        event.id: sum(states[event.id, item.id].kept is None for item in items[event.id])
        for event in events
    }
    asked = visit.request.query_params.get("event", "")
    names = [event.id for event in events]
    first = next((name for name in names if left[name]), names[0] if names else "")
    chosen = asked if asked in names else first
    shown = [_shown(source, item, states[chosen, item.id]) for item in items.get(chosen, [])]
    return visit.page(
        "verify.html", place=place, source=source, events=events, left=left, chosen=chosen,
        shown=shown, total=len(states), entries=entries, seconds=seconds,
        undo=log.undoable(latest, "verdict"),
        listed=len(source.sentences) <= MOST_LISTED,
        additions=bool(place.project.settings.get("additions")),
        keys=keys_of("verify", visit.someone.keys),
        frozen=place.frozen("verify"),
    )  # fmt: skip


def _shown(source: Source, item: Item, state: Verdict) -> dict[str, Any]:
    """A card: the item's sentences, and those of their story that stand right beside them."""
    places = [source.by_id[name].place for name in item.sentences]
    story = source.by_id[item.sentences[0]].story
    first, last = max(0, places[0] - NEIGHBOURS), places[0] + len(places) + NEIGHBOURS
    beside = {
        at
        for at in range(first, min(last, places[-1] + NEIGHBOURS) + 1)
        if at < len(source.sentences) and source.sentences[at].story == story
    }
    return {
        "item": item,
        "state": state,
        "story": source.story[story],
        "context": [(source.sentences[at], at in places) for at in sorted(beside.union(places))],
    }


def judge(visit: Visit) -> Response:
    """Keep or drop by a plain form."""
    kept = {"keep": True, "drop": False, "open": None}
    verdict, base = visit.text("verdict", most=10), visit.text("base", most=10)
    event = visit.id("event")
    if verdict not in kept or not base.isdecimal():
        raise RefusedError(400, "keep or drop")
    label = visit.text("sentence", most=20)
    with writing_topic(visit) as (connection, place):
        source = visit.desk.library.source(connection, place.writable("verify").id)
        item = source.labelled(label).id if label else visit.text("item", most=8000)
        change = {"event": event, "item": item, "kept": kept[verdict], "base": int(base)}
        result = judging.judge_links(connection, place, source, {"changes": [change]}, visit.key)
    if "conflict" in result:
        raise RefusedError(409, "another tab judged this differently; open the page again")
    return visit.go(f"/t/{place.id}/verify?event={quote(event)}")


ROUTES = [
    route("/t/{topic:int}/verify", verify),
    route("/t/{topic:int}/verify", judge, "POST"),
]
