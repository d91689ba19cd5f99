"""What a timeline format is: one record with all that the rest of the program asks of it.

A new format is a module with a `Format`, and one line in `registry`: endings, detection, code
fences, `convert` and the tests follow from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from chronoscore.formats.io.notes import Note, NoteKind
from chronoscore.formats.timelines.entries import Entries, LabeledTimeline, Repeated
from chronoscore.options import DateOrder


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a file, or of a part of one, and what its reader needs to know.

    `place` names it in errors and notes, which count lines from `first_line`. `order` tells day
    from month in 03/06/2010. A `lenient` reader, as of a model's answer, drops an entry with an
    impossible date and notes it where another one refuses the file. With `first_days` coarse dates
    become their first day before two of one date are merged, or the last one taken.
    """

    text: str
    place: str
    repeated: Repeated = "merge"
    notes: list[Note] = field(default_factory=list)
    first_line: int = 1
    order: DateOrder | None = None
    lenient: bool = False
    first_days: bool = False

    @property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.replace("\r\n", "\n").removesuffix("\n").split("\n")

    def entries(self) -> Entries:
        """An empty set of entries that shares the place and the notes."""
        return Entries(
            self.place,
            repeated=self.repeated,
            notes=self.notes,
            order=self.order,
            first_days=self.first_days,
        )

    def note(
        self,
        kind: NoteKind,
        text: str,
        line: int | None,
        *,
        minor: bool = False,
        lost: bool = False,
    ) -> None:
        """Record something that the user should know."""
        self.entries().note(kind, text, line, minor=minor, lost=lost)

    def part(self, text: str, *, place: str = "", first_line: int = 1) -> "Content":
        """A text found inside this one, with notes of its own place or of its own lines."""
        return replace(self, text=text, place=place or self.place, first_line=first_line)


@dataclass(frozen=True, slots=True)
class Format:
    """A timeline format.

    `title` is its name in sentences, and `ending` that of the files that we write; files with
    another name of the format as their ending are read too. `detect` recognizes a text of unknown
    format; without it the format has to be named. `several` says that a file may hold more than
    one timeline, with topics and authors; such a format is also read in code fences and between
    the lines of an answer. `days_only` says that it has no way to write a month or a year, so that
    timelines with coarser dates than days are refused before they are written.
    """

    name: str
    title: str
    ending: str
    read: Callable[[Content], list[LabeledTimeline]]
    write: Callable[[Sequence[LabeledTimeline]], str]
    detect: Callable[[str], bool] | None = None
    several: bool = False
    days_only: bool = False


LineOf: TypeAlias = Callable[[object, str | None], int]
"""The line of the next such value under its key; of the last known one if there is none."""


class LineFinder:
    """The texts of a document with their keys and lines, which are asked for in their order."""

    def __init__(self, line: int = 1) -> None:
        self.texts: list[tuple[str, str | None, int]] = []
        self.place = 0
        self.line = line

    def add(self, text: str, key: str | None, line: int) -> None:
        """Take the next text."""
        self.texts.append((text, key, line))

    def line_of(self, value: object, key: str | None = None) -> int:
        """See `LineOf`."""
        for place in range(self.place, len(self.texts)):
            text, name, line = self.texts[place]
            if text == value and (key is None or key == name):
                self.place, self.line = place + 1, line
                break
        return self.line
