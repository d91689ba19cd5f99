from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the workbench is an extra: chronoscore[workbench]")

from workbench.office import Office, Visitor
from workbench.running import FLAGS, Server, chromium, empty_database, postgres_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A PostgreSQL for all tests of a process."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Office]:
    """A workbench on SQLite, or on PostgreSQL where a test asks for `ON_BOTH`."""
    if getattr(request, "param", "sqlite") == "sqlite":
        found = Office(tmp_path / "workbench.sqlite")
        yield found
        found.close()
        return
    with empty_database(request.getfixturevalue("postgresql")) as url:
        found = Office(url)
        yield found
        found.close()


@pytest.fixture
def manager(office: Office) -> Visitor:
    """Who started the workbench."""
    return office.person("Mara", founder=True)


@pytest.fixture
def project(office: Office, manager: Visitor) -> int:
    """A stream of theirs without topics."""
    return office.project(manager, "stream")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def server(office: Office, tmp_path: Path) -> Iterator[Server]:
    """A running workbench on the office's database."""
    assert office.database.engine.url.database
    found = Server(office.database.engine.url.database, tmp_path / "server.log").start()
    yield found
    found.stop()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Any]:
    """Open a page as somebody; errors on any page fail the test."""
    contexts, errors = [], []

    def open_page(person: Visitor | None = None, **options: Any) -> Any:
        context = browser.new_context(
            viewport=options.pop("viewport", {"width": 1280, "height": 800}), **options
        )
        context.set_default_timeout(20_000)
        if person is not None:
            context.add_cookies([{"name": "chronoscore", "value": person.token, "url": server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: (
                errors.append(message.text)
                if message.type == "error"
                and "Failed to load resource" not in message.text
                and "net::ERR" not in message.text
                else None
            ),
        )
        contexts.append(context)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
