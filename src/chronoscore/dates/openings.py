"""The date that a line, a cell or a value begins with, as people and language models write it.

`When.parse` reads a date and guesses nothing. Here a date is found at the beginning of a
line, and ranges ("June 3–5, 2010"), hedges ("early May 2010"), seasons and dates whose year
stands elsewhere are read too, in every language of `languages` and in Chinese, Japanese and
Korean. `guess` reports whatever is not literally there.
"""

import re
import unicodedata
from dataclasses import dataclass, replace

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.folding import fold
from chronoscore.dates.forms import DatePoint, read_single_date
from chronoscore.dates.ranges import (
    AFTER,
    SEPARATOR,
    TIME_OF_DAY,
    complete_range,
    lone_century,
    lone_day,
    read_date_after_weekday,
    skip_hedges,
)
from chronoscore.dates.when import When
from chronoscore.errors import DataError
from chronoscore.options import DateOrder

_CLOCK, _ASIDE, _REMARK, _DAY_PART = (
    lazy.pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:t|,?\s+(?:at\s+|um\s+|à\s+|a\s+las?\s+)?)(?:\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
        rf"|\d{{1,2}}\s*[ap]\.?m\b\.?|\d{{1,2}}h\d\d|{TIME_OF_DAY}(?=\s*[:–—|]))"
        r"(?:\s?(?:z|utc|gmt|uhr|[a-z]{1,3}t|[+-]\d\d:?\d\d)(?!\w))?",
        rf"\s*[(\[](?:{words.WEEKDAY}|{TIME_OF_DAY}|approx(?:\.|imate(?:ly)?)?|est(?:\.|imated)?"
        r"|\d{1,2}[:.]\d\d(?:\s*[ap]\.?m\.?)?(?:\s[a-z]{2,5})?|\d{1,2}\s*[ap]\.?m\.?"
        r"|[月火水木金土日一二三四五六七월화수목금토일]曜?日?|(?:星期|周|週)[一二三四五六日天])[)\]]"
        r"|\s?(?:星期|周|週)[一二三四五六日天]",
        rf"\s*\((?P<remark>[^()\d]{{1,40}})\)(?=\s*(?:{SEPARATOR}|$))",
        r"(?:,?\s*\d{1,2}\s?[時点點시](?:\d{1,2}\s?[分분]|半)?|,?\s*(?:午[前後]|上午|下午|오전|오후)[^\s:,]*)",
    )
)
_ASIDE_WORDS = lazy.pattern(
    rf"[(\[](?!(?:{words.WEEKDAY}|{TIME_OF_DAY})[)\]])[^\W\d_]{{3}}", re.IGNORECASE
)
"""Words in brackets behind a date, "(expected)", which are no weekday or time of day."""
_WRAPPED = lazy.pattern(
    r"\[([^][]+)\]|\(([^()]+)\)|[\"“'「『]([^\"”']+?)[\"”'」』]|【([^】]+)】|<([^<>]+)>"
)
_REFINED = lazy.pattern(r"\s*[(\[](?P<inner>[^()\[\]]*\d[^()\[\]]*)[)\]]")
_BARE_NUMBER = lazy.pattern(r"\d{1,3}")


@dataclass(frozen=True, slots=True)
class Opening:
    """The date that a text begins with, and what follows it.

    `strong` says that a colon, a dash or nothing follows the date, so that it is no part of a
    sentence; `separated` that at least a comma does; `spoken` that it began with a
    preposition; `hedged` that it is not meant exactly; `ranged` that it is the beginning of a
    range; `yearless` that its year stood elsewhere; `signed` that it is written with signs
    that need no separator behind them, as in Chinese; `inner` that it stands inside a sentence,
    and `attributive` that it says there which thing is meant ("the ruling of 3 May 2008").
    """

    when: When
    written: str
    rest: str
    strong: bool
    separated: bool = True
    spoken: bool = False
    hedged: bool = False
    ranged: bool = False
    yearless: bool = False
    signed: bool = False
    inner: bool = False
    attributive: bool = False
    last_year: str = ""

    @property
    def guess(self) -> str:
        """How the date was read where it does not say so itself; otherwise nothing."""
        if self.ranged:
            return f"date '{self.written}' is a range; its beginning, {self.when}, is taken"
        return f"date '{self.written}' is read as {self.when}" if self.hedged else ""


def opening_date(text: str, year: str = "", order: DateOrder | None = None) -> Opening | None:
    """Find the date that a text begins with; `year` completes one that has none.

    Numbers and month names that need not be dates count only before a colon or a dash, or
    at the end. A date that is written out but does not exist is refused.
    """
    text = text.lstrip(words.UNSEEN)
    plain = fold(text)
    if found := _WRAPPED.match(plain):
        start, end = next(span for span in map(found.span, range(1, 6)) if span[0] >= 0)
        inner = opening_date(text[start:end].strip(), year, order)
        if inner and not inner.rest:
            rest = text[found.end() :]
            if separator := AFTER.match(rest):
                rest = rest[separator.end() :]
            return replace(inner, rest=rest.lstrip(), strong=True)
    start, soft, spoken, placed = skip_hedges(plain)
    point = (
        read_date_after_weekday(plain, start, order)
        or lone_day(plain, start)
        or lone_century(plain, start)
    )
    if point is None:
        return None
    point = point.near(year)
    first, end, last_year = complete_range(plain, point)
    ranged = end > point.end or first is not point or point.span
    if not ranged:
        first, end = _refined(plain, point, order)
    start, end = end, _read_over(plain, end)
    soft = soft or bool(_ASIDE_WORDS.search(plain, start, end))
    separator = AFTER.match(plain, end)
    strong = bool(
        separator and (separator["strong"] or separator["gap"] or separator.end() == len(text))
    )
    if separator is None and plain[end : end + 1].strip() and not first.signed:
        return None
    yearless = not (first.year or first.literal)
    if first.coarse and not (strong or (spoken and separator)):
        return None
    sure = strong or placed or (spoken and separator) or (first.signed and first.vague)
    if yearless and not first.day and not sure:
        return None
    if yearless and not year:
        if not (strong and first.day):
            return None
        raise DataError(
            f"date '{text[:end].strip()}' has no year; write it as 2010-06-03", reason="date"
        )
    try:
        when = first.when(year)
    except DataError:
        if yearless and not strong:
            return None
        raise
    return Opening(
        when=when,
        written=text[:end].strip(),
        rest=text[separator.end() if separator else end :].lstrip(),
        strong=strong,
        separated=separator is not None,
        spoken=spoken,
        hedged=soft or first.vague,
        ranged=ranged,
        yearless=yearless,
        signed=first.signed,
        last_year=last_year,
    )


def whole_date(text: str, year: str = "", order: DateOrder | None = None) -> Opening:
    """Read a text that is a date and nothing else, such as a cell or a JSON value.

    A number of one to three digits is not a date there: TIMEX3's 19 for a century is left to
    `When.parse`.
    """
    plain = unicodedata.normalize("NFC", text).strip().strip("\"'“”*").strip()
    if found := _WRAPPED.fullmatch(plain):
        plain = next(group for group in found.groups() if group).strip()
    if _BARE_NUMBER.fullmatch(fold(plain)):
        raise DataError(
            f"date '{plain}' is not a full year; write it with four digits or an era, "
            "such as AD 79",
            reason="date",
        )
    try:
        return Opening(When.parse(plain), plain, "", strong=True)
    except DataError as error:
        found_date = opening_date(plain, year, order)
        if found_date is None or found_date.rest:
            raise
        if found_date.when.grain != "day" and error.reason == "no such date":
            raise
        return found_date


def looks_dated(text: str) -> bool:
    """Whether a text is meant as a date, right or wrong: it has a digit or a month's name."""
    plain = fold(text.strip())
    return any(char.isdigit() for char in text) or read_single_date(plain, 0) is not None


def _refined(text: str, point: DatePoint, order: DateOrder | None) -> tuple[DatePoint, int]:
    """A date with the same or a finer one in brackets: "1517 (October 31)"."""
    found = _REFINED.match(text, point.end)
    if found is None:
        return point, point.end
    inner = read_date_after_weekday(found["inner"], skip_hedges(found["inner"])[0], order)
    if inner is None or not AFTER.fullmatch(found["inner"], _read_over(found["inner"], inner.end)):
        return point, point.end
    if not point.day and not point.literal and inner.month:
        if not inner.year or inner.year == point.year:
            return replace(inner, end=found.end(), year=point.year), found.end()
        return point, point.end
    return replace(point, end=found.end()), found.end()


def _read_over(text: str, place: int) -> int:
    """Skip a time of day, and asides such as "(Thursday)" or "(expected)"."""
    for pattern in (_CLOCK, _DAY_PART, _ASIDE, _REMARK):
        if found := pattern.match(text, place):
            place = found.end()
    return place
