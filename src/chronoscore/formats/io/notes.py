"""What a loader dropped, guessed, merged or found empty, and on which line."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.errors import ChronoscoreWarning, show_warning, warn

NoteKind: TypeAlias = Literal["dropped", "guessed", "merged", "empty", "unreadable"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the user of a file should know; prints as `file:line: what`."""

    place: str
    line: int | None
    kind: NoteKind
    text: str
    minor: bool = False
    """About what surrounds a timeline, such as a greeting; other notes matter more."""

    def __str__(self) -> str:
        where = self.place if self.line is None else f"{self.place}:{self.line}"
        return f"{where}: {self.text}" if where else self.text


def quote_in_note(text: str) -> str:
    """A text in quotes on one line, cut where it is long."""
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}…'"


def summarize_notes(notes: Iterable[Note]) -> list[ChronoscoreWarning]:
    """A warning for each kind: its most serious note, and how many there are in how many files.

    A dated line that was dropped counts for more than a dropped greeting above it.
    """
    groups: dict[NoteKind, list[Note]] = {}
    for note in notes:
        groups.setdefault(note.kind, []).append(note)
    found: list[ChronoscoreWarning] = []
    for kind, group in groups.items():
        files = len({note.place for note in group})
        where = f"in {files} files" if files > 1 else "in all"
        more = f" ({len(group)} {kind} {where})" if len(group) > 1 else ""
        shown = min(group, key=lambda note: note.minor)
        details = map(str, group) if more else ()
        found.append(ChronoscoreWarning(f"{shown}{more}", kind=kind, details=details))
    return found


def warn_of_notes(notes: Iterable[Note], *, every: bool = False) -> None:
    """Warn of each kind of note, so that many files do not flood the log, or of every note."""
    if every:
        for note in notes:
            warn(str(note), kind=note.kind)
        return
    for warning in summarize_notes(notes):
        show_warning(warning)
