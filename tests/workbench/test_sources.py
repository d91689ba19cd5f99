"""What a command only reads stays as it is, and only a workbench's database is one."""

import hashlib
import os
import sqlite3
from pathlib import Path

import pytest

from chronoscore.cli import main
from chronoscore.cli.workbench import default_database
from chronoscore.workbench.store.database import Database

READING = ["verify --database {}", "export --database {}", "backup --database {} copy.sqlite",
           "restore --database new.sqlite {}"]  # fmt: skip
WRITING = ["verify --rebuild --database {}", "import --database {} Flood story.txt",
           "reset --database {} Mara"]  # fmt: skip


def run(line: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["workbench", *line.split()])
    return int(stopped.value.code or 0)


def listing(folder: Path) -> dict[str, str]:
    """Every file with its permissions and a checksum of what it holds."""
    return {
        str(path.relative_to(folder)): f"{path.stat().st_mode:o} "
        + hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def foreign(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE shopping (item TEXT)")
    database.commit()
    database.close()


def half(path: Path) -> None:
    Database.open(path).close()
    database = sqlite3.connect(path)
    database.execute("DROP TABLE sentence")
    database.commit()
    database.close()


def newer(path: Path) -> None:
    Database.open(path).close()
    database = sqlite3.connect(path)
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.commit()
    database.close()


MADE = {
    "empty": lambda path: path.touch(),
    "text": lambda path: path.write_text("2031-03-03 The dam broke.\n" * 50),
    "foreign": foreign,
    "half": half,
    "newer": newer,
    "folder": lambda path: path.mkdir(),
    "loop": lambda path: path.symlink_to(path),
    "missing": lambda path: None,
}


@pytest.mark.parametrize("line", [*READING, *WRITING])
@pytest.mark.parametrize("kind", MADE)
def test_what_is_no_workbench_is_refused_and_left_alone(
    kind: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "story.txt").write_text("The dam broke.")
    source = tmp_path / "source.sqlite"
    MADE[kind](source)
    before = listing(tmp_path)
    code = run(line.format("source.sqlite"))
    printed = capsys.readouterr()
    assert code == (2 if kind in ("missing", "loop") else 3), printed.err
    assert printed.err.startswith("chronoscore: source.sqlite: ")
    assert printed.err.count("\n") == 1
    assert listing(tmp_path) == before


@pytest.mark.parametrize("line", READING)
def test_reading_a_workbench_changes_nothing(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Database.open(tmp_path / "source.sqlite").close()
    before = listing(tmp_path)
    assert run(line.format("source.sqlite")) == 0
    after = listing(tmp_path)
    assert {name: after.get(name) for name in before} == before
    assert set(after) - set(before) <= {"copy.sqlite", "new.sqlite"}


def test_a_source_cannot_be_written_to(tmp_path: Path) -> None:
    path = tmp_path / "source.sqlite"
    Database.open(path).close()
    database = Database.open_source(path)
    with database.engine.connect() as connection, pytest.raises(Exception, match="readonly"):
        connection.exec_driver_sql("DELETE FROM secret")
    database.close()


def test_a_workbench_does_not_move_into_another_programs_database(tmp_path: Path) -> None:
    foreign(tmp_path / "shop.sqlite")
    with pytest.raises(ValueError, match="holds other tables"):
        Database.open(tmp_path / "shop.sqlite")


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="would be lost"):
        Database.open("sqlite://")


def test_the_default_is_the_platforms_folder_for_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    ours = Path("chronoscore", "workbench.sqlite")
    assert default_database() == tmp_path / ".local/share" / ours
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_database() == tmp_path / ".local/share" / ours
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_database() == tmp_path / "data" / ours
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_database() == tmp_path / "Library/Application Support" / ours
    if os.name == "posix":
        monkeypatch.setattr("sys.platform", "win32")
        monkeypatch.setenv("LOCALAPPDATA", "/local")
        assert default_database() == Path("/local") / ours


@pytest.mark.parametrize("line", ["serve --port 0 --database {}", *READING, *WRITING])
@pytest.mark.parametrize(
    ("where", "code", "why"),
    [
        (".", 3, "is a folder"),
        ("/", 3, "is a folder"),
        ("~nobody-of-this-name/x", 2, "no such home folder"),
    ],
)
def test_a_folder_or_an_unknown_home_is_no_database(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys,
    line: str,
    where: str,
    code: int,
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "story.txt").write_text("The dam broke.")
    assert run(line.format(where)) == code
    assert why in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"story.txt"}
