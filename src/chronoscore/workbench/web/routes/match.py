"""Match: which spans of the source express a unit, and how much of it; blind."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain import trees
from chronoscore.workbench.domain.access import Place, reading_topic, writing_topic
from chronoscore.workbench.domain.actions import matching
from chronoscore.workbench.domain.keys import keys_of
from chronoscore.workbench.domain.queries import people, units
from chronoscore.workbench.domain.queries.units import NOTHING, Anchor, Matching
from chronoscore.workbench.domain.trees import Tree
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import Sentence, Source
from chronoscore.workbench.web.visit import RefusedError, Visit, route


def match(visit: Visit) -> Response:
    """One unit on top, the whole source with its anchors below."""
    step = visit.request.url.path.rpartition("/")[2]
    with reading_topic(visit) as (connection, place):
        place.visible(step)
        source = visit.desk.library.source(connection, place.id)
        found = units.matched_units(connection, place, step)
        own = units.own_matchings(connection, place)
        anchors = units.anchors(connection, place)
        entries, seconds = people.own_work(connection, place, step)
        latest = log.latest(connection, topic=place.id, person=place.person, limit=log.UNDO_STEPS)
    asked = visit.request.query_params.get("unit", "")
    by_id = {unit.id: unit for unit in found}
    open_ = next((unit for unit in found if not own.get(unit.id, NOTHING).done), None)
    unit = by_id.get(asked) or open_ or (found[0] if found else None)
    tree = own.get(unit.id, NOTHING).tree if unit else NOTHING.tree
    inside: dict[str, list[Anchor]] = {}
    for anchor in anchors:
        inside.setdefault(anchor.sentence, []).append(anchor)
    return visit.page(
        "match.html", place=place, step=step, source=source, units=found, unit=unit,
        own={one.id: own.get(one.id, NOTHING) for one in found},
        pieces={s.id: pieces(s, inside.get(s.id, [])) for s in source.sentences},
        named=trees.name, whole=trees.whole, words=_words(source, anchors),
        held={one["anchor"]: one["v"] for one in trees.walk(tree) if "anchor" in one},
        data=_data(unit.id if unit else "", own, anchors, latest),
        entries=entries, seconds=seconds, keys=keys_of(step, visit.someone.keys),
        frozen=place.frozen(step),
    )  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """Some words of a sentence; `also` ones overlap an anchor and stand after the sentence."""

    text: str
    anchor: Anchor | None = None
    also: bool = False


def pieces(sentence: Sentence, anchors: list[Anchor]) -> list[Piece]:
    """A sentence cut at its anchors."""
    found, also = [], []
    at = 0
    for anchor in sorted(anchors, key=lambda one: (one.start, one.stop)):
        words = sentence.text[anchor.start : anchor.stop]
        if anchor.start < at:
            also.append(Piece(words, anchor, also=True))
            continue
        if anchor.start > at:
            found.append(Piece(sentence.text[at : anchor.start]))
        found.append(Piece(words, anchor))
        at = anchor.stop
    if at < len(sentence.text):
        found.append(Piece(sentence.text[at:]))
    return found + also


def plain(visit: Visit) -> Response:
    """Whatever the script does, by plain forms."""
    step, unit = visit.text("step", most=20), visit.id("unit")
    if step not in ("match", "rematch"):
        raise RefusedError(400, "no such step")
    do = visit.text("do", most=20)
    with writing_topic(visit) as (connection, place):
        if do == "anchor":
            _anchor_words(visit, connection, place, step)
        else:
            now = units.own_matchings(connection, place).get(unit, NOTHING)
            base = visit.text("base", most=10)
            body = {
                "unit": unit,
                "tree": _changed(visit, do, now.tree),
                "done": do == "done" or now.done,
                "base": int(base) if base.isdecimal() else -1,
            }
            if "conflict" in matching.matched(connection, place, step, body, visit.key):
                raise RefusedError(409, "another tab changed this unit; open the page again")
    return visit.go(f"/t/{place.id}/{step}?unit={quote(unit)}")


def _changed(visit: Visit, do: str, tree: Tree) -> Tree:
    """The tree after what the form asks for."""
    shares = {
        member: _share(visit.text(f"share:{member}", most=10))
        for member in map(trees.name, trees.walk(tree))
        if f"share:{member}" in visit.form
    }
    picked = visit.texts("pick")
    changes: dict[str, Callable[[], Tree]] = {
        "done": lambda: tree,
        "toggle": lambda: trees.toggled(tree, visit.id("anchor")),
        "shares": lambda: trees.shared(tree, shares),
        "group": lambda: trees.grouped(tree, picked),
        "dissolve": lambda: trees.dissolved(tree, picked),
        "out": lambda: trees.without(tree, picked),
    }
    if do not in changes:
        raise RefusedError(400, "no such change")
    return changes[do]()


def _share(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise RefusedError(400, "a share lies between 0 and 1") from None


def _anchor_words(visit: Visit, connection: Connection, place: Place, step: str) -> None:
    """Anchor words of a sentence that is told by its number, such as 2.1."""
    source = visit.desk.library.source(connection, place.writable(step).id)
    sentence = source.labelled(visit.text("sentence", most=20))
    words = visit.text("words", most=200)
    start = sentence.text.find(words)
    if not words or start < 0:
        raise RefusedError(400, "these words do not stand in the sentence like that")
    body = {"sentence": sentence.id, "start": start, "stop": start + len(words)}
    matching.add_anchor(connection, place, source, step, body, visit.key)


def _words(source: Source, anchors: list[Anchor]) -> dict[str, str]:
    """What every anchor says."""
    return {
        one.id: source.by_id[one.sentence].text[one.start : one.stop]
        for one in anchors
        if one.sentence in source.by_id
    }


def _data(
    unit: str, own: dict[str, Matching], anchors: list[Anchor], latest: list[log.Entry]
) -> dict[str, Any]:
    """What the script starts from."""
    mine = [entry for entry in latest if entry.data.get("unit") == unit]
    return {
        "unit": unit,
        "matching": asdict(own.get(unit, NOTHING)),
        "anchors": {anchor.id: asdict(anchor) for anchor in anchors},
        "undo": log.undoable(mine, "match"),
    }


ROUTES = [
    route("/t/{topic:int}/match", match),
    route("/t/{topic:int}/rematch", match),
    route("/t/{topic:int}/match/plain", plain, "POST"),
]
