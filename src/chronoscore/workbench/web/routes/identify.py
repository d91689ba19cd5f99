"""Identify: a judge reads the stories in order and notes the events they see."""

from urllib.parse import quote

from starlette.responses import Response

from chronoscore.workbench.domain.actions import judging, undoing
from chronoscore.workbench.domain.queries import stream
from chronoscore.workbench.web.forms import topic_form
from chronoscore.workbench.web.routes.guidelines import step_route
from chronoscore.workbench.web.routes.link import answer_stream
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.steps import open_step
from chronoscore.workbench.web.visit import Visit


def identify(visit: Visit) -> Response:
    """One story, the rail of all stories, and the judge's own candidates."""
    with open_step(visit, "identify") as view:
        undo = undoing.find_last(view.connection, view.topic)
        candidates = stream.own_candidates(view.connection, view.topic)
        read = stream.own_read_stories(view.connection, view.topic)
    source = view.source
    asked = visit.query("story") or visit.id("story")
    unread = next((story for story in source.stories if story.id not in read), source.stories[0])
    story = source.story.get(asked, unread)
    return view.page(
        "identify.html", story=story, candidates=candidates, read=read, undo=undo,
        request_from=visit.query("from") or visit.id("sentence"),
    )  # fmt: skip


def stream_data(visit: Visit) -> Response:
    """The stories, so that the script can go from one to the next without the server."""
    with visit.read_topic() as (connection, topic):
        topic.require_step("identify")
        source = visit.desk.library.source(connection, topic.id)
    return answer_stream(visit, source)


def _next_story(visit: Visit) -> str:
    """The page of the story after one that was read."""
    name = visit.id("story")
    with visit.read_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
    if visit.text("read") != "no":
        name = source.stories[min(source.story[name].n, len(source.stories) - 1)].id
    return f"/t/{{topic}}/identify?story={quote(name)}"


ROUTES = [
    step_route("identify", identify),
    route("/t/{topic:int}/identify.json", stream_data, json=True),
    topic_form("identify/read", judging.read_story, where=_next_story, scripted=True),
    topic_form(
        "identify/candidates", judging.add_candidate, where="/t/{topic}/identify", screen=identify,
        scripted=True,
    ),
    topic_form(
        "identify/candidates/change", judging.edit_candidate, where="/t/{topic}/identify",
        screen=identify, scripted=True,
    ),
]  # fmt: skip
