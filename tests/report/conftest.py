from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium for a module's tests."""
    pytest.importorskip("starlette", reason="the workbench is an extra: chronoscore[workbench]")
    from playwright.sync_api import sync_playwright

    from workbench.running import FLAGS, chromium

    program = chromium()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()
