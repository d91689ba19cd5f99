"""Identify: a judge reads the stories in order and notes the events they see."""

from starlette.responses import Response

from chronoscore.workbench.domain.access import reading_topic, writing_topic
from chronoscore.workbench.domain.actions import judging, undoing
from chronoscore.workbench.domain.keys import keys_of
from chronoscore.workbench.domain.queries import people, stream
from chronoscore.workbench.web.visit import Visit, route


def identify(visit: Visit) -> Response:
    """One story, the rail of all stories, and the judge's own candidates."""
    with reading_topic(visit) as (connection, place):
        place.visible("identify")
        source = visit.desk.library.source(connection, place.id)
        undo = undoing.last_deed(connection, place, "identify")
        candidates = stream.own_candidates(connection, place)
        read = stream.read_stories(connection, place)
        entries, seconds = people.own_work(connection, place, "identify")
    asked = visit.request.query_params.get("story", "")
    unread = next((story for story in source.stories if story.id not in read), source.stories[0])
    story = source.story.get(asked, unread)
    return visit.page(
        "identify.html", place=place, source=source, story=story, candidates=candidates, read=read,
        undo=undo, entries=entries, seconds=seconds, keys=keys_of("identify", visit.someone.keys),
        request_from=visit.request.query_params.get("from", ""),
        frozen=place.frozen("identify"),
    )  # fmt: skip


def new_candidate(visit: Visit) -> Response:
    """An event seen in a sentence."""
    sentence = visit.id("sentence")
    with writing_topic(visit) as (connection, place):
        source = visit.desk.library.source(connection, place.id)
        judging.add_candidate(connection, place, source, sentence, visit.text("text"), visit.key)
    return visit.back(f"/t/{place.id}/identify")


def change_candidate(visit: Visit) -> Response:
    """Reword or withdraw a candidate."""
    with writing_topic(visit) as (connection, place):
        judging.edit_candidate(
            connection, place, visit.id("candidate"), visit.text("text"),
            visit.text("withdraw") == "yes", visit.key,
        )  # fmt: skip
    return visit.back(f"/t/{place.id}/identify")


def read(visit: Visit) -> Response:
    """Mark a story as read and go on to the next."""
    name = visit.id("story")
    with writing_topic(visit) as (connection, place):
        source = visit.desk.library.source(connection, place.id)
        again = visit.text("read") == "no"
        judging.read_story(connection, place, source, name, not again, visit.key)
    number = source.story[name].n
    following = source.stories[min(number, len(source.stories) - 1)].id
    return visit.go(f"/t/{place.id}/identify?story={name if again else following}")


ROUTES = [
    route("/t/{topic:int}/identify", identify),
    route("/t/{topic:int}/identify/candidates", new_candidate, "POST"),
    route("/t/{topic:int}/identify/candidates/change", change_candidate, "POST"),
    route("/t/{topic:int}/identify/read", read, "POST"),
]
