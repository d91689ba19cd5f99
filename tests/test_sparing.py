"""What a process loads, opens and calls: no more than it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

SPARING = """
import sys
import chronoscore, chronoscore.dates.when
from chronoscore.cli import COMMANDS, main

for words in (["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)):
    try:
        main(words)
    except SystemExit as stopped:
        assert not stopped.code, words
chronoscore.rouge("ä b", ["b"], stem=True)
print({"numpy", "scipy", "matplotlib"} & set(sys.modules), file=sys.stderr)
chronoscore.score({"mine": {"a": "b"}}, {"a": "b"}, "rouge1")
print({"scipy", "matplotlib", "chronoscore.systems"} & set(sys.modules), file=sys.stderr)
"""


def test_help_and_a_first_call_load_no_numpy_and_scoring_no_scipy() -> None:
    words = [sys.executable, "-c", SPARING]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["set()", "set()"]
    assert "score" in done.stdout


LOOKING = """
import sys
from chronoscore.cli import main

try:
    main(sys.argv[1:])
except SystemExit as stopped:
    assert not stopped.code
print(*sys.modules, file=sys.stderr)
"""
PLAIN = {"day_order", "days", "folding", "languages", "numbers", "tongues", "when"}
"""What there is to dates without reading any: values, the words of languages, a first look."""
RECORDS = """{"id": 1, "system": "the cat sat", "references": ["a cat sat down"]}
{"id": 2, "system": "On Monday it may rain.", "references": ["it rains.\\nIt pours."]}
{"id": 3, "system": "the dog ran", "references": "the dog ran off"}
"""


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.txt"])
def test_scoring_texts_loads_no_reader_of_dates_and_nothing_for_other_commands(
    name: str, tmp_path: Path
) -> None:
    file, gold = tmp_path / name, tmp_path / "gold.txt"
    file.write_text(RECORDS if name.endswith("jsonl") else "The cat sat.\nIt slept.\n")
    gold.write_text("A cat sat down.\n")
    words = [file] if name.endswith("jsonl") else [file, "--reference", gold]
    done = subprocess.run(
        [sys.executable, "-c", LOOKING, "score", *words], capture_output=True, text=True, check=True
    )
    assert "rouge" in done.stdout
    loaded = set(done.stderr.split())
    dates = {name for name in loaded if name.startswith("chronoscore.dates.")}
    assert dates <= {f"chronoscore.dates.{name}" for name in PLAIN}
    assert not {name for name in loaded if ".timelines.markdown_" in name}
    assert not loaded & {
        "chronoscore.align",
        "chronoscore.oracles",
        "chronoscore.stats.compare",
        "chronoscore.systems",
        "concurrent.futures",
        "email",
    }


WATCHING = """
import sys
from collections import Counter
from chronoscore.cli import main

root, opened, called = sys.argv[1], Counter(), []

def watch(event, args):
    if event == "open" and str(args[0]).startswith(root):
        opened[str(args[0])] += 1
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        called.append(event)

sys.addaudithook(watch)
try:
    main(sys.argv[2:])
except SystemExit as stopped:
    assert not stopped.code
print(len(opened), [path for path, times in opened.items() if times > 1], called, file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["score", "compare", "report"])
def test_an_input_file_is_opened_once_and_nobody_is_called(command: str, tmp_path: Path) -> None:
    for name, text in (("a", "The dam broke."), ("b", "A dam burst."), ("gold", "The old dam.")):
        for topic in ("dam", "flood"):
            file = tmp_path / "in" / name / f"{topic}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"2031-03-12\n{text}\n--------------------------------\n")
    folder = tmp_path / "in"
    words = [command, folder / "a", folder / "b", "--reference", folder / "gold"]
    words += ["-o", tmp_path / "page.html"] if command == "report" else []
    done = subprocess.run(
        [sys.executable, "-c", WATCHING, f"{folder}/", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[-1] == "6 [] []"


@pytest.mark.slow
def test_the_demo_calls_nobody(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHING, "/nowhere/", "demo"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stderr.splitlines()[-1] == "0 [] []"


def test_converting_timelines_loads_no_numpy(tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("- **3 May 2010**: The dam broke.\n")
    done = subprocess.run(
        [sys.executable, "-c", LOOKING, "convert", answer, "--to", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2010-05-03" in done.stdout
    assert "numpy" not in done.stderr.split()
