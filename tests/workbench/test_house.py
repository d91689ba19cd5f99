"""The database and the command line: migrations, replay, backup, import and export."""

import ast
import json
import os
import re
import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, select, update

from chronoscore import workbench
from chronoscore.cli import main
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.judgements import judgement_files
from chronoscore.workbench.store import database as stored
from chronoscore.workbench.store import replay, tables
from chronoscore.workbench.store.database import Database
from workbench.office import ARTICLES, ON_BOTH, Office
from workbench.running import database_like


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as done:
        main(["workbench", *words])
    return int(done.value.code or 0)


@pytest.fixture
def demo(office: Office) -> str:
    office.person("Mara", founder=True).post("/demo")
    return str(office.database.engine.url.database)


def test_the_scripts_make_the_tables_that_the_code_uses(office: Office) -> None:
    with office.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, tables.metadata) == []


def test_postgresql_gets_the_same_tables(postgresql: str, tmp_path: Path) -> None:
    with database_like(postgresql) as url:
        office = Office(url)
        office.person("Mara", founder=True).post("/demo")
        assert replay.verify(office.database).equal
        with office.database.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
        assert run("backup", "--database", url, str(tmp_path / "copy.sqlite")) == 0
        office.close()
    copy = Database.open(tmp_path / "copy.sqlite")
    assert replay.verify(copy).equal
    copy.close()


def test_writes_are_in_the_log_before_they_are_acknowledged(tmp_path: Path) -> None:
    """WAL with full synchronisation: a commit is on the disk when it returns."""
    database = Database.open(tmp_path / "own.sqlite")
    with database.read() as connection:
        asked = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in
                 ("journal_mode", "synchronous")]  # fmt: skip
    database.close()
    assert asked == ["wal", 2]


def test_the_database_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    Database.open(path).close()
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_a_table_that_was_tampered_with_is_found_and_rebuilt(demo: str, capsys) -> None:
    assert run("verify", "--database", demo) == 0
    assert "every table is equal" in capsys.readouterr().out
    database = Database.open(demo)
    with database.write() as connection:
        connection.execute(update(tables.event).values(text="forged"))
    database.close()
    assert run("verify", "--database", demo) == 1
    assert "event: " in capsys.readouterr().err
    assert run("verify", "--database", demo, "--rebuild") == 0


@pytest.mark.slow
def test_lost_tables_come_back_from_the_log(office: Office, demo: str) -> None:
    with office.database.write() as connection:
        for table in (tables.mark, tables.verdict, tables.story, tables.sentence):
            connection.execute(delete(table))
    assert not replay.verify(office.database).equal
    replay.rebuild(office.database)
    assert replay.verify(office.database).equal


@pytest.mark.slow
def test_a_backup_is_a_database_of_its_own(demo: str, tmp_path: Path, capsys) -> None:
    copy = tmp_path / "copy.sqlite"
    assert run("backup", "--database", demo, str(copy)) == 0
    assert "all equal" in capsys.readouterr().out
    with sqlite3.connect(demo) as one, sqlite3.connect(copy) as two:
        query = "SELECT count(*), max(seq) FROM log"
        assert one.execute(query).fetchone() == two.execute(query).fetchone()
    one.close()
    two.close()
    assert run("backup", "--database", demo, str(copy)) == 2


@pytest.mark.slow
def test_import_and_export_without_a_browser(office: Office, tmp_path: Path, capsys) -> None:
    office.person("Mara", founder=True)
    database = str(office.database.engine.url.database)
    stories = tmp_path / "dam.jsonl"
    stories.write_text(ARTICLES)
    assert run("import", "--database", database, "Dams", str(stories)) == 0
    assert "topic dam" in capsys.readouterr().out
    assert run("export", "--database", database) == 0
    assert "dam (draft)" in capsys.readouterr().out
    assert run("export", "--database", database, "Dam") == 2
    assert "did you mean 'Dams'?" in capsys.readouterr().err
    assert run("export", "--database", database, "Dams") == 3
    office.person("Mara").post("/demo")
    target = tmp_path / "out.jsonl"
    name = "Demo: judge a stream"
    assert run("export", "--database", database, name, "-o", str(target), "--finished") == 0
    assert '"footer"' in target.read_text().splitlines()[-1]


@pytest.mark.slow
def test_the_command_line_exports_what_a_manager_has_worked_in(
    office: Office, tmp_path: Path
) -> None:
    manager = office.person("Mara", founder=True)
    manager.post("/demo")
    link = re.search(r"/t/(\d+)/link", manager.get("/"))
    stream = json.loads(manager.get(f"{link[0]}.json"))
    first = stream["stories"][0]["sentences"][0][0]
    manager.mark(int(link[1]), first, off=True)
    database, target = str(office.database.engine.url.database), tmp_path / "out.jsonl"
    assert run("export", "--database", database, "Demo: judge a stream", "-o", str(target)) == 0
    assert set(judgement_files.load(target).topics) == {"dam", "ferry"}


@pytest.mark.slow
@pytest.mark.filterwarnings("always::chronoscore.errors.ChronoscoreWarning")
@ON_BOTH
def test_an_export_on_the_server_is_in_the_history(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Where the database can be written, be it served or not; else the command says so."""
    mara = office.person("Mara", founder=True)
    mara.post("/demo")
    project = int(re.search(r"/p/(\d+)", mara.get("/"))[1])
    database = office.database.engine.url.render_as_string(hide_password=False)
    words = ["export", "--database", database, str(project)]
    assert run(*words, "-o", str(tmp_path / "out.jsonl"), "--finished") == 0
    assert run(*words, "--corpus", str(tmp_path / "corpus"), "--finished") == 0
    page = mara.get(f"/p/{project}/history")
    for kind in ("judgements", "corpus"):
        assert f"exported 1 topic ({kind}, on the server)" in page
    before = office.entries()
    # Refused before anything leaves: nothing was exported.
    assert run(*words, "--corpus", str(tmp_path / "corpus"), "--finished") == 2
    assert office.entries() == before
    assert replay.verify(office.database).equal
    if office.database.is_sqlite:
        capsys.readouterr()
        monkeypatch.setattr(stored.os, "access", lambda _path, mode: mode != os.W_OK)
        assert run(*words, "--finished") == 0
        printed = capsys.readouterr()
        assert '"footer"' in printed.out
        assert "its history lacks this export" in printed.err
        assert office.entries() == before


def test_a_workbench_without_projects_says_so(tmp_path: Path, capsys: Any) -> None:
    Database.open(tmp_path / "w.sqlite").close()
    assert run("export", "--database", str(tmp_path / "w.sqlite")) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("no project yet; make one in the workbench")


def test_a_database_that_cannot_be_made_may_be_an_argument(tmp_path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"; name another file$"):
        stored.make_folder(tmp_path / "file" / "copy.sqlite")


def test_help_lists_the_commands(capsys) -> None:
    assert run("--help") == 0
    out = capsys.readouterr().out
    for word in ("backup", "verify", "import", "export", "reset", "serve"):
        assert word in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "needs --public-url"),
        (["--public-url", "judge.example.org"], "with http:// or https://"),
        (["verify", "--database", "/nowhere/at/all.sqlite"], "no such database"),
    ],
)
def test_wrong_options_are_answered_in_a_sentence(words, said, capsys) -> None:
    assert run(*words) == 2
    assert said in capsys.readouterr().err


def test_a_database_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="use SQLite or"):
        Database.open("mysql://localhost/x")
    with pytest.raises(DataError, match="cannot be opened"):
        Database.open("postgresql+psycopg://nobody:secret@127.0.0.1:1/none")
    with pytest.raises(DataError) as refused:
        Database.open("postgresql+psycopg://nobody:secret@127.0.0.1:1/none")
    assert "secret" not in str(refused.value)


CHANGES = {"delete", "update", "put", "take", "change", "drop"}


def last_word(called: ast.expr) -> str:
    return str(getattr(called, "attr", getattr(called, "id", "")))


def is_log(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and ast.unparse(value) == "tables.log"


def ways_out(code: str) -> list[int]:
    """The lines where code deletes from the log or changes it, under whatever name it goes by."""
    found = []
    tree = ast.parse(code)
    names = {"tables.log"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                many = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts, strict=True) if many else (
                    [(target, node.value)]
                )  # fmt: skip
                names |= {ast.unparse(one) for one, value in pairs if is_log(value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_word(node.func) in CHANGES:
            name, owner = last_word(node.func), ast.unparse(node.func).rpartition(".")[0]
            of_log = bool(node.args) and ast.unparse(node.args[0]) in names
            if (of_log and name != "drop") or (
                owner in names and name in ("delete", "update", "drop")
            ):
                found.append(node.lineno)
        statement = node.value if isinstance(node, ast.Constant) else None
        raw = r"\b(delete\s+from|update|drop\s+table)\s+log\b"
        if isinstance(statement, str) and re.search(raw, statement, re.I):
            found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "code",
    [
        "connection.execute(delete(tables.log).where(tables.log.c.seq == 1))",
        "log = tables.log\nconnection.execute(sa.update(log).values(step=''))",
        "table, since = tables.log, 0\nconnection.execute(table.delete())",
        "connection.exec_driver_sql('DELETE FROM log')",
    ],
)
def test_a_way_out_of_the_log_would_be_seen(code: str) -> None:
    assert ways_out(code) != []


def test_the_log_has_no_way_out() -> None:
    """Nothing in the package deletes from the log or changes an entry."""
    folder = Path(workbench.__file__).parent
    modules = list(folder.rglob("*.py"))
    assert len(modules) > 60
    assert [path.name for path in modules if ways_out(path.read_text())] == []
    # What is rebuilt, or restored by an undo, are projections.
    assert tables.log not in tables.PROJECTIONS


def test_help_shows_the_options_that_need_no_command(capsys) -> None:
    assert run("--help") == 0
    shown = capsys.readouterr().out
    for word in ("--database", "--host", "--port", "--public-url", "backup", "verify"):
        assert word in shown


def test_a_mistyped_command_is_refused_with_the_nearest(capsys) -> None:
    assert run("exprt") == 2
    assert "no command 'exprt'; did you mean 'export'?" in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_before_anything_is_made(tmp_path: Path, capsys) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run("--port", str(port), "--database", str(tmp_path / "new.sqlite")) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"chronoscore: 127.0.0.1:{port}: cannot be listened on")
    assert said.count("\n") == 1
    assert not (tmp_path / "new.sqlite").exists()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, capsys) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear all, this is a letter.\n" * 100)
    for words in (["verify"], ["export"], ["backup", str(tmp_path / "copy.sqlite")], []):
        assert run(*words, "--database", str(path), *(["--port", "0"] * (not words))) == 3
        said = capsys.readouterr().err
        assert "cannot be opened (file is not a database); check the address" in said
        assert said.count("\n") == 1
    assert path.read_text().startswith("Dear all")


OLD_ACCOUNTS = (
    "INSERT INTO person (id, name, password, founder, keys, theme, created) "
    "VALUES (3, 'Ann', 'x', true, '{}', 'auto', 5.5)",
    "INSERT INTO token VALUES ('digest', 3, 'api', 'script', 6.5, 7.5)",
    "INSERT INTO reset VALUES ('link', 3, 9e9)",
    *(
        "INSERT INTO invitation (digest, project, manager, founder, label, expires, used_by) "
        f"VALUES ({values})"
        for values in (
            "'open', 4, true, false, 'Bob', 9e9, NULL", "'used', 4, false, false, '', 9e9, 3",
            "'server', NULL, false, true, 'manager', 9e9, 3",
        )
    ),
)  # fmt: skip
NEWER = (
    "ALTER TABLE invitation DROP COLUMN \"by\"", "ALTER TABLE reset DROP COLUMN request",
    "ALTER TABLE reset DROP COLUMN project", "ALTER TABLE reset DROP COLUMN \"by\"",
    "DROP TABLE recovery", "DROP TABLE sight", "ALTER TABLE topic DROP COLUMN queue",
    "UPDATE alembic_version SET version_num = '0006'",
)  # fmt: skip
"""What takes a database back to the first release."""


def test_accounts_older_than_their_entries_get_them(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as raw:
        raw.executescript((Path(__file__).parent / "tables-0.1.sql").read_text())
        for statement in OLD_ACCOUNTS:
            raw.execute(statement)
    raw.close()
    check_entries_of_accounts(Database.open(path))


@ON_BOTH
def test_accounts_get_their_entries_on_both_databases(office: Office) -> None:
    with office.database.engine.connect() as connection:
        for statement in (*NEWER, *OLD_ACCOUNTS):
            connection.exec_driver_sql(statement)
        connection.commit()
    office.database.close()
    check_entries_of_accounts(
        Database.open(office.database.engine.url.render_as_string(hide_password=False))
    )


def check_entries_of_accounts(database: Database) -> None:
    assert replay.verify(database) == replay.ReplayResult(4, {})
    with database.read() as connection:
        assert connection.execute(select(tables.token.c.digest)).scalars().all() == ["digest"]
        assert connection.execute(select(tables.reset)).all() == []
    database.close()


def test_a_database_of_the_first_release_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as raw:
        raw.executescript((Path(__file__).parent / "tables-0.1.sql").read_text())
    raw.close()
    database = Database.open(path)
    with database.engine.connect() as connection:
        missing = compare_metadata(MigrationContext.configure(connection), tables.metadata)
    assert missing == [], "make these changes in a new module of store/migrations/versions/"
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'of tomorrow'")
    database.close()
    with pytest.raises(DataError, match="tables are those of another version of chronoscore"):
        Database.open(path)
