"""Day numbers of the Gregorian calendar, carried back before its invention and before AD 1.

Day 1 is 1 January AD 1, as in `datetime.date.toordinal`; day 0 is the last day
of 1 BC. Years are counted here as astronomers do, without a gap: 0 is 1 BC and
−1 is 2 BC. `datetime` has the same calendar but stops at day 1.
"""

from typing import Literal, NamedTuple

Grain = Literal["day", "month", "year", "decade", "century"]

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_BEFORE_MONTH = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_LENGTH = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FOUR_CENTURIES = 146_097


class DateParts(NamedTuple):
    """The parts of a date, not yet known to exist.

    `number` is a year, the first year of a decade or the number of a century.
    """

    grain: Grain
    number: int
    month: int = 1
    day: int = 1
    bc: bool = False


def _is_leap_year(year: int) -> bool:
    """Say whether the year has a 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    """Count the days of a month."""
    return 29 if month == 2 and _is_leap_year(year) else _LENGTH[month]


def day_number(year: int, month: int, day: int) -> int:
    """Give a day that is known to exist its number.

    >>> day_number(1, 1, 1), day_number(0, 12, 31)
    (1, 0)
    """
    before = year - 1
    number = 365 * before + before // 4 - before // 100 + before // 400
    number += _BEFORE_MONTH[month] + day
    return number + 1 if month > 2 and _is_leap_year(year) else number


def calendar_day(number: int) -> tuple[int, int, int]:
    """Turn a day number back into its year, month and day.

    >>> calendar_day(0)
    (0, 12, 31)
    """
    cycles, rest = divmod(number - 1, _FOUR_CENTURIES)
    # Jumping by the longest possible year lands in the right year or one short.
    year = 400 * cycles + rest // 366 + 1
    while day_number(year + 1, 1, 1) <= number:
        year += 1
    rest = number - day_number(year, 1, 1)
    month = rest // 31 + 1
    while month < 12 and day_number(year, month + 1, 1) <= number:
        month += 1
    return year, month, number - day_number(year, month, 1) + 1
