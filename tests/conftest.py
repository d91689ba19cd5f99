"""Settings of the whole suite: markers by what a test needs, the slow tests first, Hypothesis."""

import gc
import json
import os
import shlex
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from chronoscore import kernel
from chronoscore.cli import main
from chronoscore.errors import ChronoscoreWarning

# A busy machine fails no test: no deadlines, and the same examples on every run.
settings.register_profile(
    "suite",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.register_profile("quick", settings.get_profile("suite"), max_examples=15)
settings.load_profile("suite")

# Tables are as wide as they like; readline, which pytest loads, hands COLUMNS on to workers.
os.environ.pop("COLUMNS", None)

NEEDS = {"browser": "browser", "postgresql": "database", "data": "data"}
"""Fixtures and the markers of the tests that use them."""


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; a test that needs it is skipped where there is none."""
    given = os.environ.get("CHRONOSCORE_DATA", "")
    if not given:
        pytest.skip("CHRONOSCORE_DATA is not set: no real data to run on")
    return Path(given)


class Said(NamedTuple):
    """What a command printed."""

    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The records of `-f json` or `-f jsonl`."""
        text = self.out if self.out.startswith("[") else f"[{','.join(self.out.splitlines())}]"
        rows: list[dict[str, Any]] = json.loads(text)
        return rows


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Call a command line in this process and in the test's folder; warnings are printed."""
    monkeypatch.chdir(tmp_path)

    def call(line: str, *words: object, code: int = 0) -> Said:
        with warnings.catch_warnings():
            warnings.simplefilter("always", ChronoscoreWarning)
            with pytest.raises(SystemExit) as stopped:
                main([*shlex.split(line), *map(str, words)])
        printed = capsys.readouterr()
        assert stopped.value.code == code, printed.err
        return Said(printed.out, printed.err)

    return call


@pytest.fixture(scope="module", params=["c", "python"])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each engine that counts; a test that uses this runs on both."""
    name: str = request.param
    if name == "c" and kernel.compiled is None:
        pytest.skip("the compiled kernel was not built: no C compiler")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kernel.VARIABLE, name)
        yield name


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium for all tests of a process; its event loop is the main thread's only one."""
    pytest.importorskip("starlette", reason="the workbench is an extra: chronoscore[workbench]")
    from workbench.running import FLAGS, chromium

    program = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it needs; slow tests come first, so that no core idles at the end.

    The office of a test is a fixture that asks for PostgreSQL while it runs, by its parameter.
    """
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if hasattr(item, "callspec") and item.callspec.params.get("office") == "postgresql":
            used.add("postgresql")
        for name in used & set(NEEDS):
            item.add_marker(NEEDS[name])
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over the tests themselves, many thousands of objects."""
    gc.collect()
    gc.freeze()
