"""From a request to a screen: who visits, what they sent, and the page they get back.

A screen is a plain function of a `Visit`. It runs in a thread of its own, so it may wait
for the database; what a browser sent has been read, and its proof checked, before.
"""

import re
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any

import msgspec
from anyio import CapacityLimiter, to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, ImmutableMultiDict, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from chronoscore.errors import ChronoscoreError
from chronoscore.workbench.domain import formatting, sessions
from chronoscore.workbench.domain.access import (
    ProjectAccess,
    TopicAccess,
    project_access,
    topic_access,
)
from chronoscore.workbench.domain.accounts import Person
from chronoscore.workbench.domain.errors import ConflictError, InvalidError, NotFoundError
from chronoscore.workbench.store.database import Database, is_full
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.store.source import Library
from chronoscore.workbench.store.workflow import ROLES, STEPS, TASKS, TITLES
from chronoscore.workbench.web.compression import accepts_gzip, compress, compressible
from chronoscore.workbench.web.metrics import Metrics

LONGEST_ID = 300
_TABS = (
    ("", "Topics"), ("/import", "Import"), ("/guidelines", "Guidelines"), ("/people", "People"),
    ("/progress", "Progress"),
    ("/notes", "Notes"), ("/agreement", "Agreement"), ("/tables", "Tables"), ("/split", "Split"),
    ("/export", "Export"), ("/settings", "Settings"), ("/history", "History"),
)  # fmt: skip
_OF_STREAMS = ("Agreement", "Tables", "Split")
TABS = {"stream": _TABS, "units": tuple(tab for tab in _TABS if tab[1] not in _OF_STREAMS)}
"""The pages of a project; agreement, tables and split are about judged streams."""


STATUS: dict[type[ChronoscoreError], int] = {
    NotFoundError: 404,
    ConflictError: 409,
    ChronoscoreError: 400,
}
"""The HTTP status of each kind of refusal; the first that fits counts."""


def _begin(where: str) -> str:
    """What a button says that leads to work: `Link now`, or `Open` for anything else."""
    step = where.rpartition("/")[2]
    return f"{TITLES[step]} now" if step in TITLES else "Open"


class Addresses(Extension):
    """Puts the workbench's own folder before the addresses in templates.

    Templates write them from the root (`href="/keys"`), as the routes do.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Complete the links, forms and files of a template."""
        return re.sub(r'\b(href|src|action)="/(?!/)', r'\1="{{ base }}/', source)


@cache
def _templates() -> Environment:
    environment = Environment(
        extensions=[Addresses],
        loader=PackageLoader("chronoscore.workbench.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        titles=TITLES, roles=ROLES, steps=STEPS, tasks=TASKS, project_tabs=TABS
    )
    environment.filters.update(
        moment=formatting.moment, hours=formatting.hours, share=formatting.share,
        figure=formatting.figure, plural=formatting.plural, clock=formatting.clock_time,
        interval=formatting.interval, begin=_begin, removeprefix=formatting.without_prefix,
    )  # fmt: skip
    return environment


@dataclass
class Desk:
    """What all screens share: the database, the settings, the templates."""

    database: Database
    settings: Settings
    secret: str
    library: Library = field(default_factory=Library)
    metrics: Metrics = field(default_factory=Metrics)
    templates: Environment = field(default_factory=_templates)
    waiting: Counter[str] = field(default_factory=Counter)
    """How many tries at passwords wait, by what they are counted under."""
    passwords: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    """Threads for passwords are apart, so that those who sign in take none from the others."""


@dataclass(frozen=True)
class Fields:
    """What a form says, whether a browser posts it or a script sends it as an entry."""

    values: ImmutableMultiDict[str, Any]

    def text(self, name: str, *, most: int = 4000) -> str:
        """A field of the form, without blanks around it."""
        value = self.values.get(name, "")
        clean = value.strip() if isinstance(value, str) else ""
        if len(clean) > most:
            raise InvalidError(f"'{name}' is longer than {most:,} characters; shorten it")
        if "\0" in clean:
            raise InvalidError(f"'{name}' holds a NUL character; remove it")
        return clean

    def id(self, name: str) -> str:
        """A field that names something; ids of imported things may be long."""
        return self.text(name, most=LONGEST_ID)

    def texts(self, name: str) -> list[str]:
        """All values of a field, such as ticked boxes."""
        return [value for value in self.values.getlist(name) if isinstance(value, str)]


@dataclass
class Visit:
    """One request: its visitor and what they sent."""

    desk: Desk
    request: Request
    person: Person | None
    token: str
    form: FormData = field(default_factory=FormData)
    body: Any = None
    refusal: Any = None
    """The form that was refused, for the page that shows it again."""

    @property
    def database(self) -> Database:
        """Where everything is kept."""
        return self.desk.database

    @property
    def someone(self) -> Person:
        """The visitor, who must have signed in."""
        if self.person is None:
            raise HTTPException(401, "please sign in")
        return self.person

    def number(self, name: str) -> int:
        """A number from the address."""
        number = int(self.request.path_params[name])
        if number >= 2**62:
            raise NotFoundError
        return number

    @property
    def fields(self) -> Fields:
        """What the form says."""
        return Fields(self.form)

    def text(self, name: str, *, most: int = 4000) -> str:
        """A field of the form, without blanks around it."""
        return self.fields.text(name, most=most)

    def id(self, name: str) -> str:
        """A field that names something; ids of imported things may be long."""
        return self.fields.id(name)

    def texts(self, name: str) -> list[str]:
        """All values of a field, such as ticked boxes."""
        return self.fields.texts(name)

    def uploads(self, name: str) -> list[UploadFile]:
        """The files of a field."""
        return [file for file in self.form.getlist(name) if isinstance(file, UploadFile)]

    @property
    def key(self) -> str:
        """The form's own key, so that a form sent twice counts once."""
        return self.text("key", most=100) or secrets.token_hex(16)

    @cached_property
    def proof(self) -> str:
        """What this visitor's forms must carry, written in another way on every page.

        Pages are compressed, and from their lengths a secret that never changes could be guessed.
        """
        return sessions.mask_proof(sessions.form_proof(self.desk.secret, self.token))

    def page(self, template: str, status: int = 200, **values: object) -> HTMLResponse:
        """Fill in a template."""
        html = self.desk.templates.get_template(template).render(
            visitor=self.person,
            proof=self.proof,
            hidden=self._hidden,
            path=self.request.url.path,
            base=self.desk.settings.prefix,
            refusal=self.refusal,
            today=datetime.now(UTC).date().isoformat(),
            **values,
        )
        return HTMLResponse(html, status)

    def _hidden(self) -> Markup:
        """What every form carries: its proof, and a key of its own."""
        field_ = Markup('<input type="hidden" name="{}" value="{}">')
        return field_.format("proof", self.proof) + field_.format("key", secrets.token_hex(16))

    def outside(self, path: str) -> str:
        """The whole address of a page, to be sent to somebody."""
        return f"{self.desk.settings.public_url}{path}"

    def go(self, where: str) -> RedirectResponse:
        """Send the browser on after a form."""
        return RedirectResponse(self.desk.settings.prefix + where, 303)

    def back(self, otherwise: str) -> RedirectResponse:
        """Send the browser to the page that the form says it came from, if it is ours."""
        where = self.text("back", most=500)
        return self.go(where if _local(where) else otherwise)

    @contextmanager
    def reading_topic(self) -> Iterator[tuple[Connection, TopicAccess]]:
        """A consistent view of the database, and the topic of the address."""
        with self.database.reading() as connection:
            yield connection, topic_access(connection, self.someone.id, self.number("topic"))

    @contextmanager
    def writing_topic(self) -> Iterator[tuple[Connection, TopicAccess]]:
        """The only write transaction of the moment, and the topic of the address."""
        with self.database.writing() as connection:
            yield connection, topic_access(connection, self.someone.id, self.number("topic"))

    def managed_project(self, connection: Connection) -> ProjectAccess:
        """The project of the address, for its managers only."""
        return project_access(connection, self.someone.id, self.number("project")).managed()


Screen = Callable[[Visit], Response]


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


def download_csv(body: bytes, name: str) -> Response:
    """A table to be kept as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type="text/csv; charset=utf-8", headers=headers)


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
    if not ours or not _local(f"/{path}") or not f"/{path}".startswith(f"{prefix}/"):
        return "/"
    return f"/{path}".removeprefix(prefix)


def _local(where: str) -> bool:
    """Whether an address stays on this server."""
    return where.startswith("/") and not where.startswith(("//", "/\\"))


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
