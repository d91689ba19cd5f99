"""Match: which spans of the source express a unit, and how much of it; blind."""

from dataclasses import asdict
from typing import Any

from starlette.responses import Response

from chronoscore.workbench import log
from chronoscore.workbench.access import Place, topic_place
from chronoscore.workbench.actions import matching
from chronoscore.workbench.keys import keys_of
from chronoscore.workbench.queries import people, units
from chronoscore.workbench.queries.units import EMPTY, Anchor, Matching
from chronoscore.workbench.source import Sentence
from chronoscore.workbench.web import RefusedError, Visit, route


def match(visit: Visit) -> Response:
    """One unit on top, the whole source with its anchors below."""
    step = visit.request.url.path.rpartition("/")[2]
    with visit.database.reading() as connection:
        place = topic_place(connection, visit.someone.id, visit.number("topic")).visible(step)
        source = visit.desk.library.source(connection, place.id)
        found = units.matched_units(connection, place, step)
        own = units.own_matchings(connection, place)
        anchors = units.anchors(connection, place)
        entries, seconds = people.own_work(connection, place, step)
        latest = log.latest(connection, topic=place.id, person=place.person, limit=100)
    asked = visit.request.query_params.get("unit", "")
    by_id = {unit.id: unit for unit in found}
    open_ = next((unit for unit in found if not own.get(unit.id, _nothing()).done), None)
    unit = by_id.get(asked) or open_ or (found[0] if found else None)
    inside: dict[str, list[Anchor]] = {}
    for anchor in anchors:
        inside.setdefault(anchor.sentence, []).append(anchor)
    return visit.page(
        "match.html", place=place, step=step, source=source, units=found, unit=unit,
        own={one.id: own.get(one.id, _nothing()) for one in found},
        pieces={s.id: pieces(s, inside.get(s.id, [])) for s in source.sentences},
        data=_data(unit.id if unit else "", own, anchors, latest),
        entries=entries, seconds=seconds, keys=keys_of(step, visit.someone.keys),
        frozen=place.step != step or step in place.submitted,
    )  # fmt: skip


def pieces(sentence: Sentence, anchors: list[Anchor]) -> list[tuple[str, Anchor | None]]:
    """A sentence cut at its anchors; of two that overlap the first is shown as such."""
    found: list[tuple[str, Anchor | None]] = []
    at = 0
    for anchor in sorted(anchors, key=lambda one: (one.start, one.stop)):
        if anchor.start < at:
            continue
        if anchor.start > at:
            found.append((sentence.text[at : anchor.start], None))
        found.append((sentence.text[anchor.start : anchor.stop], anchor))
        at = anchor.stop
    if at < len(sentence.text):
        found.append((sentence.text[at:], None))
    return found


def plain(visit: Visit) -> Response:
    """Set or take out one anchor's share by a plain form."""
    step, unit = visit.text("step", most=20), visit.text("unit", most=60)
    anchor, share = visit.text("anchor", most=200), visit.text("share", most=10)
    with visit.database.writing() as connection:
        place = topic_place(connection, visit.someone.id, visit.number("topic"))
        now = units.own_matchings(connection, place).get(unit, _nothing())
        members = [one for one in now.tree["members"] if one.get("anchor") != anchor]
        if share and anchor:
            members.append({"anchor": anchor, "v": _number(share)})
        body = {
            "unit": unit,
            "tree": {"members": members},
            "done": visit.text("done") == "yes",
            "base": now.version,
        }
        matching.matched(connection, place, _step(place, step), body, visit.key)
    return visit.go(f"/t/{place.id}/{step}?unit={unit}")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RefusedError(400, "a share lies between 0 and 1") from None


def _step(place: Place, step: str) -> str:
    if step not in ("match", "rematch"):
        raise RefusedError(400, "no such step")
    return step


def _nothing() -> Matching:
    return Matching(EMPTY, False, 0)


def _data(
    unit: str, own: dict[str, Matching], anchors: list[Anchor], latest: list[log.Entry]
) -> dict[str, Any]:
    """What the script starts from."""
    undone = {entry.data["undoes"] for entry in latest if "undoes" in entry.data}
    return {
        "unit": unit,
        "matching": asdict(own.get(unit, _nothing())),
        "anchors": {anchor.id: asdict(anchor) for anchor in anchors},
        "undo": [
            {"key": entry.key, "before": entry.data["before"]}
            for entry in reversed(latest)
            if entry.action == "match"
            and entry.data["unit"] == unit
            and "undoes" not in entry.data
            and entry.key not in undone
        ],
    }


ROUTES = [
    route("/t/{topic:int}/match", match),
    route("/t/{topic:int}/rematch", match),
    route("/t/{topic:int}/match/plain", plain, "POST"),
]
