"""Standard streams as people have them: closed, full, or in an encoding that lacks characters.

Standard output that cannot be written is an error of its own; messages that cannot be written
never change how a command ends.
"""

import codecs
import io
import json
import os
import sys
import unicodedata
from contextlib import suppress
from typing import Any

PLAIN = str.maketrans(
    {
        **dict.fromkeys("─━╌┄‐‑‒–—―−", "-"),
        **dict.fromkeys("│┃", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╯╰╶╴╵╷╸╺╹╻┏┓┗┛┡┩╇", "+"),
        **dict.fromkeys("‘’‚′", "'"),
        **dict.fromkeys("“”„″«»", '"'),
        **dict.fromkeys("•·", "*"),
        "…": "...",
        "→": "->",
        "←": "<-",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "×": "x",
        "±": "+/-",
        "κ": "kappa",
        "α": "alpha",
        "Δ": "d",
        "∞": "inf",
        "█": "#",
        "░": ".",
    }
)
"""What stands for typographic characters where there is only ASCII."""


class OutputError(OSError):
    """Standard output cannot be written."""


class StandardOutput(io.FileIO):
    """Standard output, whose errors are told from those of files."""

    def write(self, content: Any) -> int:
        """Write, or say that it is standard output that cannot be written."""
        try:
            return super().write(content)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from None


class Messages(io.FileIO):
    """Standard error; what cannot be written is lost, as there is nowhere to say so."""

    def write(self, content: Any) -> int:
        """Write as far as that is possible."""
        with suppress(OSError):
            return super().write(content)
        return len(content)


def prepare() -> None:
    """Make the standard streams safe to use, however the program was started."""
    # A closed one would give its number to the next file that is opened.
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    codecs.register_error("chronoscore.plain", write_plainly)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = reopen(StandardOutput(1, "w", closefd=False), sys.stdout)
    sys.stderr = reopen(Messages(2, "w", closefd=False), sys.stderr)


def reopen(raw: io.FileIO, before: Any) -> io.TextIOWrapper:
    """A text stream over a file, in the encoding that the stream had before."""
    if before is not None:
        before.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(before, "encoding", None) or "utf-8",
        errors="chronoscore.plain",
        line_buffering=raw.isatty(),
        write_through=before is None,
    )


def write_plainly(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding lacks: ASCII of the same look, or an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(map(plain, lacking)), error.end


def plain(character: str) -> str:
    """ASCII that says the same, or else the character's number.

    >>> plain("–"), plain("é"), plain("周")
    ('-', 'e', '\\\\u5468')
    """
    found = character.translate(PLAIN)
    if found.isascii():
        return found
    letters = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return letters or escape(character)


def escape(character: str) -> str:
    """A character as JSON writes it without the character itself."""
    return json.dumps(character)[1:-1]


def escape_json(text: str) -> str:
    """JSON for standard output: characters that its encoding lacks are escaped, not replaced."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(one if one.isascii() else escape(one) for one in text)
    return text


def discard_output() -> None:
    """Discard what is still to be printed, so that the interpreter ends without an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
