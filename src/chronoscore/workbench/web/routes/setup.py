"""Setting up a topic: its title, the titles of its stories, and putting it away."""

from starlette.responses import Response

from chronoscore.workbench.domain import catalog, permissions
from chronoscore.workbench.domain.actions import guiding, topics
from chronoscore.workbench.web.forms import topic_form
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit

PAGE = 100


def stories(visit: Visit) -> Response:
    """The stories of a topic with their titles, to be corrected before judging begins."""
    with visit.read_topic() as (connection, topic):
        topic.require_manager()
        source = visit.desk.library.source(connection, topic.id)
    may_edit = permissions.allows(topic, catalog.STORY_RETITLE)
    parts = visit.paginate(source.stories, PAGE)
    return visit.page("stories.html", topic=topic, may_edit=may_edit, **parts)


ROUTES = [
    topic_form("title", topics.rename),
    topic_form(
        "archive", topics.archive,
        where=lambda visit: "/p/{project}" if visit.text("archived") == "yes" else "/t/{topic}",
    ),
    topic_form("deadline", guiding.set_deadline),
    route("/t/{topic:int}/stories", stories),
    topic_form("stories", topics.retitle_story, where="/t/{topic}/stories"),
]  # fmt: skip
