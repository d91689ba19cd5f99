"""Points of the calendar as running text names them, their TIMEX3 values, and steps between them.

Years are counted without a gap, as in `days`: 0 is 1 BC. TIMEX3 writes BC years as
BC0490, decades and centuries by the digits that are left (196, BC047, 19).
"""

from dataclasses import dataclass, replace

from chronoscore.dates.days import calendar_day, day_number, month_length
from chronoscore.dates.when import When
from chronoscore.errors import DataError

UNITS = ("day", "week", "month", "year", "decade", "century")
"""The units that a calendar steps by; shorter ones give lengths of time only."""

_SEASON_MONTHS = {"SP": 4, "SU": 7, "FA": 10, "WI": 1}
_DURATION_LETTERS = {
    "second": "S", "minute": "M", "hour": "H", "day": "D", "week": "W", "weekend": "WE",
    "fortnight": "W", "month": "M", "quarter": "Q", "year": "Y", "decade": "DE", "century": "CE",
}  # fmt: skip
_FINER = {
    "century": (100, "year"), "decade": (10, "year"), "year": (12, "month"), "month": (30, "day"),
    "week": (7, "day"), "day": (1, "day"),
}  # fmt: skip
_CLOCK_UNITS = ("second", "minute", "hour")


@dataclass(frozen=True, slots=True)
class Point:
    """A year and, as far as they are known, what part of it and what time of day.

    `width` 10 or 100 makes it a decade or a century; `part` is SU, H1, Q3 or W07, and
    `clock` the TIMEX3 time of day, such as MO or 05:34.
    """

    year: int
    month: int = 0
    day: int = 0
    part: str = ""
    clock: str = ""
    width: int = 1

    @classmethod
    def of(cls, when: When) -> "Point":
        """Take a `When` for a point, as fine as it is."""
        year, month, day = calendar_day(when.first)
        if when.grain == "day":
            return cls(year, month, day)
        if when.grain == "month":
            return cls(year, month)
        return cls(year, width={"year": 1, "decade": 10, "century": 100}[when.grain])

    @property
    def value(self) -> str:
        """The TIMEX3 value."""
        era, number = ("BC", 1 - self.year) if self.year < 1 else ("", self.year)
        if self.width == 10:
            return f"{era}{number // 10:03}"
        if self.width == 100:
            return f"{era}{(number - 1) // 100:02}"
        text = f"{era}{number:04}"
        if self.part:
            text += f"-{self.part}"
        elif self.month:
            text += f"-{self.month:02}" + (f"-{self.day:02}" if self.day else "")
        if self.clock and not self.day:
            text += "-XX" if self.month else "-XX-XX"
        return text + (f"T{self.clock}" if self.clock else "")

    @property
    def when(self) -> When | None:
        """The same as a `When`; a week, season, quarter or half is its larger neighbour.

        A week is the month that holds its Thursday, a season or a part of a year the year.
        Nothing where the calendar has no such date.
        """
        bc = self.year < 1
        number = 1 - self.year if bc else self.year
        try:
            if self.width == 10:
                return When.decade(number // 10 * 10, bc=bc)
            if self.width == 100:
                return When.century((number + 99) // 100, bc=bc)
            if self.part[:1] == "W" and self.part[1:3].isdigit():
                year, month, _ = calendar_day(_monday(self.year, int(self.part[1:3])) + 3)
                return When.month(year, month)
            if self.part or not self.month:
                return When.year(number, bc=bc)
            if not self.day:
                return When.month(number, self.month, bc=bc)
            return When.day(number, self.month, self.day, bc=bc)
        except DataError:
            return None

    @property
    def number(self) -> int:
        """A day number near its middle, to measure nearness with."""
        month = self.month or _SEASON_MONTHS.get(self.part, 7)
        return day_number(self.year, month, self.day or 1)

    def at(self, clock: str) -> "Point":
        """The same day at a time of day."""
        return replace(self, clock=clock)

    def step(self, count: int, unit: str) -> "Point | None":
        """Move by units; only as fine as the unit and the point itself allow."""
        if unit in ("day", "week"):
            if not self.day:
                return None
            days = count * (7 if unit == "week" else 1)
            return Point(*calendar_day(day_number(self.year, self.month, self.day) + days))
        if unit == "month":
            if not self.month:
                return None
            years, month = divmod(self.month - 1 + count, 12)
            return Point(self.year + years, month + 1)
        if unit == "year":
            return Point(self.year + count)
        width = 10 if unit == "decade" else 100
        return Point(self.year + width * count, width=width)

    def away(self, count: float, unit: str) -> "Point | None":
        """The point so many units away, as people tell it.

        Decades lead to a year, several weeks to a week, a year and a half to a month.
        """
        steps, finer = _FINER[unit]
        if finer == "year" or count != int(count):
            point = self.step(round(count * steps), finer)
            return point.coarse(unit) if point and finer == "day" else point
        if unit == "week" and abs(count) > 1:
            return week_of(self, int(count)) if self.day else None
        return self.step(int(count), unit)

    def coarse(self, unit: str) -> "Point | None":
        """The week, month, year, decade or century that it lies in."""
        if unit == "day":
            return Point(self.year, self.month, self.day) if self.day else None
        if unit == "week":
            return week_of(self) if self.day else None
        if unit == "month":
            return Point(self.year, self.month) if self.month else None
        return Point(self.year, width={"year": 1, "decade": 10, "century": 100}[unit])


def _monday(year: int, week: int) -> int:
    """The day number of the Monday of an ISO week."""
    fourth = day_number(year, 1, 4)
    return fourth - (fourth - 1) % 7 + 7 * (week - 1)


def week_of(point: Point, shift: int = 0) -> Point:
    """The ISO week of a day, or one some weeks away."""
    day = day_number(point.year, point.month, point.day) + 7 * shift
    thursday = day - (day - 1) % 7 + 3
    year = calendar_day(thursday)[0]
    return Point(year, part=f"W{(thursday - day_number(year, 1, 1)) // 7 + 1:02}")


def day_of_week(point: Point, weekday: int, shift: int = 0) -> Point:
    """The day of a name in the ISO week of a day, or in one some weeks away."""
    day = day_number(point.year, point.month, point.day) - weekday_of(point)
    return Point(*calendar_day(day + weekday + 7 * shift))


def weekday_of(point: Point) -> int:
    """Monday is 0."""
    return (day_number(point.year, point.month, point.day) - 1) % 7


def day_exists(point: Point) -> bool:
    """Whether the month has such a day."""
    return not point.day or point.day <= month_length(point.year, point.month)


def timex_duration(count: str, unit: str) -> str:
    """The TIMEX3 value of a length of time: 3 days P3D, an hour PT1H, some weeks PXW."""
    letter = _DURATION_LETTERS[unit]
    if unit == "fortnight":
        count = str(2 * int(count)) if count.isdigit() else count
    return f"P{'T' if unit in _CLOCK_UNITS else ''}{count}{letter}"


_GREGORIAN = 1583


def easter_sunday(year: int) -> Point:
    """Western Easter Sunday, by the Gregorian computus; before 1583 by the Julian one."""
    if year < _GREGORIAN:
        moon = (19 * (year % 19) + 15) % 30
        days = moon + (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7 + 114
        return Point(year, days // 31, days % 31 + 1)
    golden, century = year % 19, year // 100
    epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    epact -= (epact // 28) * (1 - (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + epact + 2 - century + century // 4) % 7
    offset = epact - weekday
    month = 3 + (offset + 40) // 44
    return Point(year, month, offset + 28 - 31 * (month // 4))
