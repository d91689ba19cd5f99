"""When something happened: a span of days, as finely as the source tells.

Timelines say "800 BC" and "June 1997" as well as 2010-06-03, so a date here is
not a `datetime.date` but every day that the words allow.
"""

import re
from dataclasses import dataclass
from functools import lru_cache, total_ordering
from typing import TYPE_CHECKING, Any

from chronoscore.dates.days import MONTHS, DateParts, Grain, calendar_day, day_number, month_length
from chronoscore.errors import DataError, WrongTypeError, describe_type

if TYPE_CHECKING:
    import datetime

_LAST_AD = 9_999
_LAST_BC = 999_999
_plain_day = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII).fullmatch


@total_ordering
@dataclass(frozen=True, slots=True)
class When:
    """A day, month, year, decade or century: all days from `first` to `last`.

    Make one with `parse`, `of`, `day`, `month`, `year`, `decade` or `century`.
    Days are numbered like `datetime.date.toordinal`: day 1 is 1 January AD 1 and
    day 0 the last of 1 BC, in the Gregorian calendar throughout. There is no
    year 0. Earlier first days sort first; of two that begin on the same day the
    longer one does, as a heading comes before what it covers.

    A decade is the years that begin alike (1920 to 1929; 799 to 790 BC for the
    790s BC), so the 1900s and 1800s are decades too, and the decade next to the
    turn of the era has nine years. The 20th century is 1901 to 2000, the 5th
    century BC 500 to 401 BC.

    >>> str(When.parse("3rd of June, 2010")), str(When.parse("c. 800 BCE"))
    ('2010-06-03', '800 BC')
    >>> When.parse("1997-06").distance(When.parse("1997-07-04"))
    4
    """

    first: int
    last: int
    grain: Grain

    @classmethod
    def parse(cls, text: str) -> "When":
        """Read a date as people, ISO 8601 or TIMEX3 write it; `str` is read back exactly.

        A time of day, a weekday and "circa" are read over: the time zone moves
        nothing, and the weekday is not checked. TIMEX3's 192 is the 1920s and its
        19 the 20th century, its BC046 the 460s BC.
        """
        if not isinstance(text, str):
            raise WrongTypeError(f"{describe_type(text)} is not a date; give text as 2010-06-03")
        try:
            return _parse_plain_day(text) or _parse_written(text)
        except _NoSuchDateError as error:
            raise DataError(
                f"date {text!r} does not exist; {error}", reason="no such date"
            ) from None

    @classmethod
    def of(cls, value: "When | datetime.date | datetime.datetime | str") -> "When":
        """Take whatever a caller has for a date; a date-time counts as its day."""
        if isinstance(value, str):
            return cls.parse(value)
        if isinstance(value, When):
            return value
        given: Any = value
        try:
            number = (
                given.astype("datetime64[D]").item().toordinal()
                if type(given).__name__ == "datetime64"
                else given.toordinal()
            )
        except (AttributeError, ValueError):  # the latter from pandas, where there is no date
            raise DataError(
                f"date {value!r} is neither text nor a date; give 2010-06-03", reason="date"
            ) from None
        return cls(number, number, "day")

    @classmethod
    def day(cls, year: int, month: int, day: int, *, bc: bool = False) -> "When":
        """Make one day, the year given as people count it."""
        count = _astronomical(year, bc)
        _check_month(month)
        if not 1 <= day <= 28 and not 1 <= day <= month_length(count, month):
            where = f"{MONTHS[month - 1]} {_year_text(count)}"
            raise _NoSuchDateError(f"{where} has days 1 to {month_length(count, month)}")
        number = day_number(count, month, day)
        return cls(number, number, "day")

    @classmethod
    def month(cls, year: int, month: int, *, bc: bool = False) -> "When":
        """Make one month."""
        count = _astronomical(year, bc)
        _check_month(month)
        first = day_number(count, month, 1)
        return cls(first, first + month_length(count, month) - 1, "month")

    @classmethod
    def year(cls, year: int, *, bc: bool = False) -> "When":
        """Make one year."""
        count = _astronomical(year, bc)
        return cls._years(count, count, "year")

    @classmethod
    def decade(cls, start: int, *, bc: bool = False) -> "When":
        """Make the decade whose name is `start` with an s: 1920, or 790 before Christ."""
        if start % 10:
            raise _NoSuchDateError(f"a decade ends in 0, such as {abs(start) // 10 * 10}s")
        # The 0s have no year 0.
        low, high = _astronomical(start or 1, bc), _astronomical(start + 9, bc)
        return cls._years(min(low, high), max(low, high), "decade")

    @classmethod
    def century(cls, number: int, *, bc: bool = False) -> "When":
        """Make the number-th century."""
        if number < 1:
            raise _NoSuchDateError("centuries are counted from 1")
        low, high = _astronomical(100 * number - 99, bc), _astronomical(100 * number, bc, spare=1)
        return cls._years(min(low, high), max(low, high), "century")

    @property
    def days(self) -> int:
        """How many days it spans."""
        return self.last - self.first + 1

    def distance(self, other: "When") -> int:
        """Count the days between the nearest ends; 0 where the two share a day.

        Between days this is the difference. It is symmetric, but a coarse date is
        at no distance from two days that are apart: no triangle inequality there.
        """
        return max(0, other.first - self.last, self.first - other.last)

    def overlaps(self, other: "When") -> bool:
        """Say whether the two share a day."""
        return self.first <= other.last and other.first <= self.last

    def contains(self, other: "When") -> bool:
        """Say whether every day of the other is one of these."""
        return self.first <= other.first and other.last <= self.last

    def shift(self, days: int) -> "When":
        """Move by days, keeping the grain.

        A day moves exactly. A coarser date becomes the month, year, decade or
        century that its middle day moves into, so that a small shift leaves it
        where it is, forwards as backwards.
        """
        if self.grain == "day":
            number = self.first + days
            _check_range(number)
            return When(number, number, "day")
        middle = (self.first + self.last) // 2 + days
        _check_range(middle)
        return When._of_parts(_parts(middle, self.grain))

    def to_date(self) -> "datetime.date":
        """Give the day to code that wants a `datetime.date`, which knows only AD days."""
        if self.grain != "day" or self.first < 1:
            wanted = "a single day" if self.grain != "day" else "a day after Christ"
            raise DataError(f"date '{self}' is not {wanted}; it has no datetime.date")
        import datetime

        return datetime.date.fromordinal(self.first)

    @property
    def order(self) -> tuple[int, int]:
        """What dates are sorted by: as by `<`, but sooner."""
        return self.first, -self.last

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, When):
            return NotImplemented
        return self.first < other.first or (self.first == other.first and self.last > other.last)

    def __str__(self) -> str:
        """Write it the one way that `parse` reads back: ISO where ISO has a form."""
        grain, number, month, day, bc = _parts(self.first, self.grain)
        if grain == "century":
            return f"{number}{_ordinal_ending(number)} century{' BC' if bc else ''}"
        if grain == "decade":
            return _with_era(f"{number}s", number, bc)
        if grain == "year":
            return _with_era(str(number), number, bc)
        if bc:
            month_text = f"{MONTHS[month - 1]} {number} BC"
            return month_text if grain == "month" else f"{day} {month_text}"
        text = f"{number:04}-{month:02}"
        return text if grain == "month" else f"{text}-{day:02}"

    @classmethod
    def _of_parts(cls, parts: DateParts) -> "When":
        grain, number, month, day, bc = parts
        if grain == "day":
            return cls.day(number, month, day, bc=bc)
        if grain == "month":
            return cls.month(number, month, bc=bc)
        if grain == "year":
            return cls.year(number, bc=bc)
        return cls.decade(number, bc=bc) if grain == "decade" else cls.century(number, bc=bc)

    @classmethod
    def _years(cls, low: int, high: int, grain: Grain) -> "When":
        return cls(day_number(low, 1, 1), day_number(high + 1, 1, 1) - 1, grain)


@lru_cache(maxsize=1 << 16)
def _parse_plain_day(text: str) -> When | None:
    """Read the form that nearly all dates have; timelines name the same days again and again."""
    found = _plain_day(text)
    return When.day(*map(int, found.groups())) if found else None


def _parse_written(text: str) -> When:
    """Read any other form."""
    # What dates look like in many languages is slow to import; plain days do without.
    from chronoscore.dates.written import parse_date_parts

    return When._of_parts(parse_date_parts(text))


class _NoSuchDateError(DataError):
    """The parts are well written but name no date."""


def _parts(number: int, grain: Grain) -> DateParts:
    """Name the day, month, year, decade or century that a day belongs to."""
    count, month, day = calendar_day(number)
    bc = count < 1
    year = 1 - count if bc else count
    if grain == "decade":
        year -= year % 10
    elif grain == "century":
        year = (year + 99) // 100
    return DateParts(grain, year, month, day, bc)


def _astronomical(year: int, bc: bool, *, spare: int = 0) -> int:
    """Check a year as people count it and turn 1 BC into 0; `spare` years may lie beyond."""
    if year == 0:
        raise _NoSuchDateError("there is no year 0, 1 BC is followed by AD 1")
    if not 1 <= year <= (_LAST_BC if bc else _LAST_AD) + spare:
        raise _NoSuchDateError(f"years run from {_LAST_BC} BC to AD {_LAST_AD}")
    return 1 - year if bc else year


def _check_month(month: int) -> None:
    if not 1 <= month <= 12:
        raise _NoSuchDateError(f"there is no month {month}, months run from 1 to 12")


def _check_range(number: int) -> None:
    if not day_number(1 - _LAST_BC, 1, 1) <= number <= day_number(_LAST_AD, 12, 31):
        raise DataError(f"a date moved past {_LAST_BC} BC or AD {_LAST_AD}; shift by fewer days")


def _year_text(count: int) -> str:
    return f"{1 - count} BC" if count < 1 else str(count)


def _with_era(text: str, number: int, bc: bool) -> str:
    """Write the era where a bare number would be misread."""
    if bc:
        return f"{text} BC"
    return text if number >= 1000 else f"AD {text}"


def _ordinal_ending(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
