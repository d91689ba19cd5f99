"""Going through the lines of a Markdown document: what each kind of line does to the drafts."""

from collections.abc import Sequence
from dataclasses import replace

from chronoscore import lazy
from chronoscore.dates.stated import split_clauses, split_sentences_keeping_dates
from chronoscore.errors import DataError
from chronoscore.formats.io.notes import quote_in_note
from chronoscore.formats.timelines.answer_parts import (
    is_remark,
    is_section_title,
    speaks_of_itself,
)
from chronoscore.formats.timelines.field_names import is_text_name, without_label
from chronoscore.formats.timelines.markdown_dates import (
    DatedLine,
    begins_dated,
    read_markdown_line_date,
    split_dated_markdown_line,
)
from chronoscore.formats.timelines.markdown_dating import BARE_YEAR
from chronoscore.formats.timelines.markdown_lines import (
    DEEPEST_LEVEL,
    MarkdownLine,
    escape_marks,
    strip_markdown,
)
from chronoscore.formats.timelines.markdown_state import (
    EntryDraft,
    markdown_title_level,
    starts_with_clock,
)
from chronoscore.formats.timelines.markdown_tables import TableState

_IN_FIGURES = lazy.pattern(r"\W*\d{4}-\d\d-\d\d(?!\d)")
"""A date that begins a line of its own even where the line before has no full stop."""


_SIGN = lazy.pattern(
    r"(?P<label>\S.{0,39}?)(?:\s*(?P<sign>\||\t)|\s+(?P<dash>[–—→]|--?)\s|(?P<colon>[:：])\s)\s*\S"
)
_ENOUGH_YEARS = 3
_WRAPPED = 45
"""A line that is shorter than this ends where its writer ended it."""


class Drafts(TableState):
    """Takes lines one after the other."""

    sign = ""
    """What stands between date and text of the last line that has both."""
    titles_above = dates_last = False
    """Whether dates alone on a line have what happened above them, and end the document."""

    def take(self, lines: Sequence[MarkdownLine]) -> None:
        """Go through lines; rows that follow each other are one table."""
        table: list[MarkdownLine] = []
        self.bare_years = _count_bare_years(lines) >= _ENOUGH_YEARS
        self._look_for_titles(lines)
        for line, following in zip(lines, [*lines, None][1:], strict=True):
            if line.kind == "row" and not self.skipped_level:
                table.append(line)
                continue
            self.take_table(table)
            table = []
            if line.kind == "blank":
                self.gap = True
            elif line.kind == "rule":
                self.skipped_level = 0 if self.skipped_level > DEEPEST_LEVEL else self.skipped_level
                self._rule()
            elif not self._skip(line):
                with_line = {"heading": self._heading, "item": self._item, "text": self._text}
                title = self.title
                if following is not None and self._is_title_above(line, following):
                    self.hold_title(line)
                else:
                    with_line[line.kind](line)
                    self.has_title = False
                self.gap = False
                self.last_length = len(line.text)
                if self.title is title:
                    self.title = None
        self.take_table(table)

    def _skip(self, line: MarkdownLine) -> bool:
        """Whether a line belongs to a section that holds no events, or is a remark."""
        level = markdown_title_level(line)
        text = strip_markdown(line.text)
        if level and not line.text.startswith("&#") and is_section_title(text):
            self.skipped_level = level
        elif self.skipped_level and level and level <= self.skipped_level:
            self.skipped_level = 0
        remark = line.kind != "heading" and not line.text.startswith("&#") and is_remark(text)
        if not self.skipped_level and not remark:
            return False
        self.open = None
        note = f"no event: {quote_in_note(text)} is dropped"
        self.entries.note("dropped", note, line.number, minor=True)
        self.gap = False
        return True

    def _look_for_titles(self, lines: Sequence[MarkdownLine]) -> None:
        """See whether what happened is told above dates that are alone on their lines.

        Else a line over the first of them is the title of all.
        """
        dates = titles = 0
        apart, before, first = True, False, False
        for line in lines:
            if self._is_date_alone(line):
                first = first or (not dates and before)
                dates += 1
                titles += before and apart
                apart = before = False
            elif line.kind in ("blank", "rule", "heading"):
                apart, before = True, False
            else:
                apart, before = apart and not before, True
        told = [line for line in lines if line.kind != "blank"]
        self.dates_last = first and self._is_date_alone(told[-1])
        self.titles_above = self.dates_last or 2 * titles > dates

    def _is_title_above(self, line: MarkdownLine, following: MarkdownLine) -> bool:
        """Whether a line says what happened on the day that is alone on the next line.

        An item does where the date is indented under it, or where there is no date above it.
        """
        if following.number != line.number + 1 or not self._is_date_alone(following):
            return False
        if line.kind == "item" and following.indent <= line.indent:
            apart = self.open is None or (self.open.titled and not self.gap)
        else:
            apart = self.gap or not self.done or self.dates_last
            apart = line.kind != "text" or (apart and self.titles_above)
        return apart and not self._is_dated(line)

    def _is_date_alone(self, line: MarkdownLine) -> bool:
        """Whether a line is a day or a month and nothing else."""
        if line.kind != "text" or len(line.text) > _WRAPPED:
            return False
        try:
            date = read_markdown_line_date(line.text, "2000", order=self.entries.order)
        except DataError:
            return False
        return date is not None and not date.text and date.when.grain in ("day", "month")

    def _is_dated(self, line: MarkdownLine) -> bool:
        """Whether a line has a date of its own, right or wrong."""
        try:
            return read_markdown_line_date(line.text, "2000", order=self.entries.order) is not None
        except DataError:
            return True

    def _rule(self) -> None:
        """End what is open; but dashes right below a date make it a heading."""
        draft = self.open
        if draft is None or self.gap or draft.sentences or draft.origin != "line":
            self.open = None
        elif not draft.exact:
            draft.origin = "heading"

    def _heading(self, line: MarkdownLine) -> None:
        found = self.date_of_line(line) or self.date_of_heading(line)
        if found is None:
            draft = self.open
            if not (draft is not None and draft.exact and draft.level and draft.level < line.level):
                self.open = self.month = self.week = None
                self.years.restart()
            self.drop_title(line)
            return
        self.begin(line, found, "heading")

    def _item(self, line: MarkdownLine) -> None:
        for part in split_dated_markdown_line(line.text, self.entries.order):
            self._item_part(line if part == line.text else replace(line, text=part))

    def _item_part(self, line: MarkdownLine) -> None:
        below = self.open is not None and (
            self.open.origin in ("heading", "line") or line.indent > self.open.indent
        )
        beside = self.open is not None and self.open.inline and line.indent <= self.open.indent
        if (
            self.open is not None
            and (below and not beside)
            and self.open.exact
            and self.open.origin != "prose"
        ):
            self._item_of_day(line, self.open)
        elif found := self.date_of_line(line) or self._stated_item(line, below=below):
            parent = self.open if below else self.open and self.open.above
            self.begin(line, found, "item")
            if parent is not None and parent.origin == "item" and not parent.overtaken:
                self.done[-1].above = parent
        elif self.open is not None and (below or self._belongs(line, self.open)):
            self.say(line)
        elif self.open is not None and self.open.above and line.indent == self.open.indent:
            self.open = self.open.above
            self.say(line)
        else:
            self.open = None
            if self.refused != line.number:
                self.drop_title(line)

    def _item_of_day(self, line: MarkdownLine, day: EntryDraft) -> None:
        """An item below a day: its text, or an entry of its own if it begins with another day."""
        try:
            found = self.years.read(
                lambda year: read_markdown_line_date(
                    line.text, year, listed=False, order=self.entries.order
                )
            )
        except DataError:
            found = None
        found = found or self.relative_line(line)
        fine = found is not None and found.when.grain in ("day", "month") and found.text
        if found is None or not fine or found.when == day.when:
            self._note_date(line, day)
            self.say(line)
            return
        self.begin(line, found, "item")
        self.done[-1].above = day

    def _belongs(self, line: MarkdownLine, draft: EntryDraft) -> bool:
        """Whether an item beside a date is its text: the first one, or "Description: …"."""
        text = strip_markdown(line.text)
        labelled = draft.labelled and without_label(text, is_text_name) != text
        return labelled or len(draft.sentences) == draft.titled

    def _stated_item(self, line: MarkdownLine, *, below: bool) -> DatedLine | None:
        """The date that an item states somewhere, unless it belongs to the item above."""
        if line.text.startswith("&#"):
            return None
        if below and self.open is not None and not self.open.has_period:
            return None
        return self.date_of_sentence(strip_markdown(line.text), line.number, listed=True)

    def _text(self, line: MarkdownLine) -> None:
        for part in split_dated_markdown_line(line.text, self.entries.order):
            self._text_part(line if part == line.text else replace(line, text=part))

    def _text_part(self, line: MarkdownLine) -> None:
        found = self.date_of_line(line)
        loose = found is not None and not found.opening.strong
        if found is not None and not (loose and (self.prose or found.opening.signed)):
            self.begin(line, found, "line" if found.opening.strong else "prose")
            self.sign = _split_sign(line.text)[1]
            return
        draft = self.open
        under_period = draft is not None and draft.may_have_dates
        if self.prose or loose or under_period:
            self._take_prose(line)
        elif self.refused == line.number:
            self.open = None
        elif draft is None or self._is_beside(line, draft) or self._is_section(line, draft):
            self.open = None
            self.drop_title(line)
        elif draft.origin == "item" and self.gap and line.indent <= draft.indent:
            if draft.sentences:
                self.open = None
                self.drop_title(line)
            else:
                self.say(line)
        else:
            self._append_text(line)

    def _is_beside(self, line: MarkdownLine, draft: EntryDraft) -> bool:
        """Whether a line is built like the dated one above it, with a label that is no date to us.

        Before a colon or a dash, words without a number may just as well begin a sentence.
        """
        label, sign = _split_sign(line.text)
        column = sign in ("|", "\t") or any(map(str.isdigit, label))
        return draft.origin == "line" and draft.inline and column and sign == self.sign

    def _is_section(self, line: MarkdownLine, draft: EntryDraft) -> bool:
        """Whether a line in bold, apart from entries of one line each, is the title of others."""
        return self.gap and draft.inline and bool(draft.sentences and markdown_title_level(line))

    def _append_text(self, line: MarkdownLine) -> None:
        """Add a line to what is open, as the rest of a sentence or as one of its own."""
        draft = self.open
        assert draft is not None
        text = strip_markdown(line.text)
        wraps = draft.goes_on and not self.gap and self.last_length >= _WRAPPED
        if not wraps:
            self._note_date(line, draft)
        if not self.gap and draft.goes_on and not starts_with_clock(line.text):
            draft.sentences[-1] += f" {text}"
            draft.last_line = line.number
            self.told.append((draft, line.number, text))
            return
        if line.indent <= draft.indent:
            draft.paragraphs.append((len(draft.sentences), line.number))
        self.say(line)

    def _note_date(self, line: MarkdownLine, draft: EntryDraft) -> None:
        """Note a line that begins with a date and is taken as the text of another one."""
        text = strip_markdown(line.text)
        if line.text.startswith("&#") or not begins_dated(text, self.entries.order):
            return
        note = f"{quote_in_note(text)} begins with a date; it is taken to belong to {draft.when}"
        self.entries.note("guessed", note, line.number)

    def _take_prose(self, line: MarkdownLine) -> None:
        """Begin an entry with each sentence that states its date; the others follow theirs."""
        wrapped = self.open is not None and self.open.goes_on and not self.gap
        wrapped = wrapped and (self.last_length >= _WRAPPED or line.text[:1].islower())
        clauses = [
            clause
            for _, sentence in split_sentences_keeping_dates(strip_markdown(line.text))
            for clause in split_clauses(sentence, self.entries.order)
        ]
        alone = len(clauses) == 1
        for number, sentence in enumerate(clauses):
            continues = wrapped and number == 0 and not _IN_FIGURES.match(sentence)
            found = None if continues else self.date_of_sentence(sentence, line.number, alone=alone)
            if found is not None:
                self.begin(line, found, "prose")
            elif self.open is None or speaks_of_itself(sentence):
                self.drop(line.number, sentence, told=not speaks_of_itself(sentence))
            else:
                self._append_text(replace(line, text=escape_marks(sentence)))
            self.gap = False


def _split_sign(text: str) -> tuple[str, str]:
    """The label that a line begins with, and the sign behind it; nothing where there is none."""
    found = _SIGN.match(strip_markdown(text))
    return (found["label"], found["sign"] or found["dash"] or found["colon"]) if found else ("", "")


def _count_bare_years(lines: Sequence[MarkdownLine]) -> int:
    """How many lines begin with a year and no sign behind it, if these are in order."""
    found = [BARE_YEAR.match(line.text) for line in lines if line.kind in ("item", "text")]
    years = [match["year"] for match in found if match]
    return len(years) if years == sorted(years) and 2 * len(years) > len(found) else 0
