"""The notebook page runs as it stands: with pandas, with polars, and with neither."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import chronoscore as cs

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "notebook.md"

RUN = """
import doctest, re, sys

blocked, skipped = sys.argv[2].split(), sys.argv[3].split()
for name in blocked:
    sys.modules[name] = None  # importing it now fails, as if it were not installed
text = open(sys.argv[1], encoding="utf-8").read()
for name in skipped:
    text, cuts = re.subn(rf"(?ms)^### {name}$.*?(?=^##)", "", text)
    assert cuts == 1, name
test = doctest.DocTestParser().get_doctest(text, {}, "notebook", sys.argv[1], 0)
runner = doctest.DocTestRunner(
    optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
)
runner.run(test)
assert runner.tries > 15
print(*sorted({"pandas", "polars"} & {n for n, m in sys.modules.items() if m is not None}))
sys.exit(runner.failures)
"""


def run_page(folder: Path, blocked: str, skipped: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(PAGE), blocked, skipped],
        capture_output=True,
        text=True,
        cwd=folder,
        # Without it a child also gets the COLUMNS that readline sets behind Python's back.
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""


@pytest.mark.parametrize(
    ("installed", "other"), [("pandas", "polars"), ("polars", "pandas")], ids=["pandas", "polars"]
)
def test_the_notebook_runs_with_one_library_and_never_asks_for_the_other(
    installed: str, other: str, tmp_path: Path
) -> None:
    assert run_page(tmp_path, blocked=other, skipped=other) == installed


def test_the_notebook_runs_with_neither_library(tmp_path: Path) -> None:
    assert run_page(tmp_path, blocked="pandas polars", skipped="pandas polars") == ""


def test_nothing_imports_a_frame_library_that_was_not_asked_for(tmp_path: Path) -> None:
    assert run_page(tmp_path, blocked="", skipped="pandas polars") == ""


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named_in_one_sentence(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    rows = cs.rouge_many(["a"], ["a"])
    with pytest.raises(cs.UsageError) as refused:
        getattr(rows, f"to_{library}")()
    expected = f"to_{library}() needs {library}; install it with: pip install {library}"
    assert str(refused.value) == expected
