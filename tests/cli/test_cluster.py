"""A Dask cluster gives the same bytes as this machine alone."""

import asyncio
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from chronoscore.cluster import WatchedFuture

SCRIPT = """
import sys
from distributed import LocalCluster
from chronoscore.cli import main

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        main([*sys.argv[1:], "--cluster", cluster.scheduler_address])
"""


def call(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    for number in range(8):
        (tmp_path / "mine").mkdir(exist_ok=True)
        (tmp_path / "gold").mkdir(exist_ok=True)
        (tmp_path / "mine" / f"t{number}.txt").write_text(f"the dam broke {number} times")
        (tmp_path / "gold" / f"t{number}.txt").write_text(f"a dam broke after {number} days")
    (tmp_path / "script.py").write_text(SCRIPT)
    words = ["score", "mine", "--reference", "gold", "-f", "jsonl"]
    alone = call(["-m", "chronoscore", *words], tmp_path)
    shared = call(["script.py", *words], tmp_path)
    assert alone.returncode == 0, alone.stderr
    assert shared.stdout == alone.stdout


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    words = ["score", "a.txt", "-r", "a.txt", "--cluster", "nonsense://here"]
    done = call(["-m", "chronoscore", *words], tmp_path)
    assert done.returncode == 2
    assert "--cluster nonsense://here: no scheduler answers" in done.stderr


KILLER = """
import json, os, subprocess, sys, time
from pathlib import Path
from chronoscore.data import records as bulk
from chronoscore.cli import main
from chronoscore.formats.summaries import record_files
from chronoscore.scoring import finished

what, words = sys.argv[1], sys.argv[2:]
bulk.LARGE, record_files.BLOCK_BYTES = 0, 2000


def start(*more):
    command = [sys.executable, "-m", *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_after(victim, blocks):
    save, done = finished.ShardFolder.save, []

    def save_block(*given):
        done.append(1)
        if len(done) == blocks:
            victim.kill()
        return save(*given)

    finished.ShardFolder.save = save_block


if __name__ == "__main__":
    scheduler = start(
        "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
        "--scheduler-file", "scheduler.json",
    )
    while not Path("scheduler.json").exists() or not Path("scheduler.json").read_text():
        time.sleep(0.1)
    address = json.loads(Path("scheduler.json").read_text())["address"]
    workers = [
        start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard",
              "--no-nanny", "--worker-port", "0", "--nanny-port", "0")
        for _ in range(2)
    ]
    try:
        if what != "nobody":
            kill_after(scheduler if what == "scheduler" else workers[0], 3)
        main([*words, "--cluster", address])
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", ["worker", "scheduler"])
def test_when_a_machine_is_lost_finished_blocks_are_kept(tmp_path: Path, what: str) -> None:
    lines = [
        f'{{"system": "the dam broke {n} times", "references": ["a dam broke after {n} days"]}}\n'
        for n in range(300)
    ]
    (tmp_path / "mine.jsonl").write_text("".join(lines))
    (tmp_path / "script.py").write_text(KILLER)
    words = ["score", "mine.jsonl", "-f", "jsonl", "-o", "out.jsonl"]
    alone = call(["-m", "chronoscore", *words[:-2]], tmp_path)
    lost = call(["script.py", what, *words], tmp_path)
    if what == "scheduler":
        assert lost.returncode == 2, lost.stderr
        (sentence,) = lost.stderr.splitlines()
        assert "the scheduler or its workers are gone" in sentence
        assert "--resume" in sentence
        assert not (tmp_path / "out.jsonl").exists()
        assert len(list((tmp_path / ".out.jsonl.parts").iterdir())) >= 2
        again = call(["-m", "chronoscore", *words, "--resume"], tmp_path)
        assert again.returncode == 0, again.stderr
    else:
        assert lost.returncode == 0, lost.stderr
    assert (tmp_path / "out.jsonl").read_text() == alone.stdout


@pytest.mark.slow
def test_the_example_of_dask_has_the_figures_of_one_call(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "docs" / "examples" / "engines.py"
    done = call([str(script), "400", "dask"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "dask: " in done.stdout


class LostResult:
    """What Dask's client holds if a worker is lost just after its result has come."""

    status = "lost"

    def __init__(self, result: list[int]) -> None:
        self.result = result

    async def _result(self, raiseit: bool) -> list[int]:
        return self.result


@pytest.mark.parametrize("result", [[1], [1, 2], [1, 2, 3]])
def test_a_call_whose_result_was_lost_on_its_way_is_sent_again(result: list[int]) -> None:
    # Dask is slow to import.
    from distributed.cfexecutor import _cascade_future

    async def hand_over(lost: LostResult, future: Future[list[int]]) -> None:
        await _cascade_future(lost, future)

    answers = []
    for one in (LostResult(result), None):
        future: Future[list[int]] = Future()
        if one is None:
            future.set_result(result)
        else:
            # In a thread of its own: a browser's tests leave an event loop running in this one.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, hand_over(one, future)).result()
        answers.append(future)
    waiting = iter(answers)
    assert WatchedFuture(lambda: next(waiting), client=None).result() == result


def test_an_error_of_the_call_itself_is_not_sent_again() -> None:
    future: Future[int] = Future()
    future.set_exception(ValueError("the topic has no dates"))
    with pytest.raises(ValueError, match="no dates"):
        WatchedFuture(iter([future]).__next__, client=None).result()
