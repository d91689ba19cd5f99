"""What a loader dropped, guessed, merged or found empty, and on which line."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.errors import ChronoscoreWarning

NoteKind: TypeAlias = Literal["dropped", "guessed", "merged", "empty", "unreadable"]


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
    """One sentence for each kind: its first note, and how many there are in how many files."""
    groups: dict[NoteKind, list[Note]] = {}
    for note in notes:
        groups.setdefault(note.kind, []).append(note)
    sentences: list[str] = []
    for kind, found in groups.items():
        files = len({note.place for note in found})
        where = f"in {files} files" if files > 1 else "in all"
        more = f" ({len(found)} {kind} {where})" if len(found) > 1 else ""
        sentences.append(f"{found[0]}{more}")
    return sentences


def warn(notes: Iterable[Note], *, every: bool = False, stacklevel: int = 2) -> None:
    """Warn of each kind of note, so that many files do not flood the log, or of every note."""
    for sentence in map(str, notes) if every else summarize(notes):
        warnings.warn(sentence, ChronoscoreWarning, stacklevel=stacklevel + 1)
