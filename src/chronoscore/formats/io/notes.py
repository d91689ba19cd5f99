"""What a loader dropped, guessed, merged or found empty, and on which line."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.errors import (
    ChronoscoreWarning,
    number_with_noun,
    show_warning,
    shown_place,
    warn,
)

MOST_LOSSES = 10
"""Lost lines that are named one by one."""

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
    lost: bool = False
    """About a line that was meant as an entry, as it has a date or stands where others have one."""

    def __str__(self) -> str:
        place = shown_place(self.place)
        where = place if self.line is None else f"{place}:{self.line}"
        return f"{where}: {self.text}" if where else self.text


def quote_in_note(text: str) -> str:
    """A text in quotes on one line, cut where it is long."""
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}…'"


def summarize_notes(notes: Iterable[Note]) -> list[ChronoscoreWarning]:
    """A warning for each line that was lost, and then for each cause of other notes.

    Of a cause the first note is shown, and how many there are on which lines or in how many files;
    greetings come last.
    """
    groups: dict[tuple[NoteKind, str], list[Note]] = {}
    losses: list[Note] = []
    for note in notes:
        (losses if note.lost else groups.setdefault((note.kind, _cause(note)), [])).append(note)
    # A loss is of no kind: the command line would show one of a kind.
    found = [ChronoscoreWarning(str(note)) for note in losses[:MOST_LOSSES]]
    if more_losses := losses[MOST_LOSSES:]:
        text = f"{number_with_noun(len(more_losses), 'more dated line')} not understood"
        found.append(ChronoscoreWarning(text, details=map(str, more_losses)))
    for (kind, cause), group in sorted(groups.items(), key=lambda item: item[1][0].minor):
        files = len({note.place for note in group})
        lines = sorted({note.line for note in group if note.line and not note.minor})
        where = f"in {files} files" if files > 1 else "in all"
        if files == 1 and len(lines) > 1:
            where += f", {_name_lines(lines)}"
        more = f" ({len(group)} {kind} {where})" if len(group) > 1 else ""
        details = map(str, group) if more else ()
        kind_of_all = f"{kind}: {cause}"
        found.append(ChronoscoreWarning(f"{group[0]}{more}", kind=kind_of_all, details=details))
    return found


def _cause(note: Note) -> str:
    """What notes have in common that differ in what they quote; greetings are all alike."""
    return "" if note.minor else re.sub(r"'.*'|\d+", "…", note.text)


def sum_up(entries: int, notes: Iterable[Note]) -> str:
    """How many entries a file has, and which of its lines should have been one.

    >>> sum_up(22, [Note("answer.md", 14, "dropped", "no date", lost=True)])
    '22 entries read, 1 dated line not understood (line 14)'
    """
    lines = sorted({note.line for note in notes if note.lost and note.line})
    text = f"{number_with_noun(entries, 'entry', 'entries')} read"
    if not lines:
        return text
    lost = number_with_noun(len(lines), "dated line")
    return f"{text}, {lost} not understood ({_name_lines(lines)})"


def _name_lines(lines: Sequence[int]) -> str:
    names = ", ".join(map(str, lines[:MOST_LOSSES])) + ("…" if len(lines) > MOST_LOSSES else "")
    return f"line{'s' * (len(lines) > 1)} {names}"


def warn_of_notes(notes: Iterable[Note], *, every: bool = False) -> None:
    """Warn of each kind of note, so that many files do not flood the log, or of every note."""
    if every:
        for note in notes:
            warn(str(note), kind=note.kind)
        return
    for warning in summarize_notes(notes):
        show_warning(warning)
