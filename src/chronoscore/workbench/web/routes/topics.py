"""A topic's page: its steps, its people, notes, and handing in."""

from starlette.responses import Response

from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import notes, steps, undoing
from chronoscore.workbench.domain.history import told
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store import log
from chronoscore.workbench.web.visit import RefusedError, Visit, route


def topic(visit: Visit) -> Response:
    """Where a topic stands, and what the visitor can do."""
    with reading_topic(visit) as (connection, place):
        source = visit.desk.library.source(connection, place.id)
        assigned, members, waiting = [], [], []
        if place.manager:
            assigned = people.assigned(connection, place)
            members = people.members(connection, place.project)
        if place.unblinded:
            waiting = people.still_working(connection, place.id, place.step)
        work = people.work(connection, place)
        remarks = notes.of_topic(connection, place)
    return visit.page(
        "topic.html", place=place, source=source, assigned=assigned, members=members,
        waiting=set(waiting), work=work, notes=remarks,
    )  # fmt: skip


def assign(visit: Visit) -> Response:
    """Give or take a role."""
    person = visit.text("person", most=20)
    if not person.isdecimal():
        raise RefusedError(400, "choose a person")
    with writing_topic(visit) as (connection, place):
        change = steps.unassign if visit.text("remove") else steps.assign
        change(connection, place, int(person), visit.text("role", most=20), visit.key)
    return visit.go(f"/t/{place.id}")


def open_next(visit: Visit) -> Response:
    """Open the next step."""
    with writing_topic(visit) as (connection, place):
        steps.open_next(connection, place, visit.key)
    return visit.go(f"/t/{place.id}")


def reopen(visit: Visit) -> Response:
    """Go back to a step, with a reason."""
    with writing_topic(visit) as (connection, place):
        steps.reopen(
            connection, place, visit.text("step", most=20), visit.text("reason"), visit.key
        )
    return visit.go(f"/t/{place.id}")


def submit(visit: Visit) -> Response:
    """Hand in the visitor's work in the current step."""
    with writing_topic(visit) as (connection, place):
        if visit.text("step", most=20) != place.step:
            raise RefusedError(409, "the topic has moved on; look again")
        source = visit.desk.library.source(connection, place.id)
        steps.submit(connection, place, source, visit.key, rest_off=visit.text("rest_off") == "yes")
    return visit.go(f"/t/{place.id}")


def undo(visit: Visit) -> Response:
    """Take back the last deed of a step that is done by forms."""
    step = visit.text("step", most=20)
    with writing_topic(visit) as (connection, place):
        undoing.undo(connection, place, step, visit.text("deed", most=200), visit.key)
    return visit.go(f"/t/{place.id}/{step}")


def add_note(visit: Visit) -> Response:
    """Ask or remark something."""
    with writing_topic(visit) as (connection, place):
        notes.add(connection, place, visit.text("place", most=1_000), visit.text("text"), visit.key)
    return visit.back(f"/t/{place.id}")


def answer_note(visit: Visit) -> Response:
    """A manager's answer."""
    with writing_topic(visit) as (connection, place):
        notes.answer(connection, place, visit.id("note"), visit.text("answer"), visit.key)
    return visit.back(f"/p/{place.project.id}/notes")


def history(visit: Visit) -> Response:
    """The visitor's own entries in this topic, or everybody's for managers who may know."""
    with reading_topic(visit) as (connection, place):
        person = None if place.unblinded else place.person
        rows = told(connection, log.latest(connection, topic=place.id, person=person))
    return visit.page("history.html", place=place, project=place.project, rows=rows, more="")


ROUTES = [
    route("/t/{topic:int}", topic),
    route("/t/{topic:int}/assign", assign, "POST"),
    route("/t/{topic:int}/open", open_next, "POST"),
    route("/t/{topic:int}/reopen", reopen, "POST"),
    route("/t/{topic:int}/submit", submit, "POST"),
    route("/t/{topic:int}/undo", undo, "POST"),
    route("/t/{topic:int}/notes", add_note, "POST"),
    route("/t/{topic:int}/notes/answer", answer_note, "POST"),
    route("/t/{topic:int}/history", history),
]
