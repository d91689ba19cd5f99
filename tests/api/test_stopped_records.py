"""Scoring of records that is killed, interrupted or out of room: nothing is half written."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import chronoscore as cs
from chronoscore.scoring import blocks
from data_files import write_lines
from record_samples import SOME, in_blocks, records


def python(folder: Path, *words: str | Path, **environment: str) -> CompletedProcess[str]:
    """Run Python in a folder."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


KILLED = """
import os, signal, sys
from pkgutil import resolve_name
from chronoscore.data import records as bulk
from chronoscore.cli import main
from chronoscore.formats.summaries import record_files

bulk.LARGE, record_files.BLOCK_BYTES = 0, 2000
names, after = sys.argv[1].split(), int(sys.argv[2])

def killing(function):
    calls = []
    def call(*arguments, **options):
        calls.append(1)
        if len(calls) > after:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

for name in names:
    home, _, attribute = name.rpartition(".")
    setattr(resolve_name(home), attribute, killing(resolve_name(name)))
main(sys.argv[3:])
"""
KEEPING = "chronoscore.scoring.finished.ShardFolder.save"
CLEARING = "chronoscore.scoring.finished.clear_shards"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "after"),
    [
        ("chronoscore.scoring.blocks.tally_rouge_of_block", 3),
        (KEEPING, 5),
        ("os.replace pathlib.Path.replace", 4),
        ("chronoscore.api.score_files.json_row", 100),
        (CLEARING, 0),
    ],
    ids=["count", "keep", "write", "rows", "clear"],
)
def test_a_run_that_was_killed_goes_on_with_the_same_bytes(
    tmp_path: Path, place: str, after: int
) -> None:
    write_lines(tmp_path / "mine.jsonl", records(60))
    (tmp_path / "script.py").write_text(KILLED)
    whole = cs.score(tmp_path / "mine.jsonl", resampling=SOME)
    expected = whole.render("jsonl", "all").encode()
    words = ["score", "mine.jsonl", "-f", "jsonl", "--rows", "all", "-o"]

    words += ["out.jsonl", "--resume"]
    killed = python(tmp_path, "script.py", place, str(after), *words)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    finished = list((tmp_path / ".out.jsonl.parts").glob("*.tallies"))
    assert finished
    assert place == CLEARING or not (tmp_path / "out.jsonl").exists()
    resumed = python(tmp_path, "script.py", "", "0", *words)
    assert resumed.returncode == 0, resumed.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == expected
    assert not (tmp_path / ".out.jsonl.parts").exists()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["c", "python"])
def test_an_interrupted_run_stops_at_once_and_keeps_what_is_finished(
    tmp_path: Path, engine: str
) -> None:
    write_lines(tmp_path / "mine.jsonl", records(60))
    script = KILLED.replace("signal.SIGKILL", "signal.SIGINT")
    # Jobs in the background ignore the signal, and hand that down.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{heard}\n{script}"
    (tmp_path / "script.py").write_text(script)
    words = ["score", "mine.jsonl", "-f", "jsonl", "-o", "out.jsonl", "--jobs", "2"]
    done = python(tmp_path, "script.py", KEEPING, "3", *words, CHRONOSCORE_ENGINE=engine)
    assert (done.returncode, done.stderr) == (130, "chronoscore: stopped\n")
    assert len(list((tmp_path / ".out.jsonl.parts").iterdir())) >= 3
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.slow
def test_a_full_disk_is_said_in_one_sentence_and_leaves_nothing_half_written(
    tmp_path: Path,
) -> None:
    write_lines(tmp_path / "mine.jsonl", records(60))
    script = """
import resource, signal, sys
from chronoscore.data import records as bulk
from chronoscore.cli import main
from chronoscore.formats.summaries import record_files
bulk.LARGE, record_files.BLOCK_BYTES = 0, 2000
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
main(sys.argv[2:])
"""
    (tmp_path / "script.py").write_text(script)
    words = ["score", "mine.jsonl", "-f", "jsonl", "-o", "out.jsonl"]

    def run(limit: int, *more: str) -> CompletedProcess[str]:
        return python(tmp_path, "script.py", str(limit), *words, *more, PYTHONDONTWRITEBYTECODE="1")

    for limit, kept in ((4000, True), (100, False)):  # while writing rows, and shards
        full = run(limit)
        assert full.returncode == 3, full.stderr
        (sentence,) = full.stderr.splitlines()
        assert "cannot be written (File too large)" in sentence
        assert bool(list(tmp_path.glob(".out.jsonl.parts/*"))) == kept
        assert not list(tmp_path.glob("*out.jsonl")), "nothing under the final name, or half of it"
        if kept:
            assert run(1 << 30, "--resume").returncode == 0
            whole = cs.score(tmp_path / "mine.jsonl", resampling=SOME)
            assert (tmp_path / "out.jsonl").read_text() == whole.render("jsonl")
            (tmp_path / "out.jsonl").unlink()


@pytest.mark.slow
def test_records_may_be_written_to_a_device(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records(5))
    packed_path = tmp_path / "mine.jsonl.gz"
    packed_path.write_bytes(gzip.compress(path.read_bytes()))
    words = ["score", packed_path, "-f", "jsonl", "-o", "/dev/stdout"]
    done = python(tmp_path, "-m", "chronoscore", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout == cs.score(path, resampling=SOME).render("jsonl")


def test_finished_blocks_are_not_counted_again(
    tmp_path: Path, small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records())
    first = in_blocks(path, shards=tmp_path / "shards")
    kept = sorted((tmp_path / "shards").iterdir())
    kept[1].write_bytes(b"half a shard")
    damaged = bytearray(kept[2].read_bytes())
    damaged[3] ^= 1  # of the right length, with one bit turned
    kept[2].write_bytes(damaged)
    calls = []
    count = blocks.tally_rouge_of_block
    monkeypatch.setattr(
        blocks, "tally_rouge_of_block", lambda *given: (calls.append(1), count(*given))[1]
    )
    assert in_blocks(path, shards=tmp_path / "shards").rows("all") == first.rows("all")
    assert len(calls) == 2
    rows = records()
    rows[20]["system"] = "x" * len(rows[20]["system"].encode())  # the same length, other words
    write_lines(path, rows)
    changed = in_blocks(path, shards=tmp_path / "shards")
    assert 0 < len(calls) - 2 < len(kept)
    assert changed.rows("all") == in_blocks(path).rows("all")


LIMITED = """
import resource, sys
import chronoscore as cs
import numpy
from chronoscore.formats.summaries import record_files

record_files.BLOCK_BYTES = 1 << 18
numpy.ones((300, 300)) @ numpy.ones((300, 300))  # the first product takes memory for good
cs.score("small.jsonl.gz", measures=["rouge1", "rougeL"])  # so does the code that reads and counts
limit = int(sys.argv[2])
used = int(next(l for l in open("/proc/self/status") if l.startswith("VmData")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (used + limit, used + limit))
result = cs.score(sys.argv[1], measures=["rouge1", "rougeL"])
print(result["big", "rouge(n=1).f"].value)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's limits")
def test_memory_is_bounded_whatever_the_input(tmp_path: Path) -> None:
    rows = records(100)
    for row in rows:
        row["id"] = None
        row["system"] *= 400
    line = "".join(json.dumps(row) + "\n" for row in rows)
    limit = 16 << 20
    copies = 10 * limit // len(line) + 1
    with gzip.open(tmp_path / "big.jsonl.gz", "wb", compresslevel=1) as file:
        for _ in range(copies):
            file.write(line.encode())
    assert copies * len(line) > 10 * limit
    (tmp_path / "small.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    (tmp_path / "script.py").write_text(LIMITED)
    words = ["script.py", "big.jsonl.gz", str(limit)]
    done = python(tmp_path, *words, OPENBLAS_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    expected = cs.score(tmp_path / "small.jsonl.gz", measures=["rouge1"])
    assert float(done.stdout) == pytest.approx(expected["small", "rouge(n=1).f"].value)


def count_children_without_interrupts(pid: int) -> int:
    """How many children of a process are at work and ignore SIGINT."""
    count = 0
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        lines = Path(f"/proc/{child}/status").read_text().splitlines()
        (ignored,) = (line.split()[1] for line in lines if line.startswith("SigIgn"))
        count += int(ignored, 16) >> (signal.SIGINT - 1) & 1
    return count


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_an_interrupt_of_all_processes_is_said_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mine.jsonl", records(20_000))
    command = [sys.executable, "-m", "chronoscore", "score", str(path), "--jobs", "2"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "CHRONOSCORE_ENGINE": "python"},
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while process.poll() is None and count_children_without_interrupts(process.pid) < 2:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert said == "chronoscore: stopped\n"
    assert process.returncode == 130
