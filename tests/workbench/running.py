"""A workbench in a process of its own, and browsers that visit it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
import uvicorn
from sqlalchemy import create_engine, make_url

from chronoscore.workbench.domain import sessions
from chronoscore.workbench.store.database import Database
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.web.app import build_workbench

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# What is off: two pages that Chromium loads behind the address bar of each window, which take half
# of its time; and, as a second such flag replaces the first, what Playwright turns off for pages.
OFF = """WebUIOmniboxPopup WebUIOmniboxAimPopup AvoidCorsURLLoaderRestartOnRedirect
    AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades LensOverlay
    MediaRouter OptimizationHints PaintHolding ThirdPartyStoragePartitioning"""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    f"--disable-features={','.join(OFF.split())}",
]
PATIENCE = 600
"""Seconds after which something that a test waits for is given up, however busy the machine."""
START = "from chronoscore.cli import main; main()"


class Server:
    """`chronoscore workbench` on a database, as a user starts it; it can be killed."""

    def __init__(self, database: str | Path, log: Path) -> None:
        self.database = str(database)
        self.log = log
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.words: list[str] = []
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        words = ["workbench", "--database", self.database, "--port", str(self.port), *self.words]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, *words], stdout=log, stderr=log
            )
        for _ in range(PATIENCE * 20):
            try:
                urllib.request.urlopen(f"{self.url}/health", timeout=PATIENCE).close()
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
            self.process.wait(PATIENCE)


class Served:
    """A workbench for browsers in a thread of this process, on a database that is open already."""

    def __init__(self, database: Database, **more: Any) -> None:
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        settings = Settings(public_url=self.url, **more)
        self.cookie = settings.cookie(sessions.COOKIE)
        config = uvicorn.Config(
            build_workbench(database, settings),
            log_level="warning", access_log=False,
            timeout_graceful_shutdown=5,
        )  # fmt: skip
        self.uvicorn = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.uvicorn.run, args=([self.door],), daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Finish what is being answered, then refuse connections."""
        self.uvicorn.should_exit = True
        self.thread.join()
        self.door.close()


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
def database_like(server: str, template: str = "template1") -> Iterator[str]:
    """A copy of a database (as it comes: an empty one) that is there for one test."""
    url, name = make_url(server), f"chronoscore_{token_hex(6)}"
    engine = create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield url.set(database=name).render_as_string(hide_password=False)
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    engine.dispose()


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL that this test starts, or of the one that PGHOST names."""
    if os.environ.get("PGHOST"):
        yield "postgresql+psycopg:///postgres"
        return
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (str(programs[-1]) if programs else None)
    if found is None:
        pytest.skip("no PostgreSQL on this machine (apt-get install postgresql), and no PGHOST")
    bin_, port = Path(found).parent, free_port()
    # Not in pytest's own folder, which only its owner can enter.
    with tempfile.TemporaryDirectory(prefix="chronoscore-") as folder:
        unprivileged = unprivileged_user(folder) if os.geteuid() == 0 else []
        call(*unprivileged, str(bin_ / "initdb"), "-D", f"{folder}/data", "-A", "trust",
             "-U", "judge", "-E", "UTF8", "--locale=C", "--no-sync")  # fmt: skip
        server = subprocess.Popen(
            [*unprivileged, str(bin_ / "postgres"), "-D", f"{folder}/data", "-k", folder,
             "-p", str(port), "-c", "listen_addresses=", "-c", "fsync=off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
        )  # fmt: skip
        try:
            wait_until_ready(f"host={folder} port={port} user=judge dbname=postgres")
            yield f"postgresql+psycopg://judge@/postgres?host={folder}&port={port}"
        finally:
            server.terminate()
            server.wait(PATIENCE)


def unprivileged_user(folder: str) -> list[str]:
    """PostgreSQL refuses root; give its folder to `postgres` or `nobody` and run it as them."""
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    user = "postgres" if "postgres" in names else "nobody"
    shutil.chown(folder, user)
    return ["setpriv", f"--reuid={user}", "--clear-groups", "--"]


def call(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE)


def wait_until_ready(address: str) -> None:
    """Wait for the server to take connections; its socket is there before it does."""
    import psycopg

    for _ in range(PATIENCE * 20):
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

    def hand_in(self) -> "Hands":
        """Hand in, which asks once."""
        self.reach("#submit summary").page.keyboard.press("Enter")
        return self.go("#submit button")

    def ready(self) -> "Hands":
        self.page.wait_for_selector("#stream[data-ready]")
        return self

    def saved(self) -> "Hands":
        self.page.wait_for_function(
            """() => document.querySelector('#saved').textContent.startsWith('✓')
            && !document.querySelector('#stream[aria-busy=true]')"""
        )
        return self
