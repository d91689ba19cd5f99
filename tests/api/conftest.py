"""What tests of several functions need."""

import pytest

from chronoscore.data import records as bulk
from chronoscore.formats.summaries import record_files


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read even small files in blocks, each of a few records."""
    monkeypatch.setattr(bulk, "LARGE", 0)
    monkeypatch.setattr(record_files, "BLOCK_BYTES", 2000)
