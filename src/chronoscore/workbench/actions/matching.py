"""Matchers: which spans of the source express a unit, and how much of it."""

import math
from typing import Any

from sqlalchemy import Connection

from chronoscore.workbench import log
from chronoscore.workbench.access import Place
from chronoscore.workbench.actions.recording import acknowledged, own_name, record, wanted
from chronoscore.workbench.log import Entry
from chronoscore.workbench.queries import units
from chronoscore.workbench.queries.units import EMPTY, Matching
from chronoscore.workbench.source import Source
from chronoscore.workbench.web import RefusedError, not_here

DEEPEST, MOST_MEMBERS = 20, 500


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
    tree = checked(body.get("tree"), anchors, set())
    done = wanted(body.get("done"), bool, "done")
    base = wanted(body.get("base"), int, "base")
    now = units.own_matchings(connection, place).get(unit, Matching(EMPTY, False, 0))
    before = {"tree": now.tree, "done": now.done, "version": now.version}
    if now.version != base:
        return {"key": key, "conflict": {unit: before}}
    data = {"unit": unit, "tree": tree, "done": done, "version": base + 1, "before": before}
    undone = body.get("undoes")
    if isinstance(undone, str) and undone:
        data["undoes"] = undone[:100]
    return acknowledged(connection, place, record(connection, place, "match", data, key))


def checked(value: object, anchors: set[str], used: set[str], depth: int = 0) -> dict[str, Any]:
    """A tree that scoring can use: known anchors, each once, every share from 0 to 1."""
    tree = wanted(value, dict, "tree")
    if depth > DEEPEST:
        raise RefusedError(400, f"groups are nested more than {DEEPEST} deep; flatten them")
    members = []
    for member in wanted(tree.get("members"), list, "members"):
        share = wanted(member, dict, "member").get("v")
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise RefusedError(400, "a share lies between 0 and 1")
        if "members" in member:
            inner = checked({"members": member["members"]}, anchors, used, depth + 1)
            members.append({**inner, "v": float(share)})
            continue
        name = wanted(member.get("anchor"), str, "anchor")
        if name not in anchors:
            raise RefusedError(400, "no such anchor")
        if name in used:
            raise RefusedError(400, "an anchor is used once in a unit")
        used.add(name)
        members.append({"anchor": name, "v": float(share)})
    if len(used) > MOST_MEMBERS:
        raise RefusedError(400, f"a unit has at most {MOST_MEMBERS} anchors")
    return {"members": members}


def score(tree: dict[str, Any], chosen: set[str]) -> float:
    """What a system gets for a unit if it chose these anchors: S(i, E), every group capped at 1."""
    total = math.fsum(
        member["v"]
        * (
            score(member, chosen)
            if "members" in member
            else 1.0
            if member["anchor"] in chosen
            else 0.0
        )
        for member in tree["members"]
    )
    return min(1.0, total)


def shares(tree: dict[str, Any]) -> dict[str, float]:
    """Every anchor of a tree with the share that it has in its own group."""
    found: dict[str, float] = {}
    for member in tree["members"]:
        if "members" in member:
            found.update(shares(member))
        else:
            found[member["anchor"]] = member["v"]
    return found


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
        not own.get(unit.id, Matching(EMPTY, False, 0)).done
        for unit in units.matched_units(connection, place, place.step)
    )
