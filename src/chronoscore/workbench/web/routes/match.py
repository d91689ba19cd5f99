"""Match: which spans of the source express a unit, and how much of it; blind."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain import catalog, permissions, trees
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import matching
from chronoscore.workbench.domain.errors import InvalidError, NotFoundError
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.domain.queries.units import NOTHING, AnchorSpan
from chronoscore.workbench.domain.trees import Tree
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import SourceSentence, TopicSource
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit


def match(visit: Visit) -> Response:
    """One unit on top, the whole source with its anchors below."""
    step = visit.request.url.path.rpartition("/")[2]
    with open_step(visit, step) as view:
        connection, topic, source = view.connection, view.topic, view.source
        wanted = units.units_to_match(connection, topic, step)
        own = units.own_matchings(connection, topic)
        anchors = units.anchors(connection, topic)
        by_id = {unit.id: unit for unit in wanted}
        open_ = next((unit for unit in wanted if not own.get(unit.id, NOTHING).done), None)
        unit = by_id.get(visit.query("unit")) or open_ or (wanted[0] if wanted else None)
        name = unit.id if unit else ""
        undo = log.read_undoable(connection, topic.id, topic.person, "match", unit=name)
    now = own.get(name, NOTHING)
    inside: dict[str, list[AnchorSpan]] = {}
    for anchor in anchors:
        inside.setdefault(anchor.sentence, []).append(anchor)
    return view.page(
        "match.html", step=step, units=wanted, unit=unit,
        own={one.id: own.get(one.id, NOTHING) for one in wanted},
        parts_of={s.id: split_at_anchors(s, inside.get(s.id, [])) for s in source.sentences},
        named=trees.member_name, whole=trees.full_share, words=_words(source, anchors),
        held={one["anchor"]: one["v"] for one in trees.walk(now.tree) if "anchor" in one},
        data={
            "unit": name, "matching": asdict(now), "undo": undo,
            "anchors": {anchor.id: asdict(anchor) for anchor in anchors},
        },
    )  # fmt: skip


@dataclass(frozen=True)
class SentencePart:
    """Some words of a sentence; `also` ones overlap an anchor and stand after the sentence."""

    text: str
    anchor: AnchorSpan | None = None
    also: bool = False


def split_at_anchors(sentence: SourceSentence, anchors: list[AnchorSpan]) -> list[SentencePart]:
    """A sentence cut at its anchors."""
    parts, overlapping = [], []
    at = 0
    for anchor in sorted(anchors, key=lambda one: (one.start, one.stop)):
        words = sentence.text[anchor.start : anchor.stop]
        if anchor.start < at:
            overlapping.append(SentencePart(words, anchor, also=True))
            continue
        if anchor.start > at:
            parts.append(SentencePart(sentence.text[at : anchor.start]))
        parts.append(SentencePart(words, anchor))
        at = anchor.stop
    if at < len(sentence.text):
        parts.append(SentencePart(sentence.text[at:]))
    return parts + overlapping


def match_without_script(visit: Visit) -> Response:
    """Whatever the script does, by plain forms."""
    unit, do = visit.id("unit"), visit.text("do", most=20)
    with visit.write_topic() as (connection, topic):
        if not any(map(topic.works_in, catalog.MATCH.steps)):
            raise NotFoundError
        if do == "anchor":
            _anchor_words(visit, connection, topic)
        else:
            now = units.own_matchings(connection, topic).get(unit, NOTHING)
            base = visit.text("base", most=10)
            source = visit.desk.library.source(connection, topic.id)
            matching.match_unit(
                connection, topic, visit.key, source, unit, _change_tree(visit, do, now.tree),
                done=do == "done" or now.done, base=int(base) if base.isdecimal() else -1,
            )  # fmt: skip
    return visit.go(f"/t/{topic.id}/{topic.step}?unit={quote(unit)}")


def _change_tree(visit: Visit, do: str, tree: Tree) -> Tree:
    """The tree after what the form asks for."""
    shares = {
        member: _share(visit.text(f"share:{member}", most=10))
        for member in map(trees.member_name, trees.walk(tree))
        if f"share:{member}" in visit.form
    }
    picked = visit.texts("pick")
    changes: dict[str, Callable[[], Tree]] = {
        "done": lambda: tree,
        "toggle": lambda: trees.toggle_anchor(tree, visit.id("anchor")),
        "shares": lambda: trees.set_shares(tree, shares),
        "group": lambda: trees.group_members(tree, picked),
        "dissolve": lambda: trees.dissolve_groups(tree, picked),
        "out": lambda: trees.remove_members(tree, picked),
    }
    if do not in changes:
        raise InvalidError("no such change")
    return changes[do]()


def _share(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise InvalidError("a share lies between 0 and 1") from None


def _anchor_words(visit: Visit, connection: Connection, topic: TopicAccess) -> None:
    """Anchor words of a sentence that is given by its number, such as 2.1."""
    permissions.check(topic, catalog.ANCHOR_ADD)
    source = visit.desk.library.source(connection, topic.id)
    sentence = source.find_sentence(visit.text("sentence", most=20))
    words = visit.text("words", most=200)
    start = sentence.text.find(words)
    if not words or start < 0:
        raise InvalidError("the sentence does not have these words; copy them from it")
    stop = start + len(words)
    matching.add_anchor(connection, topic, visit.key, source, sentence.id, start, stop)


def _words(source: TopicSource, anchors: list[AnchorSpan]) -> dict[str, str]:
    """What every anchor says."""
    return {
        one.id: source.by_id[one.sentence].text[one.start : one.stop]
        for one in anchors
        if one.sentence in source.by_id
    }


ROUTES = [
    step_route("match", match),
    step_route("rematch", match),
    route("/t/{topic:int}/match/plain", match_without_script, "POST"),
]
