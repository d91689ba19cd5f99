"""Collecting a timeline entry by entry, in the order of a file's lines.

Records and rows without a date that can be read are dropped as long as others have one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

from chronoscore import lazy
from chronoscore.core import Entry, Timeline, When
from chronoscore.dates import day_order
from chronoscore.errors import DataError, Reason
from chronoscore.formats.io.notes import Note, NoteKind
from chronoscore.formats.timelines.field_values import date_kind
from chronoscore.formats.timelines.years import YearContext, year_for_bare_dates
from chronoscore.options import DateOrder

Repeated: TypeAlias = Literal["merge", "last"]
"""What happens to a date that has two blocks: both count, or only the last one."""

_PLAIN_DAY = lazy.pattern(r"\d{4}-\d\d-\d\d", re.ASCII)

Role: TypeAlias = Literal["", "system", "reference"]


@dataclass(frozen=True, slots=True)
class LabeledTimeline:
    """A timeline with what its file says about it.

    `topic` is None where the file names no topic, and `role` is empty where it does not
    distinguish systems from references.
    """

    timeline: Timeline
    topic: str | None = None
    role: Role = ""

    @property
    def names(self) -> dict[str, str]:
        """Its topic and its author, as far as it has them, as files name them."""
        named = {"topic": self.topic, "author": self.timeline.author or None}
        return {key: name for key, name in named.items() if name is not None}


class Entries:
    """The entries so far, and the notes on them.

    tilse and news-tls have one block per date. Two blocks for one date are noted, and under
    `repeated="last"` the earlier one is discarded. Lists, tables and records have one item per
    event, so a date may have several; these are joined without a note.
    """

    def __init__(
        self,
        place: str,
        *,
        repeated: Repeated = "merge",
        notes: list[Note] | None = None,
        order: DateOrder | None = None,
        first_days: bool = False,
    ) -> None:
        self.place = place
        self.order = order
        self.first_days = first_days
        self.years = YearContext()
        self.repeated = repeated
        self.notes: list[Note] = [] if notes is None else notes
        self._sentences: dict[When, list[str]] = {}
        self._lines: dict[When, int | None] = {}

    def add(
        self, when: When, sentences: Iterable[str], line: int | None, *, block: bool = False
    ) -> None:
        """Add a block or an item; one without text stays, because its date was chosen."""
        kept = clean_sentences(sentences)
        if self.first_days:
            when = When(when.first, when.first, "day")
        if not kept:
            self.note("empty", f"entry {when} has no text; it counts as a date only", line)
        if block and when in self._sentences:
            self._note_repeated(when, line)
            if self.repeated == "last":
                self._sentences[when] = []
        self._sentences.setdefault(when, []).extend(kept)
        self._lines.setdefault(when, line)

    def add_timeline(self, timeline: Timeline, line: int | None) -> None:
        """Add the entries of a timeline whose notes have been taken already."""
        for entry in timeline:
            self._sentences.setdefault(entry.when, []).extend(entry.sentences)
            self._lines.setdefault(entry.when, line)

    def parse_date(self, text: str, line: int | None) -> When:
        """Read a date strictly; anything else is refused with its line.

        03/06/2010 is a date only where it is known whether the day or the month comes first.
        """
        if self.order is not None and day_order.in_figures(text):
            return self.read_date(text, line)
        try:
            return When.parse(text)
        except DataError as error:
            raise error.at(self.where(line)) from None

    def read_date(self, text: str, line: int | None, *, year: str = "") -> When:
        """Read a date as people write it; what had to be guessed is noted.

        A year that is not there is that of the entry before.
        """
        if year:
            self.years.name(year, source="a dated heading")
        if _PLAIN_DAY.fullmatch(text):
            when, yearless = self.parse_date(text, line), False
        else:
            when, yearless = self._read_written(text, line)
        if not yearless:
            self.years.follow(year_for_bare_dates(when))
        self.years.pass_date(when)
        return when

    def _read_written(self, text: str, line: int | None) -> tuple[When, bool]:
        """Read a date, and whether its year stands elsewhere."""
        # What dates look like in many languages is slow to import; plain days do without it.
        from chronoscore.dates.openings import whole_date

        try:
            date = self.years.read(lambda known: whole_date(text, known, self.order))
        except DataError as error:
            raise error.at(self.where(line)) from None
        guess = self.years.explain(date.written, date.guess) if date.yearless else date.guess
        if guess:
            self.note("guessed", guess, line)
        return date.when, date.yearless

    def note(
        self,
        kind: NoteKind,
        text: str,
        line: int | None,
        *,
        minor: bool = False,
        lost: bool = False,
    ) -> None:
        """Record something that the user should know; `lost` says that it was meant as an entry."""
        self.notes.append(Note(self.place, line, kind, text, minor and not lost, lost))

    def refuse(self, text: str, line: int | None, reason: Reason | None = None) -> NoReturn:
        """Give up on the file, naming the line."""
        raise DataError(text, reason=reason, place=self.where(line))

    def where(self, line: int | None) -> str:
        """A line of the file, or the file."""
        return f"{self.place}:{line}" if line else self.place

    def timeline(self, author: str = "") -> Timeline:
        """The timeline collected so far, in order of time."""
        return Timeline(
            tuple(Entry(when, tuple(self._sentences[when])) for when in sorted(self._sentences)),
            author,
        )

    def _note_repeated(self, when: When, line: int | None) -> None:
        first = self._lines[when]
        where = f" of line {first}" if first else ""
        result = "the two are merged" if self.repeated == "merge" else "only the last one counts"
        self.note("merged", f"date {when} is a duplicate{where}; {result}", line)


def clean_sentences(sentences: Iterable[str]) -> list[str]:
    """Sentences without surrounding space; one that spans N lines becomes N sentences."""
    return [line.strip() for sentence in sentences for line in sentence.split("\n") if line.strip()]


class UndatedError(DataError):
    """An entry has no date that can be read; the others may have one."""


@contextmanager
def drop_undated(
    entries: Entries, date: Any, line: int, what: str, *, lenient: bool
) -> Iterator[None]:
    """Note a date that is not understood; one that cannot be is refused, unless `lenient`."""
    try:
        yield
    except DataError as error:
        if not lenient and date_kind(str(date)) == "wrong":
            raise
        entries.note("dropped", f"{error.message}; the {what} is dropped", line)
        raise UndatedError(error.message, place=error.place) from None


def label_groups(
    groups: Mapping[tuple[str | None, str], Entries], undated: Sequence[DataError]
) -> list[LabeledTimeline]:
    """The timelines of topics and authors; where no entry has a date, the first error counts."""
    found = [LabeledTimeline(own.timeline(by), topic) for (topic, by), own in groups.items()]
    if undated and not any(len(labeled.timeline) for labeled in found):
        raise DataError(undated[0].message, reason="date", place=undated[0].place)
    return found
