"""Ranges of dates, "June 3–5, 2010", and the words in front of a date that hedge or place it."""

import re
from dataclasses import replace
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates import east_asian
from chronoscore.dates import vocabulary as words
from chronoscore.dates.forms import DatePoint, read_single_date
from chronoscore.dates.tongues import FILLER
from chronoscore.dates.when import When
from chronoscore.options import DateOrder

SEPARATOR = r"[:：|‒–—―→➡]|->|=>|--?(?=\s|$)|--(?=[^\W\d_])"
AFTER = lazy.pattern(
    rf"\s*(?P<strong>[,;.]?\s*(?:{SEPARATOR})(?:\s*(?:{SEPARATOR}))*"
    r"|(?<=\s)[^\w\s.,;()\[\]{}\"'«»“”„*_`/%$€£+~-]{1,3}(?=\s)"
    r"|(?<=\s)[/~](?=\s+[^\W\d_]))\s*"
    r"|(?P<gap>\t\s*| {2,})(?=\S)|\s*[,;.、](?:\s+|$)|\s*$"
)
"""What may stand behind a date that is not part of a sentence."""
TIME_OF_DAY = rf"(?:(?:early|late) )?(?:{words.TIME_OF_DAY})"
_DAY = rf"(?P<day>\d{{1,2}})(?:\.?(?:{words.ORDINAL_ENDING}))?(?![\d:,.]\d|\w)"
_WEEKDAY, _TO, _HEDGE, _ONGOING, _LONE_DAY, _DAY_AND_YEAR, _SHORT_YEAR = (
    lazy.pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{words.WEEKDAY})(?:,\s*|\s+)",
        rf"\s*(?:[{words.DASHES}]|--?|/|&|~|から|より|至|到|부터|에서|\b(?:{words.RANGE_WORD})\b)\s*",
        rf"(?:(?P<soft>{words.HEDGE})|(?:{words.PREPOSITION})|{TIME_OF_DAY}(?=\s+of))"
        rf"(?:[\s{words.DASHES}-]+|(?<=[.~'-]))",
        rf"(?:{words.ONGOING}|至今|今|现在|現在|현재)(?!\w)",
        _DAY,
        rf"{_DAY}(?:(?:,\s*|\s+)(?:(?:{words.OF})\s+)?(?P<year>\d{{4}})(?![\w']|,\d))?",
        r"(?P<year>\d\d)(?!\w)",
    )
)
_MORE_DAYS = lazy.pattern(
    rf"(?:,\s*\d{{1,2}}(?:{words.ORDINAL_ENDING})?(?![\w:]))+"
    rf"(?:,?\s*(?:&|and)\s*\d{{1,2}}(?:{words.ORDINAL_ENDING})?(?![\w:]))?"
    rf"(?:,?\s+(?P<year>\d{{4}})(?!\w))?(?=\s*(?:{SEPARATOR}))",
    re.IGNORECASE,
)
_YEARS_OF_ERA = lazy.pattern(
    rf"(?P<first>\d{{1,4}})\s*(?:[{words.DASHES}/-]|\b(?:{words.RANGE_WORD})\b)\s*(?P<last>\d{{1,4}})"
    rf"\s*(?P<era>{words.ANY_BC}|{words.ANY_AD})(?!\w)"
)
_TIGHT = lazy.pattern(rf"\d[{words.DASHES}-]\d")
"""A dash between two days, as in "1944. október 15–16."."""
_ISO_END = lazy.pattern(r"(?:\d\d-)?\d\d(?![\w-])(?=\s*(?:[:–—|,]|$|-\s))")


class Hedges(NamedTuple):
    """The words before a date: where they end, and what they mean.

    That is whether the date is not meant exactly (`soft`), whether it is part of a sentence
    (`spoken`), and whether a month's name behind them can be nothing else (`placed`): "In March",
    but "After May resigned".
    """

    end: int
    soft: bool
    spoken: bool
    placed: bool


def skip_hedges(text: str, place: int = 0) -> Hedges:
    """Skip "in early", "around the end of" …"""
    soft = spoken = placed = False
    while found := _HEDGE.match(text, place):
        soft = soft or bool(found["soft"])
        word = found[0].strip(f" -.~{words.DASHES}{FILLER}").casefold()
        spoken = spoken or word in words.SENTENCE_OPENERS
        placed = placed or word in words.PLACING
        place = found.end()
    return Hedges(place, soft, spoken, placed)


def read_date_after_weekday(
    text: str, place: int, order: DateOrder | None = None
) -> DatePoint | None:
    """The date at a place, a weekday before it being skipped."""
    if found := _WEEKDAY.match(text, place):
        place = found.end()
        place = skip_hedges(text, place).end
    return read_single_date(text, place, order)


def lone_day(text: str, place: int, *, further: int = 5) -> DatePoint | None:
    """The "3" of "3 to 5 June 2010": a day only if a range follows that names the month.

    In "1–2 and 5 August" the days between are part of the range; `further` of them at most.
    """
    found = _LONE_DAY.match(text, place) if text[place : place + 1].isdigit() else None
    if found is None or not (to := _TO.match(text, _skip_dot(text, found.end()))):
        return None
    other = read_date_after_weekday(text, skip_hedges(text, to.end()).end)
    if other is None and further:
        last = lone_day(text, to.end(), further=further - 1)
        return None if last is None else replace(last, day=found["day"])
    if other is None or not (other.day and other.month) or other.signed:
        return None
    return DatePoint(_skip_dot(text, found.end()), day=found["day"])


def range_start(text: str, place: int) -> DatePoint | None:
    """The first day of a range whose month stands behind its last: the 2 of "2 and 6 March"."""
    first = lone_day(text, place)
    return None if first is None else complete_range(text, first)[0]


def lone_century(text: str, place: int) -> DatePoint | None:
    """The "10th" of "10th–9th century BC"."""
    found = _LONE_DAY.match(text, place) if text[place : place + 1].isdigit() else None
    if found is None or not (to := _TO.match(text, _skip_dot(text, found.end()))):
        return None
    other = read_date_after_weekday(text, skip_hedges(text, to.end()).end)
    if other is None or "century" not in other.literal:
        return None
    era = " BC" if other.literal.endswith("BC") else ""
    return DatePoint(_skip_dot(text, found.end()), literal=f"{found['day']}th century{era}")


def lone_year(text: str, place: int) -> DatePoint | None:
    """The years of "264–241 BC", whose era stands behind the second only."""
    found = _YEARS_OF_ERA.match(text, place)
    if found is None:
        return None
    era = "BC" if re.search(words.ANY_BC, found["era"]) else "AD"
    if (era == "BC") != (int(found["first"]) > int(found["last"])):
        return None
    year = f"{found['first']} BC" if era == "BC" else f"AD {found['first']}"
    return DatePoint(found.end(), year=year, span=True)


def _skip_dot(text: str, place: int) -> int:
    return place + 1 if text[place : place + 1] == "." else place


def complete_range(text: str, first: DatePoint) -> tuple[DatePoint, int, str]:
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
    point = replace(first, end=last.end, year=year, month=month, vague=False, short=False)
    return point, last.end, _full_year(first.year, last.year)


def _full_year(first: str, last: str) -> str:
    """The last year of a range; "12" behind 2010 is 2012."""
    if len(last) == 2 and len(first) == 4 and first.isdigit():
        return first[:2] + last
    return last


def _second_end(text: str, place: int, first: DatePoint) -> DatePoint | None:
    """The other end, if it is one; "June 3 – 11 workers died" has none."""
    place = skip_hedges(text, place).end
    last = read_date_after_weekday(text, place)
    if last is None or not _alike(first, last):
        last = _signed_end(text, place, first) or _bare_end(text, place, first)
    tight = _TIGHT.match(text, max(place - 2, 0))
    if last is None or (
        first.month
        and first.year
        and not last.year
        and not ((first.signed and last.signed) or tight)
    ):
        return None
    whole = last.year and (last.month or (first.month and len(last.year) == 4))
    sure = whole or last.literal or last.signed
    return last if sure or AFTER.match(text, last.end) else None


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
    whole = first.month and first.year and not _TIGHT.match(text, max(place - 2, 0))
    if first.literal or bool(first.day) != bool(first.month) or whole:
        return None
    found = (_DAY_AND_YEAR if first.day else _SHORT_YEAR).match(text, place)
    if found is None:
        return None
    parts = found.groupdict()
    return DatePoint(found.end(), year=parts.get("year") or "", day=parts.get("day") or "")


def _is_later(first: DatePoint, last: DatePoint) -> bool:
    """Whether the first month of a range comes later in a year than the last one."""
    return When.parse(f"{first.month} 2001") > When.parse(f"{last.month} 2001")
