"""The entries of a Markdown document in the making, and what its lines have said so far."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from chronoscore import lazy
from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.formats.io.notes import Note, quote_in_note
from chronoscore.formats.timelines.answer_parts import speaks_of_itself
from chronoscore.formats.timelines.entries import Entries
from chronoscore.formats.timelines.field_names import is_text_name, without_label
from chronoscore.formats.timelines.markdown_dates import DatedLine, may_be_entry
from chronoscore.formats.timelines.markdown_lines import (
    DEEPEST_LEVEL,
    MarkdownLine,
    split_markdown_emphasis,
    strip_markdown,
)
from chronoscore.formats.timelines.years import (
    HALF_A_YEAR,
    YearContext,
    year_for_bare_dates,
    year_span,
)

Origin: TypeAlias = Literal["heading", "item", "line", "row", "prose"]

_TIME = (
    r"\d{1,2}(?::\d\d(?::\d\d)?|[.h]\d\d|(?=\s?[ap]\.?m))(?:\s?[ap]\.?m\b\.?)?"
    r"(?:\s(?:Uhr|[A-Z]{2,4})\b)?"
)
_CLOCK_FIELD = lazy.pattern(
    rf"(?:[\[(](?P<boxed>{_TIME})[\])]:?\s*|(?P<worded>(?:[^\W\d_]{{1,4}}\.?\s)?{_TIME})\s*[–—|:-]\s*"
    rf"|(?P<bare>\d{{1,2}}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?)\s+)(?=\w|[\"“*])",
    re.IGNORECASE,
)
"""A time of day in front of what happened then."""


def markdown_title_level(line: MarkdownLine) -> int:
    """The level of a line that may be the title of a section; 0 for other lines."""
    if line.kind == "heading":
        return line.level
    bold = split_markdown_emphasis(line.text)
    alone = bold is not None and not bold[1].strip(" :：")
    return DEEPEST_LEVEL + 1 if alone or line.text.rstrip("*_ ").endswith((":", "：")) else 0


def starts_with_clock(text: str) -> bool:
    """Whether a time of day stands before what a line says."""
    return bool(_CLOCK_FIELD.match(strip_markdown(text)))


@dataclass
class EntryDraft:
    """An entry in the making.

    `paragraphs` are the places in `sentences` where loose paragraphs begin, with their
    lines: those of the last entry may be the writer's farewell.
    """

    when: When
    line: int
    origin: Origin
    exact: bool = True
    ranged: bool = False
    indent: int = 0
    titled: bool = False
    inline: bool = False
    """A line with date and text, beside which an item with a date is an entry of its own."""
    labelled: bool = False
    yearless: bool = False
    heading: int = 0
    """The section whose heading gave the year, 0 where the year comes from elsewhere."""
    inner: bool = False
    """Its date stands inside a sentence, which may look back."""
    guess: str = ""
    sentences: list[str] = field(default_factory=list)
    paragraphs: list[tuple[int, int]] = field(default_factory=list)
    last_line: int = 0
    """The line of its last text."""
    period: When | None = None
    """The date of the heading above a sentence, which its date does not leave."""
    level: int = 0
    """Of a heading, its level."""
    above: "EntryDraft | None" = None
    """The entry whose item it is, to which items without a date beside it belong."""
    overtaken: bool = False
    """Dated items follow, so that it is their heading and no entry."""

    @property
    def heads(self) -> bool:
        """Whether it is a heading, or a date alone on a line, with its text below."""
        return self.origin == "heading" or (self.origin == "line" and not self.inline)

    @property
    def has_period(self) -> bool:
        """Whether sentences below it may have finer dates of their own."""
        return self.heads or self.origin == "prose"

    @property
    def may_have_dates(self) -> bool:
        """Whether lines of text below it are read as prose with dates of their own."""
        return self.has_period and (not self.exact or self.period is not None)

    @property
    def goes_on(self) -> bool:
        """Whether the next line may be the rest of a sentence that this one began."""
        body = self.sentences[self.titled :]
        return bool(body) and not body[-1].endswith((".", "!", "?", "。", "！", "？"))


class DraftState:
    """What has been drafted, what is open, and which year it is."""

    def __init__(self, entries: Entries, *, prose: bool, descending: bool = False) -> None:
        self.entries = entries
        self.prose = prose
        self.done: list[EntryDraft] = []
        self.open: EntryDraft | None = None
        self.years = YearContext(descending=descending)
        self.month: When | None = None
        self.week: When | None = None
        """The day that a heading names, from which weekdays below it are counted."""
        self.told: list[tuple[EntryDraft, int, str]] = []
        """What lines say about which entry, with their numbers."""
        self.gap = False
        self.last_length = 0
        """How long the line before was."""
        self.skipped_level = 0
        """The level of the heading whose section is dropped, 0 outside of such a section."""
        self.first_error: DataError | None = None
        self.refused = 0
        """The last line with an impossible date."""
        self.title: Note | None = None
        """The note on a dropped title, which a line "Date: …" right below it brings back."""
        self.title_text = ""
        self.bare_years = False
        """Whether lines begin with a year and no sign behind it."""
        self.has_title = False
        """The line before is the title of a date on a line of its own."""

    def finish(self) -> Iterator[EntryDraft]:
        """The drafts that are entries, the last one without the writer's farewell."""
        found = [draft for draft in self.done if self._is_entry(draft)]
        if found:
            self._cut_farewell(found[-1], found[:-1])
        yield from found

    def descends(self) -> bool:
        """Whether the dates run backwards: those with a year, or else months and days.

        From December to January is forwards.
        """
        if not any(draft.yearless for draft in self.done):
            return False
        full = [draft.when.first for draft in self.done if not (draft.yearless or draft.inner)]
        balance = sum((a < b) - (a > b) for a, b in pairwise(full))
        if not balance:
            days = [draft.when.first for draft in self.done if draft.when.grain in ("day", "month")]
            steps = [(after - before) % 365 for before, after in pairwise(days)]
            balance = sum(1 if step <= HALF_A_YEAR else -1 for step in steps if step)
        return balance < 0

    def drop(self, line: int, text: str, last_line: int = 0, *, told: bool = False) -> None:
        """Note a text that belongs to no date, over several lines or not; it may tell the year.

        One that is `told`, and no title or remark, may have been meant as an entry.
        """
        if not self.years.year:
            self.years.name(*year_span(text), source="the text before")
        note, several = f"no date: {quote_in_note(text)} is dropped", last_line > line
        if several:
            note = f"lines {line} to {last_line} have {note}"
        lost = told and may_be_entry(text, among_others=bool(self.done))
        self.entries.note("dropped", note, line, minor=not several, lost=lost)

    def drop_title(self, line: MarkdownLine) -> None:
        """Drop a heading or an item, which may be the title of a date below it."""
        text = strip_markdown(line.text)
        self.drop(line.number, text, told=line.kind != "heading")
        self.title, self.title_text = self.entries.notes[-1], text
        if markdown_title_level(line) or text.endswith((")", "）")):
            self.years.name(*year_span(text), source="the heading")

    def hold_title(self, line: MarkdownLine) -> None:
        """Keep a line for the entry whose date is on the next line."""
        self.open = None
        self.title_text = strip_markdown(line.text)
        self.entries.note(
            "dropped",
            f"no date: {quote_in_note(self.title_text)} is dropped",
            line.number,
            minor=True,
        )
        self.title, self.has_title = self.entries.notes[-1], True

    def _take_title(self, draft: EntryDraft) -> None:
        if self.title is not None and (draft.labelled or self.has_title):
            self.entries.notes.remove(self.title)
            draft.sentences.insert(0, without_label(self.title_text, is_text_name))
            draft.titled = True

    def note_error(self, error: DataError, line: int) -> None:
        """Drop what has an impossible date; if nothing else is found, it is the file's error."""
        self.first_error = self.first_error or error.at(self.entries.where(line))
        self.refused = line
        text = f"{error.message}; the line is dropped"
        note = Note(self.entries.place, line, "dropped", text, lost=True)
        if note not in self.entries.notes[-2:]:
            self.entries.notes.append(note)

    def runs_backwards(self, when: When) -> bool:
        """Whether a date lies before the last one, or behind it where dates descend."""
        last = self.done[-1].when if self.done else when
        return last.last < when.first if self.years.descending else when.last < last.first

    def begin(self, line: MarkdownLine, found: DatedLine, origin: Origin) -> None:
        """Begin an entry; the date above it may turn out to be its heading."""
        above = self.open
        backwards = self.runs_backwards(found.when)
        if above is not None and len(above.sentences) == above.titled:
            above.overtaken = self._heads(above, line, found.when)
        draft = EntryDraft(
            when=found.when,
            line=line.number,
            origin=origin,
            exact=found.exact,
            ranged=found.opening.ranged,
            indent=line.indent,
            level=line.level,
            titled=(origin == "heading" and bool(found.text)) or found.titled,
            inline=origin == "line" and bool(found.text),
            labelled=found.labelled,
            yearless=found.yearless,
            inner=found.opening.inner,
            guess=found.opening.guess,
        )
        if origin == "prose" and above is not None:
            draft.period = above.when if above.heads else above.period
            draft.ranged = above.ranged if draft.period else draft.ranged
        if found.opening.yearless:
            draft.heading = self.years.heading
            draft.guess = self.years.explain(
                found.opening.written, draft.guess, backwards=backwards
            )
        if found.text:
            draft.sentences.append(found.text)
        self._take_title(draft)
        self.done.append(draft)
        self.open = draft
        heads = origin == "heading" or not found.text
        if heads and not (
            self.month and found.when.grain == "day" and self.month.contains(found.when)
        ):
            self.month = found.when if found.when.grain == "month" else None
        if heads and line.kind == "heading":
            self.week = found.when if found.when.grain == "day" else None
        self._pass(found, heads=heads, backwards=backwards)
        self.told.append((draft, line.number, found.text))

    def _pass(self, found: DatedLine, *, heads: bool, backwards: bool) -> None:
        """Take the year of an entry as that of dates below it.

        One that a sentence only looks back to, or ahead to ("a loss in 2009"), is not.
        """
        date, year = found.opening, year_for_bare_dates(found.when)
        ahead = found.when.grain == "year" and self.years.is_next(year)
        mentioned = date.inner and (backwards or ahead)
        if year and heads and not date.yearless:
            self.years.name(year, date.last_year, source="a dated heading")
        elif year and not (date.yearless or mentioned):
            self.years.follow(year)
        if not mentioned and (not heads or found.when.grain in ("day", "month")):
            self.years.pass_date(found.when)

    def _heads(self, above: EntryDraft, line: MarkdownLine, when: When) -> bool:
        """Whether a date without text is the heading of one that follows and lies within it."""
        deeper = above.origin != "item" or line.indent > above.indent
        return deeper and not above.exact and (above.ranged or above.when.contains(when))

    def say(self, line: MarkdownLine) -> None:
        """Add a line to the entry that is open."""
        assert self.open is not None
        text = self.without_clock(line)
        if self.open.labelled:
            text = without_label(text, is_text_name)
        self.open.sentences.append(text)
        self.open.last_line = line.number
        self.told.append((self.open, line.number, text))

    def without_clock(self, line: MarkdownLine) -> str:
        """The text of a day's line without the time that stands before it, which is noted."""
        text = strip_markdown(line.text)
        timed = self.open is not None and self.open.exact and not line.text.startswith("&#")
        found = _CLOCK_FIELD.match(text) if timed else None
        if found is None:
            return text
        note = f"the time '{found[found.lastgroup or 0]}' is left out"
        self.entries.note("dropped", note, line.number, minor=True)
        return text[found.end() :]

    def _is_entry(self, draft: EntryDraft) -> bool:
        """Whether a draft is meant as an entry, and no heading of others or of nothing."""
        if draft.overtaken or self._is_document_title(draft):
            for title in draft.sentences:
                self.drop(draft.line, title)
            return False
        if draft.sentences:
            return True
        if draft.origin == "heading":
            self.entries.note(
                "dropped", f"nothing stands under {draft.when}; it is dropped", draft.line
            )
            return False
        return True

    def _is_document_title(self, draft: EntryDraft) -> bool:
        """Whether a draft is the only heading of the first level, with the years of all entries."""
        first, *others = self.done
        alone = draft is first and draft.level == 1 and all(one.level != 1 for one in others)
        return alone and draft.titled and draft.ranged and len(others) > 1

    def _cut_farewell(self, last: EntryDraft, others: Sequence[EntryDraft]) -> None:
        """Drop closing remarks: words to the reader, or more paragraphs than any other entry has.

        Links beside each other ("Share | Subscribe") are none of the last entry either.
        """
        usual = max((len(draft.paragraphs) for draft in others), default=len(last.paragraphs))
        for number, (place, line) in enumerate(last.paragraphs):
            text = last.sentences[place]
            if number >= usual or " | " in text or speaks_of_itself(text):
                self.drop(line, " ".join(last.sentences[place:]), last.last_line)
                del last.sentences[place:]
                return
