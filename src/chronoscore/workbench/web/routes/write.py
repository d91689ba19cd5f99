"""Write: the text on the left, one's own dated lines on the right; blind."""

from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.web.forms import topic_form
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit


def write(visit: Visit) -> Response:
    """The source and the writer's own timeline."""
    with open_step(visit, "write") as view:
        undo = undoing.find_last(view.connection, view.topic)
        lines = units.own_lines(view.connection, view.topic)
    lines.sort(key=lambda line: (When.parse(line.when), line.n))
    return view.page("write.html", undo=undo, lines=lines)


ROUTES = [
    step_route("write", write),
    topic_form(
        "write", writing.add_line, where="/t/{topic}/write#new", screen=write, scripted=True
    ),
    topic_form(
        "write/change", writing.edit_line, where="/t/{topic}/write#new", screen=write,
        scripted=True,
    ),
]  # fmt: skip
