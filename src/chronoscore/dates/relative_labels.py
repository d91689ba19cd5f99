"""Labels that name a date by another one: "Tuesday" in a week, "That July", "The forties"."""

import re
from dataclasses import dataclass

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.days import calendar_day
from chronoscore.dates.folding import fold
from chronoscore.dates.forms import DatePoint, read_single_date
from chronoscore.dates.languages import read_table
from chronoscore.dates.later import UNITS
from chronoscore.dates.ranges import SEPARATOR, TIME_OF_DAY
from chronoscore.dates.tongues import WEEKDAY, fold_dates
from chronoscore.dates.when import When
from chronoscore.errors import DataError

LONGEST = 60
"""Longer texts are no labels."""
_WEEKDAY = lazy.pattern(
    rf"(?:on\s+|am\s+|le\s+|el\s+)?(?:(?P<name>{words.WEEKDAY})"
    r"|(?:星期|周|週)(?P<chinese>[一二三四五六日天])|(?P<japanese>[月火水木金土日])曜日?"
    rf"|(?P<korean>[월화수목금토일])요일)(?:,?\s+{TIME_OF_DAY})?\s*",
    re.IGNORECASE,
)
_AFTER = lazy.pattern(rf"\s*(?:{SEPARATOR})+\s*")
_SMALL = lazy.pattern(
    rf"{words.PREPOSITION}|{words.OF}|{words.HEDGE}|{words.YEAR_WORD}|later|au|im|la|le|el|o|no|nel"
)
_WORD = lazy.pattern(r"[^\W\d_]+")
_TABLE = read_table("counted")
_SAME, _NEXT = (tuple(_TABLE["beside"][kind].split()) for kind in ("same", "next"))
_TENS_OF = {fold(word): 10 * n for n, same in enumerate(_TABLE["tens"], 2) for word in same.split()}
_DECADE = lazy.pattern(
    rf"(?P<words>{'|'.join(sorted(_TENS_OF, key=len, reverse=True))})(?:s|ые|ых|jahren?)?(?!\w)"
    r"|['’]?(?P<figures>[2-9]0)(?:er|-?[ех]|s)?(?!\w)",
    re.IGNORECASE,
)
_TELLING = ("ies", "er", "s", "е", "х", "jahre", "jahren")
"""Endings that make a number a decade."""
_NEAREST = 40
"""Years between a date and the middle of a decade that is written without its century."""


@dataclass(frozen=True, slots=True)
class WeekdayLabel:
    """A weekday before what happened; its `number` is that of ISO 8601, 0 where it is unknown."""

    written: str
    rest: str
    number: int

    def on_or_after(self, day: When) -> When | None:
        """The next such day from a day on."""
        if not self.number or day.grain != "day":
            return None
        return day.shift((self.number - day.first) % 7)


def read_weekday_label(text: str) -> WeekdayLabel | None:
    """The weekday that a line has before a colon or a dash, or that is all it says.

    >>> label = read_weekday_label("Tuesday: The port closes.")
    >>> label and (label.rest, str(label.on_or_after(When.parse("2010-05-03"))))
    ('The port closes.', '2010-05-04')
    """
    plain = fold_dates(text)
    found = _WEEKDAY.match(plain)
    if found is None:
        return None
    after = _AFTER.match(plain, found.end())
    if after is None and found.end() < len(plain):
        return None
    end = after.end() if after else len(plain)
    return WeekdayLabel(text[: found.end()].strip(), text[end:], _number(found))


def _number(found: re.Match[str]) -> int:
    if found["name"] == WEEKDAY:
        return 0  # of a language whose weekdays we do not tell apart
    if found["name"]:
        return words.WEEKDAY_NUMBERS.get(found["name"].rstrip(".").casefold(), 0)
    rows = ((found["chinese"], "一二三四五六日"), (found["japanese"], "月火水木金土日"),
            (found["korean"], "월화수목금토일"))  # fmt: skip
    return next(row.index(sign.replace("天", "日")) + 1 for sign, row in rows if sign)


def read_month_label(text: str, anchor: When) -> When | None:
    """The month, day or season of a label that says by a word which year is meant.

    >>> str(read_month_label("That July", When.parse("2010-05-03")))
    '2010-07'
    >>> str(read_month_label("The following March", When.parse("2010-05-03")))
    '2011-03'
    """
    if len(text) > LONGEST:
        return None
    plain = fold_dates(text)
    if not any(word.startswith(_NEXT + _SAME) for word in _words(plain)):
        return None
    named = [word for word in _WORD.finditer(plain) if _is_yearless(plain, word.start())]
    if len(named) != 1:
        return None
    point = read_single_date(plain, named[0].start())
    others = _words(plain[: named[0].start()]) + _words(plain[named[0].end() :])
    following = any(word.startswith(_NEXT) for word in others)
    told = following or any(word.startswith(_SAME) for word in others)
    if point is None or not told or not all(map(_is_small, others)):
        return None
    return _in_year(point, anchor, following=following)


def _words(plain: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(plain)]


def _is_small(word: str) -> bool:
    """Whether a word beside a month says nothing of what happened."""
    return word.startswith(_NEXT + _SAME) or word in UNITS or bool(_SMALL.fullmatch(word))


def _is_yearless(plain: str, place: int) -> bool:
    point = read_single_date(plain, place)
    return point is not None and not point.year and bool(point.month or point.vague)


def _in_year(point: DatePoint, anchor: When, *, following: bool) -> When | None:
    year = calendar_day(anchor.first)[0]
    if year < 1 or anchor.grain in ("decade", "century"):
        return None
    try:
        when = point.when(str(year))
        return point.when(str(year + 1)) if following and when <= anchor else when
    except DataError:
        return None


def read_decade_label(text: str, anchor: When) -> When | None:
    """The decade that a label names without its century, which is that of another date.

    >>> str(read_decade_label("Años cuarenta", When.parse("1938-11-01")))
    '1940s'
    """
    plain = fold(text)
    found = _DECADE.search(plain) if len(text) <= LONGEST else None
    year = calendar_day(anchor.first)[0]
    if found is None or year < 1:
        return None
    before, behind = _words(plain[: found.start()]), _words(plain[found.end() :])
    decade = found[0].casefold().endswith(_TELLING)
    decade = decade or any(UNITS.get(word) == "year" for word in before)
    if not decade or not all(map(_is_small, before + behind)):
        return None
    tens = int(found["figures"] or _TENS_OF[found["words"].casefold()])
    start = min(range(tens, 2100, 100), key=lambda one: abs(one + 5 - year))
    return When.decade(start) if abs(start + 5 - year) <= _NEAREST else None
