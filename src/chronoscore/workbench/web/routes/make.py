"""Make units: everybody's lines by date, and the content units made of them."""

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.keys import guidelines_key
from chronoscore.workbench.domain.queries import people, units
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.store.tables import UNIT_FIELDS
from chronoscore.workbench.web.forms import Form, answer_posted_form
from chronoscore.workbench.web.routes.guidelines import require_guidelines_read
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Fields, Visit


def make(visit: Visit) -> Response:
    """Lines that are in no unit yet, and the units with theirs."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("make")
        lines = units.all_lines(connection, topic)
        made = units.units(connection, topic.id)
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_undoable_action(connection, topic)
        entries, seconds = people.own_work(connection, topic, "make")
    lines.sort(key=lambda line: (When.parse(line.when), line.id))
    return visit.page(
        "make.html", topic=topic, undo=undo, source=source, lines=lines, units=made,
        fields=UNIT_FIELDS, entries=entries, seconds=seconds,
        writers=sorted({line.person for line in lines}),
        left=[line for line in lines if not line.units and not line.omitted],
        frozen=topic.frozen("make"),
        keys=guidelines_key(visit.someone.keys),
    )  # fmt: skip


def change_units(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """One decision of the unit maker."""
    lines, unit, what = fields.texts("line"), fields.id("unit"), fields.text("do", most=20)
    if what == "unit":
        return writing.make_unit(connection, topic, key, lines, {})
    if what == "put":
        return writing.put_lines(connection, topic, key, lines, unit)
    if what == "take":
        return writing.take_line(connection, topic, key, (lines or [""])[0], unit)
    if what == "edit":
        given = {name: fields.text(name, most=500) for name in UNIT_FIELDS}
        return writing.edit_unit(connection, topic, key, unit, given)
    if what == "merge":
        return writing.merge_units(connection, topic, key, unit, fields.id("other"))
    if what == "omit":
        return writing.omit_lines(connection, topic, key, lines, fields.text("reason"))
    raise InvalidError("no such action")


def post_change(visit: Visit) -> Response:
    """One decision of the unit maker, by a plain form."""
    return answer_posted_form(
        visit, change_units, make, f"/t/{{topic}}/make#{visit.id('unit') or 'lines'}"
    )


FORMS: dict[str, Form] = {"make": change_units}
ROUTES = [
    route("/t/{topic:int}/make", require_guidelines_read(make, "make")),
    route("/t/{topic:int}/make", post_change, "POST"),
]
