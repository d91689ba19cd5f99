"""A request as a screen meets it: who visits, what they sent, and the page they get back.

A screen is a plain function of a `Visit`.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from anyio import CapacityLimiter
from jinja2 import Environment
from markupsafe import Markup
from sqlalchemy import Connection
from starlette.datastructures import FormData, ImmutableMultiDict, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chronoscore.workbench.domain import access, sessions, sight
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess
from chronoscore.workbench.domain.accounts import Person
from chronoscore.workbench.domain.errors import InvalidError, NotFoundError
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.store.source import Library
from chronoscore.workbench.web.metrics import Metrics
from chronoscore.workbench.web.templating import templates

LONGEST_ID = 300


@dataclass
class Desk:
    """What all screens share: the database, the settings, the templates."""

    database: Database
    settings: Settings
    secret: str
    library: Library = field(default_factory=Library)
    metrics: Metrics = field(default_factory=Metrics)
    templates: Environment = field(default_factory=templates)
    waiting: Counter[str] = field(default_factory=Counter)
    """How many tries at passwords wait, by what they are counted under."""
    passwords: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))
    """The thread for passwords is apart, so that those who sign in take none from the others."""


def read_text(values: ImmutableMultiDict[str, Any], name: str, *, most: int = 4000) -> str:
    """A field of a form, without blanks around it."""
    value = values.get(name, "")
    clean = value.strip() if isinstance(value, str) else ""
    if len(clean) > most:
        raise InvalidError(f"'{name}' is longer than {most:,} characters; shorten it")
    if "\0" in clean:
        raise InvalidError(f"'{name}' holds a NUL character; remove it")
    return clean


@dataclass
class Visit:
    """One request: its visitor and what they sent."""

    desk: Desk
    request: Request
    person: Person | None
    token: str
    form: FormData = field(default_factory=FormData)
    body: Any = None
    witnessed: set[tuple[int, str]] = field(default_factory=set)
    """Topics in which this answer shows others' decisions, and as what the visitor sees them."""
    refusal: Any = None
    """The form that was refused, for the page that shows it again."""

    @property
    def database(self) -> Database:
        """Where everything is kept."""
        return self.desk.database

    @property
    def has_cookie(self) -> bool:
        """Whether the browser kept any cookie of ours."""
        return any(name.startswith(sessions.COOKIE) for name in self.request.cookies)

    def require_person(self) -> Person:
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

    def text(self, name: str, *, most: int = 4000) -> str:
        """A field of the form, without blanks around it."""
        return read_text(self.form, name, most=most)

    def password(self, name: str) -> str:
        """A password of the form exactly as it was typed; a file in its place is none."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    def id(self, name: str) -> str:
        """A field that names something; ids of imported things may be long."""
        return self.text(name, most=LONGEST_ID)

    def texts(self, name: str) -> list[str]:
        """All values of a field, such as ticked boxes."""
        return [value for value in self.form.getlist(name) if isinstance(value, str)]

    def files(self, name: str) -> list[File]:
        """The files of a field; a browser sends one without a name where none was chosen."""
        return [
            File(upload.filename, upload.file.read())
            for upload in self.form.getlist(name)
            if isinstance(upload, UploadFile) and upload.filename
        ]

    def cookie(self, name: str) -> str:
        """A cookie of this workbench, empty if the browser sent none."""
        return self.request.cookies.get(self.desk.settings.cookie(name), "")

    def query(self, name: str) -> str:
        """A parameter of the address, empty if it is not there."""
        return self.request.query_params.get(name, "")

    def query_number(self, name: str, otherwise: int = 1) -> int:
        """A number from 1 on that the address asks for, such as a page."""
        asked = self.query(name)
        return max(1, int(asked)) if asked.isdecimal() and len(asked) < 12 else otherwise

    def paginate(self, items: Sequence[object], size: int) -> dict[str, Any]:
        """The page of a long list that the address asks for, or the last, for a template."""
        pages = max(1, -(-len(items) // size))
        page = min(self.query_number("page"), pages)
        return {"shown": items[size * (page - 1) : size * page], "page": page, "pages": pages}

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
            served=self.desk.settings,
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
        """The whole address of a page, as it is sent to people."""
        return f"{self.desk.settings.public_url}{path}"

    def go(self, where: str) -> RedirectResponse:
        """Send the browser on after a form."""
        return RedirectResponse(self.desk.settings.prefix + where, 303)

    def back(self, otherwise: str) -> RedirectResponse:
        """Send the browser to the page that the form says it came from, if it is ours."""
        where = self.text("back", most=500)
        return self.go(where if is_local_address(where) else otherwise)

    @contextmanager
    def read_topic(self) -> Iterator[tuple[Connection, TopicAccess]]:
        """A consistent view of the database, and the topic of the address."""
        with self.database.read() as connection:
            yield connection, self._topic(connection)

    @contextmanager
    def write_topic(self) -> Iterator[tuple[Connection, TopicAccess]]:
        """The only write transaction of the moment, and the topic of the address."""
        with self.database.write() as connection:
            yield connection, self._topic(connection)

    def _topic(self, connection: Connection) -> TopicAccess:
        return access.find_topic(
            connection, self.require_person().id, self.number("topic"), self.witnessed
        )

    def project(self, connection: Connection) -> ProjectAccess:
        """The project of the address, if the visitor belongs to it."""
        return access.find_project(
            connection, self.require_person().id, self.number("project"), self.witnessed
        )

    def keep_sight(self) -> None:
        """Keep what this answer shows of others' decisions, before it is sent."""
        if self.person is None or not self.witnessed:
            return
        with self.database.read() as connection:
            fresh = sight.unknown(connection, self.person.id, self.witnessed)
        if fresh:
            with self.database.write() as connection:
                sight.keep(connection, self.person.id, fresh)

    @contextmanager
    def read_project(self) -> Iterator[tuple[Connection, ProjectAccess]]:
        """A consistent view of the database, and the project of the address for its managers."""
        with self.database.read() as connection:
            yield connection, self.project(connection).require_manager()

    @contextmanager
    def write_project(self) -> Iterator[tuple[Connection, ProjectAccess]]:
        """The only write transaction of the moment, and the project for its managers."""
        with self.database.write() as connection:
            yield connection, self.project(connection).require_manager()


Screen = Callable[[Visit], Response]


def is_local_address(where: str) -> bool:
    """Whether an address stays on this server."""
    return where.startswith("/") and not where.startswith(("//", "/\\"))


def download(body: bytes, name: str) -> Response:
    """Something to be kept as a file; the ending of its name says what it is."""
    kinds = {
        "csv": "text/csv; charset=utf-8",
        "jsonl": "application/jsonl",
        "zip": "application/zip",
    }
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type=kinds[name.rpartition(".")[2]], headers=headers)
