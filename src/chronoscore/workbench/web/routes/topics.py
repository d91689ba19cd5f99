"""A topic's page: its steps, its people, notes, and handing in."""

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import judging, steps, topics, undoing
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.domain.history import describe_all
from chronoscore.workbench.domain.queries import guiding, notes, people
from chronoscore.workbench.store import log
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.workflow import STEPS
from chronoscore.workbench.web.forms import Form, perform_posted_action
from chronoscore.workbench.web.overview import manager_view
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Fields, Visit


def topic(visit: Visit) -> Response:
    """Where a topic stands, and what the visitor can do."""
    with visit.reading_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        view = manager_view(connection, topic) if topic.manager else None
        order = STEPS[topic.project.workflow].index
        work = sorted(people.work_by_person(connection, topic), key=lambda one: order(one.step))
        own_notes = notes.topic_notes(connection, topic)
        days = guiding.deadlines(connection, [topic])
    return visit.page(
        "topic.html", topic=topic, source=source, view=view, work=work, notes=own_notes,
        due={step: day for (_, step), day in days.items()},
        may_discuss=topic.discusses,
        may_compare=topic.unblinded and topic.over("link"),
    )  # fmt: skip


def assign(visit: Visit) -> Response:
    """Give or take a role."""
    person = visit.chosen_person
    with visit.writing_topic() as (connection, topic):
        change = topics.unassign_role if visit.text("remove") else topics.assign_role
        change(connection, topic, visit.key, person, visit.text("role", most=20))
    return visit.go(f"/t/{topic.id}")


def open_next(visit: Visit) -> Response:
    """Open the next step."""
    with visit.writing_topic() as (connection, topic):
        topics.open_next(connection, topic, visit.key)
    return visit.go(f"/t/{topic.id}")


def reopen(visit: Visit) -> Response:
    """Go back to a step, with a reason."""
    with visit.writing_topic() as (connection, topic):
        topics.reopen_step(
            connection, topic, visit.key, visit.text("step", most=20), visit.text("reason")
        )
    return visit.go(f"/t/{topic.id}")


def submit(visit: Visit) -> Response:
    """Hand in the visitor's work in the current step."""
    with visit.writing_topic() as (connection, topic):
        if visit.text("step", most=20) != topic.step:
            raise ConflictError("the topic has moved on; look again")
        source = visit.desk.library.source(connection, topic.id)
        rest_off = visit.text("rest_off") == "yes"
        if topic.step == "link" and topic.project.settings.get("repeats"):
            missing = judging.undecided_sentences(connection, topic, source)
            if rest_off and missing:
                judging.mark_rest_off(connection, topic, f"{visit.key}:rest", source)
            if (rest_off or not missing) and steps.must_repeat_decisions(connection, topic, source):
                return visit.go(f"/t/{topic.id}/again")
        steps.submit_step(connection, topic, visit.key, source, rest_off=rest_off)
    return visit.go(f"/t/{topic.id}")


def undo(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """Take back the last action that was done by a form."""
    return undoing.undo(connection, topic, key, fields.text("action", most=200))


def add_note(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """Ask or remark something."""
    where, text = fields.text("place", most=1_000), fields.text("text")
    return topics.add_note(connection, topic, key, where, text)


FORMS: dict[str, Form] = {"undo": undo, "notes": add_note}


def post_form(visit: Visit) -> Response:
    """Undo or note something by a plain form, and go back to where it was."""
    topic = perform_posted_action(visit, FORMS[visit.request.url.path.rpartition("/")[2]])
    return visit.back(f"/t/{topic.id}")


def answer_note(visit: Visit) -> Response:
    """A manager's answer."""
    with visit.writing_topic() as (connection, topic):
        topics.answer_note(connection, topic, visit.key, visit.id("note"), visit.text("answer"))
    return visit.back(f"/p/{topic.project.id}/notes")


def history(visit: Visit) -> Response:
    """The visitor's own entries in this topic, or everybody's for managers who may know."""
    with visit.reading_topic() as (connection, topic):
        person = None if topic.unblinded else topic.person
        rows = describe_all(
            connection, log.latest_log_entries(connection, topic=topic.id, person=person)
        )
    return visit.page("history.html", topic=topic, project=topic.project, rows=rows, more="")


ROUTES = [
    route("/t/{topic:int}", topic),
    route("/t/{topic:int}/assign", assign, "POST"),
    route("/t/{topic:int}/open", open_next, "POST"),
    route("/t/{topic:int}/reopen", reopen, "POST"),
    route("/t/{topic:int}/submit", submit, "POST"),
    route("/t/{topic:int}/undo", post_form, "POST"),
    route("/t/{topic:int}/notes", post_form, "POST"),
    route("/t/{topic:int}/notes/answer", answer_note, "POST"),
    route("/t/{topic:int}/history", history),
]
