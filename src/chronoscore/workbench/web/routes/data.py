"""Where the scripts send what a person did: entries with keys, acknowledged one by one."""

from typing import Any

from sqlalchemy import Connection
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import JSONResponse, Response

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import judging, matching
from chronoscore.workbench.domain.actions.recording import expect_field_type
from chronoscore.workbench.domain.errors import InvalidError, RefusedError, StaleError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.forms import Form
from chronoscore.workbench.web.routes import identify, make, merge, topics, write
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Fields, Visit

MOST_ENTRIES = 200
FORMS: dict[str, Form] = {
    **identify.FORMS, **merge.FORMS, **write.FORMS, **make.FORMS, **topics.FORMS,
}  # fmt: skip
"""What a script may send instead of posting a form: by the form's address within the topic."""


def receive_log_entries(visit: Visit) -> Response:
    """Keep entries in the order in which they were made; each gets its own answer.

    All that are kept are kept together before anything is acknowledged. What follows a
    conflict may build upon what did not stand, so it is left without an answer: the browser
    looks at both versions and sends the rest again.
    """
    answers = []
    with visit.writing_topic() as (connection, topic):
        entries = expect_field_type(
            expect_field_type(visit.body, dict, "message").get("entries"), list, "entries"
        )
        if not 1 <= len(entries) <= MOST_ENTRIES:
            raise InvalidError(f"send 1 to {MOST_ENTRIES} entries at once")
        source = visit.desk.library.source(connection, topic.id)
        for entry in entries:
            answers.append(_answer(connection, topic, source, entry))
            if "conflict" in answers[-1]:
                break
    visit.desk.metrics.count_answers(answers)
    return JSONResponse({"answers": answers})


def _answer(
    connection: Connection, topic: TopicAccess, source: TopicSource, message: object
) -> dict[str, Any]:
    """Proof that an entry is kept, or why it is not.

    The entry is numbered among the visitor's own: the log's numbers would tell how busy
    the others are.
    """
    fields = expect_field_type(message, dict, "entry")
    key = expect_field_type(fields.get("key"), str, "key")
    if not 8 <= len(key) <= 100 or not key.isprintable():
        raise InvalidError("a key has 8 to 100 visible characters")
    action = expect_field_type(fields.get("action"), str, "action")
    try:
        body = expect_field_type(fields.get("body"), dict, "body")
        entry = _act(connection, topic, source, action, body, key)
    except StaleError as stale:
        return {"key": key, "conflict": stale.current}
    except RefusedError as refusal:
        return {"key": key, "refused": str(refusal)}
    number, seconds = entry.work or people.own_work(connection, topic, topic.step)
    made = {"id": entry.data.get("id")} if action in FORMS else entry.data
    return {"key": key, "entry": number, "seconds": seconds, "data": made}


def _act(
    connection: Connection, topic: TopicAccess, source: TopicSource, action: str,
    body: dict[str, Any], key: str,
) -> LogEntry:  # fmt: skip
    if action in FORMS:
        return FORMS[action](connection, topic, key, source, _fields(body))
    acts = {
        "mark": judging.mark_sentences, "verdict": judging.judge_links,
        "anchor": matching.add_anchor,
        "match": matching.match_unit,
    }  # fmt: skip
    if action not in acts:
        raise InvalidError("no such action")
    return acts[action](connection, topic, key, source, body)


def _fields(body: dict[str, Any]) -> Fields:
    """The fields of a form: each name with the list of its values."""
    given = expect_field_type(body.get("fields"), dict, "fields")
    return Fields(
        ImmutableMultiDict(
            [
                (name, expect_field_type(value, str, name))
                for name, values in given.items()
                for value in expect_field_type(values, list, name)
            ]
        )
    )


ROUTES = [route("/t/{topic:int}/log", receive_log_entries, "POST", json=True)]
