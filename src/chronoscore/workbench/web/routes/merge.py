"""Merge: from everybody's candidates to one list of events."""

from starlette.responses import Response

from chronoscore.workbench.domain.actions import merging, undoing
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.web.forms import Perform, topic_form
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit


def merge(visit: Visit) -> Response:
    """All candidates in a column for each judge, and the events made of them."""
    with open_step(visit, "merge") as view:
        candidates = stream.all_candidates(view.connection, view.topic)
        events = stream.joint_events(view.connection, view.topic.id, omitted=True)
        undo = undoing.find_last(view.connection, view.topic)
    columns: dict[str, list[stream.CandidateEvent]] = {}
    for candidate in candidates:
        columns.setdefault(candidate.name, []).append(candidate)
    left = [one for one in candidates if not one.events and not one.omitted]
    return view.page(
        "merge.html", columns=columns, events=events, left=left, candidates=candidates, undo=undo
    )


BUTTONS: dict[str, Perform] = {
    "same": merging.merge_candidates,
    "add": merging.add_to_event,
    "take": merging.take_from_event,
    "rename": merging.rename_event,
    "omit": merging.omit_candidates,
    "omit-event": merging.omit_event,
}
ROUTES = [
    step_route("merge", merge),
    topic_form(
        "merge", BUTTONS, screen=merge, scripted=True,
        where=lambda visit: f"/t/{{topic}}/merge#{visit.id('event') or 'candidates'}",
    ),
]  # fmt: skip
