"""Projects: the list, a project's page, its people, settings, imports and exports."""

from sqlalchemy import Connection, select
from starlette.responses import Response

from chronoscore.errors import DataError
from chronoscore.workbench.domain import accounts
from chronoscore.workbench.domain.access import Place, ProjectPlace, project_place, topic_place
from chronoscore.workbench.domain.actions import managing
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.exchange import demo
from chronoscore.workbench.exchange.imports import File
from chronoscore.workbench.exchange.uploads import add_all, read_files
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.workflow import DEFAULTS
from chronoscore.workbench.web.visit import RefusedError, Visit, not_here, route


def home(visit: Visit) -> Response:
    """The visitor's projects and what waits for them."""
    person = visit.someone
    member, project = tables.member, tables.project
    with visit.database.reading() as connection:
        numbers = connection.execute(
            select(project.c.id)
            .join(member, member.c.project == project.c.id)
            .where(member.c.person == person.id)
            .order_by(project.c.id)
        ).scalars()
        projects = [project_place(connection, person.id, number) for number in numbers]
        work = {one.id: places(connection, one) for one in projects}
    return visit.page("home.html", projects=projects, work=work)


def places(connection: Connection, project: ProjectPlace) -> list[Place]:
    """The topics of a project that the visitor manages or works in."""
    topic = tables.topic
    numbers = (
        connection.execute(
            select(topic.c.id).where(topic.c.project == project.id).order_by(topic.c.id)
        )
        .scalars()
        .all()
    )
    found = []
    for number in numbers:
        try:
            found.append(topic_place(connection, project.person, number))
        except RefusedError:
            continue
    return found


def create(visit: Visit) -> Response:
    """A new project, managed by who makes it."""
    if not visit.someone.founder:
        raise not_here()
    workflow, name = visit.text("workflow"), visit.text("name", most=120)
    if workflow not in DEFAULTS or not name:
        raise RefusedError(400, "a project needs a name and a workflow")
    with visit.database.writing() as connection:
        number = managing.create_project(connection, visit.someone.id, name, workflow, visit.key)
    return visit.go(f"/p/{number}")


def load_demo(visit: Visit) -> Response:
    """The demo projects, with something to judge at once."""
    if not visit.someone.founder:
        raise not_here()
    with visit.database.writing() as connection:
        demo.load(connection, visit.someone.id)
    return visit.go("/")


def project(visit: Visit) -> Response:
    """A project's topics, and for each what the visitor can do there."""
    with visit.database.reading() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project"))
        topics = places(connection, here)
        waiting = {place.id: managing.waiting_for(connection, place) for place in topics}
    return visit.page("project.html", project=here, topics=topics, waiting=waiting)


def team(visit: Visit) -> Response:
    """Who belongs to the project, and invitations for more."""
    with visit.database.reading() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
        members = people.members(connection, here)
    return visit.page("people.html", project=here, members=members, link="")


def invite(visit: Visit) -> Response:
    """A link for one more person, shown once."""
    with visit.database.writing() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
        token = accounts.invite(
            connection,
            days=visit.desk.settings.invitation_days,
            project=here.id,
            manager=visit.text("manager") == "yes",
            label=visit.text("label", most=60),
        )
        members = people.members(connection, here)
    link = f"{visit.desk.settings.origin}/invite/{token}"
    return visit.page("people.html", project=here, members=members, link=link)


def change_member(visit: Visit) -> Response:
    """Make somebody a manager or not, or let them go."""
    with visit.database.writing() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
        managing.change_member(
            connection, here, visit.number("person"), visit.text("change"), visit.key
        )
    return visit.go(f"/p/{here.id}/people")


def settings(visit: Visit) -> Response:
    """What a project allows."""
    with visit.database.reading() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
    return visit.page("settings.html", project=here, done=visit.request.query_params.get("done"))


def change_settings(visit: Visit) -> Response:
    """Keep new settings."""
    with visit.database.writing() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
        managing.change_settings(
            connection,
            here,
            name=visit.text("name", most=120),
            given={name: visit.text(name, most=20) for name in DEFAULTS[here.workflow]},
            key=visit.key,
        )
    return visit.go(f"/p/{here.id}/settings?done=yes")


def importing(visit: Visit) -> Response:
    """The form by which stories come in."""
    with visit.database.reading() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
    megabytes = visit.desk.settings.largest_upload // 1024 // 1024
    return visit.page("import.html", project=here, megabytes=megabytes, wrong="")


def may_import(visit: Visit) -> None:
    """Only a manager's upload is taken in at all."""
    with visit.database.reading() as connection:
        project_place(connection, visit.someone.id, visit.number("project")).managed()


def do_import(visit: Visit) -> Response:
    """Read the uploaded files and make a topic of them."""
    with visit.database.reading() as connection:
        here = project_place(connection, visit.someone.id, visit.number("project")).managed()
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
        found = read_files(here.workflow, name, title, files, largest=largest)
        with visit.database.writing() as connection:
            most = visit.text("most", most=6)
            numbers = add_all(connection, here, found, most=most, key=visit.key)
    except DataError as error:
        megabytes = largest // 1024 // 1024
        return visit.page("import.html", 400, project=here, megabytes=megabytes, wrong=str(error))
    return visit.go(f"/t/{numbers[0]}" if len(numbers) == 1 else f"/p/{here.id}")


ROUTES = [
    route("/", home),
    route("/projects", create, "POST"),
    route("/demo", load_demo, "POST"),
    route("/p/{project:int}", project),
    route("/p/{project:int}/people", team),
    route("/p/{project:int}/people", invite, "POST"),
    route("/p/{project:int}/people/{person:int}", change_member, "POST"),
    route("/p/{project:int}/settings", settings),
    route("/p/{project:int}/settings", change_settings, "POST"),
    route("/p/{project:int}/import", importing),
    route("/p/{project:int}/import", do_import, "POST", before=may_import),
]
