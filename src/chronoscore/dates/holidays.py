"""Holidays that news names: on a day of the calendar, on a weekday, or so long after Easter."""

from typing import NamedTuple

from chronoscore.dates.days import calendar_day, day_number
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


_DAYS = {
    "New Year's Eve": (12, 31), "New Year's Day": (1, 1), "New Year's": (1, 1),
    "Groundhog Day": (2, 2), "Valentine's Day": (2, 14), "St. Patrick's Day": (3, 17),
    "April Fools' Day": (4, 1), "Earth Day": (4, 22), "May Day": (5, 1), "Cinco de Mayo": (5, 5),
    "Flag Day": (6, 14), "Juneteenth": (6, 19), "Canada Day": (7, 1), "Independence Day": (7, 4),
    "Bastille Day": (7, 14), "Halloween": (10, 31), "All Saints' Day": (11, 1),
    "All Souls' Day": (11, 2), "Veterans' Day": (11, 11), "Armistice Day": (11, 11),
    "Remembrance Day": (11, 11), "Christmas Eve": (12, 24), "Christmas Day": (12, 25),
    "Boxing Day": (12, 26),
}  # fmt: skip
_WEEKDAYS = {
    "Martin Luther King Jr. Day": (1, 15, 0), "Martin Luther King Day": (1, 15, 0),
    "MLK Day": (1, 15, 0), "Presidents' Day": (2, 15, 0), "Mother's Day": (5, 8, 6),
    "Memorial Day": (5, 25, 0), "Father's Day": (6, 15, 6), "Labor Day": (9, 1, 0),
    "Columbus Day": (10, 8, 0), "Election Day": (11, 2, 1), "Thanksgiving Day": (11, 22, 3),
    "Thanksgiving": (11, 22, 3), "Cyber Monday": (11, 26, 0),
}  # fmt: skip
_FROM_EASTER = {
    "Shrove Tuesday": -47, "Mardi Gras": -47, "Ash Wednesday": -46, "Palm Sunday": -7,
    "Maundy Thursday": -3, "Holy Thursday": -3, "Good Friday": -2, "Holy Saturday": -1,
    "Easter Sunday": 0, "Easter Monday": 1, "Ascension Day": 39, "Whit Sunday": 49,
    "Pentecost": 49, "Whit Monday": 50,
}  # fmt: skip
HOLIDAYS = {
    **{name: Holiday(*day) for name, day in _DAYS.items()},
    **{name: Holiday(*day) for name, day in _WEEKDAYS.items()},
    **{name: Holiday(4, 8, easter=days) for name, days in _FROM_EASTER.items()},
}
_BY_NAME = {name.casefold().replace("'", ""): day for name, day in HOLIDAYS.items()}


def holiday_named(words: str) -> Holiday:
    """The holiday of a name that `HOLIDAYS` has, whatever its case and apostrophes."""
    return _BY_NAME[words.casefold().replace("’", "").replace("'", "")]
