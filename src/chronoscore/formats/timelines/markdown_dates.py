"""Which date a line of Markdown stands for, and what it says about it."""

import re
from dataclasses import dataclass

from chronoscore.core import When
from chronoscore.dates.days import calendar_day
from chronoscore.dates.openings import SEPARATOR, Opening, opening_date
from chronoscore.dates.vocabulary import MONTHS, ORDINAL_ENDING
from chronoscore.errors import DataError
from chronoscore.formats.timelines.markdown_lines import bold_start, plain

_SYMBOLS = re.compile(r"[^\w\s\[(*_`~'\"“<&$€£#|\\-]+\s*")
_LABEL = re.compile(r"(?:date|when|day)\s*:\s*", re.IGNORECASE)
_BEHIND = re.compile(rf"\s*(?:{SEPARATOR}|[,;.](?=\s|$))*\s*")
_CLOSING = re.compile(
    r"(?P<head>.+?)\s*[(\[](?P<date>[^()\[\]]+)[)\]]\s*(?:$|(?P<mark>[:–—]|-(?=\s))\s*(?P<rest>.*))"
)
_DAY = re.compile(
    rf"(?:the\s+)?(?P<day>\d{{1,2}})(?:{ORDINAL_ENDING})?\s*(?::|–|—|--?)\s+(?P<text>.*)",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
_YEAR = re.compile(r"(?<![\w-])(?:1\d|20)\d\d(?![\w-])", re.ASCII)


@dataclass(frozen=True, slots=True)
class DatedLine:
    """A line's date and its text; `labelled` where it says "Date:" in front."""

    opening: Opening
    text: str
    labelled: bool = False

    @property
    def when(self) -> When:
        """The date."""
        return self.opening.when

    @property
    def exact(self) -> bool:
        """One day and no range: nothing below the line can say it more exactly."""
        return self.when.grain == "day" and not (self.opening.ranged or self.opening.hedged)


def line_date(
    text: str, year: str, *, prose: bool = False, listed: bool = True
) -> DatedLine | None:
    """The date that a line opens with, in bold, in brackets or bare, or closes with in brackets.

    A line that is no list item needs a colon or a dash behind its date, unless `prose` is
    wanted: sentences that begin with a date.
    """
    marked = text
    if (found := _SYMBOLS.match(text)) and found.end() < len(text):
        marked = text[found.end() :]
    if marked.startswith("&#"):
        return None
    if bold := bold_start(marked):
        inner, label = _LABEL.subn("", plain(bold[0]), count=1)
        date = _whole(inner.rstrip(" :.,–—-"), year)
        rest = plain(bold[1])
        rest = rest[_behind(rest) :]
        if date is not None:
            return DatedLine(date, rest, bool(label))
        if not inner and (date := _whole(rest.rstrip(" :.,–—-"), year)):
            return DatedLine(date, "", labelled=True)
        if listed and opening_date(inner, year) is None and (date := opening_date(rest, year)):
            return DatedLine(date, plain(marked)) if date.when.grain in ("day", "month") else None
    bare, label = _LABEL.subn("", plain(marked), count=1)
    found_date = opening_date(bare, year)
    if found_date is None:
        return _closing(bare, year, coarse=not listed) if listed else None
    if not (found_date.strong or _numeric(found_date) or (listed or prose)):
        return None
    cut = found_date.strong or _numeric(found_date)
    cut = cut or (found_date.separated and not found_date.spoken)
    cut = cut or found_date.rest.startswith(("(", "["))
    return DatedLine(found_date, found_date.rest if cut else bare, bool(label))


def closing_date(text: str, year: str) -> DatedLine | None:
    """The date in brackets at the end of a heading, however coarse."""
    return None if text.startswith("&#") else _closing(plain(text), year, coarse=True)


def day_of(month: When, text: str) -> DatedLine | None:
    """The day that an item under the heading of a month begins with, as in "20: …"."""
    found = _DAY.fullmatch(plain(text))
    if found is None:
        return None
    when = When.parse(f"{found['day']} {MONTHS[calendar_day(month.first)[1] - 1]} {year_of(month)}")
    return DatedLine(Opening(when, found["day"], "", strong=True, hedged=True), found["text"])


def year_of(when: When) -> str:
    """The year that a date lies in, as `When.parse` wants it; nothing for decades and more."""
    if when.grain in ("decade", "century"):
        return ""
    year = calendar_day(when.first)[0]
    if year < 1:
        return f"{1 - year} BC"
    return str(year) if year > 999 else f"AD {year}"


def only_year(text: str) -> str:
    """The year that a title or introduction speaks of, if it is one."""
    years = set(_YEAR.findall(text))
    return years.pop() if len(years) == 1 else ""


def _whole(text: str, year: str) -> Opening | None:
    """A text that is a date and nothing else."""
    if not text or (text.isdigit() and len(text) != 4):
        return None
    try:
        return Opening(When.parse(text), text, "", strong=True)
    except DataError:
        found = opening_date(text, year)
        return None if found is None or found.rest else found


def _closing(text: str, year: str, *, coarse: bool) -> DatedLine | None:
    found = _CLOSING.fullmatch(text)
    if found is None:
        return None
    try:
        date = opening_date(found["date"].strip(), year)
    except DataError:
        return None
    if date is None or date.rest or not (coarse or date.when.grain in ("day", "month")):
        return None
    rest = found["rest"] or ""
    return DatedLine(date, f"{found['head']}: {rest}" if rest else found["head"])


def _numeric(found: Opening) -> bool:
    """Written in figures, so that it can be no part of a sentence."""
    return found.when.grain == "day" and found.written[:4].isdigit()


def _behind(text: str) -> int:
    found = _BEHIND.match(text)
    return found.end() if found else 0
