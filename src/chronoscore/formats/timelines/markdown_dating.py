"""The dates of lines and sentences, completed by what the lines before them say."""

from dataclasses import dataclass, replace

from chronoscore import lazy
from chronoscore.core import When
from chronoscore.dates.later import read_closing, read_later
from chronoscore.dates.openings import Opening, opening_date
from chronoscore.dates.ranges import SEPARATOR
from chronoscore.dates.relative_labels import (
    read_decade_label,
    read_month_label,
    read_weekday_label,
)
from chronoscore.errors import DataError
from chronoscore.formats.io.notes import quote_in_note
from chronoscore.formats.timelines.answer_parts import speaks_of_itself
from chronoscore.formats.timelines.markdown_dates import (
    DatedLine,
    read_markdown_heading_date,
    read_markdown_item_day,
    read_markdown_line_date,
    sentence_date,
)
from chronoscore.formats.timelines.markdown_lines import (
    MarkdownLine,
    split_markdown_emphasis,
    strip_markdown,
)
from chronoscore.formats.timelines.markdown_state import DraftState

_SMALL_YEAR = lazy.pattern(rf"(?P<year>[1-9]\d{{1,2}})\s*(?:{SEPARATOR})\s*(?P<rest>\S.*)")
_LABELLED_YEAR = lazy.pattern(
    rf"[^\W\d_]+\s+(?:[^\W\d_]{{1,4}}\s+)?(?P<year>1\d{{3}}|20\d\d)(?!\S\d)\s*(?:{SEPARATOR})"
    r"\s*(?P<rest>\S.*)"
)
BARE_YEAR = lazy.pattern(r"(?P<year>1\d{3}|20\d\d)\s+(?=[^\W\d_])")
_YEAR_1000 = When.year(1000).last
_BEHIND = " ,，、;:：–—-"
_LABEL_END = lazy.pattern(r"\s*(?:[:：–—→]|-(?=\s))\s*")


def _split_label(text: str) -> tuple[str, str]:
    """What stands in bold at the beginning of a line or before a colon or a dash, and the rest.

    A line without any of these is a label as a whole.
    """
    if bold := split_markdown_emphasis(text):
        return strip_markdown(bold[0]).rstrip(_BEHIND), strip_markdown(bold[1]).lstrip(_BEHIND)
    plain = strip_markdown(text)
    end = _LABEL_END.search(plain)
    return (plain[: end.start()], plain[end.end() :]) if end else (plain, "")


def may_be_relative(text: str) -> bool:
    """Whether a text begins with a label that names a date by another one."""
    label, _ = _split_label(text)
    anchor = When.day(2000, 1, 1)
    readers = (read_month_label, read_decade_label)
    return (
        read_later(text) is not None
        or read_weekday_label(label) is not None
        or any(read(label, anchor) is not None for read in readers)
    )


def _may_be_wrapped(line: MarkdownLine) -> bool:
    """Whether a line may be the end of a sentence that began on the line before."""
    return line.kind == "text" and (line.text[0].islower() or line.text.endswith("."))


@dataclass(frozen=True, slots=True)
class _Counted:
    """A time that a text counts from the entry before, and what follows it there.

    `when` is None where the words name no date, and the entry's own date where they name it again.
    """

    written: str
    rest: str
    when: When | None

    def dated(self, text: str) -> DatedLine | None:
        """A text with the date."""
        if self.when is None:
            return None
        opening = Opening(self.when, self.written, text, strong=False, spoken=True, hedged=True)
        return DatedLine(opening, text)


class DatingState(DraftState):
    """Finds the date of a line or a sentence."""

    def date_of_line(self, line: MarkdownLine) -> DatedLine | None:
        """The date of a line, its year completed from what came before."""
        prose, listed = self._sentence_may_begin(line), line.kind != "text"
        order = self.entries.order
        try:
            found = self.years.read(
                lambda year: read_markdown_line_date(
                    line.text, year, prose=prose, listed=listed, order=order
                )
            )
            if found is None and self.month is not None:
                day = read_markdown_item_day(self.month, line.text)
                found = day if day and not (line.kind == "heading" and day.text) else None
        except DataError as error:
            self.note_error(error, line.number)
            return None
        return found or self.relative_line(line) or self._year_among_others(line)

    def _year_among_others(self, line: MarkdownLine) -> DatedLine | None:
        """A year that only the lines around it make one; it is a guess.

        It is below 1000 after others like it, has no sign behind it as on other lines, or has words
        before it that we do not know. It does not lie before the last entry.
        """
        text = strip_markdown(line.text)
        if self.bare_years and (bare := BARE_YEAR.match(text)):
            when, rest = When.year(int(bare["year"])), text[bare.end() :]
        elif not self.done or line.kind == "heading":
            return None
        elif small := _SMALL_YEAR.match(text):
            when, rest = When.year(int(small["year"])), small["rest"]
            if self.done[-1].when.first > _YEAR_1000:
                return None
        elif labelled := _LABELLED_YEAR.match(text):
            when, rest = When.year(int(labelled["year"])), labelled["rest"]
        else:
            return None
        if self.done and self.runs_backwards(when):
            return None
        written = text.removesuffix(rest).rstrip(_BEHIND)
        return DatedLine(Opening(when, written, rest, strong=True, hedged=True), rest)

    def date_of_heading(self, line: MarkdownLine) -> DatedLine | None:
        """The date in brackets at the end of a heading."""
        try:
            return self.years.read(
                lambda year: read_markdown_heading_date(line.text, year, self.entries.order)
            )
        except DataError as error:
            self.note_error(error, line.number)
            return None

    def date_of_sentence(
        self, sentence: str, number: int, *, listed: bool = False, alone: bool = False
    ) -> DatedLine | None:
        """The date that a sentence states, if it does not leave the heading that it is under."""
        if speaks_of_itself(sentence):
            return None
        try:
            found = self.years.read(
                lambda year: sentence_date(sentence, year, self.entries.order, alone=alone)
            )
        except DataError as error:
            self.note_error(error, number)
            return None
        if found is not None and self._is_background(found, listed=listed):
            last = self.done[-1].when
            text = f"date '{found.opening.written}' lies before {last} and is taken as background"
            self.entries.note("guessed", text, number)
            found = None
        if found is None or found.opening.inner:
            counted = self._read_counted(sentence)
            if counted is not None and counted.when is None and found is None and not listed:
                self._note_undated(counted.written, number)
            elif (
                counted is not None
                and counted.when is not None
                and (found is None or sentence.startswith(counted.written))
            ):
                same = counted.when == self.done[-1].when
                found = None if same else counted.dated(sentence)
        return self._within_heading(found, number)

    def _within_heading(self, found: DatedLine | None, number: int) -> DatedLine | None:
        """The date of a sentence, unless it leaves the heading above it, which is noted."""
        above = self.open
        if found is None or above is None or not above.has_period:
            return found
        if not above.heads and above.period is None:
            return found
        period = above.period or above.when
        if found.when.contains(period):
            return None
        if above.ranged or period.contains(found.when):
            return found
        text = f"date '{found.opening.written}' lies outside of {period}, where it stands"
        self.entries.note("guessed", f"{text}; it is taken to belong there", number)
        return None

    def _read_counted(self, text: str) -> _Counted | None:
        """The time that a text counts from the last entry, unless a date follows it."""
        later = read_later(text) if self.done else None
        if later is None:
            return self._read_closing(text) if self.done else None
        rest = text[later.end :].lstrip(_BEHIND)
        try:
            if opening_date(rest, "2000", self.entries.order) is not None:
                return None
        except DataError:
            return None
        anchor = self.month if later.day and self.month else self.done[-1].when
        return _Counted(later.written, rest, later.after(anchor))

    def _read_closing(self, text: str) -> _Counted | None:
        """The time that a text counts from the last entry at its end."""
        later = read_closing(text)
        when = later.after(self.done[-1].when) if later else None
        return _Counted(later.written, text, when) if later and when else None

    def relative_line(self, line: MarkdownLine) -> DatedLine | None:
        """The date that a label names by another one; one that cannot be told is noted."""
        counted = self._relative_label(line)
        if counted is None or (not counted.rest and _may_be_wrapped(line)):
            return None
        if counted.when is None:
            self._note_undated(counted.written, line.number)
        return counted.dated(counted.rest)

    def relative_cell(self, text: str, number: int) -> Opening | None:
        """The date that a cell names by that of a row before."""
        counted = self._relative_label(MarkdownLine(number, "item", text))
        dated = counted.dated("") if counted is not None and not counted.rest else None
        return None if dated is None else dated.opening

    def _relative_label(self, line: MarkdownLine) -> _Counted | None:
        if not self.done or line.text.startswith("&#"):
            return None
        return self._counted_label(line) or self._weekday_label(line)

    def _counted_label(self, line: MarkdownLine) -> _Counted | None:
        """A time counted from the last entry, alone, in bold, or before a colon or a dash."""
        label, rest = _split_label(line.text)
        counted = self._read_counted(label)
        if counted is not None and label.startswith(counted.written):
            behind = label.removeprefix(counted.written).strip(_BEHIND + ".")
            alone = line.kind == "heading" or not behind
            text = rest or (counted.rest if behind else "")
            return replace(counted, rest=text) if alone else None
        last = self.done[-1].when
        when = read_month_label(label, last) or read_decade_label(label, last)
        return None if when is None else _Counted(label, rest, when)

    def _weekday_label(self, line: MarkdownLine) -> _Counted | None:
        """A weekday before what happened: from the day of the heading on, or the last entry."""
        label, rest = _split_label(line.text)
        found = read_weekday_label(label)
        if found is None or found.rest:
            return None
        when = found.on_or_after(self.week or self.done[-1].when)
        if when is not None and self.open is not None and self.open.when == self.week:
            self.open.ranged = True
        return _Counted(found.written, rest, when)

    def _note_undated(self, written: str, number: int) -> None:
        text = f"{quote_in_note(written)} names no date; it is taken to belong to"
        text = f"{text} {self.done[-1].when}"
        if not any(note.line == number and note.text == text for note in self.entries.notes[-2:]):
            self.entries.note("guessed", text, number)

    def _is_background(self, found: DatedLine, *, listed: bool) -> bool:
        """Whether a date inside a sentence only tells what an earlier thing was.

        Such a date lies before the last entry (behind it in a descending list), and belongs to a
        noun ("the ruling of 3 May 2008") or, in prose, is a mere year.
        """
        coarse = found.when.grain not in ("day", "month")
        beside = (found.opening.inner and not listed) if coarse else found.opening.attributive
        return bool(self.done) and beside and self.runs_backwards(found.when)

    def _sentence_may_begin(self, line: MarkdownLine) -> bool:
        """Whether a line of prose begins a sentence, not just a line."""
        if not self.prose or (line.text[:1].islower() and line.text[:1].isascii()):
            return False
        before = self.open.sentences[-1:] if self.open else []
        return self.gap or not before or before[0].endswith((".", "!", "?", ":", "。"))
