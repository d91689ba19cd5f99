"""Backups go back, from SQLite to PostgreSQL and the other way round."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from chronoscore.cli import main
from chronoscore.workbench.store import replay, tables
from chronoscore.workbench.store.database import Database
from workbench.office import Office, open_link
from workbench.running import database_like


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["workbench", *words])
    return int(stopped.value.code or 0)


def contents(where: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, by values that all databases have in common."""
    database = Database.open(where)
    with database.read() as connection:
        found = {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in tables.metadata.sorted_tables
        }
    database.close()
    return found


@pytest.fixture
def busy(office: Office) -> str:
    """The demo, and a project in which somebody works."""
    mara, ann = office.person("Mara", founder=True), office.person("Ann – Ünïcødé 周")
    mara.post("/demo")
    project = office.project(mara, "stream", ann)
    topic = office.topic(mara, project)
    office.assign(mara, topic, judge=ann)
    open_link(office, project, topic)
    ann.mark(topic, "a1-s01", "E1")
    return str(office.database.engine.url.database)


@pytest.fixture
def empty_postgresql(postgresql: str) -> Iterator[str]:
    with database_like(postgresql) as url:
        yield url


def go_on(where: str) -> None:
    """Work goes on: new people, entries and sessions get numbers that nobody has."""
    office = Office(where)
    before = contents(where)
    mara, ann = office.person("Mara"), office.person("Ann – Ünïcødé 周")
    new = office.person("Newcomer")
    assert new.id > max(row[0] for row in before["person"])
    mara.post("/projects", name="Another", workflow="stream")
    topic = max(row[0] for row in before["topic"])
    assert "entry" in ann.mark(topic, "a1-s02", off=True)
    assert replay.verify(office.database).equal
    office.close()


@pytest.mark.slow
def test_a_backup_goes_to_postgresql_and_back(
    busy: str, empty_postgresql: str, tmp_path: Path, capsys: Any
) -> None:
    copy, again = str(tmp_path / "copy.sqlite"), str(tmp_path / "again.sqlite")
    assert run("backup", "--database", busy, copy) == 0
    assert run("restore", "--database", empty_postgresql, copy) == 0
    assert run("backup", "--database", empty_postgresql, again) == 0
    assert "all equal" in capsys.readouterr().out
    assert contents(busy) == contents(copy) == contents(empty_postgresql) == contents(again)
    go_on(empty_postgresql)
    go_on(again)
    direct = str(tmp_path / "direct.sqlite")
    assert run("restore", "--database", direct, empty_postgresql) == 0
    assert contents(direct) == contents(empty_postgresql)


@pytest.mark.slow
def test_a_workbench_is_not_overwritten(busy: str, tmp_path: Path, capsys: Any) -> None:
    copy = str(tmp_path / "copy.sqlite")
    assert run("backup", "--database", busy, copy) == 0
    before = contents(busy)
    assert run("restore", "--database", busy, copy) == 2
    assert "holds a workbench already" in capsys.readouterr().err
    assert contents(busy) == before
    assert run("restore", "--database", busy, busy) == 2
    assert run("restore", "--database", busy, str(tmp_path / "none.sqlite")) == 2
    assert "no such database" in capsys.readouterr().err


@pytest.mark.slow
def test_a_workbench_that_was_only_started_is_filled(busy: str, tmp_path: Path) -> None:
    target = tmp_path / "new.sqlite"
    Office(target).close()
    assert run("restore", "--database", str(target), busy) == 0
    assert contents(str(target)) == contents(busy)


@pytest.mark.slow
def test_a_backup_whose_tables_do_not_follow_from_its_log_is_refused(
    busy: str, tmp_path: Path, capsys: Any
) -> None:
    database = Database.open(busy)
    with database.write() as connection:
        connection.execute(update(tables.event).values(text="forged"))
    database.close()
    target = tmp_path / "new.sqlite"
    assert run("restore", "--database", str(target), busy) == 3
    assert "does not follow from its log (tables event)" in capsys.readouterr().err
    assert not target.exists()


@pytest.mark.slow
def test_half_a_backup_leaves_nothing_behind(busy: str, tmp_path: Path, capsys: Any) -> None:
    copy, target = tmp_path / "copy.sqlite", tmp_path / "new.sqlite"
    assert run("backup", "--database", busy, str(copy)) == 0
    raw = copy.read_bytes()
    copy.write_bytes(raw[: len(raw) // 2 // 4096 * 4096])
    capsys.readouterr()
    assert run("restore", "--database", str(target), str(copy)) == 3
    assert "Traceback" not in capsys.readouterr().err
    assert not target.exists()


@pytest.mark.parametrize("leads_to", ["nowhere.sqlite", "link.sqlite"])
@pytest.mark.parametrize(
    "words", ["backup --database w.sqlite link.sqlite", "restore --database link.sqlite w.sqlite"]
)
def test_a_link_that_leads_to_no_file_is_left_as_it_is(
    words: str, leads_to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Database.open("w.sqlite").close()
    Path("link.sqlite").symlink_to(leads_to)
    assert run(*words.split()) == 2
    said = capsys.readouterr().err
    assert said == (
        "chronoscore: link.sqlite: is a link that leads to no file; choose another name\n"
    )
    assert Path("link.sqlite").readlink() == Path(leads_to)
    assert {one.name for one in tmp_path.iterdir()} == {"link.sqlite", "w.sqlite"}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", ["backup --database w.sqlite b", "restore --database b w.sqlite"])
@pytest.mark.parametrize("output", ["full", "closed"])
def test_a_copy_that_is_proved_has_succeeded_also_without_an_output(
    words: str, output: str, tmp_path: Path
) -> None:
    Database.open(tmp_path / "w.sqlite").close()
    start = [sys.executable, "-m", "chronoscore", "workbench", *words.split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            start, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            preexec_fn=(lambda: os.close(1)) if output == "closed" else None,
        )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr.endswith("b: 0 rows, 0 log entries replayed, all equal\n")
    assert contents(str(tmp_path / "b")) == contents(str(tmp_path / "w.sqlite"))
