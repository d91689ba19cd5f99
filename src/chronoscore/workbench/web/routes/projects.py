"""Projects: the list, a project's page, its settings and imports."""

from starlette.responses import Response

from chronoscore.errors import DataError
from chronoscore.workbench.domain.access import own_projects, project_access, project_topics
from chronoscore.workbench.domain.actions import projects as actions
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.domain.queries.digest import digest_of_waiting_work
from chronoscore.workbench.exchange import demo
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.exchange.uploads import add_uploaded_topics, read_uploads
from chronoscore.workbench.store.workflow import DEFAULTS
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit


def home(visit: Visit) -> Response:
    """The visitor's projects and what waits for them."""
    with visit.database.reading() as connection:
        every = own_projects(connection, visit.someone.id)
        projects = [project for project in every if not project.archived]
        waits = digest_of_waiting_work(connection, visit.someone.id)
        work = {one.id: project_topics(connection, one) for one in projects}
    return visit.page(
        "home.html",
        projects=projects,
        work={number: [one for one in found if not one.archived] for number, found in work.items()},
        archived=[project for project in every if project.archived],
        mine=[item for item in waits if not item.names],
        others=[item for item in waits if item.names],
        offer_demo=visit.someone.founder
        and not {project.name for project in every}.intersection(demo.NAMES),
    )


def create(visit: Visit) -> Response:
    """A new project, managed by who makes it."""
    workflow, name = visit.text("workflow"), visit.text("name", most=120)
    with visit.database.writing() as connection:
        number = actions.create_project(connection, visit.someone.id, name, workflow, visit.key)
    return visit.go(f"/p/{number}")


def load_demo(visit: Visit) -> Response:
    """The demo projects, with something to judge at once."""
    with visit.database.writing() as connection:
        demo.load(connection, visit.someone.id)
    return visit.go("/")


def project(visit: Visit) -> Response:
    """A project's topics, and for each what the visitor can do there."""
    with visit.database.reading() as connection:
        here = project_access(connection, visit.someone.id, visit.number("project"))
        every = project_topics(connection, here)
        topics = [topic for topic in every if not topic.put_away]
        waiting = {topic.id: people.count_unfinished_workers(connection, topic) for topic in topics}
    archived = [topic for topic in every if topic.put_away]
    return visit.page(
        "project.html", project=here, topics=topics, waiting=waiting, archived=archived
    )


def settings(visit: Visit) -> Response:
    """What a project allows."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
    return visit.page("settings.html", project=here, done=visit.request.query_params.get("done"))


def change_settings(visit: Visit) -> Response:
    """Keep new settings."""
    with visit.database.writing() as connection:
        here = visit.managed_project(connection)
        sent = [name for name in DEFAULTS[here.workflow] if name in visit.form]
        given = {name: visit.text(name, most=20) for name in sent}
        actions.change_settings(
            connection, here, visit.key, name=visit.text("name", most=120), given=given
        )
    return visit.go(f"/p/{here.id}/settings?done=yes")


def archive(visit: Visit) -> Response:
    """Put a project away, or take it up again."""
    with visit.database.writing() as connection:
        here = visit.managed_project(connection)
        actions.archive(connection, here, visit.key, archived=visit.text("archived") == "yes")
    return visit.go("/" if visit.text("archived") == "yes" else f"/p/{here.id}")


def import_form(visit: Visit) -> Response:
    """The form by which stories come in."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
    megabytes = visit.desk.settings.largest_upload // 1024 // 1024
    return visit.page("import.html", project=here, megabytes=megabytes, wrong="")


def may_import(visit: Visit) -> None:
    """Only a manager's upload is taken in at all."""
    with visit.database.reading() as connection:
        visit.managed_project(connection)


def import_topic(visit: Visit) -> Response:
    """Read the uploaded files and make a topic of them."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
    largest = visit.desk.settings.largest_upload
    files = [
        File(upload.filename or "file", upload.file.read())
        for upload in visit.uploads("files")
        if upload.filename
    ]
    try:
        if not files:
            raise DataError("no file was sent; choose one or more")
        name, title = visit.text("name", most=80), visit.text("title")
        drafts = read_uploads(here.workflow, name, title, files, largest=largest)
        with visit.database.writing() as connection:
            most = visit.text("most", most=6)
            numbers = add_uploaded_topics(connection, here, drafts, most=most, key=visit.key)
    except DataError as error:
        megabytes = largest // 1024 // 1024
        return visit.page("import.html", 400, project=here, megabytes=megabytes, wrong=str(error))
    return visit.go(f"/t/{numbers[0]}" if len(numbers) == 1 else f"/p/{here.id}")


ROUTES = [
    route("/", home),
    route("/projects", create, "POST"),
    route("/demo", load_demo, "POST"),
    route("/p/{project:int}", project),
    route("/p/{project:int}/settings", settings),
    route("/p/{project:int}/settings", change_settings, "POST"),
    route("/p/{project:int}/archive", archive, "POST"),
    route("/p/{project:int}/import", import_form),
    route("/p/{project:int}/import", import_topic, "POST", before=may_import),
]
