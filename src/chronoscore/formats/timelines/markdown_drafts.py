"""Putting the lines of a Markdown document together into dated drafts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from chronoscore.core import When
from chronoscore.errors import DataError
from chronoscore.formats.timelines.entries import Entries
from chronoscore.formats.timelines.markdown_dates import (
    DatedLine,
    closing_date,
    day_of,
    line_date,
    only_year,
    year_of,
)
from chronoscore.formats.timelines.markdown_lines import MarkdownLine, plain
from chronoscore.formats.timelines.markdown_tables import read_rows

Origin: TypeAlias = Literal["heading", "item", "line", "row", "prose"]

HALF_A_YEAR = 183

_FAREWELL = re.compile(
    r"(?:please )?(?:notes?|sources?|references|disclaimer|let me know|i hope|hope this|feel free"
    r"|would you like|do you want|if you|this timeline|this list|these (?:events|dates|are)"
    r"|the above|the timeline|in summary|in conclusion|overall|to summari[sz]e)\b",
    re.IGNORECASE,
)
_CONTENT_LABEL = re.compile(
    r"(?:events?|description|summary|details?|what happened|text)\s*:\s*", re.IGNORECASE
)


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
    labelled: bool = False
    guess: str = ""
    sentences: list[str] = field(default_factory=list)
    paragraphs: list[tuple[int, int]] = field(default_factory=list)
    overtaken: bool = False
    """Dated items stand below it, so that it is a heading of theirs and no entry."""

    @property
    def goes_on(self) -> bool:
        """Whether the next line may be the rest of a sentence that this one began."""
        body = self.sentences[self.titled :]
        return bool(body) and not body[-1].endswith((".", "!", "?"))


class Drafts:
    """The state while lines go by: what has been drafted, what is open, which year it is."""

    def __init__(self, entries: Entries, *, prose: bool) -> None:
        self.entries = entries
        self.prose = prose
        self.done: list[EntryDraft] = []
        self.open: EntryDraft | None = None
        self.year = ""
        self.year_from = ""
        self.month: When | None = None
        self.gap = False

    def take(self, lines: Sequence[MarkdownLine]) -> None:
        """Go through lines; rows that follow each other are one table."""
        table: list[MarkdownLine] = []
        for line in lines:
            if line.kind == "row":
                table.append(line)
                continue
            self._take_table(table)
            table = []
            if line.kind == "blank":
                self.gap = True
            elif line.kind == "rule":
                self._rule()
            else:
                with_line = {"heading": self._heading, "item": self._item, "text": self._text}
                with_line[line.kind](line)
                self.gap = False
        self._take_table(table)

    def finish(self) -> Iterator[EntryDraft]:
        """The drafts that are entries, the last one without the writer's farewell."""
        found = [draft for draft in self.done if self._is_entry(draft)]
        if found:
            self._cut_farewell(found[-1], found[:-1])
        yield from found

    def drop(self, line: int, text: str) -> None:
        """Note a text that belongs to no date; it may still tell the year."""
        if not self.year and (year := only_year(text)):
            self.year, self.year_from = year, "the text before"
        short = text if len(text) <= 60 else f"{text[:57]}…"
        self.entries.note("dropped", f"no date: '{short}' is dropped", line)

    def _rule(self) -> None:
        """End what is open; but dashes right below a year or a month make it a heading."""
        draft = self.open
        if draft is None or self.gap or draft.sentences or draft.exact or draft.origin != "line":
            self.open = None
        else:
            draft.origin = "heading"

    def _heading(self, line: MarkdownLine) -> None:
        found = self._dated(line) or self._closing(line)
        if found is None:
            self.open = self.month = None
            self.drop(line.number, plain(line.text))
            if year := only_year(line.text):
                self.year, self.year_from = year, "the heading"
            return
        self._begin(line, found, "heading")

    def _item(self, line: MarkdownLine) -> None:
        below = self.open is not None and (
            self.open.origin in ("heading", "line") or line.indent > self.open.indent
        )
        if self.open is not None and below and self.open.exact and self.open.origin != "prose":
            self._say(line)
        elif found := self._dated(line):
            self._begin(line, found, "item")
        elif self.open is not None and (below or not self.open.sentences):
            self._say(line)
        else:
            self.open = None
            self.drop(line.number, plain(line.text))

    def _text(self, line: MarkdownLine) -> None:
        found = self._dated(line)
        if found is not None:
            self._begin(line, found, "line" if found.opening.strong else "prose")
            return
        draft = self.open
        if draft is None:
            self.drop(line.number, plain(line.text))
        elif draft.origin == "item" and self.gap and line.indent <= draft.indent:
            if draft.sentences:
                self.open = None
                self.drop(line.number, plain(line.text))
            else:
                self._say(line)
        elif not self.gap and draft.goes_on:
            draft.sentences[-1] += f" {plain(line.text)}"
        else:
            if line.indent <= draft.indent:
                draft.paragraphs.append((len(draft.sentences), line.number))
            self._say(line)

    def _take_table(self, table: Sequence[MarkdownLine]) -> None:
        if not table:
            return
        self.open = None
        for row in read_rows(table, self.entries, self.year):
            if row.date is not None:
                guess = row.date.guess
                self.done.append(EntryDraft(row.date.when, row.line, "row", guess=guess))
            elif not self.done or self.done[-1].origin != "row":
                self.drop(row.line, " ".join(row.texts))
                continue
            else:
                last = self.done[-1].when
                text = f"no date in this row; it is taken to belong to {last}"
                self.entries.note("guessed", text, row.line)
            self.done[-1].sentences.extend(text for text in row.texts if text)
        self.gap = False

    def _dated(self, line: MarkdownLine) -> DatedLine | None:
        """The date of a line, its year completed from what came before."""
        options = {"prose": self._sentence_may_begin(line), "listed": line.kind != "text"}
        try:
            found = line_date(line.text, self.year, **options)
            if found and found.opening.yearless and self._has_turned(found.when):
                self.year = str(int(self.year) + 1)
                found = line_date(line.text, self.year, **options)
            if found is None and self.month is not None and line.kind == "item":
                found = day_of(self.month, line.text)
        except DataError as error:
            self.entries.refuse(str(error), line.number)
        return found

    def _closing(self, line: MarkdownLine) -> DatedLine | None:
        try:
            return closing_date(line.text, self.year)
        except DataError as error:
            self.entries.refuse(str(error), line.number)

    def _sentence_may_begin(self, line: MarkdownLine) -> bool:
        """Whether a line of prose begins a sentence, not just a line."""
        if not self.prose or (not line.text[:1].isupper() and not line.text[:1].isdigit()):
            return False
        before = self.open.sentences[-1:] if self.open else []
        return self.gap or not before or before[0].endswith((".", "!", "?", ":"))

    def _has_turned(self, when: When) -> bool:
        """Whether a year carried on from entry to entry has ended in between."""
        return (
            self.year_from == "the entry before"
            and self.year.isdigit()
            and bool(self.done)
            and self.done[-1].when.first - when.first > HALF_A_YEAR
        )

    def _begin(self, line: MarkdownLine, found: DatedLine, origin: Origin) -> None:
        if self.open is not None and len(self.open.sentences) == self.open.titled:
            self.open.overtaken = self._heads(self.open, line, found.when)
        draft = EntryDraft(
            when=found.when,
            line=line.number,
            origin=origin,
            exact=found.exact,
            ranged=found.opening.ranged,
            indent=line.indent,
            titled=origin == "heading" and bool(found.text),
            labelled=found.labelled,
            guess=found.opening.guess,
        )
        if found.opening.yearless and self.year_from and self.year_from != "a dated heading":
            written = found.opening.written
            said = f"date '{written}' is taken to be in {self.year}, from {self.year_from}"
            draft.guess = f"{draft.guess}; {said}" if draft.guess else said
        if found.text:
            draft.sentences.append(found.text)
        self.done.append(draft)
        self.open = draft
        if origin == "heading" or not found.text:
            self.month = found.when if found.when.grain == "month" else None
        if not found.opening.yearless and (year := year_of(found.when)):
            source = (
                "a dated heading" if origin == "heading" or not found.text else "the entry before"
            )
            self.year, self.year_from = year, source

    def _heads(self, above: EntryDraft, line: MarkdownLine, when: When) -> bool:
        """Whether a date without text is the heading of one that follows and lies within it."""
        deeper = above.origin != "item" or line.indent > above.indent
        return deeper and not above.exact and (above.ranged or above.when.contains(when))

    def _say(self, line: MarkdownLine) -> None:
        assert self.open is not None
        text = plain(line.text)
        if self.open.labelled:
            text = _CONTENT_LABEL.sub("", text, count=1)
        self.open.sentences.append(text)

    def _is_entry(self, draft: EntryDraft) -> bool:
        """Whether a draft is meant as an entry, and no heading of others or of nothing."""
        if draft.overtaken:
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

    def _cut_farewell(self, last: EntryDraft, others: Sequence[EntryDraft]) -> None:
        """Drop closing remarks: words of farewell, or more paragraphs than any other entry has."""
        usual = max((len(draft.paragraphs) for draft in others), default=len(last.paragraphs))
        for number, (place, line) in enumerate(last.paragraphs):
            text = last.sentences[place]
            if number >= usual or _FAREWELL.match(text):
                for remark in last.sentences[place:]:
                    self.drop(line, remark)
                    line += 1
                del last.sentences[place:]
                return
