from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the workbench is an extra: chronoscore[workbench]")

from anyio.from_thread import start_blocking_portal
from argon2 import PasswordHasher
from sqlalchemy import make_url

from chronoscore.workbench.domain import accounts
from chronoscore.workbench.store.database import Database
from workbench import writes
from workbench.office import Office, Visitor
from workbench.running import (
    PATIENCE,
    Served,
    database_like,
    postgres_server,
)


@pytest.fixture(scope="session", autouse=True)
def portal() -> Iterator[None]:
    """One event loop for the requests of all visitors, instead of a new one for each request."""
    with start_blocking_portal() as Office.portal:
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_hashing() -> Iterator[None]:
    """Passwords are hashed by the same algorithm with little work."""
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "password_hasher", lambda: quick)
        accounts._decoy_hash.cache_clear()
        yield


@pytest.fixture(scope="session", autouse=True)
def written() -> Iterator[writes.Written]:
    """Projections write only the tables that they name, whatever a test does."""
    with writes.watch() as found:
        yield found


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A database with empty tables, to be copied, on a PostgreSQL for all tests of a process."""
    with postgres_server() as server, database_like(server) as url:
        Database.open(url).close()
        yield url


@pytest.fixture
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Office]:
    """A workbench on SQLite, or on PostgreSQL where a test asks for `ON_BOTH`."""
    if getattr(request, "param", "sqlite") == "sqlite":
        found = Office(tmp_path / "workbench.sqlite")
        yield found
        found.close()
        return
    template = request.getfixturevalue("postgresql")
    with database_like(template, make_url(template).database) as url:
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


@pytest.fixture
def server(office: Office) -> Iterator[Served]:
    """A running workbench on the office's database."""
    found = Served(office.database)
    yield found
    found.stop()


@pytest.fixture
def visit(browser: Any, server: Served) -> Iterator[Any]:
    """Open a page as somebody; errors on any page fail the test."""
    contexts, errors = [], []

    def open_page(person: Visitor | None = None, **options: Any) -> Any:
        context = browser.new_context(
            viewport=options.pop("viewport", {"width": 1280, "height": 800}), **options
        )
        context.set_default_timeout(PATIENCE * 1000)
        if person is not None:
            context.add_cookies([{"name": server.cookie, "value": person.token, "url": server.url}])
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
