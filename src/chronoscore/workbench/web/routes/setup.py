"""Setting up a topic: its title, the titles of its stories, and putting it away."""

from starlette.responses import Response

from chronoscore.workbench.domain import catalog, permissions
from chronoscore.workbench.domain.actions import guiding, topics
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.queries import guiding as queries
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


def set_deadlines(visit: Visit) -> Response:
    """The days by which steps should be handed in; days that are as before are not logged again."""
    steps, days = visit.texts("step"), [day.strip() for day in visit.texts("day")]
    with visit.write_topic() as (connection, topic):
        topic.require_manager()
        if len(steps) != len(days):
            raise InvalidError("choose a day for each step, or open the page again")
        known = {step: day for (_, step), day in queries.deadlines(connection, [topic]).items()}
        for step, day in zip(steps, days, strict=True):
            if day != known.get(step, "") or step not in topic.steps:
                guiding.set_deadline(connection, topic, f"{visit.key}:{step}", step, day)
    return visit.go(f"/t/{topic.id}")


ROUTES = [
    topic_form("title", topics.rename),
    topic_form(
        "archive", topics.archive,
        where=lambda visit: "/p/{project}" if visit.text("archived") == "yes" else "/t/{topic}",
    ),
    route("/t/{topic:int}/deadline", set_deadlines, "POST"),
    route("/t/{topic:int}/stories", stories),
    topic_form("stories", topics.retitle_story, where="/t/{topic}/stories"),
]  # fmt: skip
