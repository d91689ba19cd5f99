"""Faults below the workbench: a database out of reach, a file taken away, an aborted form."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError, ProgrammingError

from chronoscore.workbench.store import health, log, tables, transfer
from chronoscore.workbench.store.database import Database, is_out_of_reach
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.presence import ReplacedError
from chronoscore.workbench.store.serving import open_for_command, open_for_server
from workbench.office import Office, Visitor


def locked_error() -> sqlite3.OperationalError:
    """What SQLite says when another connection keeps the file."""
    where = "file:locked?mode=memory&cache=shared"
    with (
        closing(sqlite3.connect(where, uri=True)) as one,
        closing(sqlite3.connect(where, uri=True)) as two,
    ):
        one.execute("CREATE TABLE t (n)")
        one.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError) as locked:
            two.execute("SELECT * FROM t")
        return locked.value


def test_a_database_out_of_reach_is_said_in_a_sentence(
    office: Office, manager: Visitor, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL is down, or was stopped meanwhile; nobody is signed out by it."""
    topic = office.topic(manager, project)
    for lost in (
        OperationalError("SELECT 1", {}, psycopg.OperationalError("connection refused")),
        OperationalError("SELECT 1", {}, psycopg.errors.AdminShutdown("terminated")),
    ):
        for way in ("glance", "write"):
            with monkeypatch.context() as patch:

                def out_of_reach(lost: Exception = lost) -> Any:
                    raise lost

                patch.setattr(office.database, way, out_of_reach)
                page = manager.post(f"/t/{topic}/title", 503, title="New")
                assert "database cannot be reached; nothing was saved" in page.text
                assert office.cookie not in page.headers.get("set-cookie", "")
                if way == "glance":
                    assert "cannot be reached" in manager.get("/", 503)
                headers = {"X-Form-Proof": manager.proof}
                sent: dict[str, Any] = {"json": {"entries": []}, "headers": headers}
                answer = manager.client.post(f"/t/{topic}/log", **sent)
                assert answer.status_code == 503
                assert "cannot be reached" in answer.json()["error"]
    manager.get("/")


def test_only_a_database_that_does_not_answer_is_out_of_reach() -> None:
    locked = locked_error()
    locked.sqlite_errorcode = sqlite3.SQLITE_BUSY  # type: ignore[misc]
    assert is_out_of_reach(OperationalError("", {}, locked))
    wrong = ProgrammingError("SELECT", {}, psycopg.errors.UndefinedTable("no such table"))
    assert not is_out_of_reach(wrong)
    assert not is_out_of_reach(OperationalError("", {}, psycopg.errors.DiskFull("full")))
    assert not is_out_of_reach(OperationalError("", {}, sqlite3.OperationalError("no such table")))


@pytest.mark.parametrize("where", ["/p/{}/import", "/t/{}/log"])
def test_an_upload_that_is_given_up_leaves_no_traceback(
    office: Office, manager: Visitor, project: int, where: str
) -> None:
    """The browser was closed in the middle of a form, or of a message."""
    headers = {
        "host": "127.0.0.1:8765",
        "content-type": "multipart/form-data; boundary=b",
        "cookie": f"{office.cookie}={manager.token}",
    }
    scope = {
        "type": "http", "method": "POST", "path": where.format(project), "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8765), "scheme": "http",
        "root_path": "", "http_version": "1.1", "asgi": {"version": "3.0"}, "state": {},
    }  # fmt: skip
    parts: list[Any] = [
        {"type": "http.request", "body": b"--b\r\nContent-Disp", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    before = office.entries()
    office.portal.call(office.app, scope, receive, send)
    assert sent[0]["status"] == 400
    assert office.entries() == before


@pytest.mark.parametrize("ending", ["", "-wal"])
@pytest.mark.parametrize("way", ["deleted", "replaced"])
def test_a_file_that_is_taken_away_is_noticed_before_anything_is_called_saved(
    tmp_path: Path, way: str, ending: str
) -> None:
    office = Office(tmp_path / "workbench.sqlite")
    mara = office.person("Mara", founder=True)
    mara.post("/projects", name="One", workflow="stream")
    assert health.find_problem(office.database) == ""
    path = tmp_path / f"workbench.sqlite{ending}"
    copy = path.read_bytes()
    path.rename(tmp_path / "away")
    if way == "replaced":
        path.write_bytes(copy)
    page = mara.post("/projects", 503, name="Two", workflow="stream")
    assert "deleted or replaced" in page.text
    assert "deleted or replaced" in health.find_problem(office.database)
    assert office.client().get("/health").status_code == 503
    office.close()


def test_a_file_that_is_taken_away_during_a_write_is_noticed_too(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "workbench.sqlite")
    with pytest.raises(ReplacedError), database.write():
        (tmp_path / "workbench.sqlite").rename(tmp_path / "away")
    database.close()


def write_entry(database: Database) -> None:
    with database.write() as connection:
        log.append(connection, LogEntry(action="topic.see", data={"role": "x"}, topic=1, person=1))


def checkpoint(path: Path) -> None:
    """Move the WAL into the file, as SQLite does from time to time."""
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA wal_checkpoint(FULL)").fetchone()[0] == 0


@pytest.mark.parametrize("what", ["backup", "earlier", "other", "cut", "garbage", "empty"])
def test_a_file_that_is_copied_onto_ours_is_noticed(tmp_path: Path, what: str) -> None:
    """It keeps the number of the file, as after `cp`."""
    path, copy = tmp_path / "workbench.sqlite", tmp_path / "copy.sqlite"
    with pytest.raises(ReplacedError), open_for_server(path) as database:  # noqa: PT012
        write_entry(database)
        checkpoint(path)
        if what == "other":
            with open_for_command(copy) as other:
                write_entry(other)
        elif what == "backup":
            transfer.copy(str(path), str(copy), lambda _: None)
        else:
            copy.write_bytes(path.read_bytes())
        write_entry(database)
        checkpoint(path)
        assert health.find_problem(database) == ""
        raw = {"garbage": b"x" * 50_000, "empty": b""}.get(what, copy.read_bytes())
        number = path.stat().st_ino
        path.write_bytes(raw[:9_000] if what == "cut" else raw)
        assert path.stat().st_ino == number
        assert "deleted or replaced" in health.find_problem(database)
        for _ in range(2):
            with pytest.raises(ReplacedError):
                write_entry(database)


def test_what_this_and_other_processes_write_is_no_replacement(tmp_path: Path) -> None:
    path = tmp_path / "workbench.sqlite"
    with open_for_server(path) as database:
        for _ in range(5):
            write_entry(database)
            checkpoint(path)
            with open_for_command(path) as other:
                write_entry(other)
            checkpoint(path)
        assert health.find_problem(database) == ""
        # The same bytes once more lose nothing.
        path.write_bytes(path.read_bytes())
        write_entry(database)


def test_a_file_that_holds_a_part_of_the_wal_is_no_replacement(tmp_path: Path) -> None:
    """While someone reads, SQLite moves only what that reader has seen, page by page."""
    path = tmp_path / "workbench.sqlite"
    with open_for_server(path) as database:
        partly = 0
        for _ in range(40):
            write_entry(database)
            with database.read() as reader:
                reader.execute(select(func.count()).select_from(tables.log)).scalar_one()
                for _ in range(5):
                    write_entry(database)
                with closing(sqlite3.connect(path)) as raw:
                    _, pages, moved = raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                partly += 0 < moved < pages
                assert health.find_problem(database) == ""
                write_entry(database)
        assert partly > 20
