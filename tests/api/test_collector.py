"""The cyclic collector rests while files are loaded, and only then."""

import gc
from pathlib import Path

import pytest

import chronoscore as cs


def test_the_collector_is_as_it_was_after_scoring_and_after_an_error(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("a dam")
    assert gc.isenabled()
    cs.score(tmp_path / "a.txt", tmp_path / "b.txt")
    assert gc.isenabled()
    with pytest.raises(cs.DataError):
        cs.score(tmp_path / "a.txt", tmp_path / "none.txt", "rouge1")
    assert gc.isenabled()
    gc.disable()
    try:
        cs.score(tmp_path / "a.txt", tmp_path / "b.txt")
        assert not gc.isenabled()
    finally:
        gc.enable()
