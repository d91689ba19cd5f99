"""From a request to an answer: who visits, whether they may send this, and what a refusal says.

A screen runs in a thread of its own, so it may wait for the database; what a browser sent
has been read, and its proof checked, before.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from anyio import to_thread
from sqlalchemy.exc import DatabaseError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from chronoscore.errors import ChronoscoreError
from chronoscore.workbench.domain import sessions
from chronoscore.workbench.domain.errors import ConflictError, InvalidError, NotFoundError
from chronoscore.workbench.store.database import is_full
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.compression import accepts_gzip, compress, compressible
from chronoscore.workbench.web.visit import Desk, Screen, Visit, is_local

STATUS: dict[type[ChronoscoreError], int] = {
    NotFoundError: 404,
    ConflictError: 409,
    ChronoscoreError: 400,
}
"""The HTTP status of each kind of refusal; the first that fits counts."""


def route(
    path: str, screen: Screen, *methods: str, guests: bool = False, json: bool = False,
    before: Callable[[Visit], None] | None = None,
    brake: Callable[[Visit], Awaitable[None]] | None = None,
) -> Route:  # fmt: skip
    """A screen at an address; only those for guests are open to people not signed in.

    `before` may refuse a visitor before anything that they send is read. `brake` slows down
    a screen that checks passwords; such screens take turns in threads of their own.
    """

    async def endpoint(request: Request) -> Response:
        visit = await run_in_threadpool(_arrive, request)
        try:
            if not guests:
                visit.someone  # noqa: B018
            if before is not None:
                await run_in_threadpool(before, visit)
            if request.method == "POST":
                await _receive(visit, json=json)
            limiter = None
            if brake is not None:
                await brake(visit)
                limiter = visit.desk.passwords
            answer = await to_thread.run_sync(screen, visit, limiter=limiter)
        except HTTPException as error:
            answer = _refuse(visit, error.status_code, error.detail, json=json)
        except ChronoscoreError as error:
            status = next(status for kind, status in STATUS.items() if isinstance(error, kind))
            answer = _refuse(visit, status, str(error), json=json)
        except DatabaseError as error:
            if not is_full(error):
                raise
            message = "the server's disk is full; nothing was saved: tell who runs it"
            answer = _refuse(visit, 507, message, json=json)
        finally:
            await visit.form.close()
        if not visit.person and not request.cookies.get(sessions.GUEST):
            set_cookie(answer, visit.desk.settings, sessions.GUEST, visit.token)
        if accepts_gzip(request) and compressible(answer):
            await run_in_threadpool(compress, answer)
        return answer

    return Route(path, endpoint, methods=list(methods or ("GET",)))


def set_cookie(
    answer: Response, settings: Settings, name: str, value: str, *, days: float = 0.0
) -> None:
    """A cookie that scripts cannot read and other sites cannot send; as a rule for a session."""
    age = int((days or settings.session_days) * 86400) if value else 0
    answer.set_cookie(
        name,
        value,
        max_age=age,
        httponly=True,
        samesite="lax",
        secure=not settings.on_loopback or settings.encrypted,
        path=settings.prefix or "/",
    )


def _arrive(request: Request) -> Visit:
    desk: Desk = request.app.state.desk
    token = request.cookies.get(sessions.COOKIE, "")
    if token:
        with desk.database.glancing() as connection:
            person, note = sessions.visitor(connection, token, desk.settings)
        if note:
            # A disk that is full must not keep anybody from reading.
            with suppress(DatabaseError), desk.database.writing() as connection:
                sessions.note_visit(connection, token)
        if person is not None:
            return Visit(desk, request, person, token)
    guest = request.cookies.get(sessions.GUEST) or secrets.token_urlsafe(32)
    return Visit(desk, request, None, guest)


async def _receive(visit: Visit, *, json: bool) -> None:
    request, settings = visit.request, visit.desk.settings
    origin = request.headers.get("origin")
    if origin is not None and not _ours(origin, request, settings):
        raise HTTPException(403, "this came from another site; open the page again and retry")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, "this came from another site; open the page again and retry")
    if json:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise HTTPException(415, "send JSON")
        given = request.headers.get("x-form-proof", "")
        raw = await request.body()
    else:
        try:
            visit.form = await request.form(max_files=1000, max_fields=5000)
        except HTTPException as error:
            raise InvalidError("the form could not be read; send it again") from error
        given = visit.text("proof", most=200)
    if not sessions.proof_matches(visit.desk.secret, visit.token, given):
        raise HTTPException(403, "the page was too old; open it again and retry")
    if json:
        try:
            visit.body = msgspec.json.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise InvalidError("the message is not JSON") from None


def _ours(origin: str, request: Request, settings: Settings) -> bool:
    if origin == settings.origin:
        return True
    # On loopback the same server is reached as 127.0.0.1 and localhost; Guard checked the host.
    return settings.on_loopback and origin == f"http://{request.headers.get('host', '')}"


def _refuse(visit: Visit, status: int, message: str, *, json: bool) -> Response:
    if json:
        return JSONResponse({"error": message}, status)
    if status == 401 and visit.request.method == "GET":
        return visit.go(f"/login?next={visit.request.url.path}")
    return visit.page("refused.html", status, message=message, back=_before(visit))


def _before(visit: Visit) -> str:
    """The page that a refused visitor came from, if it was ours."""
    headers = visit.request.headers
    scheme, _, rest = headers.get("referer", "").partition("://")
    host, _, path = rest.partition("/")
    ours = scheme in ("http", "https") and host == headers.get("host")
    prefix = visit.desk.settings.prefix
    if not ours or not is_local(f"/{path}") or not f"/{path}".startswith(f"{prefix}/"):
        return "/"
    return f"/{path}".removeprefix(prefix)


async def not_found(request: Request, error: Exception) -> Response:
    """An address that is none of ours, or a wrong method."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    visit = await run_in_threadpool(_arrive, request)
    return _refuse(visit, status, "there is nothing here", json=False)


async def failed(request: Request, _error: Exception) -> Response:
    """Something broke; the terminal has the details, the visitor only an apology."""
    name = request.scope.get("state", {}).get("request_id", "")
    return HTMLResponse(
        "<!doctype html><html lang=en><title>Error</title><p>Something went wrong. If you tell "
        f"somebody about it, give them the number of this request: {name}</p>",
        500,
    )


Handler = Callable[[Request, Exception], Awaitable[Response]]
HANDLERS: Mapping[Any, Handler] = {404: not_found, 405: not_found, 500: failed}
