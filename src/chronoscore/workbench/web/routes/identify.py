"""Identify: a judge reads the stories in order and notes the events they see."""

from starlette.responses import Response

from chronoscore.workbench.domain.actions import judging, undoing
from chronoscore.workbench.domain.keys import keys_of
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.web.visit import Visit, route


def identify(visit: Visit) -> Response:
    """One story, the rail of all stories, and the judge's own candidates."""
    with visit.reading_topic() as (connection, topic):
        topic.visible("identify")
        source = visit.desk.library.source(connection, topic.id)
        undo = undoing.last_action(connection, topic)
        candidates = stream.own_candidates(connection, topic)
        read = stream.read_stories(connection, topic)
        entries, seconds = people.own_work(connection, topic, "identify")
    asked = visit.request.query_params.get("story", "")
    unread = next((story for story in source.stories if story.id not in read), source.stories[0])
    story = source.story.get(asked, unread)
    return visit.page(
        "identify.html", topic=topic, source=source, story=story, candidates=candidates, read=read,
        undo=undo, entries=entries, seconds=seconds, keys=keys_of("identify", visit.someone.keys),
        request_from=visit.request.query_params.get("from", ""),
        frozen=topic.frozen("identify"),
    )  # fmt: skip


def new_candidate(visit: Visit) -> Response:
    """An event seen in a sentence."""
    sentence = visit.id("sentence")
    with visit.writing_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        judging.add_candidate(connection, topic, visit.key, source, sentence, visit.text("text"))
    return visit.back(f"/t/{topic.id}/identify")


def change_candidate(visit: Visit) -> Response:
    """Reword or withdraw a candidate."""
    with visit.writing_topic() as (connection, topic):
        judging.edit_candidate(
            connection, topic, visit.key, visit.id("candidate"), visit.text("text"),
            withdrawn=visit.text("withdraw") == "yes",
        )  # fmt: skip
    return visit.back(f"/t/{topic.id}/identify")


def read(visit: Visit) -> Response:
    """Mark a story as read and go on to the next."""
    name = visit.id("story")
    with visit.writing_topic() as (connection, topic):
        source = visit.desk.library.source(connection, topic.id)
        again = visit.text("read") == "no"
        judging.read_story(connection, topic, visit.key, source, name, read=not again)
    number = source.story[name].n
    following = source.stories[min(number, len(source.stories) - 1)].id
    return visit.go(f"/t/{topic.id}/identify?story={name if again else following}")


ROUTES = [
    route("/t/{topic:int}/identify", identify),
    route("/t/{topic:int}/identify/candidates", new_candidate, "POST"),
    route("/t/{topic:int}/identify/candidates/change", change_candidate, "POST"),
    route("/t/{topic:int}/identify/read", read, "POST"),
]
