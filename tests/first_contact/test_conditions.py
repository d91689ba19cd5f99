"""Each command's plainest line under the conditions that people have.

`make test` runs a part of the table, in which every command and every condition occurs;
`make first-contact` runs all of it.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from first_contact.lines import LINES, SILENT, WRITES
from first_contact.newcomer import (
    EVERYTHING,
    Ended,
    Newcomer,
    check_sentence,
    close,
    ordinary_user,
    unwritable,
)

PART = 7
"""One in so many pairs of command and condition is tried by `make test`."""


@dataclass(frozen=True)
class Condition:
    """What differs from the usual: variables, options of Python, streams."""

    environment: dict[str, str]
    interpreter: tuple[str, ...] = ()
    streams: Callable[[], dict[str, Any]] = dict
    encoding: str = "utf-8"


CONDITIONS = {
    "as installed": Condition({}),
    "no home": Condition({"HOME": "UNSET"}),
    "LANG=C": Condition({"LC_ALL": "C"}),
    "cp1252": Condition({"PYTHONIOENCODING": "cp1252"}, encoding="cp1252"),
    "latin-1": Condition({"PYTHONIOENCODING": "latin-1"}, encoding="latin-1"),
    "40 columns": Condition({"COLUMNS": "40"}),
    "80 columns": Condition({"COLUMNS": "80"}),
    "0 columns": Condition({"COLUMNS": "0"}),
    "any columns": Condition({"COLUMNS": "many"}),
    "dumb terminal": Condition({"TERM": "dumb"}),
    "no color": Condition({"NO_COLOR": "1"}),
    "no temporary folder": Condition({"TMPDIR": "/nowhere", "XDG_DATA_HOME": "/proc/none"}),
    "warnings are errors": Condition({}, ("-W", "error")),
    "optimized": Condition({}, ("-O",)),
    "isolated": Condition({}, ("-I",)),
    "stdin closed": Condition({}, streams=lambda: {"stdin": None, "preexec_fn": close(0)}),
    "stderr closed": Condition({}, streams=lambda: {"stderr": None, "preexec_fn": close(2)}),
}


def pairs(conditions: list[str]) -> list[Any]:
    """All pairs, or one in a few of them that together have each command and condition."""
    return [
        pytest.param(name, condition, id=f"{name}, {condition}")
        for row, name in enumerate(LINES)
        for column, condition in enumerate(conditions)
        if EVERYTHING or (row + column) % PART == 0
    ]


def as_in(condition: Condition, someone: Newcomer) -> Newcomer:
    return replace(someone, environment=condition.environment, interpreter=condition.interpreter)


def check_success(done: Ended, name: str) -> None:
    assert done.code == 0, done.words
    assert "Traceback" not in done.words, done.words
    assert bool(done.out.strip()) == (name not in SILENT)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "condition"), pairs([*CONDITIONS]))
def test_it_works(demo: Newcomer, name: str, condition: str) -> None:
    chosen = CONDITIONS[condition]
    done = as_in(chosen, demo).run(LINES[name], **chosen.streams())
    check_success(done, name)
    done.out.decode(chosen.encoding)
    left = [path for path in demo.folder.rglob(".*") if path.is_file()]
    assert left == []


def test_nothing_is_written_at_home(demo: Newcomer) -> None:
    demo.run(LINES["score"])
    assert list(demo.home.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["closed", "full"])
@pytest.mark.parametrize("name", [*LINES] if EVERYTHING else ["score", "list", "summarize", "help"])
def test_output_that_cannot_be_written_is_said(demo: Newcomer, name: str, stream: str) -> None:
    if stream == "closed":
        done = demo.run(LINES[name], stdout=None, preexec_fn=close(1))
    elif not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    else:
        with Path("/dev/full").open("w") as full:
            done = demo.run(LINES[name], stdout=full)
    if name in SILENT:
        assert done.code == 0, done.words
        return
    assert done.code == 3
    check_sentence(done.words)
    assert "standard output cannot be written" in done.words


def test_standard_input_that_is_closed_is_empty(demo: Newcomer) -> None:
    """Python then has no stream for it at all."""
    for line in ("score - --reference corpus", "convert - --to json"):
        done = demo.run(line, stdin=None, preexec_fn=close(0))
        assert done.code in (2, 3)
        check_sentence(done.words)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_messages_that_cannot_be_written_change_nothing(demo: Newcomer) -> None:
    with Path("/dev/full").open("w") as full:
        assert demo.run("score missing.txt --reference corpus", stderr=full).code == 3
        done = demo.run(LINES["score"], stderr=full)
    assert done.code == 0
    assert done.out == demo.run(LINES["score"]).out


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LINES] if EVERYTHING else ["score", "demo", "rouge155"])
def test_a_reader_may_leave(demo: Newcomer, name: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = demo.run(LINES[name], stdout=writing)
    os.close(writing)
    assert done.code == 0, done.words
    assert "Traceback" not in done.words
    assert "Exception ignored" not in done.words


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LINES] if EVERYTHING else ["score", "demo", "report"])
def test_a_folder_that_cannot_be_written_to(demo: Newcomer, name: str) -> None:
    if os.getuid() == 0 and not ordinary_user():
        pytest.skip("root writes everywhere, and there is no setpriv")
    before = demo.listing()
    with unwritable(demo.folder):
        done = demo.run(LINES[name])
    assert demo.listing() == before
    if name not in WRITES:
        check_success(done, name)
        return
    assert done.code == 3, done.words
    check_sentence(done.words)
    assert "permission" in done.words.lower()


@pytest.mark.slow
def test_files_may_have_names_that_are_not_utf_8(demo: Newcomer) -> None:
    odd = os.fsdecode(b"caf\xe9.txt")
    (demo.folder / "runs/lead/timelines/dam.txt").rename(demo.folder / odd)
    gold = "--reference corpus/dam/timelines/ines.txt"
    for line in (
        f"score {odd} {gold}", f"score {odd} {gold} -o scores.csv", f"score {odd} {gold} -f json",
        f"report {odd} {gold} -o report.html", f"explain {odd} {gold} -o why.html",
        f"convert {odd} -o new.json",
    ):  # fmt: skip
        done = demo.run(line)
        assert done.code == 0, done.words
    done = demo.run(f"score no{odd} {gold}")
    assert done.code == 3
    check_sentence(done.words)


@pytest.mark.slow
@pytest.mark.parametrize("odd", ["with space", "näme ’周", "[a] %s {b}", "line\nbreak", "-o"])
def test_a_folder_may_have_any_name(demo: Newcomer, odd: str) -> None:
    folder = demo.folder.rename(demo.folder.with_name(odd))
    inside = replace(demo, folder=folder)
    for name in LINES if EVERYTHING else ("score", "report"):
        check_success(inside.run(LINES[name]), name)


SIGNALS = {
    "Ctrl-C": (signal.SIGINT,),
    "Ctrl-C twice": (signal.SIGINT, signal.SIGINT),
    "kill": (signal.SIGTERM,),
    "terminal closed": (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM),
}
SLOW = {
    "own system": "summarize slow:f corpus -o mine",
    "solver": "oracle hard --vertices 400 -o mine",
    "processes": "summarize slow:f corpus -o mine --jobs 2",
    "time limit": "summarize slow:f corpus -o mine --time-limit 500",
}
"""Commands that nobody would wait for."""


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, 0.02, 0.05, 0.1, 0.2, 0.4, 1, 3] if EVERYTHING else [0, 1])
@pytest.mark.parametrize("signals", SIGNALS)
@pytest.mark.parametrize("work", SLOW if EVERYTHING else ["own system"])
def test_what_is_stopped_ends_at_once_with_a_word(
    demo: Newcomer, seconds: float, signals: str, work: str
) -> None:
    check_stopped(demo, SLOW[work], seconds, SIGNALS[signals])


@pytest.mark.slow
@pytest.mark.parametrize("work", ["solver", "processes", "time limit"])
def test_a_solver_and_other_processes_are_stopped_too(demo: Newcomer, work: str) -> None:
    check_stopped(demo, SLOW[work], 2, (signal.SIGINT,))


def check_stopped(demo: Newcomer, line: str, seconds: float, signals: tuple[int, ...]) -> None:
    """Start a command, stop it after a while, and see how it ends."""
    (demo.folder / "slow.py").write_text("import time\ndef f(topic):\n    time.sleep(600)\n")
    before = demo.listing()
    # What tests ignore, as under nohup, a command that they start would ignore too.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    process = demo.start(line, start_new_session=True)
    signal.signal(signal.SIGINT, heard)
    signal.signal(signal.SIGHUP, hung)
    # Before the script runs there is only the interpreter, which is not ours.
    wait_for_script(process.pid)
    time.sleep(seconds)
    for number in signals:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 128 + signals[0], err
    assert err.decode().splitlines() == ["chronoscore: stopped"]
    after = {name: what for name, what in demo.listing().items() if "__pycache__" not in name}
    assert after == before


def wait_for_script(process: int) -> None:
    """Wait until the script listens to signals: it takes them itself, or ignores them."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError):
            status = Path(f"/proc/{process}/status").read_text()
            caught = int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16)  # type: ignore[index]
            if caught >> (signal.SIGTERM - 1) & 1:
                return
        time.sleep(0.002)


@pytest.mark.slow
def test_ctrl_c_while_it_is_loaded_is_no_traceback(demo: Newcomer) -> None:
    """Whatever is being imported: the script itself, the command line, or NumPy."""
    for milliseconds in range(0, 400, 5 if EVERYTHING else 40):
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)
        process = demo.start(LINES["score"])
        signal.signal(signal.SIGINT, heard)
        wait_for_package(process.pid)
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
        assert process.returncode in (0, 130), err
        assert err in (b"", b"chronoscore: stopped\n")


def wait_for_package(process: int) -> None:
    """Wait until the interpreter itself has been loaded, which is not ours."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError):
            if "/_json." in Path(f"/proc/{process}/maps").read_text():
                return
        time.sleep(0.002)


def test_without_its_packages_the_workbench_says_what_to_install(newcomer: Newcomer) -> None:
    hidden = newcomer.folder / "sqlalchemy.py"
    hidden.write_text("raise ModuleNotFoundError('No module', name='sqlalchemy')")
    without = replace(newcomer, environment={"PYTHONPATH": str(newcomer.folder)})
    done = without.run("workbench verify")
    assert done.code == 2
    check_sentence(done.words)
    assert "pip install" in done.words


def test_the_working_folder_is_where_own_systems_and_measures_are_found(demo: Newcomer) -> None:
    (demo.folder / "mine.py").write_text(
        "def latest(topic):\n    return {'2031-03-03': ['The dam broke.']}\n"
        "def always(system, references):\n    return 0.5\n"
    )
    done = demo.run("summarize mine:latest corpus -o own")
    assert done.code == 0, done.words
    assert (demo.folder / "own" / "dam.txt").is_file()
    done = demo.run("score runs/lead/timelines --reference corpus -m mine:always")
    assert done.code == 0, done.words
    assert b"0.5000" in done.out


def test_files_are_made_as_the_users_mask_says(demo: Newcomer) -> None:
    convert = "convert runs/lead/timelines/dam.txt -o new.json"
    done = demo.run(convert, preexec_fn=lambda: os.umask(0o026))
    assert done.code == 0, done.words
    new = demo.folder / "new.json"
    assert new.stat().st_mode & 0o777 == 0o640
    new.chmod(0o644)
    assert demo.run(convert, preexec_fn=lambda: os.umask(0o077)).code == 0
    assert new.stat().st_mode & 0o777 == 0o644


def test_a_missing_program_is_no_part_of_this(newcomer: Newcomer) -> None:
    """The environment has what the wheel requires and none of the developers' packages."""
    python = newcomer.installed / "env" / "bin" / "python"
    for name in ("pytest", "hypothesis", "ruff", "pandas"):
        done = subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False)
        assert done.returncode == 1, f"{name} can be imported"
