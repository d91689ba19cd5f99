"""The date that a line, a cell or a value begins with, as people and language models write it.

`When.parse` reads a date and guesses nothing. Here a date is found at the beginning of a
line, and ranges ("June 3–5, 2010"), hedges ("early May 2010"), seasons and dates whose year
stands elsewhere are read too, in every language of `languages` and in Chinese, Japanese and
Korean. `guess` reports whatever is not literally there.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates import vocabulary as words
from chronoscore.dates.folding import fold
from chronoscore.dates.forms import DatePoint
from chronoscore.dates.ranges import (
    AFTER,
    SEPARATOR,
    TIME_OF_DAY,
    Hedges,
    complete_range,
    lone_century,
    lone_day,
    lone_year,
    read_date_after_weekday,
    skip_hedges,
)
from chronoscore.dates.tongues import FILLER, fold_dates
from chronoscore.dates.when import When
from chronoscore.errors import DataError
from chronoscore.options import DateOrder

_TO_CLOCK = (
    r"\s*[,|/·@–—-]\s+(?=\d{1,2}(?::\d\d(?::\d\d)?(?:\s*[ap]\.?m\b\.?)?|\s*[ap]\.?m\b\.?)"
    r"(?:\s[a-z]{3,4})?\s*(?:[:–—|;/,]|-\s|$|(?-i:[A-ZÀ-Þ])))"
)
"""A sign between a date and its time of day, if the text does not begin with the time."""
_CLOCK, _ASIDE, _REMARK, _DAY_PART = (
    lazy.pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:t|,?\s+(?:at\s+|um\s+|à\s+|a\s+las?\s+)?|{_TO_CLOCK})"
        r"(?:\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
        rf"|\d{{1,2}}\s*[ap]\.?m\b\.?|\d{{1,2}}h\d\d|{TIME_OF_DAY}(?=\s*[:–—|]))"
        r"(?:\s?(?:z|utc|gmt|uhr|[a-z]{1,3}t|[+-]\d\d:?\d\d|[^\W\d_]{1,5}(?=\s*[:–—|]))(?!\w))?",
        rf"\s*[(\[](?:{words.WEEKDAY}|{TIME_OF_DAY}|approx(?:\.|imate(?:ly)?)?|est(?:\.|imated)?"
        r"|\d{1,2}[:.]\d\d(?:\s*[ap]\.?m\.?)?(?:\s[a-z]{2,5})?|\d{1,2}\s*[ap]\.?m\.?"
        r"|[月火水木金土日一二三四五六七월화수목금토일]曜?日?|(?:星期|周|週)[一二三四五六日天])[)\]]"
        r"|\s?(?:星期|周|週)[一二三四五六日天]",
        rf"\s*\((?P<remark>[^()\d]{{1,40}})\)(?=\s*(?:{SEPARATOR}|$))",
        r"(?:,?\s*\d{1,2}\s?[時时点點시](?:\d{1,2}\s?[分분]|半)?"
        r"|,?\s*(?:午[前後]|上午|下午|오전|오후)(?:\s?\d{1,2}\s?(?:[時时点點시](?:\s?\d{1,2}\s?[分분]|半)?"
        r"|:\d\d))?)",
    )
)
_ASIDE_WORDS = lazy.pattern(
    rf"[(\[](?!(?:{words.WEEKDAY}|{TIME_OF_DAY})[)\]])[^\W\d_]{{3}}", re.IGNORECASE
)
"""Words in brackets behind a date, "(expected)", which are no weekday or time of day."""
_ABBREVIATION = lazy.pattern(r"\s[^\W\d_]{1,2}\.(?=\s*[–—:|])")
"""A word such as the "d." (day) of Lithuanian."""
_WRAPPED = lazy.pattern(
    r"\[([^][]+)\]|\(([^()]+)\)|[\"“'「『]([^\"”']+?)[\"”'」』]|【([^】]+)】|<([^<>]+)>"
)
_REFINED = lazy.pattern(r"\s*[(\[](?P<inner>[^()\[\]]+)[)\]]")
_YEARS = lazy.pattern(rf"\d{{4}}[{words.DASHES}-]\d\d(?!\d)")
"""The years of "the 1957–58 crisis", where the dash separates no date from a text."""
_WEEKDAY_INSIDE = lazy.pattern(
    rf"(?<=\w)\s*[(\[](?:{words.WEEKDAY})[)\]](?P<comma>,?)(?=\s+(?:[^\W\d_]+\.?\s+)?\d{{4}}(?!\w))",
    re.IGNORECASE,
)
"""The weekday of "March 5 (Wed), 2031"."""
_COMMA = lazy.pattern(r"\s*[,;、，；]\s*")
"""A comma that needs no blank behind it, as in Chinese."""
_GOES_ON = lazy.pattern(r"[\u3041-\u309f\uac00-\ud7a3的起至前后後以当當]")
"""What joins a date in signs to its sentence, as the に of Japanese."""
_CAPITAL = lazy.pattern(r"[\"“„«'‘]?([^\W_])")
_BARE_NUMBER = lazy.pattern(r"\d{1,3}")


@dataclass(frozen=True, slots=True)
class Opening:
    """The date that a text begins with, and what follows it.

    `strong` says that a colon, a dash or nothing follows the date, so that it is no part of a
    sentence; `separated` that at least a comma does; `spoken` that it began with a
    preposition; `hedged` that it is not meant exactly; `ranged` that it is the beginning of a
    range; `yearless` that its year stood elsewhere; `signed` that it is written with signs
    that need no separator behind them, as in Chinese; `label` that a sentence of its own follows,
    where the date is no part of a longer one; `inner` that it stands inside a sentence, and
    `attributive` that it says there which thing is meant ("the ruling of 3 May 2008").
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
    label: bool = False

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
    return _opening(text, _WEEKDAY_INSIDE.sub(_move_comma, fold_dates(text)), year, order)


def _move_comma(found: re.Match[str]) -> str:
    """A comma in place of a weekday before it, and blanks, so that no place changes."""
    return found["comma"] + " " * (len(found[0]) - len(found["comma"]))


@lru_cache(maxsize=1024)
def _opening(text: str, plain: str, year: str, order: DateOrder | None) -> Opening | None:
    """The date of a text that is folded too; a line is asked for it again and again."""
    if inner := _wrapped(text, plain, year, order):
        return inner
    hedges = skip_hedges(plain, len(plain) - len(plain.lstrip(FILLER)))
    point = _point(plain, hedges.end, order)
    if point is None:
        return None
    found = _extent(plain, point.near(year), order)
    tail = _tail(plain, found.end, signed=found.first.signed)
    first = found.first
    if not _is_meant(first, hedges, tail):
        return None
    when = _when(first, year, tail, text[: tail.end].strip())
    if when is None:
        return None
    return Opening(
        when=when,
        written=text[: tail.end].strip(),
        rest=text[tail.separated or tail.end :].lstrip(),
        strong=tail.strong,
        separated=bool(tail.separated) and not tail.tight,
        spoken=hedges.spoken,
        hedged=hedges.soft or first.vague or tail.remarked or _is_converted(text, plain),
        ranged=found.ranged,
        yearless=_is_yearless(first),
        signed=first.signed,
        last_year=found.last_year,
        label=not hedges.end and _begins_anew(text, tail, signed=first.signed),
    )


def _wrapped(text: str, plain: str, year: str, order: DateOrder | None) -> Opening | None:
    """A date in brackets or quotes."""
    found = _WRAPPED.match(plain)
    if found is None:
        return None
    start, end = next(span for span in map(found.span, range(1, 6)) if span[0] >= 0)
    inner = opening_date(text[start:end].strip(), year, order)
    if inner is None or inner.rest:
        return None
    rest = text[found.end() :]
    if separator := AFTER.match(rest):
        rest = rest[separator.end() :]
    return replace(inner, rest=rest.lstrip(), strong=True)


def _point(plain: str, place: int, order: DateOrder | None) -> DatePoint | None:
    return (
        lone_year(plain, place)
        or read_date_after_weekday(plain, place, order)
        or lone_day(plain, place)
        or lone_century(plain, place)
    )


class _Extent(NamedTuple):
    """A date with its range or what says it more finely, and where that ends."""

    first: DatePoint
    end: int
    ranged: bool
    last_year: str


def _extent(plain: str, point: DatePoint, order: DateOrder | None) -> _Extent:
    first, end, last_year = complete_range(plain, point)
    ranged = end > point.end or first is not point or point.span
    if not ranged:
        first, end = _refined(plain, point, order)
    return _Extent(first, end, ranged, last_year)


class _Tail(NamedTuple):
    """What follows a date: where that ends, before and behind the sign that separates it.

    A `tight` comma has no blank behind it, and separates dates in signs only.
    """

    end: int
    separated: int
    strong: bool
    remarked: bool
    glued: bool
    tight: bool = False


def _tail(plain: str, place: int, *, signed: bool) -> _Tail:
    end = _read_over(plain, place)
    remarked = bool(_ASIDE_WORDS.search(plain, place, end))
    after = AFTER.match(plain, end)
    if after is None and signed and (comma := _COMMA.match(plain, end)):
        return _Tail(end, comma.end(), False, remarked, glued=False, tight=True)
    if after is None or _YEARS.match(plain, max(end - 4, 0)):
        return _Tail(end, 0, False, remarked, glued=bool(plain[end : end + 1].strip()))
    strong = bool(after["strong"] or after["gap"] or after.end() == len(plain))
    # What a sign stands for begins with the fillers before it.
    behind = len(plain[: after.end()].rstrip(FILLER))
    return _Tail(end, behind, strong, remarked, glued=False)


def _begins_anew(text: str, tail: _Tail, *, signed: bool) -> bool:
    """Whether a capital or a number follows a date, behind a blank.

    In scripts without capitals any word does, unless it joins the date to its sentence.
    """
    rest = text[tail.end :]
    if signed:
        return bool(rest.strip()) and _GOES_ON.match(rest) is None
    found = _CAPITAL.match(rest.lstrip()) if rest[:1].isspace() else None
    return found is not None and (found[1].isupper() or found[1].isdigit())


def _is_converted(text: str, plain: str) -> bool:
    """Whether figures stand there for words, or for a year that is counted otherwise."""
    return _figures(plain) != _figures(fold(text))


def _figures(text: str) -> list[str]:
    return [char for char in text if char.isdigit()]


def _is_yearless(first: DatePoint) -> bool:
    return not (first.year or first.literal)


def _is_meant(first: DatePoint, hedges: Hedges, tail: _Tail) -> bool:
    """Whether what may be a date is one there, and no number or word of a sentence."""
    if tail.glued and not first.signed:
        return False
    placed = tail.strong or (hedges.spoken and bool(tail.separated))
    if first.coarse and not placed:
        return first.short and bool(first.year) and hedges.end == 0
    if _is_yearless(first) and not first.day:
        return placed or hedges.placed or (first.signed and first.vague)
    return True


def _when(first: DatePoint, year: str, tail: _Tail, written: str) -> When | None:
    """The date; one without a year that is plainly meant as a date is refused."""
    if _is_yearless(first) and not year:
        if not (tail.strong and first.day):
            return None
        raise DataError(f"date '{written}' has no year; write it as 2010-06-03", reason="date")
    try:
        return first.when(year)
    except DataError:
        if _is_yearless(first) and not tail.strong:
            return None
        raise


def whole_date(text: str, year: str = "", order: DateOrder | None = None) -> Opening:
    """Read a text that is a date and nothing else, such as a cell or a JSON value.

    A number of one to three digits is not a date there: TIMEX3's 19 for a century is left to
    `When.parse`.
    """
    plain = unicodedata.normalize("NFC", text).strip().strip("\"'“”*").strip()
    if found := _WRAPPED.fullmatch(plain):
        plain = next(group for group in found.groups() if group).strip()
    if _BARE_NUMBER.fullmatch(fold_dates(plain)):
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
        fine = found_date.when.grain == "day" or found_date.ranged
        if not fine and error.reason == "no such date":
            raise
        return found_date


def _refined(text: str, point: DatePoint, order: DateOrder | None) -> tuple[DatePoint, int]:
    """A date with the same or a finer one in brackets: "1517 (October 31)"."""
    found = _REFINED.match(text, point.end)
    if found is None:
        return point, point.end
    inner = read_date_after_weekday(found["inner"], skip_hedges(found["inner"]).end, order)
    if inner is None or not AFTER.fullmatch(found["inner"], _read_over(found["inner"], inner.end)):
        return point, point.end
    if not (inner.month or any(map(str.isdigit, found["inner"]))):
        return point, point.end
    if not point.day and not point.literal and inner.month:
        if not inner.year or inner.year == point.year:
            return replace(inner, end=found.end(), year=point.year), found.end()
        return point, point.end
    return replace(point, end=found.end()), found.end()


def _read_over(text: str, place: int) -> int:
    """Skip a time of day, and asides such as "(Thursday)" or "(expected)"."""
    for pattern in (_CLOCK, _DAY_PART, _ASIDE, _REMARK, _ABBREVIATION):
        if found := pattern.match(text, place):
            place = found.end()
    return place
