"""Signals whose exception is lost on its way, in a process of its own."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import chronoscore.demo

DAM = Path(chronoscore.demo.__file__).parent / "corpus" / "dam"
LOST = {
    "in a callback": """
class Kept:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGHUP)
kept = Kept()
del kept
""",
    "in code that catches everything": """
try:
    os.kill(os.getpid(), signal.SIGHUP)
    time.sleep(1)
except:
    pass
""",
    "thrice": """
class Kept:
    def __del__(self):
        for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM):
            os.kill(os.getpid(), number)
kept = Kept()
del kept
""",
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("where", LOST)
def test_a_signal_that_is_lost_stops_the_command_all_the_same(where: str, tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in LOST[where].strip().splitlines())
    (tmp_path / "mine.py").write_text(
        f"import os, signal, time\ndef f(topic):\n{body}    time.sleep(600)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "chronoscore", "summarize", "mine:f", str(DAM), "-o", "new"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        # Under nohup the tests, and what they start, would ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )  # fmt: skip
    assert done.stderr == "chronoscore: stopped\n"
    assert done.returncode == 128 + 1
    assert not (tmp_path / "new").exists()
