"""Make units: everybody's lines by date, and the content units made of them."""

from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.store.tables import UNIT_FIELDS
from chronoscore.workbench.web.visit import Visit, route


def make(visit: Visit) -> Response:
    """Lines that are in no unit yet, and the units with theirs."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("make")
        lines = units.all_lines(connection, topic)
        made = units.units(connection, topic.id)
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_action(connection, topic)
    lines.sort(key=lambda line: (When.parse(line.when), line.id))
    return visit.page(
        "make.html", topic=topic, undo=undo, source=source, lines=lines, units=made,
        fields=UNIT_FIELDS, writers=sorted({line.person for line in lines}),
        left=[line for line in lines if not line.units and not line.omitted],
        frozen=topic.frozen("make"),
    )  # fmt: skip


def change(visit: Visit) -> Response:
    """One decision of the unit maker."""
    lines, key, what = visit.texts("line"), visit.key, visit.text("do", most=20)
    unit = visit.id("unit")
    with visit.writing_topic() as (connection, topic):
        if what == "unit":
            writing.make_unit(connection, topic, key, lines, {})
        elif what == "put":
            writing.put_lines(connection, topic, key, lines, unit)
        elif what == "take":
            writing.take_line(connection, topic, key, (lines or [""])[0], unit)
        elif what == "edit":
            fields = {name: visit.text(name, most=500) for name in UNIT_FIELDS}
            writing.edit_unit(connection, topic, key, unit, fields)
        elif what == "merge":
            writing.merge_units(connection, topic, key, unit, visit.id("other"))
        elif what == "omit":
            writing.omit_lines(connection, topic, key, lines, visit.text("reason"))
        else:
            raise InvalidError("no such action")
    return visit.go(f"/t/{topic.id}/make#{unit or 'lines'}")


ROUTES = [
    route("/t/{topic:int}/make", make),
    route("/t/{topic:int}/make", change, "POST"),
]
