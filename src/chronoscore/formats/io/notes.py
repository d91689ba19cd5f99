"""What a loader dropped, guessed, merged or found empty, and on which line."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.errors import ChronoscoreWarning

NoteKind: TypeAlias = Literal["dropped", "guessed", "merged", "empty", "unreadable"]

MOST = 8
"""Files that are named in warnings of one kind."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the user of a file should know; prints as `file:line: what`."""

    place: str
    line: int | None
    kind: NoteKind
    text: str

    def __str__(self) -> str:
        where = self.place if self.line is None else f"{self.place}:{self.line}"
        return f"{where}: {self.text}" if where else self.text


def shorten(text: str) -> str:
    """A text in quotes on one line, cut where it is long."""
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}…'"


def summarize(notes: Iterable[Note]) -> list[str]:
    """One sentence for each kind and file: its first note, and how many more there are.

    Beyond `MOST` files of a kind, the rest are only counted.
    """
    groups: dict[NoteKind, dict[str, list[Note]]] = {}
    for note in notes:
        groups.setdefault(note.kind, {}).setdefault(note.place, []).append(note)
    sentences: list[str] = []
    for kind, files in groups.items():
        for found in list(files.values())[:MOST]:
            more = f" ({len(found)} {kind} in all)" if len(found) > 1 else ""
            sentences.append(f"{found[0]}{more}")
        if rest := list(files)[MOST:]:
            many = f"{len(rest)} more files have" if len(rest) > 1 else "one more file has"
            sentences.append(
                f"{rest[0]}: {many} something {kind}; chronoscore convert lists it all"
            )
    return sentences


def warn(notes: Iterable[Note], *, stacklevel: int = 2) -> None:
    """Warn of each kind of note, so that long files and many files do not flood the log."""
    for sentence in summarize(notes):
        warnings.warn(sentence, ChronoscoreWarning, stacklevel=stacklevel + 1)
