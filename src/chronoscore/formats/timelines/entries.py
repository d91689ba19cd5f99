"""Gathering a timeline entry by entry, as the lines of a file give it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from chronoscore.core import Entry, Timeline, When
from chronoscore.dates.openings import whole
from chronoscore.errors import DataError
from chronoscore.formats.io.notes import Kind, Note

Repeated: TypeAlias = Literal["merge", "last"]
"""What happens to a date that has two blocks: both count, or only the last one."""

Role: TypeAlias = Literal["", "system", "reference"]


@dataclass(frozen=True, slots=True)
class Held:
    """A timeline as a file holds it, with what the file says about it, if anything.

    `topic` is None where the file names no topic, and `role` empty where it does not
    tell systems from references.
    """

    timeline: Timeline
    topic: str | None = None
    role: Role = ""


class Entries:
    """Entries so far, and the notes on them.

    A date's own block in a file (tilse, news-tls) is `blocked`: two blocks for one date
    are noted, and under `repeated="last"` the earlier one is forgotten. Lists, tables and
    records have an item for each event, so that a date may well have several; these are
    joined without a word.
    """

    def __init__(
        self, place: str, *, repeated: Repeated = "merge", notes: list[Note] | None = None
    ) -> None:
        self.place = place
        self.repeated = repeated
        self.notes: list[Note] = [] if notes is None else notes
        self._sentences: dict[When, list[str]] = {}
        self._lines: dict[When, int | None] = {}

    def add(
        self, when: When, sentences: Iterable[str], line: int | None, *, blocked: bool = False
    ) -> None:
        """Take one block or item; one without text stays, because its date was chosen."""
        kept = cleaned(sentences)
        if not kept:
            self.note("empty", f"entry {when} has no text; it counts as a date only", line)
        if blocked and when in self._sentences:
            self._note_repeated(when, line)
            if self.repeated == "last":
                self._sentences[when] = []
        self._sentences.setdefault(when, []).extend(kept)
        self._lines.setdefault(when, line)

    def take(self, timeline: Timeline, line: int | None) -> None:
        """Join a timeline that has been read, and noted on, already."""
        for entry in timeline:
            self._sentences.setdefault(entry.when, []).extend(entry.sentences)
            self._lines.setdefault(entry.when, line)

    def date(self, text: str, line: int | None) -> When:
        """Read a date strictly; one that is none is refused with its line."""
        try:
            return When.parse(text)
        except DataError as error:
            self.refuse(str(error), line)

    def spoken(self, text: str, line: int | None) -> When:
        """Read a date as people write it; what had to be guessed is noted."""
        try:
            found = whole(text)
        except DataError as error:
            self.refuse(str(error), line)
        if found.guess:
            self.note("guessed", found.guess, line)
        return found.when

    def note(self, kind: Kind, text: str, line: int | None) -> None:
        """Remember something that the reader should know."""
        self.notes.append(Note(self.place, line, kind, text))

    def refuse(self, text: str, line: int | None) -> NoReturn:
        """Give up on the file, naming the line."""
        raise DataError(f"{self.place}:{line}: {text}" if line else f"{self.place}: {text}")

    def timeline(self, author: str = "") -> Timeline:
        """The timeline gathered so far, in order of time."""
        return Timeline(
            tuple(Entry(when, tuple(self._sentences[when])) for when in sorted(self._sentences)),
            author,
        )

    def __len__(self) -> int:
        return len(self._sentences)

    def _note_repeated(self, when: When, line: int | None) -> None:
        first = self._lines[when]
        before = f", at line {first}" if first else ""
        fate = "the two are merged" if self.repeated == "merge" else "only the last one counts"
        self.note("merged", f"date {when} was there before{before}; {fate}", line)


def cleaned(sentences: Iterable[str]) -> list[str]:
    """Sentences without surrounding space; one that spans lines is as many sentences."""
    return [line.strip() for sentence in sentences for line in sentence.split("\n") if line.strip()]
