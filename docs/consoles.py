"""Run the sessions that pages show, and compare what they print: `python docs/consoles.py`.

In a ```console block a line that begins with `$ ` is a command and what follows is its output, in
which a line `…` stands for any lines. Commands run in a copy of the demo corpus, one after the
other through the page. Run as a program, this puts the real output into blocks that differ.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/tutorial-timelines.md",
    "docs/tutorial-corpus.md",
    "docs/tutorial-measures.md",
    "docs/coming-from.md",
    "docs/novelty.md",
    "docs/correlation.md",
)
_block = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_step = re.compile(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", re.MULTILINE)
_file = re.compile(r"<!-- file (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)


class Step(NamedTuple):
    """A command, what the page says it prints, and what it prints."""

    command: str
    shown: str
    printed: str

    @property
    def agrees(self) -> bool:
        """Whether the page is right."""
        lines = [
            r"(?:.*\n)*?" if line == "…" else re.escape(line) + r"\n"
            for line in self.shown.rstrip("\n").split("\n")
        ]
        return re.fullmatch("".join(lines), self.printed.strip("\n") + "\n") is not None


def steps(text: str) -> Iterator[Step]:
    """Run a page's commands in a fresh copy of the demo, which holds the page's files too."""
    import chronoscore.demo

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "demo"
        chronoscore.demo.copied(folder)
        for file, content in _file.findall(text):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(content, encoding="utf-8")
        for block in _block.findall(text):
            for command, shown in _step.findall(block):
                yield Step(command, shown, printed(command, folder))


def printed(command: str, folder: Path) -> str:
    """What a chronoscore command prints, wherever to, without blanks at the ends of lines."""
    from chronoscore.cli import main

    # A stream of bytes below, because some verbs write bytes.
    raw = io.BytesIO()
    said = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        warnings.catch_warnings(),
        contextlib.suppress(SystemExit),
    ):
        warnings.simplefilter("default")
        sys.path.insert(0, str(folder))
        try:
            main(words(command))
        finally:
            sys.path.remove(str(folder))
            for name in [file.stem for file in folder.glob("*.py")]:
                sys.modules.pop(name, None)
    return "\n".join(line.rstrip() for line in raw.getvalue().decode().split("\n"))


def words(command: str) -> list[str]:
    """A command line as a shell would pass it on, but for the program's name."""
    program, *rest = shlex.split(command.replace("\\\n", " "), comments=True)
    if program != "chronoscore":
        raise ValueError(f"only chronoscore can be run here, not '{program}'")
    return [found for word in rest for found in named(word)]


def named(word: str) -> list[str]:
    """The files that a pattern names; any other word as it stands."""
    found = sorted(map(str, Path().glob(word))) if re.search(r"[*?]", word) else []
    return found or [word]


def renewed(text: str) -> str:
    """The page with real output wherever it differs."""
    for step in steps(text):
        if not step.agrees:
            old = f"$ {step.command}{step.shown}"
            text = text.replace(old, f"$ {step.command}{step.printed.strip(chr(10))}\n", 1)
    return text


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    for name in sys.argv[1:] or PAGES:
        page = ROOT / name
        before = page.read_text(encoding="utf-8")
        after = renewed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{name}: output put right; shorten it with lines …")
