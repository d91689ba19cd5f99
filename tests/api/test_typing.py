"""Type checkers accept what may be passed as data, and refuse what may not."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CALLS = Path(__file__).parent / "typed_calls.py"


def test_mypy_finds_the_wrong_calls_and_no_others() -> None:
    lines = CALLS.read_text(encoding="utf-8").splitlines()
    expected = {
        (number, found[1])
        for number, line in enumerate(lines, 1)
        if (found := re.search(r"# error: ([\w-]+)$", line))
    }
    assert len(expected) > 20
    # With the settings and the cache of `make lint`, only this file is still to be checked.
    words = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / ".mypy_cache", CALLS]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-pretty", "--no-error-summary", *map(str, words)],
        cwd=ROOT / "tests",
        env={"MYPYPATH": str(ROOT / "src"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(r"typed_calls\.py:(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    assert {(int(number), code) for number, code in found} == expected, done.stdout + done.stderr
