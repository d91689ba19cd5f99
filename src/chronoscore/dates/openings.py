"""The date that a line, a cell or a value begins with, as people and language models write it.

`When.parse` reads a date and guesses nothing. Here a date is found at the beginning of a
line, and ranges ("June 3–5, 2010"), hedges ("early May 2010"), seasons and dates whose year
stands elsewhere are read too, in every language of `languages` and in Chinese, Japanese and
Korean. Whatever is not literally there is said in `guess`.
"""

import re
import unicodedata
from dataclasses import dataclass, replace

from chronoscore.dates import east_asian
from chronoscore.dates import vocabulary as words
from chronoscore.dates.forms import DateOrder, DatePoint, read_point
from chronoscore.dates.when import When
from chronoscore.errors import DataError

_DAY = rf"(?P<day>\d{{1,2}})(?:\.?(?:{words.ORDINAL_ENDING}))?(?![\d:,.]\d|\w)"
_TIME_OF_DAY = rf"(?:(?:early|late) )?(?:{words.TIME_OF_DAY})"
SEPARATOR = r"[:：|–—―→➡]|->|=>|--?(?=\s|$)"


def _compile(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


(
    _WEEKDAY, _TO, _CLOCK, _ASIDE, _REMARK, _HEDGE, _ONGOING, _LONE_DAY, _DAY_AND_YEAR,
    _SHORT_YEAR, _DAY_PART,
) = _compile(
    rf"(?:{words.WEEKDAY})(?:,\s*|\s+)",
    rf"\s*(?:[{words.DASHES}]|--?|/|&|~|から|より|至|到|부터|에서|\b(?:{words.RANGE_WORD})\b)\s*",
    r"(?:t|,?\s+(?:at\s+|um\s+|à\s+|a\s+las?\s+)?)(?:\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
    rf"|\d{{1,2}}\s*[ap]\.?m\b\.?|\d{{1,2}}h\d\d|{_TIME_OF_DAY}(?=\s*[:–—|]))"
    r"(?:\s?(?:z|utc|gmt|uhr|[a-z]{1,3}t|[+-]\d\d:?\d\d)(?!\w))?",
    rf"\s*[(\[](?:{words.WEEKDAY}|{_TIME_OF_DAY}|approx(?:\.|imate(?:ly)?)?|est(?:\.|imated)?"
    r"|\d{1,2}[:.]\d\d(?:\s*[ap]\.?m\.?)?(?:\s[a-z]{2,5})?|\d{1,2}\s*[ap]\.?m\.?"
    r"|[月火水木金土日一二三四五六七월화수목금토일]曜?日?|(?:星期|周|週)[一二三四五六日天])[)\]]"
    r"|\s?(?:星期|周|週)[一二三四五六日天]",
    rf"\s*\((?P<remark>[^()\d]{{1,40}})\)(?=\s*(?:{SEPARATOR}|$))",
    rf"(?:(?P<soft>{words.HEDGE})|(?:{words.PREPOSITION})|{_TIME_OF_DAY}(?=\s+of))"
    rf"(?:[\s{words.DASHES}-]+|(?<=[.~'-]))",
    rf"(?:{words.ONGOING}|至今|今|现在|現在|현재)(?!\w)",
    _DAY,
    rf"{_DAY}(?:(?:,\s*|\s+)(?:(?:{words.OF})\s+)?(?P<year>\d{{4}})(?![\w']|,\d))?",
    r"(?P<year>\d\d)(?!\w)",
    r"(?:,?\s*\d{1,2}\s?[時点點시](?:\d{1,2}\s?[分분]|半)?|,?\s*(?:午[前後]|上午|下午|오전|오후)[^\s:,]*)",
)  # fmt: skip
_ASIDE_WORDS = re.compile(
    rf"[(\[](?!(?:{words.WEEKDAY}|{_TIME_OF_DAY})[)\]])[^\W\d_]{{3}}", re.IGNORECASE
)
"""Words in brackets behind a date, "(expected)", which are no weekday or time of day."""
_AFTER = re.compile(
    rf"\s*(?P<strong>[,;.]?\s*(?:{SEPARATOR})(?:\s*(?:{SEPARATOR}))*)\s*"
    r"|(?P<gap>\t\s*| {3,})(?=\S)|\s*[,;.、](?:\s+|$)|\s*$"
)
_WRAPPED = re.compile(
    r"\[([^][]+)\]|\(([^()]+)\)|[\"“'「『]([^\"”']+?)[\"”'」』]|【([^】]+)】|<([^<>]+)>"
)
_REFINED = re.compile(r"\s*[(\[](?P<inner>[^()\[\]]*\d[^()\[\]]*)[)\]]")
_MORE_DAYS = re.compile(
    rf"(?:,\s*\d{{1,2}}(?:{words.ORDINAL_ENDING})?(?![\w:]))+"
    rf"(?:,?\s*(?:&|and)\s*\d{{1,2}}(?:{words.ORDINAL_ENDING})?(?![\w:]))?"
    rf"(?:,?\s+(?P<year>\d{{4}})(?!\w))?(?=\s*(?:{SEPARATOR}))",
    re.IGNORECASE,
)
_ISO_END = re.compile(r"(?:\d\d-)?\d\d(?![\w-])(?=\s*(?:[:–—|,]|$|-\s))")
_BARE_NUMBER = re.compile(r"\d{1,3}")


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
    plain = words.fold(text)
    if found := _WRAPPED.match(plain):
        start, end = next(span for span in map(found.span, range(1, 6)) if span[0] >= 0)
        inner = opening_date(text[start:end].strip(), year, order)
        if inner and not inner.rest:
            rest = text[found.end() :]
            if separator := _AFTER.match(rest):
                rest = rest[separator.end() :]
            return replace(inner, rest=rest.lstrip(), strong=True)
    start, soft, spoken, placed = _hedges(plain)
    point = _point(plain, start, order) or _lone_day(plain, start) or _lone_century(plain, start)
    if point is None:
        return None
    point = point.near(year)
    first, end, last_year = _range(plain, point)
    ranged = end > point.end or first is not point or point.span
    if not ranged:
        first, end = _refined(plain, point, order)
    start, end = end, _read_over(plain, end)
    soft = soft or bool(_ASIDE_WORDS.search(plain, start, end))
    separator = _AFTER.match(plain, end)
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
    if _BARE_NUMBER.fullmatch(words.fold(plain)):
        raise DataError(
            f"date '{plain}' is not a full year; write it with four digits or an era, such as AD 79"
        )
    try:
        return Opening(When.parse(plain), plain, "", strong=True)
    except DataError as error:
        found_date = opening_date(plain, year, order)
        if found_date is None or found_date.rest:
            raise
        if found_date.when.grain != "day" and "does not exist" in str(error):
            raise
        return found_date


def looks_dated(text: str) -> bool:
    """Whether a text is meant as a date, right or wrong: it has a digit or a month's name."""
    plain = words.fold(text.strip())
    return any(char.isdigit() for char in text) or read_point(plain, 0) is not None


def _hedges(text: str, place: int = 0) -> tuple[int, bool, bool, bool]:
    """Skip "in early", "around the end of" …: where they end, and what they mean.

    That is whether the date is not meant exactly, whether it is part of a sentence, and whether
    a month's name behind them can be nothing else: "In March", but "After May resigned".
    """
    soft = spoken = placed = False
    while found := _HEDGE.match(text, place):
        soft = soft or bool(found["soft"])
        word = found[0].strip(f" -.~{words.DASHES}").casefold()
        spoken = spoken or word in words.SENTENCE_OPENERS
        placed = placed or word in words.PLACING
        place = found.end()
    return place, soft, spoken, placed


def _point(text: str, place: int, order: DateOrder | None = None) -> DatePoint | None:
    if found := _WEEKDAY.match(text, place):
        place = found.end()
        place = _hedges(text, place)[0]
    return read_point(text, place, order)


def _lone_day(text: str, place: int, *, further: int = 5) -> DatePoint | None:
    """The "3" of "3 to 5 June 2010": a day only if a range follows that names the month.

    In "1–2 and 5 August" the days between are part of the range; `further` of them at most.
    """
    found = _LONE_DAY.match(text, place)
    if found is None or not (to := _TO.match(text, _skip_dot(text, found.end()))):
        return None
    other = _point(text, _hedges(text, to.end())[0])
    if other is None and further:
        last = _lone_day(text, to.end(), further=further - 1)
        return None if last is None else replace(last, day=found["day"])
    if other is None or not (other.day and other.month) or other.signed:
        return None
    return DatePoint(_skip_dot(text, found.end()), day=found["day"])


def range_start(text: str, place: int) -> DatePoint | None:
    """The first day of a range whose month stands behind its last: the 2 of "2 and 6 March"."""
    first = _lone_day(text, place)
    return None if first is None else _range(text, first)[0]


def _lone_century(text: str, place: int) -> DatePoint | None:
    """The "10th" of "10th–9th century BC"."""
    found = _LONE_DAY.match(text, place)
    if found is None or not (to := _TO.match(text, _skip_dot(text, found.end()))):
        return None
    other = _point(text, _hedges(text, to.end())[0])
    if other is None or "century" not in other.literal:
        return None
    era = " BC" if other.literal.endswith("BC") else ""
    return DatePoint(_skip_dot(text, found.end()), literal=f"{found['day']}th century{era}")


def _skip_dot(text: str, place: int) -> int:
    return place + 1 if text[place : place + 1] == "." else place


def _range(text: str, first: DatePoint) -> tuple[DatePoint, int, str]:
    """Complete the first end of a range from the second; a point stays as it is."""
    if first.day and not first.year and (more := _MORE_DAYS.match(text, first.end)):
        year = more["year"] or ""
        return replace(first, end=more.end(), year=year), more.end(), ""
    to = _TO.match(text, first.end)
    if to is None:
        return first, first.end, ""
    if ongoing := _ONGOING.match(text, to.end()):
        return first, ongoing.end(), ""
    last = _second_end(text, to.end(), first)
    if last is None:
        return first, first.end, ""
    year = first.year or last.year
    if first.month and last.month and not first.year and _is_later(first, last):
        year = str(int(year) - 1) if year.isdigit() else year
    if first.literal:
        return first, last.end, last.year
    month = first.month or last.month
    point = DatePoint(last.end, year=year, month=month, day=first.day, signed=first.signed)
    return point, last.end, _full_year(first.year, last.year)


def _full_year(first: str, last: str) -> str:
    """The last year of a range; "12" behind 2010 is 2012."""
    if len(last) == 2 and len(first) == 4 and first.isdigit():
        return first[:2] + last
    return last


def _second_end(text: str, place: int, first: DatePoint) -> DatePoint | None:
    """The other end, if it is one; "June 3 – 11 workers died" has none."""
    place = _hedges(text, place)[0]
    last = _point(text, place)
    if last is None or not _alike(first, last):
        last = _signed_end(text, place, first) or _bare_end(text, place, first)
    if last is None or (
        first.month and first.year and not last.year and not (first.signed and last.signed)
    ):
        return None
    sure = (last.month and last.year) or last.literal or last.signed
    return last if sure or _AFTER.match(text, last.end) else None


def _alike(first: DatePoint, last: DatePoint) -> bool:
    """Whether two ends are written to the same grain, a month in front being optional."""
    return (
        bool(first.literal) == bool(last.literal)
        and bool(first.day) == bool(last.day)
        and bool(first.month or first.day) == bool(last.month)
    )


def _signed_end(text: str, place: int, first: DatePoint) -> DatePoint | None:
    """The "13日" of "3月11日～13日"."""
    if not (first.signed and first.day) or not (found := east_asian.LONE_DAY.match(text, place)):
        return None
    day = str(east_asian.read_number(found["day"]))
    return DatePoint(found.end(), day=day, signed=True)


def _bare_end(text: str, place: int, first: DatePoint) -> DatePoint | None:
    """The "5" of "June 3–5", with a year behind it or not, or the "12" of "2010–12"."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", first.literal):
        short = _ISO_END.match(text, place)
        return DatePoint(short.end(), literal=first.literal) if short else None
    if first.literal or bool(first.day) != bool(first.month) or (first.month and first.year):
        return None
    found = (_DAY_AND_YEAR if first.day else _SHORT_YEAR).match(text, place)
    if found is None:
        return None
    parts = found.groupdict()
    return DatePoint(found.end(), year=parts.get("year") or "", day=parts.get("day") or "")


def _is_later(first: DatePoint, last: DatePoint) -> bool:
    """Whether the first month of a range comes later in a year than the last one."""
    return When.parse(f"{first.month} 2001") > When.parse(f"{last.month} 2001")


def _refined(text: str, point: DatePoint, order: DateOrder | None) -> tuple[DatePoint, int]:
    """A date with the same or a finer one in brackets: "1517 (October 31)"."""
    found = _REFINED.match(text, point.end)
    if found is None:
        return point, point.end
    inner = _point(found["inner"], _hedges(found["inner"])[0], order)
    if inner is None or not _AFTER.fullmatch(found["inner"], _read_over(found["inner"], inner.end)):
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
