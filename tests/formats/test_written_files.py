"""Files are written whole, keep their permissions, and nothing is left beside them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chronoscore.errors import DataError
from chronoscore.formats.io.files import check_target, open_whole, read_text, write_text


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("given", [0o600, 0o640, 0o664, 0o755])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path, given: int) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")
    path.chmod(given)
    write_text(path, "new")
    assert (path.read_text(), mode(path)) == ("new", given)


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new", "new")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o640


def test_what_a_link_points_to_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("fresh")
    for name in ("link", "dangling"):
        check_target(tmp_path / name)
        write_text(tmp_path / name, "new")
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "real").read_text() == (tmp_path / "fresh").read_text() == "new"


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for call in (check_target, lambda path: write_text(path, "")):
        with pytest.raises(DataError, match="a loop of links"):
            call(tmp_path / "a")
    with pytest.raises(DataError, match="cannot be read"):
        read_text(tmp_path / "a")


BEGIN = """
import sys, time
from pathlib import Path
from chronoscore.formats.io.files import open_whole
with open_whole(Path(sys.argv[1])) as file:
    file.write(b"half"), file.flush()
    print("begun", flush=True)
    time.sleep(600)
"""


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_writes_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "scores[1].csv"

    def begin() -> "subprocess.Popen[bytes]":
        words = [sys.executable, "-c", BEGIN, str(path)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert process.stdout
        assert process.stdout.readline() == b"begun\n"
        return process

    killed = begin()
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert len(list(tmp_path.iterdir())) == 1
    living = begin()
    assert len(list(tmp_path.iterdir())) == 1
    with open_whole(path) as file:
        file.write(b"whole")
    assert len(list(tmp_path.iterdir())) == 2
    living.terminate()
    living.communicate()
    write_text(path, "whole")
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_pipe_is_read_as_often_as_anybody_asks(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = subprocess.Popen(
        [sys.executable, "-c", f"open({str(pipe)!r}, 'w').write('2031-03-03 The dam broke.')"]
    )
    assert read_text(pipe) == read_text(pipe) == "2031-03-03 The dam broke."
    writing.wait()


def test_a_pipe_to_which_nobody_writes_and_a_device_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chronoscore.formats.io.opened.PATIENCE", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="no program writes"):
        read_text(tmp_path / "pipe")
    with pytest.raises(DataError, match="a device"):
        read_text(Path("/dev/zero"))
    with pytest.raises(DataError, match="is empty"):
        read_text(Path("/dev/null"))
