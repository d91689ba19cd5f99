"""Guidelines: written by managers, read before a step, and noted who has read which version."""

from starlette.responses import Response
from starlette.routing import Route

from chronoscore.workbench.domain.access import TopicAccess
from chronoscore.workbench.domain.actions import guiding as actions
from chronoscore.workbench.domain.errors import InvalidError
from chronoscore.workbench.domain.queries import guiding
from chronoscore.workbench.store.workflow import STEPS
from chronoscore.workbench.web import markdown
from chronoscore.workbench.web.forms import project_form
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Screen, Visit


def guidelines(visit: Visit) -> Response:
    """All guidelines of a project; managers see who has read them, and can change them."""
    with visit.database.read() as connection:
        here = visit.project(connection)
        newest = guiding.newest_guidelines(connection, here.id)
        readers = guiding.guideline_readers(connection, here) if here.manager else []
    parts = ["", *STEPS[here.workflow][1:-1]]
    shown = [
        (part, newest.get(part), markdown.render(newest[part].text) if part in newest else "")
        for part in parts
    ]
    return visit.page(
        "guidelines.html", project=here, shown=shown, readers=readers,
        done=visit.query("done"),
    )  # fmt: skip


def edit(visit: Visit) -> Response:
    """The form to write a new version, with all older ones below it."""
    part = visit.query("step")
    with visit.read_project() as (connection, here):
        versions = guiding.guideline_versions(connection, here, part)
    if part and part not in STEPS[here.workflow][1:-1]:
        raise InvalidError("no such step")
    older = [(one, markdown.render(one.text)) for one in versions]
    return visit.page("guideline_edit.html", project=here, part=part, older=older)


def confirm_guidelines_read(visit: Visit) -> Response:
    """Note that the visitor has read what was shown, and continue with the work."""
    shown = [one.partition(":") for one in visit.texts("read")]
    with visit.database.write() as connection:
        here = visit.project(connection)
        for part, _, version in shown:
            number = int(version) if version.isdecimal() and len(version) < 9 else 0
            key = f"{visit.key}:{part}"
            actions.read_guideline(connection, here, key, part, number)
    return visit.back(f"/p/{here.id}/guidelines")


def topic_guidelines(visit: Visit) -> Response:
    """The guidelines for the current step of a topic, as the key on a judging screen opens them."""
    with visit.read_topic() as (connection, topic):
        newest = guiding.newest_guidelines(connection, topic.project.id)
    asked = visit.request.query_params.get("step", topic.step)
    shown = [newest[part] for part in ("", asked) if part in newest and newest[part].text]
    return _reading(visit, topic, asked, shown, back="")


def step_route(step: str, screen: Screen) -> Route:
    """The address of a step's screen; who has not read the newest guidelines sees those first."""

    def show(visit: Visit) -> Response:
        with visit.read_topic() as (connection, topic):
            unread = []
            if topic.opens(step) and not topic.frozen(step):
                unread = guiding.unread_guidelines(connection, topic.project, step)
        if unread:
            where = f"/t/{topic.id}/{step}"
            return _reading(visit, topic, step, unread, back=where)
        return screen(visit)

    return route(f"/t/{{topic:int}}/{step}", show)


def _reading(
    visit: Visit, topic: TopicAccess, step: str, shown: list[guiding.Guideline], *, back: str
) -> Response:
    texts = [(one, markdown.render(one.text)) for one in shown]
    return visit.page(
        "guideline_read.html", project=topic.project, topic=topic, step=step, texts=texts, back=back
    )


ROUTES = [
    route("/p/{project:int}/guidelines", guidelines),
    project_form("guidelines", actions.write_guideline, where="/p/{project}/guidelines?done=yes"),
    route("/p/{project:int}/guidelines/edit", edit),
    route("/p/{project:int}/guidelines/read", confirm_guidelines_read, "POST"),
    route("/t/{topic:int}/guidelines", topic_guidelines),
]
