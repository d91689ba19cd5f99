"""The forms of a single date, in any language, at a place of a text.

A date is a `DatePoint`: what is written of it, in the words that `When.parse` reads. Patterns
are for text that went through `vocabulary.fold`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from chronoscore import lazy
from chronoscore.dates import east_asian
from chronoscore.dates import vocabulary as words
from chronoscore.dates.days import MONTHS
from chronoscore.dates.folding import fold
from chronoscore.dates.holidays import HOLIDAYS, holiday_named
from chronoscore.dates.numbers import names_century
from chronoscore.dates.tongues import DECADE, FILLER
from chronoscore.dates.when import When
from chronoscore.options import DateOrder

_OF = rf"(?:(?:{words.OF})\s+|d'\s?)"
_MONTH = rf"(?P<month>(?:{words.MONTH})(?!\w)\.?)"
_DAY = rf"(?P<day>\d{{1,2}})(?:\.?(?:{words.ORDINAL_ENDING}))?(?![\d:,.]\d|\w)"
_ERA = rf"(?-i:{words.ANY_BC}|{words.ANY_AD})(?!\w)"
_NUMBER = (
    rf"(?:\d{{1,3}}[,.]?\d{{0,3}}\s*{_ERA}|(?-i:{words.AD})\s?\d{{1,4}}"
    rf"|\d{{4}}(?:\.?\s*(?:{words.YEAR_WORD})(?!\w))?(?![\w']|,\d))"
)
_YEAR = rf"(?P<year>{_NUMBER})"
_ANY_YEAR = rf"(?P<year>{_NUMBER}|'\d\d(?!\w))"
_LATER_YEAR = rf"(?:(?:,\s*|\s+){_OF}?{_ANY_YEAR})?"
_IN_FIGURES = r"(?:q[1-4]|[1-4]q|h[12]|[12]h)"
_QUARTERS = rf"{_IN_FIGURES}\s?(?:[{words.DASHES}/&-]|to|and)\s?{_IN_FIGURES}"
_QUARTER = (
    rf"(?:{_IN_FIGURES}|[12]\.?\s?hj|t[1-4]|[1-4]t"
    rf"|(?:[^\W\d_]{{2,9}}|\d\.?(?:{words.ORDINAL_ENDING})?|[iv]{{1,3}})\s+(?:{words.QUARTER}))"
)
_HOLIDAY = "|".join(sorted(map(re.escape, [*HOLIDAYS, "Easter", "Christmas"]), reverse=True))
_ROMAN = r"(?P<roman>[ivx]{1,6})"
_CENTURY_NUMBER = (
    rf"(?:(?P<count>\d{{1,2}})(?:\.|{words.ORDINAL_ENDING})?"
    rf"|{_ROMAN}(?:{words.ORDINAL_ENDING})?|(?P<ordinal>{words.ORDINAL}))"
)
_WEEK_WORD = rf"(?:{words.WEEK})(?!\w)\.?"
_WEEKS = [
    lazy.pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})-?w(?P<week>\d\d)(?!\w)",
        rf"{_WEEK_WORD}\s*(?P<week>\d{{1,2}})(?:\s*[,/]\s*|\s+){_OF}?(?P<year>\d{{4}})(?!\w)",
        rf"(?P<week>\d{{1,2}})(?:\.|{words.ORDINAL_ENDING})?\s+{_WEEK_WORD}(?:\s*[,/]\s*|\s+){_OF}?"
        r"(?P<year>\d{4})(?!\w)",
        r"(?P<year>\d{4})\s?年\s?第?\s?(?P<week>\d{1,2})\s?(?:周|週)",
    )
]
"""Calendar weeks, as ISO 8601 counts them."""
_WEEK = lazy.pattern(
    rf"{_WEEK_WORD}|\d{{4}}-?w|\d{{1,2}}\S{{,3}}\s+{_WEEK_WORD}|\d{{4}}\s?年", re.IGNORECASE
)
"""How each of them begins."""

_FORMS = [
    lazy.pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<literal>\d{4}(?P<mark>[-/.])\d{1,2}(?P=mark)\d{1,2})(?!\d)",
        r"(?P<spaced>\d{4}\.\s?\d{1,2}\.\s?\d{1,2})(?!\d)\.?",
        r"(?P<literal>\d{4}-\d\d)(?![-/\d])",
        r"(?P<literal>[12]\d{3}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?=[\s:]|$)",
        r"(?P<numeric>\d{1,2}(?P<mark>[-/.])\d{1,2}(?P=mark)(?:\d{4}|\d\d))(?![-/\w])",
        r"(?P<numeric>\d{1,2}\.\s?\d{1,2}\.\s?\d{4})(?![-/\w])",
        r"(?P<month_year>(?:0?[1-9]|1[0-2])[/.][12]\d{3})(?![-/.]\d|\w)",
        rf"{_DAY}[-/]{_MONTH}[-/](?P<year>{_NUMBER}|'?\d\d(?!\w))",
        rf"{_DAY}(?:\.\s*|\s+){_OF}?{_MONTH}{_LATER_YEAR}",
        rf"{_DAY}[.\s]\s*(?-i:(?P<roman_month>X?I{{1,3}}|I?[VX]|VI{{1,3}}))[.\s]\s*{_YEAR}",
        rf"{_MONTH}\s+(?:the\s+)?{_DAY}(?!\s+{_OF}?(?:{words.MONTH})(?!\w)){_LATER_YEAR}",
        rf"{_YEAR}[.,]?\s+{_MONTH}(?:\s+{_DAY}\.?)?",
        rf"{_YEAR}[.,]?\s+{_DAY}(?:\.\s*|\s+){_OF}?{_MONTH}",
        rf"{_MONTH}(?:,?\s+{_OF}?|[-/]){_ANY_YEAR}",
        rf"{_MONTH}-(?P<year>\d\d)(?=\s*(?:[:|–—\t)\]]|-\s|$))",
        rf"{_CENTURY_NUMBER}[\s-]+(?:{words.CENTURY})(?!\w)\.?(?P<era>\s{_ERA})?",
        rf"(?:{words.CENTURY_PREFIX})\s+{_CENTURY_NUMBER}(?!\w)(?P<era>\s{_ERA})?",
        rf"(?P<decade>\d{{3,4}})'?s(?!\w)(?P<era>\s{_ERA})?",
        rf"(?P<decade>\d{{3}}0)(?:{words.DECADE_SUFFIX}|[\s'-]*{DECADE})(?!\w)",
        rf"(?:{words.DECADE_PREFIX})\s+(?P<decade>\d{{3}}0)(?!\w)",
        rf"(?P<holiday>{_HOLIDAY}),?\s+{_OF}?(?P<year>\d{{4}})(?!\w)",
        rf"(?P<season>{words.SEASON}|{_QUARTERS}|{_QUARTER}),?\s+{_OF}?{_ANY_YEAR}",
        rf"{_YEAR}[.,]?[\s-]+(?P<season>{words.SEASON}|{_QUARTERS}|{_IN_FIGURES})(?!\w)",
        rf"(?P<season>{_IN_FIGURES})\s?(?P<year>'?\d\d)(?!\w)",
        rf"{_ANY_YEAR}",
        rf"(?P<short>\d{{1,2}}/\d{{1,2}}(?![/\w]|\s+{_OF}?(?:{words.MONTH})(?!\w))|\d{{1,2}}\.\d{{1,2}}\.(?!\w))",
        _MONTH,
        rf"(?P<season>{words.SEASON}|{_IN_FIGURES})(?!\w)",
    )
]
"""The forms of a date, the first that fits being taken; `literal` is left to `When.parse`."""
_ANY_FORM = lazy.pattern(
    "|".join(
        re.sub(r"\(\?P<\w+>", "(?:", form.pattern.replace("(?P=mark)", "[-/.]")) for form in _FORMS
    ),
    re.IGNORECASE,
)
"""What fits none of them, as most words, is told by one pattern."""

_MONTH_ALONE = lazy.pattern(_MONTH, re.IGNORECASE)
_ENGLISH_ALONE = {name for names in words.ENGLISH.months for name in names.split()} - {
    fold(name)
    for language in words.LANGUAGES
    if language is not words.ENGLISH
    for names in language.months
    for name in names.split()
}
_SHORT_YEAR = lazy.pattern(r"(\d{1,2})([-/.])(\d{1,2})\2(\d\d)")
_BC = lazy.pattern(words.ANY_BC)
_AD = lazy.pattern(words.ANY_AD)
_NUMBER_WITHIN = 60
"""Characters within which a date without a century has its number."""
_NEAR = 30
"""Years around a known one in which a year in two figures is taken to be."""
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


@dataclass(frozen=True, slots=True)
class DatePoint:
    """One end of a date: what is written of it, a month by its English name."""

    end: int
    literal: str = ""
    year: str = ""
    month: str = ""
    day: str = ""
    vague: bool = False
    signed: bool = False
    """Written with signs that are no part of a sentence: 2011年3月11日."""
    short: bool = False
    """Of its year only two figures are written: '08."""
    span: bool = False
    """The first day of a week."""

    @property
    def coarse(self) -> bool:
        """Neither a day nor a month: "2010" may just as well be a number."""
        return not (self.day or self.month or self.signed or self.literal[4:5] == "-")

    def near(self, year: str) -> "DatePoint":
        """The date near a known year, where only two figures of its own are written.

        Without one, '50 to '99 are in the 20th century and the others in the 21st.
        """
        if not (self.short and year.isdigit()):
            return self
        known = int(year)
        years = (100 * century + int(self.year) % 100 for century in range(10, 21))
        nearest = min(years, key=lambda one: abs(one - known))
        return replace(self, year=str(nearest)) if abs(nearest - known) <= _NEAR else self

    def when(self, year: str) -> When:
        """The date, its year completed where it has none."""
        if self.literal:
            return When.parse(self.literal)
        return When.parse(" ".join(filter(None, [self.day, self.month, self.year or year])))


def read_single_date(text: str, place: int, order: DateOrder | None = None) -> DatePoint | None:
    """The date that stands at a place of a folded text."""
    if (found := _WEEK.match(text, place)) and (
        found := next(filter(None, (week.match(text, place) for week in _WEEKS)), None)
    ):
        return _point(found, order)
    if (
        not text.isascii()
        and east_asian.SIGNS.search(text, place, place + 24)
        and (parts := east_asian.read_east_asian_date(text, place))
    ):
        month = MONTHS[parts.month - 1] if 1 <= parts.month <= 12 else ""
        if parts.month and not month:
            return None
        return DatePoint(
            parts.end, parts.literal, parts.year, month, parts.day, parts.vague, signed=True
        )
    if not _ANY_FORM.match(text, place):
        return None
    found = next(filter(None, (form.match(text, place) for form in _FORMS)), None)
    return found and _point(found, order)


def places_before(start: str) -> Callable[[str], Callable[[str, int], re.Match[str] | None]]:
    """How a text is searched for the places behind `start`, a pattern, where a date may begin.

    In most texts in plain ASCII, one that says more than a month has a number near its beginning,
    which one pattern tells at once.
    """
    anywhere = lazy.pattern(start)
    numbered = lazy.pattern(
        rf"(?:{start})(?=\D{{0,{_NUMBER_WITHIN}}}+\d)(?=\d|{_WEEK.pattern}|{_ANY_FORM.pattern})",
        re.IGNORECASE,
    )

    def choose(text: str) -> Callable[[str, int], re.Match[str] | None]:
        plain = text.isascii() and "   " not in text and not names_century(text)
        return (numbered if plain else anywhere).search

    return choose


def starts_with_month(text: str) -> bool:
    """Whether a folded text begins with the name of a month."""
    return bool(_MONTH_ALONE.match(text))


def starts_with_week(text: str) -> bool:
    """Whether a folded text begins with a calendar week and its year."""
    return any(week.match(text) for week in _WEEKS)


def follows_day(text: str) -> bool:
    """Whether a folded text goes on a day with a dot: the "April 2010" behind "20.".

    Where a day follows the month, or the month is English and no other language's, the number
    before it counts items.
    """
    text = text.lstrip(FILLER)
    point = read_single_date(text, 0)
    found = _MONTH_ALONE.match(text)
    if point is None or found is None or point.day:
        return False
    return found["month"].rstrip(".").casefold() not in _ENGLISH_ALONE


def _point(found: re.Match[str], order: DateOrder | None) -> DatePoint | None:
    parts = {name: value for name, value in found.groupdict().items() if value}
    end = found.end()
    if "short" in parts:
        return _short(parts["short"], end, order)
    if order and (found_year := _SHORT_YEAR.fullmatch(parts.get("numeric", ""))):
        day = _short(f"{found_year[1]}/{found_year[3]}", end, order)
        if day is not None:
            return replace(day, year=_plain_year(found_year[4]), vague=True, short=True)
    literal = parts.get("literal", "")
    if "week" in parts:
        return _week(int(parts["year"]), int(parts["week"]), end)
    if "spaced" in parts:
        literal = ".".join(part.strip() for part in parts["spaced"].split("."))
    elif "month_year" in parts:
        number, year = re.split(r"[/.]", parts["month_year"])
        literal = f"{year}-{int(number):02}"
    elif "holiday" in parts:
        literal = _holiday(parts["holiday"], int(parts.pop("year")))
    elif "numeric" in parts:
        literal = _iso(re.sub(r"\s", "", parts["numeric"]), order)
    elif "decade" in parts:
        literal = f"{parts['decade']}s{_era(parts)}"
    elif count := _century(parts):
        literal = f"{count}th century{_era(parts)}"
    month = parts.get("month", "").rstrip(".").casefold()
    if "roman_month" in parts:
        month = MONTHS[_roman(parts["roman_month"]) - 1].casefold()
    short = len(parts.get("year", "").lstrip("'")) == 2
    return DatePoint(
        end,
        literal=literal,
        year=_plain_year(parts.get("year", "")),
        month=MONTHS[words.MONTH_NUMBERS[month] - 1] if month else "",
        day=parts.get("day", ""),
        vague="season" in parts or short or ("." in parts.get("numeric", "") and order is None),
        short=short,
    )


def _week(year: int, week: int, end: int) -> DatePoint:
    """The Monday of a calendar week; one that does not exist is left to be refused."""
    import datetime

    try:
        literal = datetime.date.fromisocalendar(year, week, 1).isoformat()
    except ValueError:
        literal = f"{year}-W{week:02}"
    return DatePoint(end, literal=literal, span=True)


def _holiday(name: str, year: int) -> str:
    bare = {"easter": "Easter Sunday", "christmas": "Christmas Day"}.get(name.casefold(), name)
    return holiday_named(bare).in_year(year).value


def _century(parts: dict[str, str]) -> int:
    if "ordinal" in parts:
        return words.ORDINAL_NUMBERS[parts["ordinal"].casefold()]
    if "roman" not in parts:
        return int(parts.get("count", 0))
    return _roman(parts["roman"])


def _roman(number: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in number.casefold()]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


def _era(parts: dict[str, str]) -> str:
    return " BC" if _BC.search(parts.get("era", "")) else ""


def _plain_year(text: str) -> str:
    """A year as `When.parse` reads it, with BC or AD in English."""
    if not text:
        return ""
    if len(text.lstrip("'")) == 2:
        return f"{'19' if text[-2:] >= '50' else '20'}{text[-2:]}"
    digits = "".join(char for char in text if char.isdigit())
    if _BC.search(text):
        return f"{digits} BC"
    return f"AD {int(digits)}" if _AD.search(text) else digits


def _iso(text: str, order: DateOrder | None) -> str:
    """Write 25/06/2010 as ISO; where day and month could be exchanged, leave it to be refused."""
    first, second, year = re.split(r"[-/.]", text)
    if len(year) != 4:
        return text
    if int(first) > 12 or first == second or (order == "day" and int(second) <= 12):
        return f"{year}-{int(second):02}-{int(first):02}"
    if int(second) > 12 or order == "month":
        return f"{year}-{int(first):02}-{int(second):02}"
    # With dots the day comes first wherever dates are written so.
    return f"{year}-{int(second):02}-{int(first):02}" if "." in text else text


def _short(text: str, end: int, order: DateOrder | None) -> DatePoint | None:
    """Day and month in figures, 20.04. or 4/20, where it is clear which is which."""
    first, second = map(int, re.split(r"[/.]", text.rstrip(".")))
    if text.endswith(".") or first > 12 or order == "day":
        day, month = first, second
    elif second > 12 or order == "month":
        month, day = first, second
    else:
        return None
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return DatePoint(end, month=MONTHS[month - 1], day=str(day))
