"""Dates that a sentence counts from the one before: "Two days later", "The next morning".

Only what leaves no choice is counted. "A few days later" or "On Thursday" name no date that a
reader could write down; they are found too, so that they can be reported.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Literal, TypeAlias

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.days import calendar_day
from chronoscore.dates.east_asian import read_number
from chronoscore.dates.folding import fold
from chronoscore.dates.languages import read_table
from chronoscore.dates.when import When
from chronoscore.errors import DataError

Unit: TypeAlias = Literal["day", "week", "month", "year", ""]


@dataclass(frozen=True, slots=True)
class Later:
    """A time counted from another: this many units after it; without a unit it is not known.

    A `count` of 0 is the same day, month or year. `day` is a day of the same month ("the 24th").
    """

    written: str
    end: int
    count: int = 0
    unit: Unit = ""
    day: int = 0

    def after(self, anchor: When) -> When | None:
        """The date, counted from another one; nothing where that is too coarse or it is unsure."""
        fine = {"day": ("day",), "week": ("day",), "month": ("day", "month")}
        year, month, day = calendar_day(anchor.first)
        if not self.unit or year < 1:
            return None
        known = self.day and anchor.grain == "month"
        if not known and anchor.grain not in fine.get(self.unit, ("day", "month", "year")):
            return None
        try:
            if self.day:
                return When.day(year, month, self.day) if known or self.day >= day else None
            if self.unit == "year":
                return When.year(year + self.count)
            if self.unit == "month":
                months = 12 * year + month - 1 + self.count
                return When.month(months // 12, months % 12 + 1)
            return anchor.shift(self.count * (7 if self.unit == "week" else 1))
        except DataError:
            return None


_TABLE = read_table("counted")
_NUMBERS = {
    word: number for number, same in enumerate(_TABLE["numbers"], 1) for word in fold(same).split()
}
UNITS: dict[str, Unit] = {
    fold(word): unit for unit, same in _TABLE["units"].items() for word in same.split()
}
"""Words for lengths of time, folded."""
_PARTS = _TABLE["parts"] | {
    "number": rf"(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})",
    "unit": rf"(?P<unit>{'|'.join(sorted(UNITS, key=len, reverse=True))})(?!\w)",
    "units": "|".join(UNITS),
    "weekday": words.WEEKDAY,
}


def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern of `counted.toml`, which may go on over several lines."""
    whole = Template(pattern.replace("\n", "")).substitute(_PARTS)
    return lazy.pattern(rf"(?:{fold(whole)})", re.IGNORECASE)


_COUNTED: list[tuple[re.Pattern[str], Unit]] = [
    (_compile(form["pattern"]), form.get("unit", "")) for form in _TABLE["counted"]
]
"""Forms with a number of units; the unit is a group of the form or is next to it."""
_NAMED: list[tuple[re.Pattern[str], int, Unit]] = [
    (_compile(form["pattern"]), form["count"], form["unit"]) for form in _TABLE["named"]
]
"""Forms without a number, with what they say."""
_VAGUE = _compile(_TABLE["vague"])
"""Times after another that nobody can date."""
_LONE_DAY = _compile(
    r"(?:on the (?P<day>\d{1,2})(?:st|nd|rd|th)|am (?P<tag>\d{1,2})\.)(?=,|\s+[^\W\d])"
)
_TWO = str.maketrans("两兩", "二二")
_WORD = lazy.pattern(r"(?<!\w)\w")
_LONGEST = 60
"""A counted time is shorter than this."""
_STARTS = ("on ", "am ", "le ", "el ", "the ")
_HINT, _OTHER_HINT = (
    lazy.pattern("|".join(_TABLE["hints"][script].split())) for script in ("latin", "other")
)
"""What every counted time has in it somewhere."""


@lru_cache(maxsize=1024)
def read_later(text: str) -> Later | None:
    """The counted time that a sentence begins with.

    >>> later = read_later("Two days later, the rig sinks.")
    >>> later and str(later.after(When.parse("2010-04-20")))
    '2010-04-22'
    """
    plain = fold(text[:_LONGEST])
    return _read(text, plain) if _has_hint(plain.casefold()) else None


def _has_hint(plain: str) -> bool:
    """Whether a folded text may have a counted time in it; most have none."""
    if plain.startswith(_STARTS) or _HINT.search(plain):
        return True
    return not plain.isascii() and _OTHER_HINT.search(plain) is not None


def _read(text: str, plain: str) -> Later | None:
    if found := _LONE_DAY.match(plain):
        day = int(found["day"] or found["tag"])
        return Later(text[: found.end()], found.end(), unit="day", day=day)
    for form, unit in _COUNTED:
        if found := form.match(plain):
            count = _read_count(found["number"] or "1")
            unit = unit or UNITS[found["unit"].casefold()]
            return Later(text[: found.end()], found.end(), count, unit)
    for form, count, unit in _NAMED:
        if found := form.match(plain):
            return Later(text[: found.end()], found.end(), count, unit)
    found = _VAGUE.match(plain)
    return Later(text[: found.end()], found.end()) if found else None


def read_closing(text: str) -> Later | None:
    """The counted time that a sentence ends with, where that leaves no choice.

    >>> later = read_closing("Appeals were lodged the next day.")
    >>> later and later.written
    'the next day'
    """
    bare = text.rstrip(" .!?。！？")[-_LONGEST:]
    if not _has_hint(fold(bare).casefold()):
        return None
    for word in _WORD.finditer(bare):
        later = read_later(bare[word.start() :])
        if later is not None and later.unit and word.start() + later.end == len(bare):
            return later
    return None


def _read_count(number: str) -> int:
    return _NUMBERS.get(number.casefold()) or read_number(number.translate(_TWO))
