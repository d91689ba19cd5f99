"""What several test rooms need."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; a test that needs it is skipped where there is none."""
    given = os.environ.get("CHRONOSCORE_DATA", "")
    if not given:
        pytest.skip("CHRONOSCORE_DATA is not set: no real data to run on")
    return Path(given)
