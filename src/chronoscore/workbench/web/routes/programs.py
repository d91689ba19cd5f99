"""For programs: tokens, a feed of what waits, and a small JSON interface that only reads."""

from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from chronoscore.workbench.domain import access, pace, tokens
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.accounts import Person, digest_secret
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.queries import digest as digests
from chronoscore.workbench.domain.queries import guiding, people
from chronoscore.workbench.web.openapi import (
    ListedProject,
    Operation,
    PersonProgress,
    ProjectList,
    ProjectProgress,
    TopicState,
    WholeProject,
    describe,
)
from chronoscore.workbench.web.routes.manage import export_response
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Screen, Visit


def make_token(visit: Visit) -> Response:
    """A token for a program or a feed reader, shown once."""
    kind, person = visit.text("kind", most=10), visit.require_person().id
    with visit.database.write() as connection:
        token = tokens.create(connection, person, kind, visit.text("label", most=60))
        own = tokens.list_own(connection, person)
    shown = visit.outside(f"/feed/{token}") if kind == "feed" else token
    return visit.page("tokens.html", tokens=own, fresh=shown, kind=kind)


def list_tokens(visit: Visit) -> Response:
    """The visitor's tokens, without their secrets."""
    with visit.database.read() as connection:
        own = tokens.list_own(connection, visit.require_person().id)
    return visit.page("tokens.html", tokens=own, fresh="", kind="")


def revoke_token(visit: Visit) -> Response:
    """A token opens nothing any more."""
    with visit.database.write() as connection:
        tokens.revoke(connection, visit.require_person().id, visit.text("token", most=64))
    return visit.go("/account/tokens")


def feed(visit: Visit) -> Response:
    """What waits for the owner of the address, as Atom."""
    person = _holder(visit, visit.request.path_params["token"], "feed")
    if person is None:
        raise NotFoundError
    with visit.database.read() as connection:
        items = digests.collect(connection, person.id)
    return Response(_atom(visit, person, items), media_type="application/atom+xml")


def _atom(visit: Visit, person: Person, items: list[digests.DigestItem]) -> str:
    home = visit.outside("/")
    entries = []
    for item in items:
        title = f"{', '.join(item.names)} – {item.text}" if item.names else item.text
        words = f"{item.project}{f'; due {item.due}' if item.due else ''}"
        name = digest_secret(f"{person.id} {item.where} {title} {item.due} {item.since}")
        link = quoteattr(visit.outside(item.where))
        entries.append(
            f"<entry><id>urn:sha256:{name}</id><title>{escape(title)}</title>"
            f"<updated>{_stamp(item.since)}</updated><link href={link}/>"
            f"<summary>{escape(words)}</summary></entry>"
        )
    newest = _stamp(max((item.since for item in items), default=0.0))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{escape(home)}</id><title>{escape(f'chronoscore workbench: {person.name}')}</title>"
        f"<updated>{newest}</updated><link href={quoteattr(home)}/>"
        f"<author><name>chronoscore workbench</name></author>{''.join(entries)}</feed>\n"
    )


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _holder(visit: Visit, token: str, kind: str) -> Person | None:
    with visit.database.read() as connection:
        person, note = tokens.find_holder(connection, token, kind)
    if person is not None and note:
        with visit.database.write() as connection:
            tokens.note_use(connection, token)
    return person


def require_token(screen: Screen) -> Screen:
    """A screen for programs: a token in the header counts, a session does not."""

    def ask(visit: Visit) -> Response:
        scheme, _, token = visit.request.headers.get("authorization", "").partition(" ")
        visit.person = _holder(visit, token, "api") if scheme.lower() == "bearer" else None
        if visit.person is None:
            raise HTTPException(401, "send a token of yours: Authorization: Bearer …")
        return screen(visit)

    return ask


def projects(visit: Visit) -> Response:
    """The projects that the owner of the token manages."""
    with visit.database.read() as connection:
        managed = [
            one
            for one in access.list_projects(connection, visit.require_person().id)
            if one.manager
        ]
        found = [
            ListedProject(**_head(one), topics=len(access.list_topics(connection, one)))
            for one in managed
        ]
    return _answer(ProjectList(found))


def project(visit: Visit) -> Response:
    """One project with its topics; people whom the owner must not know about are left out."""
    with visit.read_project() as (connection, here):
        topics = access.list_topics(connection, here)
        days = guiding.deadlines(connection, topics)
        states = [
            TopicState(
                id=one.id, name=one.name, title=one.title, step=one.step, version=one.version,
                archived=one.archived, blind=not one.unblinded,
                waits_for=(
                    people.count_unfinished_workers(connection, one) if one.unblinded else None
                ),
                deadlines={step: day for (topic, step), day in days.items() if topic == one.id},
            )
            for one in topics
        ]  # fmt: skip
    return _answer(WholeProject(**_head(here), settings=here.settings, topics=states))


def progress(visit: Visit) -> Response:
    """Who is how far, in the topics that the owner may know about."""
    with visit.read_project() as (connection, here):
        topics = [one for one in access.list_topics(connection, here) if one.unblinded]
        rows = [
            msgspec.convert(row, PersonProgress, from_attributes=True)
            for topic in topics
            for row in pace.list_rows(
                connection, topic, visit.desk.library.source(connection, topic.id)
            )
        ]
    return _answer(ProjectProgress(rows))


def export(visit: Visit) -> Response:
    """The judgements file, as it is downloaded by hand."""
    _, body = export_response(visit)
    return Response(body, media_type="application/jsonl")


def description(visit: Visit) -> Response:
    """The interface in OpenAPI's words, with this workbench's own address."""
    return JSONResponse(describe(API, visit.desk.settings.public_url))


def _head(one: ProjectAccess) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "workflow": one.workflow, "archived": one.archived}


def _answer(value: msgspec.Struct) -> Response:
    # A figure that cannot be counted is nan, which is written as null.
    return Response(msgspec.json.encode(value), media_type="application/json")


API = {
    "/api/projects": Operation(projects, "List the managed projects", "The projects.", ProjectList),
    "/api/projects/{project:int}": Operation(
        project, "One project with its topics", "The project.", WholeProject
    ),
    "/api/projects/{project:int}/progress": Operation(
        progress,
        "Who is how far: share done, pace per hour, seconds of work left, expected end",
        "A row for each person, step and topic; times are seconds since 1970, null where nothing "
        "can be counted.",
        ProjectProgress,
    ),
    "/api/projects/{project:int}/export": Operation(
        export,
        "The judgements file",
        "JSON Lines, as chronoscore score and agree read them.",
        options=(
            ("finished", "yes", "Only final topics."),
            ("texts", "no", "Ids, offsets and hashes only."),
            ("names", "yes", "People's names instead of j1, j2 …"),
        ),
        refusal="No topic can be exported yet.",
    ),
}

ROUTES = [
    route("/account/tokens", list_tokens),
    route("/account/tokens", make_token, "POST"),
    route("/account/tokens/revoke", revoke_token, "POST"),
    route("/feed/{token}", feed, guests=True),
    route("/api/openapi.json", description, guests=True, json=True),
    *(
        route(path, require_token(operation.screen), guests=True, json=True)
        for path, operation in API.items()
    ),
]
