"""Matchers: which spans of the source express a unit, and how much of it."""

from typing import Any

from sqlalchemy import Connection

from chronoscore.workbench.domain import trees
from chronoscore.workbench.domain.access import Place
from chronoscore.workbench.domain.actions.recording import acknowledged, own_name, record, wanted
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import NOTHING
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import Entry
from chronoscore.workbench.store.source import Source
from chronoscore.workbench.web.visit import RefusedError, not_here


def matched(
    connection: Connection, place: Place, step: str, body: dict[str, Any], key: str
) -> dict[str, Any]:
    """Keep a matcher's tree for a unit, or show both versions where another tab was quicker."""
    if (known := log.found(connection, place.person, key)) is not None:
        return acknowledged(connection, place, known)
    place.writable(step)
    unit = wanted(body.get("unit"), str, "unit")
    if unit not in {one.id for one in units.matched_units(connection, place, step)}:
        raise not_here()
    anchors = {anchor.id for anchor in units.anchors(connection, place)}
    tree = trees.checked(body.get("tree"), anchors)
    done = wanted(body.get("done"), bool, "done")
    base = wanted(body.get("base"), int, "base")
    now = units.own_matchings(connection, place).get(unit, NOTHING)
    before = {"tree": now.tree, "done": now.done, "version": now.version}
    if now.version != base:
        return {"key": key, "conflict": {unit: before}}
    data = {"unit": unit, "tree": tree, "done": done, "version": base + 1, "before": before}
    undone = body.get("undoes")
    if isinstance(undone, str) and undone:
        data["undoes"] = undone[:100]
    return acknowledged(connection, place, record(connection, place, "match", data, key))


def add_anchor(
    connection: Connection, place: Place, source: Source, step: str, body: dict[str, Any], key: str
) -> Entry:
    """Anchor a word or two of a sentence that no software had found."""
    place.writable(step)
    if (known := log.found(connection, place.person, key)) is not None:
        return known
    sentence = source.by_id.get(wanted(body.get("sentence"), str, "sentence"))
    if sentence is None:
        raise RefusedError(400, "no such sentence")
    start = wanted(body.get("start"), int, "start")
    stop = wanted(body.get("stop"), int, "stop")
    if not 0 <= start < stop <= len(sentence.text):
        raise RefusedError(400, "an anchor lies within its sentence")
    for anchor in units.anchors(connection, place):
        if (anchor.sentence, anchor.start, anchor.stop) == (sentence.id, start, stop):
            raise RefusedError(409, "these words are anchored already")
    name, _ = own_name(connection, place, "a")
    data = {"id": name, "sentence": sentence.id, "start": start, "stop": stop}
    return record(connection, place, "anchor.add", data, key)


def unmatched(connection: Connection, place: Place) -> int:
    """How many units the visitor has not finished in the current step."""
    own = units.own_matchings(connection, place)
    return sum(
        not own.get(unit.id, NOTHING).done
        for unit in units.matched_units(connection, place, place.step)
    )
