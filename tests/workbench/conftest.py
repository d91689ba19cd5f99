from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.office import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    pytest.importorskip("starlette")
    found = Office(tmp_path / "workbench.sqlite")
    yield found
    found.close()
