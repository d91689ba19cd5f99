"""The date that a line, a cell or a value begins with, as people and language models write it.

`When.parse` reads a date and guesses nothing. Here a date is found at the beginning of a
line, and ranges ("June 3–5, 2010"), hedges ("early May 2010"), seasons and dates whose year
stands elsewhere are read too. Whatever is not literally there is said in `guess`.
"""

import re
from dataclasses import dataclass, replace

from chronoscore.dates import vocabulary as words
from chronoscore.dates.when import When
from chronoscore.errors import DataError

_MONTH = rf"(?P<month>(?:{words.MONTH})\b\.?)"
_DAY = rf"(?P<day>\d{{1,2}})(?:{words.ORDINAL_ENDING})?(?![\d:,.]\d|\w)"
_ERA = rf"(?-i:{words.BC}|{words.AD})(?!\w)"
_NUMBER = rf"(?:\d{{1,3}},?\d{{0,3}}\s?{_ERA}|(?-i:{words.AD})\s?\d{{1,4}}|\d{{4}}(?![\w’']|,\d))"
_YEAR = rf"(?P<year>{_NUMBER})"
_LATER_YEAR = rf"(?:,?\s+(?:(?:{words.OF})\s+)?{_YEAR})?"
_TIME_OF_DAY = rf"(?:(?:early|late) )?(?:{words.TIME_OF_DAY})"


def _compile(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE | re.ASCII) for pattern in patterns]


_POINTS = _compile(
    r"(?P<literal>\d{4}(?P<mark>[-/.])\d{1,2}(?P=mark)\d{1,2})(?!\d)",
    r"(?P<literal>\d{4}-\d\d)(?![-/\d])",
    r"(?P<numeric>\d{1,2}(?P<mark>[-/.])\d{1,2}(?P=mark)(?:\d{4}|\d\d))(?![-/\w])",
    rf"{_MONTH}\s+{_DAY}{_LATER_YEAR}",
    rf"{_DAY}\s+(?:(?:{words.OF})\s+)?{_MONTH}{_LATER_YEAR}",
    rf"{_YEAR},?\s+{_MONTH}(?:\s+{_DAY})?",
    rf"{_MONTH},?\s+(?:(?:{words.OF})\s+)?{_YEAR}",
    rf"(?P<literal>(?:\d{{1,2}}(?:{words.ORDINAL_ENDING})|{words.ORDINAL})[ -](?:{words.CENTURY})"
    rf"(?!\w)(?:\s{_ERA})?)",
    rf"(?P<literal>\d{{3,4}}['’]?s(?!\w)(?:\s{_ERA})?)",
    rf"(?P<season>{words.SEASON}|q[1-4]),?\s+(?:(?:{words.OF})\s+)?{_YEAR}",
    _YEAR,
    _MONTH,
)
"""The forms of a date, the first that fits being taken; `literal` is left to `When.parse`."""

(_WEEKDAY, _TO, _CLOCK, _ASIDE, _HEDGE, _ONGOING, _LONE_DAY, _DAY_AND_YEAR, _SHORT_YEAR) = _compile(
    rf"{words.WEEKDAY},?\s+",
    rf"\s*(?:[{words.DASHES}]|--?|/|&|\b(?:{words.RANGE_WORD})\b)\s*",
    r"(?:t|,?\s+(?:at\s+)?)(?:\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
    rf"|\d{{1,2}}\s*[ap]\.?m\b\.?|{_TIME_OF_DAY}(?=\s*[:–—|]))"
    r"(?:\s?(?:z|utc|gmt|[a-z]{1,3}t|[+-]\d\d:?\d\d)(?!\w))?",
    rf"\s*[(\[](?:{words.WEEKDAY}|{_TIME_OF_DAY}|approx(?:\.|imate(?:ly)?)?|est(?:\.|imated)?)[)\]]",
    rf"(?:(?P<soft>{words.HEDGE})|(?:{words.PREPOSITION}))(?:[\s-]+|(?<=[.~]))",
    rf"(?:{words.ONGOING})(?!\w)",
    _DAY,
    rf"{_DAY}{_LATER_YEAR}",
    r"(?P<year>\d\d)(?!\w)",
)
_ROUGHLY = re.compile(r"[(\[](?:approx|est)", re.IGNORECASE)
SEPARATOR = r"[:：|–—―→]|->|=>|--?(?=\s|$)"
_AFTER = re.compile(
    rf"\s*(?P<strong>[,;.]?\s*(?:{SEPARATOR})(?:\s*(?:{SEPARATOR}))*)\s*|\s*[,;.](?:\s+|$)|\s*$"
)
_WRAPPED = re.compile(r"\[([^][]+)\]|\(([^()]+)\)|[\"“']([^\"”']+)[\"”']")


@dataclass(frozen=True, slots=True)
class Opening:
    """The date that a text begins with, and what follows it.

    `strong` says that a colon, a dash or nothing follows the date, so that it is no part of a
    sentence; `separated` that at least a comma does; `spoken` that it began with a
    preposition; `hedged` that it is not meant exactly; `ranged` that it is the beginning of a
    range; `yearless` that its year stood elsewhere.
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

    @property
    def guess(self) -> str:
        """How the date was read where it does not say so itself; otherwise nothing."""
        if self.ranged:
            return f"date '{self.written}' is a range; its beginning, {self.when}, is taken"
        return f"date '{self.written}' is read as {self.when}" if self.hedged else ""


@dataclass(frozen=True, slots=True)
class _Point:
    """One end of a date: what is written of it."""

    end: int
    literal: str = ""
    year: str = ""
    month: str = ""
    day: str = ""
    vague: bool = False

    @property
    def coarse(self) -> bool:
        """Neither a day nor a month: "2010" may just as well be a number."""
        return not (self.day or self.month or self.literal[4:5] == "-")

    def when(self, year: str) -> When:
        if self.literal:
            return When.parse(self.literal)
        return When.parse(" ".join(filter(None, [self.day, self.month, self.year or year])))


def opening_date(text: str, year: str = "") -> Opening | None:
    """Find the date that a text begins with; `year` completes one that has none.

    Numbers and month names that need not be dates count only before a colon or a dash, or
    at the end. A date that is written out but does not exist is refused.
    """
    if found := _WRAPPED.match(text):
        inner = opening_date(next(group for group in found.groups() if group), year)
        if inner and not inner.rest:
            rest = text[found.end() :]
            if separator := _AFTER.match(rest):
                rest = rest[separator.end() :]
            return replace(inner, rest=rest.lstrip(), strong=True)
    start, soft, spoken = _hedges(text)
    point = _point(text, start) or _lone_day(text, start)
    if point is None:
        return None
    first, end = _range(text, point)
    ranged = end > point.end or first is not point
    start, end = end, _read_over(text, end)
    soft = soft or bool(_ROUGHLY.search(text, start, end))
    separator = _AFTER.match(text, end)
    strong = bool(separator and (separator["strong"] or separator.end() == len(text)))
    if separator is None and text[end : end + 1].strip():
        return None
    yearless = not (first.year or first.literal)
    if (first.coarse or (yearless and not first.day)) and not (strong or (spoken and separator)):
        return None
    if yearless and not year:
        if not (strong and first.day):
            return None
        raise DataError(f"date '{text[:end].strip()}' has no year; write it as 2010-06-03")
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
    )


def whole_date(text: str, year: str = "") -> Opening:
    """Read a text that is a date and nothing else, such as a cell or a JSON value."""
    plain = text.strip().strip("\"'“”").strip()
    if found := _WRAPPED.fullmatch(plain):
        plain = next(group for group in found.groups() if group).strip()
    try:
        return Opening(When.parse(plain), plain, "", strong=True)
    except DataError:
        found_date = opening_date(plain, year)
        if found_date is None or found_date.rest:
            raise
        return found_date


def looks_dated(text: str) -> bool:
    """Whether a text is meant as a date, right or wrong: it has a digit or a month's name."""
    return any(char.isdigit() for char in text) or bool(_POINTS[-1].match(text.strip()))


def _hedges(text: str, place: int = 0) -> tuple[int, bool, bool]:
    """Skip "in early", "around the end of" …: where they end, and what they mean."""
    soft = spoken = False
    while found := _HEDGE.match(text, place):
        soft = soft or bool(found["soft"])
        word = found[0].strip(" -.~").casefold()
        spoken = spoken or word in words.SENTENCE_OPENERS
        place = found.end()
    return place, soft, spoken


def _point(text: str, place: int) -> _Point | None:
    if found := _WEEKDAY.match(text, place):
        place = found.end()
    for pattern in _POINTS:
        if found := pattern.match(text, place):
            parts = found.groupdict()
            literal = parts.get("literal") or _numeric(parts.get("numeric"))
            return _Point(
                found.end(),
                literal=literal.replace("’", "'"),
                year=parts.get("year") or "",
                month=parts.get("month") or "",
                day=parts.get("day") or "",
                vague=bool(parts.get("season")),
            )
    return None


def _lone_day(text: str, place: int) -> _Point | None:
    """The "3" of "3 to 5 June 2010": a day only if a range follows that names the month."""
    found = _LONE_DAY.match(text, place)
    if found is None or not (to := _TO.match(text, found.end())):
        return None
    other = _point(text, to.end())
    if other is None or not (other.day and other.month):
        return None
    return _Point(found.end(), day=found["day"])


def _range(text: str, first: _Point) -> tuple[_Point, int]:
    """Complete the first end of a range from the second; a point stays as it is."""
    to = _TO.match(text, first.end)
    if to is None:
        return first, first.end
    if ongoing := _ONGOING.match(text, to.end()):
        return first, ongoing.end()
    last = _second_end(text, to.end(), first)
    if last is None:
        return first, first.end
    year = first.year or last.year
    if first.month and last.month and not first.year and _is_later(first, last):
        year = str(int(year) - 1) if year.isdigit() else year
    if first.literal:
        return first, last.end
    month = first.month or last.month
    return _Point(last.end, year=year, month=month, day=first.day), last.end


def _second_end(text: str, place: int, first: _Point) -> _Point | None:
    """The other end, if it is one; "June 3 – 11 workers died" has none."""
    place = _hedges(text, place)[0]
    last = _point(text, place)
    if last is None or not _alike(first, last):
        last = _bare_end(text, place, first)
    if last is None or (first.month and first.year and not last.year):
        return None
    sure = (last.month and last.year) or last.literal
    return last if sure or _AFTER.match(text, last.end) else None


def _alike(first: _Point, last: _Point) -> bool:
    """Whether two ends are written to the same grain, a month in front being optional."""
    return (
        bool(first.literal) == bool(last.literal)
        and bool(first.day) == bool(last.day)
        and bool(first.month or first.day) == bool(last.month)
    )


def _bare_end(text: str, place: int, first: _Point) -> _Point | None:
    """The "5" of "June 3–5", with a year behind it or not, or the "12" of "2010–12"."""
    if first.literal or bool(first.day) != bool(first.month) or (first.month and first.year):
        return None
    found = (_DAY_AND_YEAR if first.day else _SHORT_YEAR).match(text, place)
    if found is None:
        return None
    parts = found.groupdict()
    return _Point(found.end(), year=parts.get("year") or "", day=parts.get("day") or "")


def _is_later(first: _Point, last: _Point) -> bool:
    """Whether the first month of a range comes later in a year than the last one."""
    return When.parse(f"{first.month} 2001") > When.parse(f"{last.month} 2001")


def _numeric(text: str | None) -> str:
    """Write 25/06/2010 as ISO; where day and month could be exchanged, leave it to be refused."""
    if not text:
        return ""
    first, second, year = re.split(r"[-/.]", text)
    if len(year) == 4 and (int(first) > 12 or first == second):
        return f"{year}-{int(second):02}-{int(first):02}"
    if len(year) == 4 and int(second) > 12:
        return f"{year}-{int(first):02}-{int(second):02}"
    return text


def _read_over(text: str, place: int) -> int:
    """Skip a time of day and asides such as "(Thursday)"."""
    for pattern in (_CLOCK, _ASIDE):
        if found := pattern.match(text, place):
            place = found.end()
    return place
