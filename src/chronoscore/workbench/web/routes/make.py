"""Make units: everybody's lines by date, and the content units made of them."""

from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.store.tables import UNIT_FIELDS
from chronoscore.workbench.web.forms import Perform, topic_form
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit


def make(visit: Visit) -> Response:
    """Lines that are in no unit yet, and the units with theirs."""
    with open_step(visit, "make") as view:
        lines = units.all_lines(view.connection, view.topic)
        made = units.list_units(view.connection, view.topic.id)
        undo = undoing.find_last(view.connection, view.topic)
    lines.sort(key=lambda line: (When.parse(line.when), line.id))
    return view.page(
        "make.html", undo=undo, lines=lines, units=made, fields=UNIT_FIELDS,
        # By ids, which are drawn by chance: the order of accounts would tell who is who.
        writers=list(dict.fromkeys(one.person for one in sorted(lines, key=lambda one: one.id))),
        left=[line for line in lines if not line.units and not line.omitted],
    )  # fmt: skip


BUTTONS: dict[str, Perform] = {
    "unit": writing.make_unit,
    "put": writing.put_lines,
    "take": writing.take_line,
    "edit": writing.edit_unit,
    "merge": writing.merge_units,
    "omit": writing.omit_lines,
}
ROUTES = [
    step_route("make", make),
    topic_form(
        "make", BUTTONS, screen=make, scripted=True,
        where=lambda visit: f"/t/{{topic}}/make#{visit.id('unit') or 'lines'}",
    ),
]  # fmt: skip
