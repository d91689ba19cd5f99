"""A workbench without a network: people with accounts, each with a browser of their own."""

import functools
import io
import re
import tempfile
import zipfile
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest
from anyio import sleep_forever
from anyio.from_thread import BlockingPortal
from sqlalchemy import Connection, event, func, select
from starlette.types import ASGIApp, Message

from chronoscore.workbench.domain import accounts, links, sessions
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.store.workflow import DEFAULTS
from chronoscore.workbench.web.app import build_workbench

ON_BOTH = pytest.mark.parametrize("office", ["sqlite", "postgresql"], indirect=True)
"""Tests that every database must pass."""

PASSWORD = "a long enough sentence"
ARTICLES = """\
{"id": "a1", "time": "2031-03-01T08:00:00", "title": "Dam leaks", "publisher": "Wire", \
"sentences": ["The Corvane dam began to leak on Saturday.", "Nobody was hurt.", \
"Engineers drew", "down the lake."]}
{"id": "a2", "time": "2031-03-02T08:00:00", "title": "Dam breaks", "publisher": "Post", \
"sentences": ["The dam broke at noon.", "The town was flooded.", \
"The Corvane dam had begun to leak on Saturday."]}
"""
SENTENCES = ["a1-s01", "a1-s02", "a1-s03", "a1-s04", "a2-s01", "a2-s02", "a2-s03"]
UPLOAD = ("stories.jsonl", ARTICLES.encode(), "application/jsonl")


class Visitor:
    """Somebody with a browser; forms are sent as the pages would send them."""

    def __init__(self, office: "Office", name: str, number: int, token: str) -> None:
        self.office = office
        self.name = name
        self.id = number
        self.token = token
        self.client = office.client()
        if token:
            self.client.cookies.set(office.cookie, token)

    @property
    def proof(self) -> str:
        return sessions.form_proof(self.office.secret, self.token)

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:600])
        return answer.text

    def post(self, path: str, status: int = 303, files: Any = None, **fields: Any) -> Any:
        data = {"proof": self.proof, "key": token_hex(8), **fields}
        answer = self.client.post(path, data=data, files=files)
        assert answer.status_code == status, (path, answer.status_code, refusal(answer.text))
        return answer

    def send(self, topic: int, *entries: dict[str, Any], status: int = 200) -> list[dict[str, Any]]:
        answer = self.client.post(
            f"/t/{topic}/log", json={"entries": list(entries)}, headers={"X-Form-Proof": self.proof}
        )
        assert answer.status_code == status, answer.text
        return answer.json().get("answers", [])

    def mark(self, topic: int, sentence: str, *events: str, off: bool = False, **more: Any) -> Any:
        """Link a sentence, or call it off; `base` is the version that it was made from."""
        links = [list(event) if isinstance(event, tuple) else [event, ""] for event in events]
        change = {
            "sentence": sentence, "base": more.get("base", 0), "off": off, "links": links,
            "joined": more.get("joined", False),
        }  # fmt: skip
        entry = {
            "key": more.get("key", token_hex(8)),
            "action": "mark",
            "body": {"changes": [change]},
        }
        return self.send(topic, entry)[0]


class Line(httpx2.BaseTransport):
    """Takes requests to the application in one call; Starlette's own client makes eight of each."""

    def __init__(self, app: ASGIApp, portal: BlockingPortal) -> None:
        self.app = app
        self.portal = portal
        self.client = ("testclient", 50_000)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        scope = {
            "type": "http", "http_version": "1.1", "method": request.method, "scheme": url.scheme,
            "path": unquote(url.path), "raw_path": url.raw_path.partition(b"?")[0],
            "root_path": "", "query_string": url.query, "client": self.client,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "server": (url.host, url.port), "state": {},
        }  # fmt: skip
        received, sent = [request.read()], []

        async def receive() -> Message:
            if not received:
                await sleep_forever()
            return {"type": "http.request", "body": received.pop()}

        async def send(message: Message) -> None:
            sent.append(message)

        self.portal.call(self.app, scope, receive, send)
        start, *parts = sent
        content = b"" if request.method == "HEAD" else b"".join(part["body"] for part in parts)
        return httpx2.Response(
            start["status"], headers=start["headers"], content=content, request=request
        )


class Office:
    """A workbench on a database of its own."""

    portal: BlockingPortal

    def __init__(self, where: Path | str, **settings: Any) -> None:
        self.database = fresh_database(where)
        self.settings = Settings(**settings)
        self.app = build_workbench(self.database, self.settings)
        with self.database.write() as connection:
            self.secret = sessions.server_secret(connection)
        self.cookie = self.settings.cookie(sessions.COOKIE)
        self.nobody = Visitor(self, "", 0, "")

    def client(self) -> httpx2.Client:
        return httpx2.Client(
            transport=Line(self.app, self.portal),
            base_url=self.settings.public_url,
            trust_env=False,
        )

    def person(self, name: str, *, founder: bool = False) -> Visitor:
        with self.database.write() as connection:
            known = accounts.find_by_name(connection, name)
            number = known or accounts.create(connection, name, None, founder=founder).id
            token = sessions.start(connection, number)
        return Visitor(self, name, number, token)

    def project(self, manager: Visitor, workflow: str, *members: Visitor, **settings: Any) -> int:
        data = {"name": "Project", "workflow": workflow,
                "settings": {**DEFAULTS[workflow], **settings}}  # fmt: skip
        with self.database.write() as connection:
            entry = LogEntry(action="project.create", data=data, person=manager.id)
            project = log.append(connection, entry).seq
            for member in members:
                added = {"person": member.id, "manager": False}
                log.append(
                    connection,
                    LogEntry(action="member.add", data=added, person=manager.id, project=project),
                )
        return project

    def topic(self, manager: Visitor, project: int, name: str = "dam", **fields: Any) -> int:
        """A topic of two stories, imported as a manager would."""
        upload = fields.pop("upload", UPLOAD)
        answer = manager.post(
            f"/p/{project}/import", files={"files": upload}, name=name, title=name.title(), **fields
        )
        return int(re.search(r"/t/(\d+)", answer.headers["location"])[1])

    def assign(self, manager: Visitor, topic: int, **roles: Visitor | list[Visitor]) -> None:
        for role, who in roles.items():
            for visitor in who if isinstance(who, list) else [who]:
                manager.post(f"/t/{topic}/assign", person=visitor.id, role=role)

    def entries(self) -> int:
        """How many entries the log has."""
        with self.database.read() as connection:
            return connection.execute(select(func.count()).select_from(tables.log)).scalar() or 0

    def close(self) -> None:
        self.database.close()


def fresh_database(where: Path | str) -> Database:
    """A new file, copied from one with empty tables, or the database at a URL.

    The file does not wait for the disk at each commit: no test cuts the power.
    """
    if isinstance(where, Path):
        where.write_bytes(empty_tables())
    found = Database.open(where)
    if found.is_sqlite:
        found.close()
        event.listen(
            found.engine, "connect", lambda raw, _: raw.execute("PRAGMA synchronous=OFF").close()
        )
    return found


@functools.cache
def empty_tables() -> bytes:
    """An SQLite file right after its migrations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite"
        Database.open(path).close()
        return path.read_bytes()


def packed(**files: bytes) -> bytes:
    """An archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return buffer.getvalue()


def invited(office: Office, **more: Any) -> str:
    """The secret of a link that lets somebody in."""
    with office.database.write() as connection:
        return invite(connection, **more)


def invite(
    connection: Connection, *, days: float = 1, project: int | None = None, manager: bool = False,
    founder: bool = False, label: str = "",
) -> str:  # fmt: skip
    """A link to a project as a manager makes it, or one of the server."""
    if project is None:
        return accounts.make_invitation(connection, days=days, founder=founder, label=label)
    token = token_hex(16)
    link = links.describe_invitation(accounts.digest_secret(token), label, days)
    entry = LogEntry(action="member.invite", data={**link, "manager": manager}, project=project)
    log.append(connection, entry)
    return token


def accept(client: Any, token: str, name: str, password: str = PASSWORD) -> Any:
    """Make an account through the door, as a person would."""
    found = re.search(r'name="proof" value="([^"]+)"', client.get(f"/invite/{token}").text)
    data = {"proof": found[1] if found else "", "name": name, "password": password,
            "again": password}  # fmt: skip
    return client.post(f"/invite/{token}", data=data)


def with_password(office: Office, name: str, **more: Any) -> Any:
    """The browser of somebody who has just made an account."""
    client = office.client()
    answer = accept(client, invited(office, **more), name)
    assert answer.status_code == 303, refusal(answer.text)
    return client


def login(client: Any, name: str, password: str, **fields: str) -> Any:
    """Sign in by the form."""
    proof = re.search(r'name="proof" value="([^"]+)"', client.get("/login").text)[1]
    data = {"proof": proof, "name": name, "password": password, **fields}
    return client.post("/login", data=data)


def open_link(office: Office, project: int, topic: int) -> None:
    """Let judges link sentences to a single event at once."""
    with office.database.write() as connection:
        for action, data in (
            ("event.add", {"id": "E1", "n": 1, "text": "It happens", "candidates": []}),
            ("step.open", {"step": "link"}),
        ):
            log.append(connection, LogEntry(action=action, data=data, project=project, topic=topic))


def candidates(office: Office, topic: int) -> list[str]:
    """The candidates of a topic, judge by judge in the order in which they were noted."""
    table = tables.candidate
    query = select(table.c.id).where(table.c.topic == topic).order_by(table.c.person, table.c.n)
    with office.database.read() as connection:
        return list(connection.execute(query).scalars())


def refusal(html: str) -> str:
    """What a page says went wrong."""
    found = re.search(r'class="warning" role="alert">(.*?)</p>', html, re.S)
    return found[1] if found else html[:400]


def to_link(
    office: Office,
    manager: Visitor,
    topic: int,
    *judges: Visitor,
    stories: tuple[str, str] = ("a1", "a2"),
) -> None:
    """Take a topic to the link step with two events, E1 and E2."""
    for judge in judges:
        for story, seen in zip(stories, ("leak", "break"), strict=True):
            text = f"{seen} seen by {judge.name}"
            judge.post(f"/t/{topic}/identify/candidates", sentence=f"{story}-s01", text=text)
            judge.post(f"/t/{topic}/identify/read", story=story)
        judge.post(f"/t/{topic}/submit", step="identify")
    merger = judges[0]
    names = candidates(office, topic)
    leaks, breaks = names[0::2], names[1::2]
    merger.post(f"/t/{topic}/merge", do="same", candidate=leaks, text="The dam leaks")
    merger.post(f"/t/{topic}/merge", do="same", candidate=breaks, text="The dam breaks")
    for judge in judges:
        judge.post(f"/t/{topic}/submit", step="merge")
