"""Merge: from everybody's candidates to one list of events."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from chronoscore.workbench.domain.actions import merging, undoing
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.domain.queries.stream import CandidateEvent, TopicEvent
from chronoscore.workbench.domain.suggesting import suggest_groups
from chronoscore.workbench.store.source import SourceSentence, TopicSource
from chronoscore.workbench.web.forms import Perform, topic_form
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit


@dataclass(frozen=True)
class MergedEvent:
    """An event of the list, with its number unless it was left out, and where it is told first."""

    event: TopicEvent
    number: int | None
    candidates: list[CandidateEvent]
    judges: Counter[str]
    first: SourceSentence | None


def merge(visit: Visit) -> Response:
    """Suggestions for the candidates that are left, and the events made so far."""
    with open_step(visit, "merge") as view:
        candidates = stream.all_candidates(view.connection, view.topic)
        events = stream.joint_events(view.connection, view.topic.id, omitted=True)
        undo = undoing.find_last(view.connection, view.topic)
    left = [one for one in candidates if not one.events and not one.omitted]
    suggestions = view.source.remember(
        "suggestions", tuple(left), lambda: suggest_groups(left, view.source)
    )
    return view.page(
        "merge.html", suggestions=suggestions, left=left, candidates=candidates, undo=undo,
        events=_rows(events, candidates, view.source),
        judges=list(dict.fromkeys(one.name for one in candidates)),
        assigned=[one for one in candidates if one.events or one.omitted],
    )  # fmt: skip


def _rows(
    events: Sequence[TopicEvent], candidates: Sequence[CandidateEvent], source: TopicSource
) -> list[MergedEvent]:
    """Events with the numbers that they have for those who link."""
    rows: list[MergedEvent] = []
    for event in events:
        inside = [one for one in candidates if event.id in one.events]
        told = sorted((source.by_id[one.sentence] for one in inside), key=lambda one: one.place)
        kept = sum(row.number is not None for row in rows)
        judges = Counter(one.name for one in inside)
        number = None if event.omitted else kept + 1
        rows.append(MergedEvent(event, number, inside, judges, told[0] if told else None))
    return rows


BUTTONS: dict[str, Perform] = {
    "same": merging.merge_candidates,
    "add": merging.add_to_event,
    "take": merging.take_from_event,
    "apart": merging.take_apart,
    "rename": merging.rename_event,
    "omit": merging.omit_candidates,
    "omit-event": merging.omit_event,
}
ROUTES = [
    step_route("merge", merge),
    topic_form(
        "merge", BUTTONS, screen=merge, scripted=True,
        where=lambda visit: f"/t/{{topic}}/merge#{visit.id('event') or 'stream'}",
    ),
]  # fmt: skip
