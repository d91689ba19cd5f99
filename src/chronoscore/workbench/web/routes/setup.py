"""Setting up a topic: its title, the titles of its stories, and putting it away."""

from starlette.responses import Response

from chronoscore.workbench.domain.actions import guiding, topics
from chronoscore.workbench.domain.permissions import is_action_permitted
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit

PAGE = 100


def rename(visit: Visit) -> Response:
    """Another title for the topic."""
    with visit.writing_topic() as (connection, topic):
        topics.rename(connection, topic, visit.key, visit.text("title"))
    return visit.go(f"/t/{topic.id}")


def archive(visit: Visit) -> Response:
    """Put the topic away, or take it up again."""
    archived = visit.text("archived") == "yes"
    with visit.writing_topic() as (connection, topic):
        topics.archive(connection, topic, visit.key, archived=archived)
    return visit.go(f"/p/{topic.project.id}" if archived else f"/t/{topic.id}")


def deadline(visit: Visit) -> Response:
    """The day by which a step should be handed in."""
    with visit.writing_topic() as (connection, topic):
        guiding.set_deadline(
            connection, topic, visit.key, visit.text("step", most=20), visit.text("day", most=20)
        )
    return visit.go(f"/t/{topic.id}")


def stories(visit: Visit) -> Response:
    """The stories of a topic with their titles, to be corrected before judging begins."""
    with visit.reading_topic() as (connection, topic):
        topic.managed()
        source = visit.desk.library.source(connection, topic.id)
    pages = max(1, -(-len(source.stories) // PAGE))
    asked = visit.request.query_params.get("page", "")
    page = min(int(asked), pages) if asked.isdecimal() and 0 < len(asked) < 9 else 1
    page = max(page, 1)
    return visit.page(
        "stories.html", topic=topic, stories=source.stories[PAGE * (page - 1) : PAGE * page],
        page=page, pages=pages, may_edit=is_action_permitted(topic, "story.retitle"),
    )  # fmt: skip


def retitle(visit: Visit) -> Response:
    """Another title for a story."""
    with visit.writing_topic() as (connection, topic):
        topics.retitle_story(connection, topic, visit.key, visit.id("story"), visit.text("title"))
    return visit.back(f"/t/{topic.id}/stories")


ROUTES = [
    route("/t/{topic:int}/title", rename, "POST"),
    route("/t/{topic:int}/archive", archive, "POST"),
    route("/t/{topic:int}/deadline", deadline, "POST"),
    route("/t/{topic:int}/stories", stories),
    route("/t/{topic:int}/stories", retitle, "POST"),
]
