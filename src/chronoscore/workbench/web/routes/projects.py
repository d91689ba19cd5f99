"""Projects: the list, a project's page, and its settings."""

from starlette.responses import Response

from chronoscore.workbench.domain import access
from chronoscore.workbench.domain.actions import projects as actions
from chronoscore.workbench.domain.queries import digest, people
from chronoscore.workbench.exchange import demo
from chronoscore.workbench.store.workflow import DEFAULTS
from chronoscore.workbench.web import overview
from chronoscore.workbench.web.forms import project_form
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit


def home(visit: Visit) -> Response:
    """The visitor's projects and what waits for them."""
    with visit.database.read() as connection:
        every = access.list_projects(connection, visit.require_person().id)
        projects = [project for project in every if not project.archived]
        waits = digest.collect(connection, visit.require_person().id)
        work = {one.id: access.list_topics(connection, one) for one in projects}
    return visit.page(
        "home.html",
        projects=projects,
        work={number: [one for one in found if not one.archived] for number, found in work.items()},
        archived=[project for project in every if project.archived],
        mine=[item for item in waits if not item.names],
        others=[item for item in waits if item.names],
        offer_demo=visit.require_person().founder
        and not {project.name for project in every}.intersection(demo.NAMES),
    )


def create(visit: Visit) -> Response:
    """A new project, managed by the founder who makes it."""
    workflow, name = visit.text("workflow"), visit.text("name", most=120)
    with visit.database.write() as connection:
        number = actions.create(connection, visit.require_person().id, name, workflow, visit.key)
    return visit.go(f"/p/{number}")


def load_demo(visit: Visit) -> Response:
    """The demo projects, with something to judge at once."""
    with visit.database.write() as connection:
        demo.load(connection, visit.require_person().id)
    return visit.go("/")


def project(visit: Visit) -> Response:
    """A project's topics, and for each what the visitor can do there."""
    with visit.database.read() as connection:
        here = visit.project(connection)
        every = access.list_topics(connection, here)
        topics = [topic for topic in every if not topic.put_away]
        setup = overview.first_steps(connection, here, topics)
        waiting = {topic.id: people.count_unfinished_workers(connection, topic) for topic in topics}
    archived = [topic for topic in every if topic.put_away]
    return visit.page(
        "project.html", project=here, topics=topics, waiting=waiting, archived=archived, setup=setup
    )


def settings(visit: Visit) -> Response:
    """What a project allows."""
    done = visit.query("done")
    with visit.read_project() as (_, here):
        return visit.page("settings.html", project=here, done=done)


def change_settings(visit: Visit) -> Response:
    """Keep new settings."""
    with visit.write_project() as (connection, here):
        sent = [name for name in DEFAULTS[here.workflow] if name in visit.form]
        given = {name: visit.text(name, most=20) for name in sent}
        actions.change_settings(
            connection, here, visit.key, name=visit.text("name", most=120), given=given
        )
    return visit.go(f"/p/{here.id}/settings?done=yes")


ROUTES = [
    route("/", home),
    route("/projects", create, "POST"),
    route("/demo", load_demo, "POST"),
    route("/p/{project:int}", project),
    route("/p/{project:int}/settings", settings),
    route("/p/{project:int}/settings", change_settings, "POST"),
    project_form(
        "archive", actions.archive,
        where=lambda visit: "/" if visit.text("archived") == "yes" else "/p/{project}",
    ),
]  # fmt: skip
