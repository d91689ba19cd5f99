"""A topic's page: its steps, its people, notes, and handing in."""

from starlette.responses import Response

from chronoscore.workbench.domain.actions import steps, topics, undoing
from chronoscore.workbench.domain.errors import ConflictError
from chronoscore.workbench.domain.history import describe_all
from chronoscore.workbench.domain.queries import guiding, notes, people
from chronoscore.workbench.store.workflow import STEPS
from chronoscore.workbench.web import overview
from chronoscore.workbench.web.forms import topic_form
from chronoscore.workbench.web.logbook import Logbook
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit


def topic(visit: Visit) -> Response:
    """Where a topic stands, and what the visitor can do."""
    with visit.read_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        view = overview.build(connection, topic) if topic.manager else None
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


def submit(visit: Visit) -> Response:
    """Hand in the visitor's work in the current step; some sentences may come once more before."""
    with visit.write_topic() as (connection, topic):
        if visit.text("step", most=20) != topic.step:
            raise ConflictError("the topic has moved on; look again")
        source = visit.desk.library.source(connection, topic.id)
        rest_off = visit.text("rest_off") == "yes"
        if steps.hand_in(connection, topic, visit.key, source, rest_off=rest_off) is None:
            return visit.go(f"/t/{topic.id}/again")
    return visit.go(f"/t/{topic.id}")


def history(visit: Visit) -> Response:
    """The visitor's own entries in this topic, or everybody's for managers who may know."""
    with visit.read_topic() as (connection, topic):
        person = None if topic.unblinded else topic.person
        if topic.unblinded:
            topic.require_sight()
        book = Logbook.open(visit, connection, topic.project, person)
        rows = describe_all(connection, book.read(connection, topic=topic.id))
    return book.page(visit, rows, topic)


ROUTES = [
    route("/t/{topic:int}", topic),
    topic_form("assign", topics.assign),
    topic_form("unassign", topics.unassign),
    topic_form("open", topics.open_next),
    topic_form("reopen", topics.reopen),
    route("/t/{topic:int}/submit", submit, "POST"),
    topic_form("undo", undoing.undo, scripted=True),
    topic_form("notes", topics.add_note, scripted=True),
    topic_form("notes/answer", topics.answer_note, where="/p/{project}/notes"),
    route("/t/{topic:int}/history", history),
]
