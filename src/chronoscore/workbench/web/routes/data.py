"""Where the scripts send what a person did: entries with keys, acknowledged one by one."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from chronoscore.workbench.domain.access import Place, writing_topic
from chronoscore.workbench.domain.actions import judging, matching
from chronoscore.workbench.domain.actions.recording import acknowledged, wanted
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.web.visit import RefusedError, Visit, route

MOST_ENTRIES = 200

Act = Callable[[Connection, Place, Source, dict[str, Any], str], dict[str, Any]]


def _match(
    connection: Connection, place: Place, source: Source, body: dict[str, Any], key: str
) -> dict[str, Any]:
    return matching.matched(connection, place, _matching_step(place), body, key)


def _anchor(
    connection: Connection, place: Place, source: Source, body: dict[str, Any], key: str
) -> dict[str, Any]:
    step = _matching_step(place)
    entry = matching.add_anchor(connection, place, source, step, body, key)
    return acknowledged(connection, place, entry)


def _matching_step(place: Place) -> str:
    return "rematch" if place.works_in("rematch") else "match"


ACTIONS: dict[str, Act] = {
    "mark": judging.mark,
    "verdict": judging.judge_links,
    "match": _match,
    "anchor": _anchor,
}


def receive(visit: Visit) -> Response:
    """Keep entries in the order in which they were made; each gets its own answer.

    All that are kept are kept together before anything is acknowledged. What follows a
    conflict may build upon what did not stand, so it is left without an answer: the browser
    looks at both versions and sends the rest again.
    """
    answers = []
    with writing_topic(visit) as (connection, place):
        entries = wanted(wanted(visit.body, dict, "message").get("entries"), list, "entries")
        if not 1 <= len(entries) <= MOST_ENTRIES:
            raise RefusedError(400, f"send 1 to {MOST_ENTRIES} entries at once")
        source = visit.desk.library.source(connection, place.id)
        for entry in entries:
            answers.append(_take(connection, place, source, entry))
            if "conflict" in answers[-1]:
                break
    return JSONResponse({"answers": answers})


def _take(connection: Connection, place: Place, source: Source, entry: object) -> dict[str, Any]:
    message = wanted(entry, dict, "entry")
    key = wanted(message.get("key"), str, "key")
    if not 8 <= len(key) <= 100 or not key.isprintable():
        raise RefusedError(400, "a key has 8 to 100 visible characters")
    act = ACTIONS.get(wanted(message.get("action"), str, "action"))
    try:
        if act is None:
            raise RefusedError(400, "no such action")
        return act(connection, place, source, wanted(message.get("body"), dict, "body"), key)
    except RefusedError as refusal:
        return {"key": key, "refused": refusal.message}


ROUTES = [route("/t/{topic:int}/log", receive, "POST", json=True)]
