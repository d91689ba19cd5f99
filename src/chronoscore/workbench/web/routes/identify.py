"""Identify: a judge reads the stories in order and notes the events they see."""

from functools import partial
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import judging, undoing
from chronoscore.workbench.domain.keys import keys_of
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import TopicSource
from chronoscore.workbench.web.forms import Form, answer_posted_form, perform_posted_action
from chronoscore.workbench.web.routes.guidelines import require_guidelines_read
from chronoscore.workbench.web.routes.link import answer_stream
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Fields, Visit


def identify(visit: Visit) -> Response:
    """One story, the rail of all stories, and the judge's own candidates."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("identify")
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_undoable_action(connection, topic)
        candidates = stream.own_candidates(connection, topic)
        read = stream.own_read_stories(connection, topic)
        entries, seconds = people.own_work(connection, topic, "identify")
    asked = visit.request.query_params.get("story", "") or visit.id("story")
    unread = next((story for story in source.stories if story.id not in read), source.stories[0])
    story = source.story.get(asked, unread)
    return visit.page(
        "identify.html", topic=topic, source=source, story=story, candidates=candidates, read=read,
        undo=undo, entries=entries, seconds=seconds, keys=keys_of("identify", visit.someone.keys),
        request_from=visit.request.query_params.get("from", "") or visit.id("sentence"),
        frozen=topic.frozen("identify"),
    )  # fmt: skip


def stream_data(visit: Visit) -> Response:
    """The stories, so that the script can go from one to the next without the server."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("identify")
        source = visit.desk.library.source(connection, topic.id)
    return answer_stream(visit, source)


def add_candidate(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, fields: Fields
) -> LogEntry:
    """An event seen in a sentence."""
    sentence, text = fields.id("sentence"), fields.text("text")
    return judging.add_candidate(connection, topic, key, source, sentence, text)


def change_candidate(
    connection: Connection, topic: TopicAccess, key: str, _source: TopicSource, fields: Fields
) -> LogEntry:
    """Reword or withdraw a candidate."""
    return judging.edit_candidate(
        connection, topic, key, fields.id("candidate"), fields.text("text"),
        withdrawn=fields.text("withdraw") == "yes",
    )  # fmt: skip


def read_story(
    connection: Connection, topic: TopicAccess, key: str, source: TopicSource, fields: Fields
) -> LogEntry:
    """Mark a story as read, or as not read yet."""
    read = fields.text("read") != "no"
    return judging.read_story(connection, topic, key, source, fields.id("story"), read=read)


def post_read_story(visit: Visit) -> Response:
    """Mark a story as read and go on to the next."""
    topic = perform_posted_action(visit, read_story)
    name = visit.id("story")
    with visit.database.reading() as connection:
        source = visit.desk.library.source(connection, topic.id)
    if visit.text("read") != "no":
        name = source.stories[min(source.story[name].n, len(source.stories) - 1)].id
    return visit.go(f"/t/{topic.id}/identify?story={quote(name)}")


PAGE = "/t/{topic}/identify"
FORMS: dict[str, Form] = {
    "identify/candidates": add_candidate,
    "identify/candidates/change": change_candidate,
    "identify/read": read_story,
}
ROUTES = [
    route("/t/{topic:int}/identify", require_guidelines_read(identify, "identify")),
    route("/t/{topic:int}/identify.json", stream_data, json=True),
    route("/t/{topic:int}/identify/read", post_read_story, "POST"),
    *(
        route(
            f"/t/{{topic:int}}/{path}",
            partial(answer_posted_form, form=FORMS[path], screen=identify, where=PAGE),
            "POST",
        )
        for path in ("identify/candidates", "identify/candidates/change")
    ),
]
