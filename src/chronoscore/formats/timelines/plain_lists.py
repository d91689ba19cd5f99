"""Answers in the plainest forms, read at once: rewards come by the thousand a second.

These are lists of days, tables of a day and a text, headings of days with items or a paragraph
below them, and plain data. What is read here is read as every reader of answers reads it; all else,
such as a line of another form, is left to them. Lines above and below a list are shown to them
beside a list of two days; models write the same ones again and again, so what was found is kept.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from chronoscore.core import Entry, Timeline
from chronoscore.dates import folding
from chronoscore.dates.later import read_later
from chronoscore.dates.ranges import skip_hedges
from chronoscore.dates.relative_labels import LONGEST
from chronoscore.dates.tongues import may_name_month
from chronoscore.dates.when import When
from chronoscore.errors import DataError
from chronoscore.formats.timelines import plain_data
from chronoscore.formats.timelines.answer_parts import hide_reasoning
from chronoscore.formats.timelines.markdown_dates import (
    read_markdown_line_date,
    split_dated_markdown_line,
)
from chronoscore.formats.timelines.markdown_dating import may_be_relative
from chronoscore.formats.timelines.markdown_fields import FIELD
from chronoscore.formats.timelines.timeline_files import read_timeline_text
from chronoscore.lazy import pattern

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_month = "|".join(_MONTHS)
_dates = rf"\d{{4}}-\d\d-\d\d|\d\d? (?:{_month}) \d{{4}}|(?:{_month}) \d\d?, \d{{4}}"
_letter = "A-Za-zÀ-ɏ0-9"
_inside = rf"[{_letter},;:.'’%$)\"”!?/-]*"
_word = rf"[{_letter}$€£(\"“‘']{_inside}"
_sentence = (
    rf"[\"“]?[A-ZÀ-Þ]{_inside}(?: (?:{_word}|[–—&-](?= )|\*\*{_word}(?: {_word})*\*\*[,.;]?))*"
)
_line = pattern(
    rf"(?P<mark>[-*•] |\| |\d{{1,3}}\. |#{{1,6}} )?(?P<bold>\*\*)?(?P<date>{_dates})"
    r"(?P<sign>(?(bold)(?::\*\*|\*\*:?|\*\* [–—|-])|(?:| \||:)))"
    rf"(?: (?P<text>{_sentence})(?P<end> \|)?)?"
)
_item = pattern(rf"(?P<mark>[-*•] )?(?P<text>{_sentence})")
_label_end = pattern(r"[:–—]|- ")
_day = pattern(_dates)
_sentence_alone = pattern(_sentence)
_number = pattern(r"\d[\d,.]*\d|\d")
_MOST_LINES = 5
_LONGEST = 500
_OPENING_WORDS = 10
_LABEL = 80
"""Characters from which on a text is no label."""
_SHOWN = ("2031-03-12", "2031-03-14")


class _Form(NamedTuple):
    """How each day is written: what stands before it, behind it, and behind its text.

    `below` is the mark of items below a day, "" of a paragraph, and None where there are none.
    """

    mark: str
    bold: str
    sign: str
    end: str
    below: str | None

    def write(self, days: Sequence[str]) -> Iterator[str]:
        """A list of days in this form."""
        for number, day in enumerate(days, 1):
            mark = f"{number}. " if self.mark == "1. " else self.mark
            text = f" It broke.{self.end}" if self.below is None else ""
            yield f"{mark}{self.bold}{day}{self.sign}{text}"
            yield from [] if self.below is None else [f"{self.below}It broke."]


def read(text: str) -> Timeline | None:
    """The timeline of a plain list of days; nothing where any line has another form.

    >>> [str(day) for day in read("- 2031-03-12: It broke.\\n- 2031-03-14: Help came.").dates]
    ['2031-03-12', '2031-03-14']
    >>> read("- 12 March: The dam broke.")
    """
    if "<" in text:
        text = hide_reasoning(text)[0]
    text = text.strip()
    if "{" in text:
        return _read_data(text)
    lines = text.split("\n")
    with folding.assume(text):
        listed = _read_list(lines)
    if listed is None:
        return None
    above, below = tuple(lines[: listed.first]), tuple(lines[listed.end :])
    if below and (listed.form.mark in ("", "| ") or below[0].strip()):
        # What follows at once may continue the last sentence.
        return None
    if above or below:
        shown = "\n".join(listed.form.write(_SHOWN))
        if len(listed.days) < len(_SHOWN) or not _are_silent(above, below, shown):
            return None
    return Timeline(tuple(Entry(when, tuple(texts)) for when, texts in listed.days))


def _read_data(text: str) -> Timeline | None:
    """The timeline of plain data, alone or between lines that say nothing."""
    found = plain_data.find(text)
    if found is None or not all(map(_is_plain, found.days)):
        return None
    days = [(_read_day(day), texts) for day, texts in found.days]
    entries = tuple(Entry(when, tuple(texts)) for when, texts in days if when is not None)
    in_order = all(a.when.first < b.when.first for a, b in pairwise(entries))
    if len(entries) < len(days) or not in_order:
        return None
    above, below = tuple(found.above), tuple(found.below)
    if above or below:
        shown = found.write([(day, ["It broke at night."]) for day in _SHOWN])
        if len(days) < len(_SHOWN) or not _are_silent(above, below, shown):
            return None
    return Timeline(entries)


def _is_plain(said: tuple[object, Sequence[object]]) -> bool:
    """Whether a day and its texts are nothing else to any reader."""
    day, texts = said
    return (
        isinstance(day, str)
        and _day.fullmatch(day) is not None
        and bool(texts)
        and all(
            isinstance(one, str) and "**" not in one and _sentence_alone.fullmatch(one)
            for one in texts
        )
    )


class _List(NamedTuple):
    """The days of a list, and its first line and the one behind its last."""

    form: _Form
    days: list[tuple[When, list[str]]]
    first: int
    end: int


def _read_list(lines: Sequence[str]) -> _List | None:
    days: list[tuple[When, list[str]]] = []
    forms = set()
    first = end = 0
    for number, line in enumerate(lines):
        found = _line.fullmatch(line)
        if found is None:
            item = _item.fullmatch(line) if days else None
            if item is not None and (item["mark"] or not days[-1][1]):
                forms.add(item["mark"] or "")
                if len(forms) > 2 or _is_unsafe(item["text"], line) or _may_open(item["text"]):
                    return None
                days[-1][1].append(item["text"].replace("**", ""))
                end = number + 1
            elif days and line.strip():
                break
            continue
        mark, bold, day, sign, said, closing = found.groups()
        if mark and mark[0].isdigit():
            # Numbers that do not count may be read as days.
            if mark != f"{len(days) + 1}. ":
                return None
            mark = "1. "
        when = _read_day(day)
        # Days of two forms, out of order or said twice are for readers that note it.
        if when is None or (days and when.first <= days[-1][0].first):
            return None
        forms.add((mark or "", bold or "", sign, closing or "", said is None))
        if len(forms) > 2 or (said and _is_unsafe(said, line.removeprefix(mark or ""))):
            return None
        first = first if days else number
        end = number + 1
        days.append((when, [said.replace("**", "")] if said else []))
    return _List(form, days, first, end) if (form := _one_form(forms, days)) else None


def _one_form(
    forms: set[tuple[str, str, str, str, bool] | str], days: Sequence[tuple[When, list[str]]]
) -> _Form | None:
    """The form that all days have, if it is one that is read here."""
    below = [one for one in forms if isinstance(one, str)]
    heads = [one for one in forms if not isinstance(one, str)]
    if len(heads) != 1 or len(below) > 1 or not all(texts for _, texts in days):
        return None
    mark, bold, sign, end, alone = heads[0]
    row = mark == "| "
    if alone != bool(below) or row != sign.endswith("|") or row != bool(end):
        return None
    if alone and (not (bold or mark.startswith("#")) or mark in ("- ", "* ", "• ", "1. ")):
        return None
    if not alone and (not sign or sign == "**" or mark.startswith("#")):
        return None
    return _Form(mark, bold, sign, end, below[0] if below else None)


def _is_unsafe(sentence: str, line: str) -> bool:
    """Whether a text may hold a field or another entry."""
    if ":" in sentence and (sentence.endswith(":") or FIELD.match(line)):
        return True
    return "; " in sentence and len(split_dated_markdown_line(sentence)) > 1


def _may_open(sentence: str) -> bool:
    """Whether an item below a day may begin with a day of its own."""
    if _label_end.search(sentence) or read_later(sentence) is not None:
        return True
    if len(sentence) <= LONGEST and may_be_relative(sentence):
        return True
    opening = sentence.split(" ", _OPENING_WORDS)[:_OPENING_WORDS]
    if not any(map(_may_date, opening)) or (len(sentence) > _LABEL and _begins_plainly(opening)):
        return False
    try:
        return read_markdown_line_date(sentence, "2031", listed=False) is not None
    except DataError:
        return True


@lru_cache(maxsize=50_000)
def _may_date(word: str) -> bool:
    """Whether a word may be of a date."""
    return any(map(str.isdigit, word)) or may_name_month(word)


def _begins_plainly(words: Sequence[str]) -> bool:
    """Whether no date stands where one opens a sentence: ahead, or behind "in early" and so on.

    A bare number before a plain word, as in "the 300 miners", is none that stands by itself.
    """
    text = " ".join(words)
    first, _, rest = text[skip_hedges(text).end :].partition(" ")
    second = rest.partition(" ")[0]
    if not second.isalpha() or _may_date(second):
        return False
    if first.isalpha():
        return not _may_date(first)
    return second.islower() and len(second) > 3 and _number.fullmatch(first) is not None


@lru_cache(maxsize=10_000)
def _read_day(text: str) -> When | None:
    """A day as it is written; days come again and again."""
    if text[0].isdigit() and text[4:5] == "-":
        year, month, day = text.split("-")
    else:
        first, second, year = text.replace(",", "").split(" ")
        name, day = (second, first) if first.isdigit() else (first, second)
        month = str(_MONTHS.index(name) + 1)
    try:
        return When.of(date(int(year), int(month), int(day)))
    except ValueError:
        return None


@lru_cache(maxsize=10_000)
def _are_silent(above: tuple[str, ...], below: tuple[str, ...], shown: str) -> bool:
    """Whether lines above and below a list leave it as it is, for every reader of answers.

    `shown` is a list of two days in the same form; shorter ones may be read in other ways.
    """
    told = [line for line in (*above, *below) if line.strip()]
    said = "\n".join(told)
    if len(told) > _MOST_LINES or len(said) > _LONGEST or any(map(str.isnumeric, said)):
        return False
    if any(map(may_name_month, said.split())):
        return False
    try:
        found = read_timeline_text("\n".join((*above, shown, *below)), "").timelines
    except DataError:
        return False
    return [one.timeline for one in found] == [read(shown)]
