"""Merge: from everybody's candidates to one list of events."""

from starlette.responses import Response

from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import merging, undoing
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.web.visit import RefusedError, Visit, route


def merge(visit: Visit) -> Response:
    """All candidates in a column for each judge, and the events made of them."""
    with reading_topic(visit) as (connection, place):
        place.visible("merge")
        candidates = stream.all_candidates(connection, place)
        events = stream.events(connection, place.id, omitted=True)
        source = visit.desk.library.source(connection, place.id)
        undo = undoing.last_deed(connection, place, "merge")
    columns: dict[str, list[stream.Candidate]] = {}
    for candidate in candidates:
        columns.setdefault(candidate.name, []).append(candidate)
    left = [one for one in candidates if not one.events and not one.omitted]
    return visit.page(
        "merge.html", place=place, source=source, columns=columns, events=events, left=left,
        candidates=candidates, undo=undo,
        frozen=place.frozen("merge"),
    )  # fmt: skip


def change(visit: Visit) -> Response:
    """One decision of those who merge."""
    chosen, key = visit.texts("candidate"), visit.key
    event, what = visit.id("event"), visit.text("do", most=20)
    with writing_topic(visit) as (connection, place):
        if what == "same":
            merging.same_event(connection, place, chosen, visit.text("text"), key)
        elif what == "add":
            merging.add_to(connection, place, chosen, event, key)
        elif what == "take":
            merging.take_out(connection, place, (chosen or [""])[0], event, key)
        elif what == "rename":
            merging.rename(connection, place, event, visit.text("text"), key)
        elif what == "omit":
            merging.omit_candidates(connection, place, chosen, visit.text("reason"), key)
        elif what == "omit-event":
            merging.omit_event(connection, place, event, visit.text("reason"), key)
        else:
            raise RefusedError(400, "no such action")
    return visit.go(f"/t/{place.id}/merge#{event or 'candidates'}")


ROUTES = [
    route("/t/{topic:int}/merge", merge),
    route("/t/{topic:int}/merge", change, "POST"),
]
