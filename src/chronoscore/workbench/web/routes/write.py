"""Write: the text on the left, one's own dated lines on the right; blind."""

from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.queries import people, units
from chronoscore.workbench.web.visit import Visit, route


def write(visit: Visit) -> Response:
    """The source and the writer's own timeline."""
    with reading_topic(visit) as (connection, place):
        place.visible("write")
        source = visit.desk.library.source(connection, place.id)
        undo = undoing.last_deed(connection, place, "write")
        lines = units.own_lines(connection, place)
        entries, seconds = people.own_work(connection, place, "write")
    return visit.page(
        "write.html", place=place, undo=undo, source=source, entries=entries, seconds=seconds,
        lines=sorted(lines, key=lambda line: (When.parse(line.when), line.n)),
        frozen=place.frozen("write"),
    )  # fmt: skip


def add(visit: Visit) -> Response:
    """A new line."""
    with writing_topic(visit) as (connection, place):
        writing.add_line(
            connection, place, visit.text("when", most=60), visit.text("text"), visit.key
        )
    return visit.go(f"/t/{place.id}/write#new")


def change(visit: Visit) -> Response:
    """Change or withdraw a line."""
    with writing_topic(visit) as (connection, place):
        writing.edit_line(
            connection, place, visit.id("line"), visit.text("when", most=60),
            visit.text("text"), visit.key, withdrawn=visit.text("withdraw") == "yes",
        )  # fmt: skip
    return visit.go(f"/t/{place.id}/write#new")


ROUTES = [
    route("/t/{topic:int}/write", write),
    route("/t/{topic:int}/write", add, "POST"),
    route("/t/{topic:int}/write/change", change, "POST"),
]
