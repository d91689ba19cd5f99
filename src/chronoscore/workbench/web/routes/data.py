"""Where the scripts send what a person did: entries with keys, acknowledged one by one."""

from typing import Any

from msgspec import Struct
from sqlalchemy import Connection
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import JSONResponse, Response

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import judging, matching
from chronoscore.workbench.domain.errors import InvalidError, RefusedError, StaleError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import Library
from chronoscore.workbench.web import forms
from chronoscore.workbench.web.forms import Form, FormRoute, Perform
from chronoscore.workbench.web.routes import identify, make, merge, topics, write
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit

MOST_ENTRIES = 200
FORMS: dict[str, Form] = {
    one.form_name: one.form
    for screen in (identify, merge, write, make, topics)
    for one in screen.ROUTES
    if isinstance(one, FormRoute) and one.scripted
}
"""What a script may send instead of posting a form: by the form's address within the topic."""
MESSAGES: dict[str, Perform] = {
    "mark": judging.mark_sentences,
    "verdict": judging.judge_links,
    "anchor": matching.add_anchor,
    "match": matching.match_unit,
}
"""What a script sends in a shape of its own."""


class OutboxEntry(Struct):
    """Something that a person did, under a key that their browser made up."""

    key: str
    action: str
    body: Any = None


class Outbox(Struct):
    """What a browser has kept until now."""

    entries: list[OutboxEntry]


class FormBody(Struct):
    """The fields of a form: each name with the list of its values."""

    fields: dict[str, list[str]]


def receive(visit: Visit) -> Response:
    """Keep entries in the order in which they were made; each gets its own answer.

    All that are kept are kept together before anything is acknowledged. What follows a
    conflict may build upon what did not stand, so it is left without an answer: the browser
    looks at both versions and sends the rest again.
    """
    answers = []
    with visit.write_topic() as (connection, topic):
        entries = forms.convert(visit.body, Outbox).entries
        if not 1 <= len(entries) <= MOST_ENTRIES:
            raise InvalidError(f"send 1 to {MOST_ENTRIES} entries at once")
        for entry in entries:
            answers.append(_answer(connection, topic, visit.desk.library, entry))
            if "conflict" in answers[-1]:
                break
    visit.desk.metrics.count_answers(answers)
    return JSONResponse({"answers": answers})


def _answer(
    connection: Connection, topic: TopicAccess, library: Library, sent: OutboxEntry
) -> dict[str, Any]:
    """Proof that an entry is kept, or why it is not.

    The entry is numbered among the visitor's own: the log's numbers would tell how busy
    the others are.
    """
    key = sent.key
    if not 8 <= len(key) <= 100 or not key.isprintable():
        raise InvalidError("a key has 8 to 100 visible characters")
    try:
        entry = _act(connection, topic, library, sent)
    except StaleError as stale:
        return {"key": key, "conflict": stale.current}
    except RefusedError as refusal:
        return {"key": key, "refused": str(refusal)}
    number, seconds = entry.work or people.own_work(connection, topic, topic.step)
    made = {"id": entry.data.get("id")} if sent.action in FORMS else entry.data
    return {"key": key, "entry": number, "seconds": seconds, "data": made}


def _act(
    connection: Connection, topic: TopicAccess, library: Library, sent: OutboxEntry
) -> LogEntry:
    if sent.action in FORMS:
        body = forms.convert(sent.body, FormBody)
        pairs = [(name, value) for name, values in body.fields.items() for value in values]
        values = ImmutableMultiDict(pairs)
        perform = forms.choose(FORMS[sent.action], values)
        fields = forms.read_form(perform, values)
    elif sent.action in MESSAGES:
        perform = MESSAGES[sent.action]
        fields = forms.read_message(perform, sent.body)
    else:
        raise InvalidError("no such action")
    return forms.act(connection, topic, sent.key, library, perform, fields)


ROUTES = [route("/t/{topic:int}/log", receive, "POST", json=True)]
