"""Files are written whole or not at all, and what is no file is never replaced."""

import os
from pathlib import Path

import pytest

from chronoscore.errors import DataError
from chronoscore.formats.io.files import write_text


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b.txt", "new\n")
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"new\n"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "a.txt"
    old.write_text("old")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(DataError, match=r"a\.txt: cannot be written \(No space left on device\)"):
        write_text(old, "new")
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.parametrize("target", ["folder", "file/below.txt"])
def test_what_cannot_be_a_file_is_refused_in_a_sentence(tmp_path: Path, target: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    with pytest.raises(DataError, match="cannot be written"):
        write_text(tmp_path / target, "new")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "home.txt").write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to("home.txt")
    write_text(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "home.txt").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert pipe.is_fifo()
