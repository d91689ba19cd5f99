"""A workbench in a process of its own, and browsers that visit it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
START = "from chronoscore.cli import main; main()"


class Server:
    """`chronoscore workbench` on a database, as a user starts it; it can be killed."""

    def __init__(self, database: str | Path, log: Path) -> None:
        self.database = str(database)
        self.log = log
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        words = ["workbench", "--database", self.database, "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, *words], stdout=log, stderr=log
            )
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/static/app.css", timeout=5).close()
                return self
            except (urllib.error.URLError, OSError):
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def kill(self) -> None:
        """SIGKILL: no chance to finish anything."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def chromium() -> str:
    """The browser, or a skipped test that says why."""
    if not CHROMIUM:
        pytest.skip("no chromium on this machine (apt-get install chromium)")
    pytest.importorskip("playwright")
    return CHROMIUM


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL of our own, or of the one that PGHOST names."""
    if os.environ.get("PGHOST"):
        yield "postgresql+psycopg://"
        return
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (str(programs[-1]) if programs else None)
    if found is None:
        pytest.skip("no PostgreSQL on this machine (apt-get install postgresql), and no PGHOST")
    bin_ = Path(found).parent
    data, run = folder / "data", folder / "run"
    run.mkdir(parents=True)
    unprivileged: list[str] = []
    if os.geteuid() == 0:
        unprivileged = unprivileged_user(folder, run)
    call(*unprivileged, str(bin_ / "initdb"), "-D", str(data), "-A", "trust", "-U", "judge", "-E",
         "UTF8", "--locale=C")  # fmt: skip
    port = free_port()
    server = subprocess.Popen(
        [*unprivileged, str(bin_ / "postgres"), "-D", str(data), "-k", str(run), "-p", str(port),
         "-c", "listen_addresses=", "-c", "max_connections=100"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=run,
    )  # fmt: skip
    try:
        url = f"postgresql+psycopg://judge@/postgres?host={run}&port={port}"
        wait_until_ready(f"host={run} port={port} user=judge dbname=postgres")
        yield url
    finally:
        server.terminate()
        server.wait(30)


def unprivileged_user(folder: Path, run: Path) -> list[str]:
    """PostgreSQL refuses root; give its folders to `postgres` or `nobody` and run it as them."""
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    user = "postgres" if "postgres" in names else "nobody"
    shutil.chown(folder, user)
    shutil.chown(run, user)
    for parent in [folder, *folder.parents]:
        if parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    return ["setpriv", f"--reuid={user}", "--clear-groups", "--"]


def call(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=120)


def wait_until_ready(address: str) -> None:
    """Wait for the server to take connections; its socket is there before it does."""
    import psycopg

    for _ in range(400):
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("PostgreSQL did not start")


class Hands:
    """A person who uses only the keyboard."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, *keys: str) -> "Hands":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def type(self, text: str) -> "Hands":
        self.page.keyboard.type(text)
        return self

    def reach(self, selector: str, *, most: int = 250) -> "Hands":
        """Press Tab until the focus is there."""
        for _ in range(most):
            if self.page.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
                return self
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {selector} on {self.page.url}")

    def go(self, selector: str) -> "Hands":
        """Reach a link or button and press it; waits for the page that follows."""
        self.reach(selector)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        return self

    def ready(self) -> "Hands":
        self.page.wait_for_selector("#stream[data-ready]")
        return self

    def saved(self) -> "Hands":
        self.page.wait_for_function(
            "() => document.querySelector('#saved').textContent.startsWith('✓')"
        )
        return self
