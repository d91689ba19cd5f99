"""Verify: a third person keeps or drops what the judges marked, not knowing who did."""

from typing import Any
from urllib.parse import quote

from msgspec.structs import replace
from starlette.responses import Response

from chronoscore.workbench.domain.actions import judging
from chronoscore.workbench.domain.actions.judging import VerdictChange
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.keys import event_keys
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import LinkVerdict
from chronoscore.workbench.domain.union import MarkedItem
from chronoscore.workbench.store import log
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit

NEIGHBORS = 1
MOST_LISTED = 2_000
"""Sentences that are offered in a list; in longer streams one is named by its number."""


def verify(visit: Visit) -> Response:
    """The union of one event's marks, each with its context."""
    with open_step(visit, "verify") as view:
        connection, topic, source = view.connection, view.topic, view.source
        items = judging.verifier_items(connection, topic, source)
        events = stream.joint_events(connection, topic.id)
        verdicts = stream.verifier_verdicts(connection, topic.id)
        machines = stream.machine_judges(connection, topic)
        undo = log.read_undoable(connection, topic.id, topic.person, "verdict")
    open_ = LinkVerdict(None, False, 0)
    states = {
        (event, item.id): verdicts.get((event, item.id), open_)
        for event, inside in items.items()
        for item in inside
    }
    left = {
        event.id: sum(states[event.id, item.id].kept is None for item in items[event.id])
        for event in events
    }
    asked = visit.query("event")
    names = [event.id for event in events]
    first = next((name for name in names if left[name]), names[0] if names else "")
    chosen = asked if asked in names else first
    cards = [
        {
            **_card(source, item, states[chosen, item.id]),
            "machines": _machines(machines, chosen, item),
        }
        for item in items.get(chosen, [])
    ]
    return view.page(
        "verify.html", events=events, left=left, chosen=chosen, cards=cards, total=len(states),
        undo=undo, listed=len(source.sentences) <= MOST_LISTED,
        event_keys=event_keys(visit.require_person().keys),
        additions=bool(topic.project.settings.get("additions")),
    )  # fmt: skip


def _machines(
    machines: dict[str, stream.MachineLinks], event: str, item: MarkedItem
) -> list[tuple[str, str]]:
    """What each machine says of an item."""
    return [
        (name, stream.machine_says(links, event, item.sentences))
        for name, links in sorted(machines.items())
    ]


def _card(source: TopicSource, item: MarkedItem, state: LinkVerdict) -> dict[str, Any]:
    """A card: the item's sentences with their neighbors in the story."""
    topics = [source.by_id[name].place for name in item.sentences]
    story = source.by_id[item.sentences[0]].story
    first, last = max(0, topics[0] - NEIGHBORS), topics[0] + len(topics) + NEIGHBORS
    beside = {
        at
        for at in range(first, min(last, topics[-1] + NEIGHBORS) + 1)
        if at < len(source.sentences) and source.sentences[at].story == story
    }
    return {
        "item": item,
        "state": state,
        "story": source.story[story],
        "context": [(source.sentences[at], at in topics) for at in sorted(beside.union(topics))],
    }


def read_verdict(visit: Visit) -> VerdictChange:
    """What a plain form says about a link."""
    kept = {"keep": True, "drop": False, "open": None}
    verdict, base = visit.text("verdict", most=10), visit.text("base", most=10)
    if verdict not in kept or not base.isdecimal():
        raise InvalidError("keep or drop")
    return VerdictChange(visit.id("event"), visit.text("item", most=8000), int(base), kept[verdict])


def judge(visit: Visit) -> Response:
    """Keep or drop by a plain form, which may name another sentence by its number."""
    change, label = read_verdict(visit), visit.text("sentence", most=20)
    with visit.write_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.require_step("verify").id)
        if label:
            change = replace(change, item=source.find_sentence(label).id)
        judging.judge_links(connection, topic, visit.key, source, [change])
    return visit.go(f"/t/{topic.id}/verify?event={quote(change.event)}")


ROUTES = [
    step_route("verify", verify),
    route("/t/{topic:int}/verify", judge, "POST"),
]
