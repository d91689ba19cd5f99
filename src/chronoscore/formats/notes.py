"""What a loader dropped, guessed, merged or found empty, and on which line."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.core import ChronoscoreWarning

Kind: TypeAlias = Literal["dropped", "guessed", "merged", "empty"]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that a reader of the file should know; prints as `file:line: what`."""

    place: str
    line: int | None
    kind: Kind
    text: str

    def __str__(self) -> str:
        where = self.place if self.line is None else f"{self.place}:{self.line}"
        return f"{where}: {self.text}"


def summarized(notes: Iterable[Note]) -> list[str]:
    """One sentence for each file and kind: the first note, and how many more there are."""
    groups: dict[tuple[str, Kind], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.place, note.kind), []).append(note)
    return [
        str(found[0]) + (f" ({len(found)} {kind} in all)" if len(found) > 1 else "")
        for (_, kind), found in groups.items()
    ]


def warn(notes: Iterable[Note], *, stacklevel: int = 2) -> None:
    """Warn once for each file and kind of note, so that a long file does not flood the log."""
    for sentence in summarized(notes):
        warnings.warn(sentence, ChronoscoreWarning, stacklevel=stacklevel + 1)
