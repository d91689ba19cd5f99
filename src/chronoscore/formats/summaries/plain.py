"""Plain text: one sentence a line."""

from pathlib import Path

from chronoscore.core import Summary
from chronoscore.formats.io.files import read_lines, write_text


def load(path: Path, *, author: str = "") -> Summary:
    """Read a summary; empty lines are skipped."""
    return Summary(tuple(line for line in read_lines(path) if line), author)


def save(summary: Summary, path: Path) -> None:
    """Write a summary, one sentence a line."""
    write_text(path, "".join(f"{sentence}\n" for sentence in summary.sentences))
