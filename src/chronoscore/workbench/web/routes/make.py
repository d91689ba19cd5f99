"""Make units: everybody's lines by date, and the content units made of them."""

from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.queries import units
from chronoscore.workbench.store.tables import UNIT_FIELDS
from chronoscore.workbench.web.visit import RefusedError, Visit, route


def make(visit: Visit) -> Response:
    """Lines that are in no unit yet, and the units with theirs."""
    with reading_topic(visit) as (connection, place):
        place.visible("make")
        lines = units.all_lines(connection, place)
        found = units.units(connection, place.id)
        source = visit.desk.library.source(connection, place.id)
        undo = undoing.last_deed(connection, place, "make")
    lines.sort(key=lambda line: (When.parse(line.when), line.id))
    return visit.page(
        "make.html", place=place, undo=undo, source=source, lines=lines, units=found,
        fields=UNIT_FIELDS, writers=sorted({line.person for line in lines}),
        frozen=place.frozen("make"),
    )  # fmt: skip


def change(visit: Visit) -> Response:
    """One decision of the unit maker."""
    lines, key, what = visit.texts("line"), visit.key, visit.text("do", most=20)
    unit = visit.id("unit")
    with writing_topic(visit) as (connection, place):
        if what == "unit":
            writing.make_unit(connection, place, lines, {}, key)
        elif what == "put":
            writing.put_lines(connection, place, lines, unit, key)
        elif what == "take":
            writing.take_line(connection, place, (lines or [""])[0], unit, key)
        elif what == "edit":
            fields = {name: visit.text(name, most=500) for name in UNIT_FIELDS}
            writing.edit_unit(connection, place, unit, fields, key)
        elif what == "merge":
            writing.merge_units(connection, place, unit, visit.id("other"), key)
        elif what == "omit":
            writing.omit_lines(connection, place, lines, visit.text("reason"), key)
        else:
            raise RefusedError(400, "no such action")
    return visit.go(f"/t/{place.id}/make#{unit or 'lines'}")


ROUTES = [
    route("/t/{topic:int}/make", make),
    route("/t/{topic:int}/make", change, "POST"),
]
