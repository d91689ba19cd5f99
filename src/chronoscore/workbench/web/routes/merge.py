"""Merge: from everybody's candidates to one list of events."""

from starlette.responses import Response

from chronoscore.workbench.domain.actions import merging, undoing
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.web.visit import Visit, route


def merge(visit: Visit) -> Response:
    """All candidates in a column for each judge, and the events made of them."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("merge")
        candidates = stream.all_candidates(connection, topic)
        events = stream.events(connection, topic.id, omitted=True)
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_action(connection, topic)
    columns: dict[str, list[stream.CandidateEvent]] = {}
    for candidate in candidates:
        columns.setdefault(candidate.name, []).append(candidate)
    left = [one for one in candidates if not one.events and not one.omitted]
    return visit.page(
        "merge.html", topic=topic, source=source, columns=columns, events=events, left=left,
        candidates=candidates, undo=undo,
        frozen=topic.frozen("merge"),
    )  # fmt: skip


def change(visit: Visit) -> Response:
    """One decision of those who merge."""
    chosen, key = visit.texts("candidate"), visit.key
    event, what = visit.id("event"), visit.text("do", most=20)
    with visit.writing_topic() as (connection, topic):
        if what == "same":
            merging.merge_candidates(connection, topic, key, chosen, visit.text("text"))
        elif what == "add":
            merging.add_to_event(connection, topic, key, chosen, event)
        elif what == "take":
            merging.take_from_event(connection, topic, key, (chosen or [""])[0], event)
        elif what == "rename":
            merging.rename_event(connection, topic, key, event, visit.text("text"))
        elif what == "omit":
            merging.omit_candidates(connection, topic, key, chosen, visit.text("reason"))
        elif what == "omit-event":
            merging.omit_event(connection, topic, key, event, visit.text("reason"))
        else:
            raise InvalidError("no such action")
    return visit.go(f"/t/{topic.id}/merge#{event or 'candidates'}")


ROUTES = [
    route("/t/{topic:int}/merge", merge),
    route("/t/{topic:int}/merge", change, "POST"),
]
