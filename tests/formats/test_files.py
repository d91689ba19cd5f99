"""Files are written whole or not at all, and what is no file is never replaced."""

import os
import time
from pathlib import Path

import pytest

from chronoscore.errors import DataError
from chronoscore.formats.io import clock, decoding, layout
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


def test_hidden_files_are_no_references(tmp_path: Path) -> None:
    for name in ("dam.txt", ".DS_Store", ".dam.txt.swp"):
        (tmp_path / name).write_text("It broke.")
    assert [topic for topic, _ in layout.reference_files(tmp_path)] == ["dam"]


def test_a_byte_that_cannot_be_decoded_is_named_with_its_line() -> None:
    with pytest.raises(DataError) as refusal:
        decoding.decode_text(b"a\nb\nc\xff\n", "x.txt")
    assert str(refusal.value).startswith("x.txt:3: byte 0xff at offset 5 is not UTF-8")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    assert decoding.split_lines(end.join("abc")) == ["a", "b", "c"]


def test_a_time_without_a_zone_is_utc_wherever_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        found = [clock.parse_seconds(f"1970-01-02T00:00:30{zone}") for zone in ("", "Z", "+09:00")]
    time.tzset()
    assert found == [86430.0, 86430.0, 54030.0]
