"""Write: the text on the left, one's own dated lines on the right; blind."""

from functools import partial

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.core import When
from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import undoing, writing
from chronoscore.workbench.domain.keys import guidelines_key
from chronoscore.workbench.domain.queries import people, units
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.forms import Form, answer_posted_form
from chronoscore.workbench.web.routes.guidelines import require_guidelines_read
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Fields, Visit


def write(visit: Visit) -> Response:
    """The source and the writer's own timeline."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("write")
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_undoable_action(connection, topic)
        lines = units.own_lines(connection, topic)
        entries, seconds = people.own_work(connection, topic, "write")
    return visit.page(
        "write.html", topic=topic, undo=undo, source=source, entries=entries, seconds=seconds,
        lines=sorted(lines, key=lambda line: (When.parse(line.when), line.n)),
        frozen=topic.frozen("write"),
        keys=guidelines_key(visit.someone.keys),
    )  # fmt: skip


def add_line(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """A new line."""
    when, text = fields.text("when", most=60), fields.text("text")
    return writing.add_line(connection, topic, key, when, text)


def change_line(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """Change or withdraw a line."""
    return writing.edit_line(
        connection, topic, key, fields.id("line"), fields.text("when", most=60),
        fields.text("text"), withdrawn=fields.text("withdraw") == "yes",
    )  # fmt: skip


FORMS: dict[str, Form] = {"write": add_line, "write/change": change_line}
ROUTES = [
    route("/t/{topic:int}/write", require_guidelines_read(write, "write")),
    *(
        route(
            f"/t/{{topic:int}}/{path}",
            partial(answer_posted_form, form=form, screen=write, where="/t/{topic}/write#new"),
            "POST",
        )
        for path, form in FORMS.items()
    ),
]
