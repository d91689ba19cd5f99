"""Write: the text on the left, one's own dated lines on the right; blind."""

from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.queries import people, units
from chronoscore.workbench.web.visit import Visit, route


def write(visit: Visit) -> Response:
    """The source and the writer's own timeline."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("write")
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_action(connection, topic)
        lines = units.own_lines(connection, topic)
        entries, seconds = people.own_work(connection, topic, "write")
    return visit.page(
        "write.html", topic=topic, undo=undo, source=source, entries=entries, seconds=seconds,
        lines=sorted(lines, key=lambda line: (When.parse(line.when), line.n)),
        frozen=topic.frozen("write"),
    )  # fmt: skip


def add(visit: Visit) -> Response:
    """A new line."""
    with visit.writing_topic() as (connection, topic):
        writing.add_line(
            connection, topic, visit.key, visit.text("when", most=60), visit.text("text")
        )
    return visit.go(f"/t/{topic.id}/write#new")


def change(visit: Visit) -> Response:
    """Change or withdraw a line."""
    with visit.writing_topic() as (connection, topic):
        writing.edit_line(
            connection, topic, visit.key, visit.id("line"), visit.text("when", most=60),
            visit.text("text"), withdrawn=visit.text("withdraw") == "yes",
        )  # fmt: skip
    return visit.go(f"/t/{topic.id}/write#new")


ROUTES = [
    route("/t/{topic:int}/write", write),
    route("/t/{topic:int}/write", add, "POST"),
    route("/t/{topic:int}/write/change", change, "POST"),
]
