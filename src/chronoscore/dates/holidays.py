"""Holidays that news names: on a day of the calendar, on a weekday, or so long after Easter."""

from typing import NamedTuple

from chronoscore.dates.days import calendar_day, day_number
from chronoscore.dates.languages import read_table
from chronoscore.dates.points import Point, easter_sunday, weekday_of


class Holiday(NamedTuple):
    """A day of the year; where it moves, the first such weekday on or after that day.

    Where `easter` says so, the day is counted from Easter Sunday, and month and day tell only
    about when that is.
    """

    month: int
    day: int
    weekday: int | None = None
    easter: int | None = None

    @property
    def moves(self) -> bool:
        """Whether it is on another day in another year."""
        return self.weekday is not None or self.easter is not None

    def in_year(self, year: int) -> Point:
        """The day of a year on which it falls."""
        if self.easter is not None:
            sunday = easter_sunday(year)
            number = day_number(year, sunday.month, sunday.day) + self.easter
            return Point(*calendar_day(number))
        point = Point(year, self.month, self.day)
        if self.weekday is None:
            return point
        first = day_number(year, self.month, self.day)
        return Point(*calendar_day(first + (self.weekday - weekday_of(point)) % 7))


_TABLE = read_table("english")["holidays"]
HOLIDAYS = {
    **{name: Holiday(*day) for kind in ("days", "weekdays") for name, day in _TABLE[kind].items()},
    **{name: Holiday(4, 8, easter=days) for name, days in _TABLE["easter"].items()},
}
_BY_NAME = {name.casefold().replace("'", ""): day for name, day in HOLIDAYS.items()}


def holiday_named(words: str) -> Holiday:
    """The holiday of a name that `HOLIDAYS` has, whatever its case and apostrophes."""
    return _BY_NAME[words.casefold().replace("’", "").replace("'", "")]
