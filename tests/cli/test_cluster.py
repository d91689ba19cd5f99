"""A Dask cluster gives the same bytes as this machine alone."""

import subprocess
import sys
from pathlib import Path

import pytest

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
