"""`-` for standard input, wherever a command takes a file."""

import json
import re
import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chronoscore.errors import DataError, UsageError

SPOOLED = re.compile(r"\S*chronoscore-stdin-\w+[/\\]stdin\.\w+")


def name_input(text: str) -> str:
    """A message that calls standard input so, and not by the file that keeps it."""
    return SPOOLED.sub("standard input", text)


OWN = ("rouge155", "convert")
"""Commands that give `-` a meaning themselves."""


@contextmanager
def without_dashes(arguments: Sequence[str], targets: Container[str]) -> Iterator[list[str]]:
    """The arguments with `-` replaced by a file that holds what standard input gave.

    `targets` are options that name what is written; of these, `-` is no input.
    """
    if "-" not in arguments or (arguments and arguments[0] in OWN):
        yield [*arguments]
        return
    with TemporaryDirectory(prefix="chronoscore-stdin-") as folder:
        yield replace(arguments, Path(folder), targets)


def replace(arguments: Sequence[str], folder: Path, targets: Container[str] = ()) -> list[str]:
    """Write standard input to a file and name it, except behind targets."""
    replaced: list[str] = []
    spooled = ""
    for word in arguments:
        if word != "-" or (replaced and replaced[-1] in targets):
            replaced.append(word)
        elif spooled:
            raise UsageError("- stands for standard input, which can be read once; name it once")
        else:
            spooled = spool(folder)
            replaced.append(spooled)
    return replaced


def spool(folder: Path) -> str:
    """Standard input as a file whose ending says what it holds."""
    content = sys.stdin.buffer.read()
    if not content.strip():
        raise DataError("standard input is empty; pipe a file into the command")
    file = folder / f"stdin{ending(content)}"
    file.write_bytes(content)
    return str(file)


def ending(content: bytes) -> str:
    """The ending of JSON, of JSON Lines, or of text."""
    if not content.lstrip().startswith((b"{", b"[")):
        return ".txt"
    lines = content.strip().split(b"\n")
    try:
        json.loads(lines[0])
    except ValueError:
        return ".json"
    return ".jsonl" if len(lines) > 1 else ".json"
