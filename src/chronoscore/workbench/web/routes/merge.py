"""Merge: from everybody's candidates to one list of events."""

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import merging, undoing
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.keys import guidelines_key
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.forms import Form, answer_posted_form
from chronoscore.workbench.web.routes.guidelines import require_guidelines_read
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Fields, Visit


def merge(visit: Visit) -> Response:
    """All candidates in a column for each judge, and the events made of them."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("merge")
        candidates = stream.all_candidates(connection, topic)
        events = stream.joint_events(connection, topic.id, omitted=True)
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_undoable_action(connection, topic)
        entries, seconds = people.own_work(connection, topic, "merge")
    columns: dict[str, list[stream.CandidateEvent]] = {}
    for candidate in candidates:
        columns.setdefault(candidate.name, []).append(candidate)
    left = [one for one in candidates if not one.events and not one.omitted]
    return visit.page(
        "merge.html", topic=topic, source=source, columns=columns, events=events, left=left,
        candidates=candidates, undo=undo, entries=entries, seconds=seconds,
        frozen=topic.frozen("merge"),
        keys=guidelines_key(visit.someone.keys),
    )  # fmt: skip


def change_events(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """One decision of those who merge."""
    chosen, event = fields.texts("candidate"), fields.id("event")
    what, text, reason = fields.text("do", most=20), fields.text("text"), fields.text("reason")
    if what == "same":
        return merging.merge_candidates(connection, topic, key, chosen, text)
    if what == "add":
        return merging.add_to_event(connection, topic, key, chosen, event)
    if what == "take":
        return merging.take_from_event(connection, topic, key, (chosen or [""])[0], event)
    if what == "rename":
        return merging.rename_event(connection, topic, key, event, text)
    if what == "omit":
        return merging.omit_candidates(connection, topic, key, chosen, reason)
    if what == "omit-event":
        return merging.omit_event(connection, topic, key, event, reason)
    raise InvalidError("no such action")


def post_change(visit: Visit) -> Response:
    """One decision of those who merge, by a plain form."""
    return answer_posted_form(
        visit, change_events, merge, f"/t/{{topic}}/merge#{visit.id('event') or 'candidates'}"
    )


FORMS: dict[str, Form] = {"merge": change_events}
ROUTES = [
    route("/t/{topic:int}/merge", require_guidelines_read(merge, "merge")),
    route("/t/{topic:int}/merge", post_change, "POST"),
]
