"""The year of dates that have none, from the heading, the title or the entry before."""

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from chronoscore import lazy
from chronoscore.core import When
from chronoscore.dates.days import calendar_day
from chronoscore.dates.folding import fold

HALF_A_YEAR = 183

_YEAR = lazy.pattern(
    r"(?<![\w-])(?:1\d|20)\d\d(?=年|년)|(?<![\w-])(?:1\d|20)\d\d(?![\w-])", re.ASCII
)
_YEARS = lazy.pattern(
    r"(?<![\w-])((?:1\d|20)\d\d)\s*(?:[-–—/~]|to|bis|à|a|al|tot|по|до|إلى|至|から)\s*"
    r"((?:1\d|20)?\d\d)(?![\w-])",
    re.IGNORECASE,
)


class _Dated(Protocol):
    @property
    def when(self) -> When: ...
    @property
    def yearless(self) -> bool: ...


_Date = TypeVar("_Date", bound=_Dated | None)


class YearContext:
    """The year that goes without saying at a place of a document.

    A year from a heading that is a date stays. Under a range of years ("2010–2011") the year
    turns when months run backwards. A year from a title or the entry before turns when the
    dates jump back by more than half a year. In a descending list all this runs backwards.
    """

    def __init__(self, *, descending: bool = False) -> None:
        self.descending = descending
        self.year = ""
        self.limit = ""
        self.source = ""
        self.previous: When | None = None
        self.titled = ""
        """The only year that a title or an introduction names."""
        self._section = 0

    def name(self, first: str, last: str = "", *, source: str) -> None:
        """Take the year, or the first and last of several, that a heading or a text names."""
        if not first:
            return
        self._section += 1
        last = last if last.isdigit() and first.isdigit() and last > first else ""
        self.year, self.limit = (last, first) if self.descending and last else (first, last)
        self.source, self.previous = source, None
        self.titled = "" if self.limit or source == "a dated heading" else first

    def restart(self) -> None:
        """Begin a section: where a title names one year, its dates are counted from there again."""
        self._section += 1
        if self.titled:
            self.year, self.limit, self.previous = self.titled, "", None
            self.source = "the heading"

    @property
    def heading(self) -> int:
        """A number for the section whose heading is one year; 0 in other places."""
        return self._section if self.source == "a dated heading" and not self.limit else 0

    def is_next(self, year: str) -> bool:
        """Whether a year is the one after that of the entries so far."""
        known = self.year.isdigit() and year.isdigit()
        return known and int(year) == int(self.year) + (-1 if self.descending else 1)

    def follow(self, year: str) -> None:
        """Take the year of an entry; under a range of years that holds it, the range stays."""
        bounds = sorted((self.year, self.limit)) if self.limit else []
        if bounds and bounds[0] <= year <= bounds[1]:
            self.year = year
        elif year:
            self.year, self.limit, self.source = year, "", "the entry before"

    def read(self, read_date: Callable[[str], _Date]) -> _Date:
        """Read a date with the year, and again with the next one where the year has turned."""
        date = read_date(self.year)
        if date is None or not date.yearless or not self._has_turned(date.when):
            return date
        self.year = str(int(self.year) + (-1 if self.descending else 1))
        return read_date(self.year)

    def pass_date(self, when: When) -> None:
        """Remember where the entries are; a year around the last date says less than that."""
        if self.previous is None or not when.contains(self.previous):
            self.previous = when

    def explain(self, written: str, guess: str, *, backwards: bool = False) -> str:
        """Say from where a date has its year, unless a heading says it; after another guess.

        A date that lies before the one above it may be of another year than its heading.
        """
        plain = self.source == "a dated heading" and not self.limit and not backwards
        if not self.source or plain:
            return guess
        text = f"date '{written}' is taken to be in {self.year}, from {self.source}"
        return f"{guess}; {text}" if guess else text

    def _has_turned(self, when: When) -> bool:
        if self.previous is None or not self.year.isdigit():
            return False
        earlier, later = (self.previous, when) if self.descending else (when, self.previous)
        if self.limit:
            backwards = _month(earlier) < _month(later)
            return backwards and self.year != self.limit
        return self.source != "a dated heading" and later.first - earlier.first > HALF_A_YEAR


def _month(when: When) -> tuple[int, int]:
    year, month, _ = calendar_day(when.first)
    return year, month


def year_span(text: str) -> tuple[str, str]:
    """The year that a title or introduction speaks of, or the first and last of a range.

    >>> year_span("The crisis of 2010"), year_span("Outbreak (2019–20)"), year_span("2010 and 1920")
    (('2010', ''), ('2019', '2020'), ('', ''))
    """
    plain_text = fold(text)
    spans = {
        (first, last if len(last) == 4 else first[:2] + last)
        for first, last in _YEARS.findall(plain_text)
    }
    years = set(_YEAR.findall(plain_text))
    if len(spans) == 1:
        ((first, last),) = spans
        if years <= {first, last} and first < last:
            return first, last
    return (years.pop(), "") if len(years) == 1 and not spans else ("", "")


def year_for_bare_dates(when: When) -> str:
    """The year that a date lies in, as `When.parse` wants it; nothing for decades and more."""
    if when.grain in ("decade", "century"):
        return ""
    year = calendar_day(when.first)[0]
    if year < 1:
        return f"{1 - year} BC"
    return str(year) if year > 999 else f"AD {year}"
