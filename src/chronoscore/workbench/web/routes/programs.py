"""For programs: tokens, a feed of what waits, and a small JSON interface that only reads."""

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from chronoscore.workbench.domain import tokens
from chronoscore.workbench.domain.access import ProjectAccess, own_projects, project_topics
from chronoscore.workbench.domain.accounts import Person, digest_secret
from chronoscore.workbench.domain.errors import NotFoundError
from chronoscore.workbench.domain.progress import progress_rows
from chronoscore.workbench.domain.queries import digest as digests
from chronoscore.workbench.domain.queries import guiding, people
from chronoscore.workbench.web.routes.manage import export_response
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Screen, Visit

DESCRIPTION = Path(__file__).parents[1] / "openapi.json"


def make_token(visit: Visit) -> Response:
    """A token for a program or a feed reader, shown once."""
    kind = visit.text("kind", most=10)
    with visit.database.writing() as connection:
        token = tokens.create_token(
            connection, visit.someone.id, kind, visit.text("label", most=60)
        )
        own = tokens.tokens(connection, visit.someone.id)
    shown = visit.outside(f"/feed/{token}") if kind == "feed" else token
    return visit.page("tokens.html", tokens=own, fresh=shown, kind=kind)


def list_tokens(visit: Visit) -> Response:
    """The visitor's tokens, without their secrets."""
    with visit.database.reading() as connection:
        own = tokens.tokens(connection, visit.someone.id)
    return visit.page("tokens.html", tokens=own, fresh="", kind="")


def revoke_token(visit: Visit) -> Response:
    """A token opens nothing any more."""
    with visit.database.writing() as connection:
        tokens.revoke_token(connection, visit.someone.id, visit.text("token", most=64))
    return visit.go("/account/tokens")


def feed(visit: Visit) -> Response:
    """What waits for the owner of the address, as Atom."""
    person = _holder(visit, visit.request.path_params["token"], "feed")
    if person is None:
        raise NotFoundError
    with visit.database.reading() as connection:
        items = digests.digest_of_waiting_work(connection, person.id)
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
    with visit.database.reading() as connection:
        person, note = tokens.holder_of_token(connection, token, kind)
    if person is not None and note:
        with visit.database.writing() as connection:
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
    with visit.database.reading() as connection:
        managed = [one for one in own_projects(connection, visit.someone.id) if one.manager]
        found = [
            {**_project(one), "topics": len(project_topics(connection, one))} for one in managed
        ]
    return JSONResponse({"projects": found})


def project(visit: Visit) -> Response:
    """One project with its topics; people whom the owner must not know about are left out."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        topics = project_topics(connection, here)
        days = guiding.deadlines(connection, topics)
        found = [
            {
                "id": one.id, "name": one.name, "title": one.title, "step": one.step,
                "version": one.version, "archived": one.archived, "blind": not one.unblinded,
                "waits_for": (
                    people.count_unfinished_workers(connection, one) if one.unblinded else None
                ),
                "deadlines": {step: day for (topic, step), day in days.items() if topic == one.id},
            }
            for one in topics
        ]  # fmt: skip
    return JSONResponse({**_project(here), "settings": here.settings, "topics": found})


def progress(visit: Visit) -> Response:
    """Who is how far, in the topics that the owner may know about."""
    with visit.database.reading() as connection:
        here = visit.managed_project(connection)
        topics = [one for one in project_topics(connection, here) if one.unblinded]
        rows = [
            row
            for topic in topics
            for row in progress_rows(
                connection, topic, visit.desk.library.source(connection, topic.id)
            )
        ]
    # JSON has no nan.
    found = [
        {key: None if value != value else value for key, value in asdict(row).items()}
        for row in rows
    ]
    return JSONResponse({"progress": found})


def download_by_token(visit: Visit) -> Response:
    """The judgements file, as it is downloaded by hand."""
    _, body = export_response(visit)
    return Response(body, media_type="application/jsonl")


def description(visit: Visit) -> Response:
    """The interface in OpenAPI's words, with this workbench's own address."""
    text = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    text["servers"] = [{"url": visit.desk.settings.public_url}]
    return JSONResponse(text)


def _project(one: ProjectAccess) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "workflow": one.workflow, "archived": one.archived}


API: dict[str, Callable[[Visit], Response]] = {
    "/api/projects": projects,
    "/api/projects/{project:int}": project,
    "/api/projects/{project:int}/progress": progress,
    "/api/projects/{project:int}/export": download_by_token,
}

ROUTES = [
    route("/account/tokens", list_tokens),
    route("/account/tokens", make_token, "POST"),
    route("/account/tokens/revoke", revoke_token, "POST"),
    route("/feed/{token}", feed, guests=True),
    route("/api/openapi.json", description, guests=True, json=True),
    *(route(path, require_token(screen), guests=True, json=True) for path, screen in API.items()),
]
