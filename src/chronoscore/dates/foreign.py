"""Dates in running text of other languages than English, where they are written out.

The finder reads English; a date such as "am 11. März 2011" would be a mere year to it. Here
such dates are found by the words that no English date has.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates.folding import fold
from chronoscore.dates.forms import DatePoint
from chronoscore.dates.points import Point
from chronoscore.dates.stated import find_stated_dates
from chronoscore.dates.vocabulary import ENGLISH, LANGUAGES
from chronoscore.dates.when import When
from chronoscore.errors import DataError

_SIGNS = "年月년월"
_ENGLISH_NAMES = {name for names in ENGLISH.months for name in names.split()}
_NAMES = {
    fold(name).split("_")[0].casefold()
    for language in LANGUAGES[1:]
    for names in language.months
    for name in names.split()
    if "/" not in name and (len(name) > 3 or name in ("mai", "mei", "мая", "май", "آب", "آذار"))
} - _ENGLISH_NAMES
_WORDS = lazy.pattern(r"[^\W\d_]{3,}")
_NUMBER = lazy.pattern(r"\d{1,4}")
_WORD_AFTER = lazy.pattern(r"(?:\.|º|°|er|-го)?\s+(?:de\s+)?([^\W\d_]{3,})")
_WORD_BEFORE = lazy.pattern(r"([^\W\d_]{3,})\.?,?\s+(?:de\s+|del\s+|do\s+)?$")
_PLANET = "mars"


class ForeignDate(NamedTuple):
    """A date of another language from `start` to `end`, its day and its TIMEX3 value."""

    start: int
    end: int
    when: When | None
    value: str


def find_foreign_dates(text: str, year: int | None = None) -> list[ForeignDate]:
    """The dates of a text that are written in another language than English.

    A date without a year is in that of the date before it, else in the given one.
    """
    return list(_read(text, year)) if _has_foreign(text) else []


def _has_foreign(text: str) -> bool:
    if not text.isascii() and any(sign in text for sign in _SIGNS):
        return True
    if _NAMES.isdisjoint(_WORDS.findall(fold(text).casefold())):
        return False
    # A name alone, such as that of a planet, is not worth making the patterns of all languages.
    for number in _NUMBER.finditer(text):
        after = _WORD_AFTER.match(text, number.end())
        before = _WORD_BEFORE.search(text[max(0, number.start() - 24) : number.start()])
        if any(found and fold(found[1]).casefold() in _NAMES for found in (after, before)):
            return True
    return False


def _read(text: str, year: int | None) -> Iterator[ForeignDate]:
    for start, end, point in find_stated_dates(text):
        written = fold(text[start:end]).casefold()
        names = _NAMES.intersection(re.findall(r"[^\W\d_]+", written))
        if not point.signed and (not names or (_PLANET in names and not point.day)):
            continue
        when = _when(point, year)
        if when is not None:
            year = Point.of(when).year
            yield ForeignDate(start, end, when, Point.of(when).value)
        elif point.day and point.month:
            yield ForeignDate(start, end, None, _value_without_year(point))


def _when(point: DatePoint, year: int | None) -> When | None:
    known = "" if year is None or year < 1000 else str(year)
    if not (point.year or point.literal or known):
        return None
    try:
        return point.when(known)
    except DataError:
        return None


def _value_without_year(point: DatePoint) -> str:
    """The TIMEX3 value of a day of an unknown year, XXXX-05-03."""
    return "XXXX" + str(When.parse(f"{point.month} 2000"))[4:] + f"-{int(point.day):02}"
