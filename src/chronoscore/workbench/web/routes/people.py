"""The people of a project: invitations, members, forgotten passwords."""

import re
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection
from starlette.responses import Response

from chronoscore.workbench.domain import accounts, links, recovery
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions import projects as actions
from chronoscore.workbench.domain.errors import InvalidError, NotFoundError
from chronoscore.workbench.domain.queries import people
from chronoscore.workbench.web.forms import Perform, project_form
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Screen, Visit

MOST_INVITED = 50
"""Links that one form makes."""


@dataclass(frozen=True)
class TeamView:
    """Everything that the page of a project's people shows."""

    members: list[tuple[int, str, bool]]
    known: list[tuple[int, str]]
    invitations: list[links.OpenInvitation]
    requests: list[recovery.OpenRequest]


def team(visit: Visit) -> Response:
    """Who belongs to the project, and invitations for more."""
    with visit.read_project() as (connection, here):
        view = _view(connection, here)
    return _page(visit, here, view)


def invite(visit: Visit) -> Response:
    """A link for each person who is named, shown once; one if nobody is."""
    shown = []
    manager, days = visit.text("manager") == "yes", visit.desk.settings.invitation_days
    with visit.write_project() as (connection, here):
        names = [" ".join(name.split()) for name in re.split("[,;]", visit.text("label"))]
        names = [name for name in dict.fromkeys(names) if name] or [""]
        if len(names) > MOST_INVITED:
            raise InvalidError(f"{len(names)} names at once; invite at most {MOST_INVITED}")
        for name in names:
            key, token = secrets.token_hex(16), secrets.token_urlsafe(32)
            link = links.describe_invitation(accounts.digest_secret(token), name, days)
            actions.invite(connection, here, key, link, manager=manager)
            shown.append((name, visit.outside(f"/invite/{token}")))
        view = _view(connection, here)
    return _page(visit, here, view, links=shown)


def change_member(perform: Perform, **options: bool) -> Screen:
    """A screen that does something to the member whom its address names."""

    def change(visit: Visit) -> Response:
        with visit.write_project() as (connection, here):
            perform(connection, here, visit.key, visit.number("person"), **options)
        return visit.go(f"/p/{here.id}/people")

    return change


def make_reset(visit: Visit) -> Response:
    """A link by which a member chooses a new password, shown once."""
    token = secrets.token_urlsafe(32)
    with visit.write_project() as (connection, here):
        person, digest = visit.number("person"), accounts.digest_secret(token)
        # A key of its own: the same form sent again makes a link that works, too.
        asked = actions.reset_member(connection, here, secrets.token_hex(16), person, digest=digest)
        recovery.announce(connection, asked)
        name = accounts.names(connection, {person})[person]
        view = _view(connection, here)
    return _page(visit, here, view, reset=visit.outside(f"/reset/{token}"), reset_name=name)


def reset_form(visit: Visit) -> Response:
    """The page behind a link to choose a new password."""
    token = visit.request.path_params["token"]
    with visit.database.read() as connection:
        person = links.person_to_reset(connection, token)
    if person is None:
        raise NotFoundError
    return visit.page("reset.html", name=person.name, token=token, wrong="")


def reset(visit: Visit) -> Response:
    """Keep the new password; every session of the person ends, and the link opens nothing."""
    token = visit.request.path_params["token"]
    password, again = visit.password("password"), visit.password("again")
    with visit.database.read() as connection:
        person = links.person_to_reset(connection, token)
    if person is None:
        raise NotFoundError
    wrong = "" if accounts.is_strong(password) else accounts.STRENGTH
    if password != again:
        wrong = "the two passwords differ; type them again"
    if wrong:
        return visit.page("reset.html", 400, name=person.name, token=token, wrong=wrong)
    hashed = accounts.hash_password(password)
    with visit.database.write() as connection:
        # Another tab may have used the link meanwhile.
        link = links.find_reset(connection, token)
        if link is None:
            raise NotFoundError
        if not recovery.is_confirmed(connection, link):
            wrong = recovery.UNCONFIRMED
        else:
            accounts.change_password(connection, person.id, hashed)
            recovery.finish(connection, link)
    if wrong:
        return visit.page("reset.html", 409, name=person.name, token=token, wrong=wrong)
    return visit.go("/login")


def _view(connection: Connection, here: ProjectAccess) -> TeamView:
    return TeamView(
        members=people.members(connection, here),
        known=people.known_people(connection, here),
        invitations=links.open_invitations(connection, here.id),
        requests=recovery.open_requests(connection, here),
    )


def _page(
    visit: Visit, here: ProjectAccess, view: TeamView, status: int = 200, **shown: object
) -> Response:
    usual = {"links": [], "reset": "", "reset_name": ""}
    days = round(visit.desk.settings.invitation_days)
    return visit.page("people.html", status, project=here, view=view, days=days, **usual | shown)


ROUTES = [
    route("/p/{project:int}/people", team),
    route("/p/{project:int}/people", invite, "POST"),
    project_form("people/withdraw", actions.withdraw, where="/p/{project}/people"),
    project_form("people/reset/confirm", actions.confirm_reset, where="/p/{project}/people"),
    project_form("people/reset/refuse", actions.refuse_reset, where="/p/{project}/people"),
    project_form("people/known", actions.add_known, where="/p/{project}/people"),
    *(
        route(f"/p/{{project:int}}/people/{{person:int}}/{what}", change, "POST")
        for what, change in (
            ("manager", change_member(actions.set_manager, manager=True)),
            ("member", change_member(actions.set_manager, manager=False)),
            ("remove", change_member(actions.remove_member)),
        )
    ),
    route("/p/{project:int}/people/{person:int}/reset", make_reset, "POST"),
    route("/reset/{token}", reset_form, guests=True),
    route("/reset/{token}", reset, "POST", guests=True),
]
