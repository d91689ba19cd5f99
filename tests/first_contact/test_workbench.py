"""`chronoscore workbench`, as README says it: start, open the page, stop."""

import os
import re
import signal
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from first_contact.newcomer import ROOT, Newcomer, check_sentence, ordinary_user, unwritable

OURS = Path(".local/share/chronoscore/workbench.sqlite")


def serve(
    someone: Newcomer,
    line: str = "workbench --port 0",
    visit: Callable[[list[str]], None] | None = None,
    signals: tuple[int, ...] = (signal.SIGINT,),
) -> list[str]:
    """Start the workbench, open its first page, visit what it names, stop it; what it said."""
    # The tests themselves may run in the background or under `nohup`.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    process = someone.start(line, stdout=subprocess.DEVNULL, bufsize=0)
    signal.signal(signal.SIGINT, heard)
    signal.signal(signal.SIGHUP, hung)
    assert process.stderr
    first = process.stderr.readline().decode()
    assert first.startswith("chronoscore workbench: http://"), first
    with urllib.request.urlopen(first.split()[2], timeout=120) as page:
        assert b"chronoscore" in page.read()
    if visit:
        visit([process.stderr.readline().decode().strip() for _ in range(3)])
    for number in signals:
        process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    said = err.decode()
    assert "Traceback" not in said
    return [first, *said.splitlines()]


def make_account(said: list[str]) -> None:
    """Open the link for the manager's account, and choose a name and a password."""
    link = said[-1]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    page = browser.open(link, timeout=120).read().decode()
    proof = re.findall(r'name="proof" value="([^"]+)"', page)
    form = {"proof": proof[0], "name": "Mara", "password": "nine words", "again": "nine words"}
    origin = {"Origin": link.partition("/invite")[0]}
    answer = urllib.request.Request(link, urllib.parse.urlencode(form).encode(), origin)
    assert b"Mara" in browser.open(answer, timeout=120).read()


@pytest.mark.slow
def test_the_lines_of_the_guide_work_from_the_first_account_on(newcomer: Newcomer) -> None:
    serve(newcomer, visit=make_account)
    stories = newcomer.folder / "stories"
    stories.mkdir()
    (stories / "2031-03-03.txt").write_text("The dam broke at night.\nNobody was hurt.\n")
    guide = (ROOT / "docs" / "workbench.md").read_text("utf-8")
    lines = re.findall(
        r"^chronoscore workbench (?:import|export|backup|verify|reset)\b.*", guide, re.M
    )
    assert len(lines) > 7
    for line in lines:
        done = newcomer.type_in(line)
        if 'export "Dams"' in line:
            # A topic is exported once people have done their work.
            assert done.code == 3
            assert b"no topic can be exported yet; finish one" in done.out
            continue
        assert done.code == 0, f"{line}\n{done.out.decode()}"
    fresh = replace(newcomer, home=newcomer.folder / "elsewhere")
    fresh.home.mkdir()
    assert fresh.type_in("chronoscore workbench restore copy.sqlite").code == 0


@pytest.mark.slow
def test_it_starts_on_a_fresh_home_and_says_where_its_database_is(newcomer: Newcomer) -> None:
    said = serve(newcomer)
    database = newcomer.home / OURS
    assert f"database: sqlite:///{database}" in said
    assert said[-1] == "chronoscore workbench: stopped"
    assert database.stat().st_mode & 0o077 == 0
    assert list(newcomer.folder.iterdir()) == []
    assert newcomer.run("workbench verify").out == b"0 log entries replayed: every table is equal\n"
    serve(newcomer)


@pytest.mark.slow
@pytest.mark.parametrize(
    "signals",
    [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT), (signal.SIGHUP,) * 2],
    ids=["Ctrl-C twice", "kill and Ctrl-C", "terminal closed"],
)
def test_it_stops_in_peace_however_it_is_told(newcomer: Newcomer, signals: tuple[int, ...]) -> None:
    said = serve(newcomer, signals=signals)
    assert said[-1] == "chronoscore workbench: stopped"
    assert not any("ERROR" in line for line in said)
    assert not (newcomer.home / f"{OURS}-wal").exists()


@pytest.mark.slow
def test_any_folder_of_a_database_is_made(newcomer: Newcomer) -> None:
    serve(newcomer, "workbench --port 0 --database new/folder/team.sqlite")
    assert (newcomer.folder / "new" / "folder" / "team.sqlite").is_file()


@pytest.mark.slow
def test_without_a_home_the_users_own_is_taken_or_another_asked_for(newcomer: Newcomer) -> None:
    data = newcomer.folder / "data"
    serve(replace(newcomer, environment={"HOME": "UNSET", "XDG_DATA_HOME": str(data)}))
    assert (data / "chronoscore" / "workbench.sqlite").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("line", ["workbench", "workbench restore team.sqlite"])
def test_a_home_that_cannot_be_written_to_is_said(newcomer: Newcomer, line: str) -> None:
    if os.getuid() == 0 and not ordinary_user():
        pytest.skip("root writes everywhere, and there is no setpriv")
    serve(newcomer, "workbench --port 0 --database team.sqlite")
    with unwritable(newcomer.home):
        done = newcomer.run(line)
    assert done.code == 3, done.words
    check_sentence(done.words)
    assert str(newcomer.home) in done.words
    assert "Permission denied" in done.words


@pytest.mark.slow
def test_a_database_that_may_only_be_read(newcomer: Newcomer) -> None:
    if os.getuid() == 0 and not ordinary_user():
        pytest.skip("root writes everywhere, and there is no setpriv")
    serve(newcomer, "workbench --port 0 --database team.sqlite")
    team = newcomer.folder / "team.sqlite"
    team.chmod(0o444)
    with unwritable(newcomer.folder):
        assert newcomer.run("workbench verify --database team.sqlite").code == 0
        done = newcomer.run("workbench --port 0 --database team.sqlite")
        assert done.code == 3
    check_sentence(done.words)
    done = newcomer.run("workbench --port 0 --database team.sqlite")
    assert done.code == 3
    check_sentence(done.words)
