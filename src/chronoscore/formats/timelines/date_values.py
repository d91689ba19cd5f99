"""What single values are as dates."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from chronoscore import lazy
from chronoscore.dates.days import MONTHS
from chronoscore.dates.folding import fold
from chronoscore.dates.numbers import looks_dated
from chronoscore.errors import DataError

DateKind: TypeAlias = Literal["", "full", "wrong", "year", "epoch", "yearless", "strange"]
"""What a value is as a date: a whole one, one that cannot be, a year alone, seconds since 1970, one
without its year, or a few words that we do not know beside a year."""
STRENGTH: Mapping[DateKind, float] = {
    "": 0, "full": 1, "wrong": 0.9, "year": 0.6, "epoch": 0.6, "yearless": 0.5, "strange": 0.4
}  # fmt: skip

_ISO = lazy.pattern(r"\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ][\d:.Z+-]+)?)?")
_YEAR = lazy.pattern(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_LONGEST_DATE = 80


def date_kind(value: Any) -> DateKind:
    """What a value is as a date; nothing for any other value."""
    if isinstance(value, str):
        return _text_kind(value.strip())
    if hasattr(value, "isoformat"):
        return "full"
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return ""
    if 1000 <= value <= 2100:
        return "year"
    if epoch_day(value) is not None:
        return "epoch"
    return _text_kind(str(value)) if 10000101 <= value <= 21001231 else ""


def _text_kind(text: str) -> DateKind:
    if not text or len(text) > _LONGEST_DATE:
        return ""
    if _ISO.fullmatch(text):
        return "full"
    if text.isdecimal() and len(text) != 8:
        return date_kind(int(text)) if 4 <= len(text) <= 13 else ""
    if not looks_dated(text):
        return ""
    from chronoscore.dates.openings import whole_date

    try:
        date = whole_date(text, "2000")
    except DataError as error:
        meant = error.reason == "no such date" or "day from month" in error.message
        if meant:
            return "wrong"
        return "strange" if len(text) <= 30 and _YEAR.search(fold(text)) else ""
    return "yearless" if date.yearless else "full"


def epoch_day(value: Any) -> str | None:
    """The day of a number of seconds or milliseconds since 1970, from 1973 to 2100."""
    from datetime import UTC, datetime

    if isinstance(value, str) and len(value) < 40 and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value > 1e15:
        return None
    seconds = value / 1000 if value >= 1e11 else value
    if not 1e8 <= seconds < 4.1e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def place_in_time(value: Any) -> float:
    """Where a date lies in time, roughly, in years."""
    text = str(value).strip()
    if _ISO.match(text):
        return int(text[:4]) + int(text[5:7]) / 12 + int(text[8:10] or 0) / 366
    if day := epoch_day(value):
        return place_in_time(day)
    from chronoscore.dates.openings import whole_date

    try:
        return 1 + whole_date(text, "2000").when.first / 365.2425
    except DataError:
        return 0


def join_date(year: str, month: str, day: str) -> str:
    """The date that stands in parts: `2011`, `3` and `11`, or `2011`, `March` and `11–13`.

    >>> join_date("2011", "3", "11"), join_date("2011", "March", "")
    ('2011-03-11', 'March 2011')
    >>> join_date("", "March", "11")
    '11 March'
    """
    if not month or not (month.isdigit() and year):
        return " ".join(part for part in (day, month, year) if part)
    if day and not day.isdigit():
        name = MONTHS[int(month) - 1] if 1 <= int(month) <= 12 else month
        return f"{day} {name} {year}"
    return f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")
