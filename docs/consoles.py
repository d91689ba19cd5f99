"""Run the terminal sessions shown in pages and compare their output: `python docs/consoles.py`.

In a ```console block a line that begins with `$ ` is a command and the lines after it are its
output, in which a line `…` stands for any lines. The commands of a page run one after the other in
a copy of the demo corpus. Run as a program, this updates the blocks whose output has changed.
"""

import contextlib
import difflib
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
from unittest import mock

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/recipes.md",
    "docs/tutorial-timelines.md",
    "docs/tutorial-corpus.md",
    "docs/tutorial-measures.md",
    "docs/coming-from.md",
    "docs/meaning.md",
    "docs/novelty.md",
    "docs/correlation.md",
    "docs/streams.md",
    "docs/units.md",
    "docs/project.md",
    "docs/bench.md",
)
"""Every page that shows a session; lines to adapt are in ```sh blocks."""
_block = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_step = re.compile(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", re.MULTILINE)
_file = re.compile(r"<!-- file (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)


class Step(NamedTuple):
    """A command, the output shown in the page, and the output it really prints."""

    command: str
    shown: str
    printed: str

    @property
    def agrees(self) -> bool:
        """Whether the page shows the real output."""
        lines = [
            r"(?:.*\n)*?" if line == "…" else re.escape(line) + r"\n"
            for line in self.shown.rstrip("\n").split("\n")
        ]
        # The figures are the same whichever engine counts.
        printed = re.sub(r"\bengine:\w+", "engine:c", self.printed)
        return re.fullmatch("".join(lines), printed.strip("\n") + "\n") is not None


def steps(text: str) -> Iterator[Step]:
    """Run a page's commands in a fresh copy of the demo, with the files that the page shows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "demo"
        prepare_folder(text, folder)
        for command, shown in commands(text):
            yield Step(command, shown, run(command, folder))


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a page and the output that it shows."""
    for block in _block.findall(text):
        yield from _step.findall(block)


def prepare_folder(text: str, folder: Path) -> None:
    """Copy the demo into a new folder, and write the files that a page shows."""
    import chronoscore.demo

    chronoscore.demo.copy_demo_corpus(folder)
    write_files(text, folder)


def write_files(text: str, folder: Path) -> None:
    """Write the files that a page shows into a folder."""
    for file, content in _file.findall(text):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")


def run(command: str, folder: Path) -> str:
    """Return what a command prints on 80 columns, without blanks at the ends of lines."""
    from chronoscore.cli import main

    # A stream of bytes below, because some commands write bytes.
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with (
        mock.patch.dict(os.environ, COLUMNS="80"),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(stream),
        contextlib.redirect_stderr(stream),
        warnings.catch_warnings(),
        contextlib.suppress(SystemExit),
    ):
        warnings.simplefilter("default")
        sys.path.insert(0, str(folder))
        try:
            main(split_command(command))
        finally:
            sys.path.remove(str(folder))
            for name in [file.stem for file in folder.glob("*.py")]:
                sys.modules.pop(name, None)
    return "\n".join(line.rstrip() for line in raw.getvalue().decode().split("\n"))


def split_command(command: str) -> list[str]:
    """Split a command line as a shell would, and drop the program's name."""
    program, *rest = shlex.split(command.replace("\\\n", " "), comments=True)
    if program != "chronoscore":
        raise ValueError(f"only chronoscore can be run here, not '{program}'")
    return [argument for word in rest for argument in expand(word)]


def expand(word: str) -> list[str]:
    """Return the files that match a pattern; any other word unchanged."""
    files = sorted(map(str, Path().glob(word))) if re.search(r"[*?]", word) else []
    return files or [word]


def refresh(text: str) -> str:
    """Return the page with real output wherever it differs."""
    for step in steps(text):
        if not step.agrees:
            shown, printed_lines = step.shown.splitlines(), step.printed.strip("\n").splitlines()
            output = "\n".join(keep_ellipses(shown, printed_lines))
            text = text.replace(f"$ {step.command}{step.shown}", f"$ {step.command}{output}\n", 1)
    return text


def keep_ellipses(shown: list[str], printed_lines: list[str]) -> list[str]:
    """Return the printed lines, shortened by `…` where the page shortened them."""
    lines: list[str] = []
    blocks = difflib.SequenceMatcher(None, shown, printed_lines, autojunk=False).get_opcodes()
    for _, start, end, first, last in blocks:
        old, new = shown[start:end], printed_lines[first:last]
        # Lines around an ellipsis are replaced one by one; the rest of the block stays hidden.
        if "…" in old:
            before = old.index("…")
            after = len(old) - before - 1
            new = [*new[:before], "…", *(new[-after:] if after else [])]
        lines += new
    return lines


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        page = ROOT / name
        before = page.read_text(encoding="utf-8")
        after = refresh(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{name}: output updated; shorten it with lines …")
