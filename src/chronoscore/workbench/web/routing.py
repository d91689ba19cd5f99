"""From a request to an answer: who visits, whether they may send this, and what a refusal says.

A screen runs in a thread of its own, so it may wait for the database; what a browser sent
has been read, and its proof checked, before.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from anyio import to_thread
from sqlalchemy.exc import DatabaseError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from chronoscore.errors import ChronoscoreError
from chronoscore.workbench.domain import sessions
from chronoscore.workbench.domain.errors import ConflictError, InvalidError, NotFoundError
from chronoscore.workbench.store import database
from chronoscore.workbench.store.presence import ReplacedError
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.compression import accepts_gzip, compress, is_compressible
from chronoscore.workbench.web.visit import Desk, Screen, Visit, is_local_address

STATUS: dict[type[ChronoscoreError], int] = {
    NotFoundError: 404,
    ReplacedError: 503,
    ConflictError: 409,
    ChronoscoreError: 400,
}
"""The HTTP status of each kind of refusal; the first that fits counts."""
NO_COOKIE = (
    "your browser refused the cookie that signing in needs, because this address is plain HTTP "
    "(http://…) and not on this computer; the operator has to restart the workbench with --share, "
    "or behind a TLS proxy with --public-url https://…"
)
_REFUSALS = (HTTPException, ChronoscoreError, DatabaseError)


def route(
    path: str, screen: Screen, *methods: str, guests: bool = False, json: bool = False,
    before: Callable[[Visit], None] | None = None,
    brake: Callable[[Visit], Awaitable[None]] | None = None,
) -> Route:  # fmt: skip
    """A screen at an address; only those for guests are open to people not signed in.

    `before` may refuse a visitor before the form that they send is read. `brake` slows down
    a form that checks passwords; such forms take turns in threads of their own.
    """
    door = _Door(screen, guests, json, before, brake)
    return Route(path, door.answer, methods=list(methods or ("GET",)))


@dataclass(frozen=True)
class _Door:
    """How requests for one screen are answered."""

    screen: Screen
    guests: bool
    json: bool
    before: Callable[[Visit], None] | None
    brake: Callable[[Visit], Awaitable[None]] | None

    async def answer(self, request: Request) -> Response:
        """A page, or what became of a form or of a script's message."""
        try:
            if request.method != "POST":
                return await run_in_threadpool(self._finish, request, self._show_page)
            return await (self._answer_json if self.json else self._answer_form)(request)
        except ClientDisconnect:
            # Nobody waits for the answer to an upload that was given up.
            return Response(status_code=400)

    async def _answer_json(self, request: Request) -> Response:
        # What a script sends is short. Read first, it needs one thread once, and not three.
        raw = await request.body()
        return await run_in_threadpool(self._finish, request, partial(self._show_json, raw=raw))

    async def _answer_form(self, request: Request) -> Response:
        visit = _guest(request)
        try:
            visit = await run_in_threadpool(_arrive, request)
            if not self.guests:
                visit.require_person()
            if self.before is not None:
                await run_in_threadpool(self.before, visit)
            await _receive_form(visit)
            if self.brake is not None:
                await self.brake(visit)
            limiter = visit.desk.passwords if self.brake is not None else None
            finish = partial(self._finish, request, self.screen, visit)
            return await to_thread.run_sync(finish, limiter=limiter)
        except _REFUSALS as error:
            return _pack(visit, _refuse_because(visit, error, json=False))
        finally:
            await visit.form.close()

    def _show_page(self, visit: Visit) -> Response:
        if not self.guests:
            visit.require_person()
        return self.screen(visit)

    def _show_json(self, visit: Visit, *, raw: bytes) -> Response:
        visit.require_person()
        _check_origin(visit)
        visit.body = _decode(visit, raw)
        return self.screen(visit)

    def _finish(self, request: Request, show: Screen, visit: Visit | None = None) -> Response:
        """The screen's answer, or the reason why there is none, ready to be sent."""
        try:
            visit = visit or _arrive(request)
            try:
                answer = show(visit)
            finally:
                # A refusal tells something, too: that there is, or is not, such a mark.
                visit.keep_sight()
        except _REFUSALS as error:
            visit = visit or _guest(request)
            answer = _refuse_because(visit, error, json=self.json)
        return _pack(visit, answer)


def _pack(visit: Visit, answer: Response) -> Response:
    """An answer with the cookie of a guest who has none, and compressed."""
    if not visit.person and not visit.cookie(sessions.GUEST):
        set_cookie(answer, visit.desk.settings, sessions.GUEST, visit.token)
    if accepts_gzip(visit.request) and is_compressible(answer):
        compress(answer)
    return answer


def set_cookie(
    answer: Response, settings: Settings, name: str, value: str, *, days: float = 0.0
) -> None:
    """A cookie that scripts cannot read and other sites cannot send; as a rule for a session."""
    age = int((days or settings.session_days) * 86400) if value else 0
    answer.set_cookie(
        settings.cookie(name),
        value,
        max_age=age,
        httponly=True,
        samesite="lax",
        secure=not settings.on_loopback or settings.encrypted,
        path=settings.prefix or "/",
    )


def _arrive(request: Request) -> Visit:
    desk: Desk = request.app.state.desk
    token = request.cookies.get(desk.settings.cookie(sessions.COOKIE), "")
    if token:
        with desk.database.glance() as connection:
            person, note = sessions.find_visitor(connection, token, desk.settings)
        if note:
            # A full disk must not keep visitors from reading.
            with suppress(DatabaseError), desk.database.write() as connection:
                sessions.note_visit(connection, token)
        if person is not None:
            return Visit(desk, request, person, token)
    return _guest(request)


def _guest(request: Request) -> Visit:
    """A visitor who is not signed in, with the secret that their forms are bound to."""
    visit = Visit(request.app.state.desk, request, None, "")
    visit.token = visit.cookie(sessions.GUEST) or secrets.token_urlsafe(32)
    return visit


async def _receive_form(visit: Visit) -> None:
    _check_origin(visit)
    try:
        visit.form = await visit.request.form(max_files=1000, max_fields=5000)
    except HTTPException as error:
        raise InvalidError("the form could not be read; send it again") from error
    _check_proof(visit, visit.text("proof", most=200))


def _decode(visit: Visit, raw: bytes) -> Any:
    headers = visit.request.headers
    if not headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "send JSON")
    _check_proof(visit, headers.get("x-form-proof", ""))
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidError("the message is not JSON") from None


def _check_proof(visit: Visit, given: str) -> None:
    if sessions.proof_matches(visit.desk.secret, visit.token, given):
        return
    settings = visit.desk.settings
    if settings.loses_cookies and not visit.has_cookie:
        raise HTTPException(403, NO_COOKIE)
    raise HTTPException(403, "the page was too old; open it again and retry")


def _check_origin(visit: Visit) -> None:
    request, settings = visit.request, visit.desk.settings
    origin = request.headers.get("origin")
    elsewhere = origin is not None and not _ours(origin, request, settings)
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    if elsewhere or fetched not in ("same-origin", "none"):
        raise HTTPException(403, "this came from another site; open the page again and retry")


def _ours(origin: str, request: Request, settings: Settings) -> bool:
    if origin == settings.origin:
        return True
    # On loopback the same server is reached as 127.0.0.1 and localhost; Guard checked the host.
    return settings.on_loopback and origin == f"http://{request.headers.get('host', '')}"


def _refuse_because(visit: Visit, error: Exception, *, json: bool) -> Response:
    if isinstance(error, HTTPException):
        return _refuse(visit, error.status_code, error.detail, json=json)
    if isinstance(error, ChronoscoreError):
        status = next(status for kind, status in STATUS.items() if isinstance(error, kind))
        return _refuse(visit, status, str(error), json=json)
    if isinstance(error, DatabaseError) and database.is_disk_full(error):
        message = "the server's disk is full; nothing was saved; tell the operator"
        return _refuse(visit, 507, message, json=json)
    if isinstance(error, DatabaseError) and database.is_out_of_reach(error):
        message = "the database cannot be reached; nothing was saved; try again in a minute"
        return _refuse(visit, 503, message, json=json)
    raise error


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
    if not ours or not is_local_address(f"/{path}") or not f"/{path}".startswith(f"{prefix}/"):
        return "/"
    return f"/{path}".removeprefix(prefix)


async def answer_not_found(request: Request, error: Exception) -> Response:
    """An address that is none of ours, or a wrong method."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    visit = await run_in_threadpool(_arrive, request)
    return _refuse(visit, status, "there is nothing here", json=False)


async def answer_server_error(request: Request, _error: Exception) -> Response:
    """Something broke; the terminal has the details, the visitor only an apology."""
    name = request.scope.get("state", {}).get("request_id", "")
    return HTMLResponse(
        "<!doctype html><html lang=en><title>Error</title><p>Something went wrong. If you report "
        f"it to the operator, give the number of this request: {name}</p>",
        500,
    )


Handler = Callable[[Request, Exception], Awaitable[Response]]
HANDLERS: Mapping[Any, Handler] = {
    404: answer_not_found,
    405: answer_not_found,
    500: answer_server_error,
}
